//! Finds elements by their ids.

use std::borrow::Cow;

use super::tree::NodeId;
use prophet_text::closest;

/// An index that finds elements by id.
///
/// It is a list sorted by hash, which takes less memory than a map. A search mostly compares
/// numbers rather than strings with long common prefixes. Entries with equal hashes are sorted by
/// id, so a file that provokes collisions isn't slower.
#[derive(Debug, Default)]
pub(super) struct Index<'s> {
    entries: Vec<IdEntry<'s>>,
    /// Where the entries of each bucket start, followed by the end of all entries. The leading bits
    /// of a hash select the bucket, so that a search examines only a few entries.
    starts: Vec<u32>,
    /// Whether any id contains white space. If so, lists of ids can't simply be split.
    has_spaces: bool,
}

#[derive(Debug, Clone)]
pub(super) struct IdEntry<'s> {
    hash: u64,
    pub(super) id: Cow<'s, str>,
    pub(super) is_extension: bool,
    pub(super) node: NodeId,
}

impl<'s> IdEntry<'s> {
    pub(super) fn new(id: Cow<'s, str>, node: NodeId, is_extension: bool) -> Self {
        Self {
            hash: hash(&id),
            id,
            is_extension,
            node,
        }
    }

    fn key(&self) -> (u64, &str, bool, NodeId) {
        (self.hash, &self.id, self.is_extension, self.node)
    }
}

impl<'s> Index<'s> {
    /// Builds the index. Also returns the elements with an id that an earlier element has, together
    /// with that element.
    ///
    /// If an extension repeats an id of the model, the id refers to the model's element.
    pub(super) fn new(mut entries: Vec<IdEntry<'s>>) -> (Self, Vec<(NodeId, NodeId)>) {
        entries.sort_unstable_by(|a, b| a.key().cmp(&b.key()));
        let mut conflicts = Vec::new();
        entries.dedup_by(|later, first| {
            let is_same = later.hash == first.hash && later.id == first.id;
            if is_same && !later.is_extension {
                conflicts.push((later.node, first.node));
            }
            is_same
        });
        conflicts.sort_unstable();
        let has_spaces = entries
            .iter()
            .any(|entry| entry.id.contains(char::is_whitespace));
        let index = Self {
            starts: starts(&entries),
            entries,
            has_spaces,
        };
        (index, conflicts)
    }

    pub(super) fn find(&self, id: &str) -> Option<NodeId> {
        let key = (hash(id), id);
        let bucket = bucket(key.0, self.starts.len().saturating_sub(1));
        let start = *self.starts.get(bucket)? as usize;
        let end = *self.starts.get(bucket + 1)? as usize;
        let entries = self.entries.get(start..end)?;
        let at = entries
            .binary_search_by(|entry| (entry.hash, &*entry.id).cmp(&key))
            .ok()?;
        entries.get(at).map(|entry| entry.node)
    }

    /// Splits a list of ids at white space, taking into account that ids may contain white space.
    ///
    /// Returns each id with its byte offset in `list`.
    pub(super) fn split<'l>(&self, list: &'l str) -> Vec<(usize, &'l str)> {
        /// Maximum number of words in an id with spaces, so that a hostile list can't take forever.
        const WORDS_MAX: usize = 8;
        let start_of = |word: &str| word.as_ptr() as usize - list.as_ptr() as usize;
        let words: Vec<(usize, &str)> = list
            .split_whitespace()
            .map(|word| (start_of(word), word))
            .collect();
        if !self.has_spaces {
            return words;
        }
        let mut ids = Vec::new();
        let mut rest = words.as_slice();
        while let Some((&first, behind)) = rest.split_first() {
            let join = |&(start, word): &(usize, &'l str)| {
                list.get(first.0..start + word.len()).unwrap_or_default()
            };
            let joined = behind.iter().take(WORDS_MAX - 1).enumerate().rev();
            let longest = joined
                .map(|(more, last)| (more + 1, join(last)))
                .find(|(_, id)| self.find(id).is_some());
            let (more, id) = longest.unwrap_or((0, first.1));
            ids.push((first.0, id));
            rest = behind.get(more..).unwrap_or_default();
        }
        ids
    }

    /// Finds the most similar id for an id that doesn't exist.
    pub(super) fn closest(&self, id: &str) -> Option<(&str, NodeId)> {
        /// Maximum number of ids to search. In larger files, the search would take too long, and
        /// users don't know the ids anyway.
        const ENTRIES_MAX: usize = 50_000;
        if self.entries.len() > ENTRIES_MAX {
            return None;
        }
        let in_model = self.entries.iter().filter(|entry| !entry.is_extension);
        let candidates = in_model.map(|entry| (&*entry.id, entry.node));
        closest(id, candidates)
    }
}

/// Returns the start of each bucket's entries. On average, a bucket has about four entries.
fn starts(entries: &[IdEntry<'_>]) -> Vec<u32> {
    let buckets = (entries.len() / 4).next_power_of_two();
    let mut starts = vec![0; buckets + 1];
    for entry in entries {
        starts[bucket(entry.hash, buckets) + 1] += 1;
    }
    let mut before = 0;
    for start in &mut starts {
        before += *start;
        *start = before;
    }
    starts
}

/// Returns the bucket of a hash from its leading bits. `buckets` must be a power of two.
fn bucket(hash: u64, buckets: usize) -> usize {
    let bits = buckets.max(1).trailing_zeros();
    hash.checked_shr(64 - bits)
        .map_or(0, |it| usize::try_from(it).unwrap_or(0))
}

/// Computes the FNV-1a hash, which is fast for short strings and the same on every machine.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(ids: &[&'static str]) -> (Index<'static>, Vec<(NodeId, NodeId)>) {
        let entries = (0..).map(NodeId).zip(ids);
        Index::new(
            entries
                .map(|(node, id)| IdEntry::new(Cow::Borrowed(*id), node, false))
                .collect(),
        )
    }

    #[test]
    fn finds_ids_and_reports_those_given_twice() {
        let (index, conflicts) = index(&["_a", "{B-1}.x", "_a", "_c"]);
        assert_eq!(index.find("{B-1}.x"), Some(NodeId(1)));
        assert_eq!(index.find("_a"), Some(NodeId(0)));
        assert_eq!(index.find("_d"), None);
        assert_eq!(conflicts, [(NodeId(2), NodeId(0))]);
    }

    #[test]
    fn splits_lists_whose_ids_have_spaces() {
        let (plain, _) = index(&["_a", "_b"]);
        assert_eq!(plain.split(" _a  _b"), [(1, "_a"), (5, "_b")]);
        let (index, _) = index(&["my node 1", "my", "2"]);
        assert_eq!(
            index.split("my node 1 2 my"),
            [(0, "my node 1"), (10, "2"), (12, "my")]
        );
        assert_eq!(index.split("my node 2"), [(0, "my"), (3, "node"), (8, "2")]);
    }
}
