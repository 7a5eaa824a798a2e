//! Suggests the right names for misspelled names.

/// Maximum length of a name. Longer names aren't misspellings, and would take long to compare.
const CHARS_MAX: usize = 100;

/// Maximum number of candidates to compare. With more names, a suggestion wouldn't help much.
const CANDIDATES_MAX: usize = 1_000;

/// Minimum length of the beginning of a name.
const BEGIN_CHARS: usize = 3;

/// Returns the candidate that is most similar to `wanted`; `None` if none is similar. If several
/// are equally similar, returns the first.
pub fn similar<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let numbered = candidates.into_iter().take(CANDIDATES_MAX).zip(0_usize..);
    let (name, _) = closest(wanted, numbered)?;
    Some(name.to_owned())
}

/// Returns the only name that starts with `wanted`, such as `lumi-c` for `lumi`.
fn completed<'a>(wanted: &str, names: &[&'a str]) -> Option<&'a str> {
    let is_longer = |it: &&&str| it.len() > wanted.len() && it.starts_with(wanted);
    let mut longer = names.iter().filter(is_longer);
    let found = longer.next().filter(|_| wanted.len() >= BEGIN_CHARS)?;
    longer.next().is_none().then_some(found)
}

/// Renders `; did you mean …?` for a similar candidate, or else for the only one that starts with
/// `word`. Renders an empty string if there is neither.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = candidates.into_iter().take(CANDIDATES_MAX).collect();
    let near = similar(word, names.iter().copied());
    near.or_else(|| completed(word, &names).map(str::to_owned))
        .map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// Returns the candidate that needs the fewest edits; `None` if all of them need too many. If
/// several need equally few, returns the one with the smallest value.
pub fn closest<'a, T: Copy + Ord>(
    wanted: &str,
    candidates: impl Iterator<Item = (&'a str, T)>,
) -> Option<(&'a str, T)> {
    let wanted = Word::new(wanted)?;
    let mut limit = match wanted.letters.len() {
        0..=2 => 0,
        3..=5 => 1,
        6..=9 => 2,
        _ => 3,
    };
    let mut best: Option<(usize, T, &str)> = None;
    let mut rows = Rows::default();
    for (name, value) in candidates {
        let edits = Word::near(name, &wanted, limit).and_then(|candidate| {
            // If a word contains several mistakes, its first letter is rarely one of them.
            let begins_alike = candidate.letters.first() == wanted.letters.first();
            let limit = if begins_alike { limit } else { limit.min(1) };
            rows.edits(&wanted.letters, &candidate.letters, limit)
        });
        let found = edits.map(|edits| (edits, value, name));
        if let Some(found) = found.filter(|found| best.is_none_or(|best| *found < best)) {
            limit = found.0;
            best = Some(found);
        }
    }
    best.map(|(_, value, name)| (name, value))
}

/// A name in lower case, and the set of its letters.
struct Word {
    letters: Vec<char>,
    /// A bit for each letter in the name. Some letters share a bit.
    occurring: u64,
}

impl Word {
    /// Prepares a name for comparison; `None` if it is too long.
    fn new(name: &str) -> Option<Self> {
        let lower = name
            .chars()
            .take(CHARS_MAX + 1)
            .flat_map(char::to_lowercase);
        let letters: Vec<char> = lower.collect();
        let occurring = letters.iter().fold(0, |all, letter| all | bit(*letter));
        (letters.len() <= CHARS_MAX).then_some(Self { letters, occurring })
    }

    /// Prepares a candidate; `None` if its length or its letters show that it is more than `limit`
    /// edits away from `wanted`. Most candidates are.
    fn near(name: &str, wanted: &Self, limit: usize) -> Option<Self> {
        // A letter takes at most 4 bytes.
        let bytes = name.len();
        if bytes > 4 * (wanted.letters.len() + limit) || 4 * bytes + limit < wanted.letters.len() {
            return None;
        }
        let candidate = Self::new(name)?;
        // An edit removes a letter, adds a letter, or does both.
        let differing = (candidate.occurring ^ wanted.occurring).count_ones() as usize;
        let length = candidate.letters.len();
        let is_near = differing <= 2 * limit && length.abs_diff(wanted.letters.len()) <= limit;
        is_near.then_some(candidate)
    }
}

fn bit(letter: char) -> u64 {
    1 << (u32::from(letter) % 64)
}

/// Three rows of the matrix of edit distances between the prefixes of two words.
#[derive(Default)]
struct Rows {
    before: Vec<usize>,
    last: Vec<usize>,
    row: Vec<usize>,
}

impl Rows {
    /// Returns how many letters must be inserted, deleted, replaced or swapped with their neighbor;
    /// `None` if more than `limit`.
    fn edits(&mut self, a: &[char], b: &[char], limit: usize) -> Option<usize> {
        let beyond = limit + 1;
        for row in [&mut self.before, &mut self.last, &mut self.row] {
            row.clear();
            row.resize(b.len() + 1, beyond);
        }
        for (at, edits) in self.last.iter_mut().enumerate().take(beyond) {
            *edits = at;
        }
        for (i, x) in a.iter().enumerate() {
            // All values further from the diagonal exceed the limit.
            let (start, end) = (i.saturating_sub(limit), b.len().min(i + beyond));
            self.row.fill(beyond);
            if i < limit {
                self.row[0] = i + 1;
            }
            let mut least = self.row[0];
            for j in start..end {
                let y = b[j];
                let mut edits = self.last[j] + usize::from(*x != y);
                edits = edits.min(self.last[j + 1].min(self.row[j]) + 1);
                if i > 0 && j > 0 && a[i - 1] == y && *x == b[j - 1] {
                    edits = edits.min(self.before[j - 1] + 1);
                }
                self.row[j + 1] = edits.min(beyond);
                least = least.min(edits);
            }
            // A swap refers to the row before the last one, so a single row isn't enough to stop.
            if least > limit && self.last.iter().all(|edits| *edits > limit) {
                return None;
            }
            std::mem::swap(&mut self.before, &mut self.last);
            std::mem::swap(&mut self.last, &mut self.row);
        }
        self.last.last().copied().filter(|edits| *edits <= limit)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn near_names_are_found() {
        let nearest = |word, names: &[&'static str]| similar(word, names.iter().copied());
        let found = |name: &str| Some(name.to_owned());
        assert_eq!(
            nearest("latncy", &["bandwidth", "latency"]),
            found("latency")
        );
        assert_eq!(nearest("nat", &["NUM", "NAT"]), found("NAT"));
        assert_eq!(nearest("O", &["L", "o", "g"]), found("o"));
        assert_eq!(nearest("blok", &["block", "cyclic"]), found("block"));
        assert_eq!(did_you_mean("blok", ["block"]), "; did you mean `block`?");
    }

    #[test]
    fn far_names_are_not() {
        assert_eq!(similar("speed", ["latency", "bandwidth"]), None);
        assert_eq!(similar(&"latency".repeat(1_000_000), ["latency"]), None);
        assert_eq!(similar("x", []), None);
        assert_eq!(did_you_mean("zzz", ["latency"]), "");
    }

    #[test]
    fn similar_names_are_found() {
        let names = ["NUM_NODES", "pid", "alpha", "alpah2"];
        for (name, found) in [
            ("num_nodes", Some("NUM_NODES")),
            ("NUM_NODE", Some("NUM_NODES")),
            ("pdi", Some("pid")),
            ("PID", Some("pid")),
            ("alhpa", Some("alpha")),
            ("beta", None),
            ("NUM_NDOSE", Some("NUM_NODES")),
            ("MUM_NDOES", None),
            ("", None),
            ("p", None),
        ] {
            let suggestion = similar(name, names);
            assert_eq!(suggestion.as_deref(), found, "{name}");
        }
    }

    #[test]
    fn the_first_of_those_alike_is_taken_and_the_least_value_counts() {
        assert_eq!(
            similar("name0", ["name2", "name1"].into_iter()).unwrap(),
            "name2"
        );
        let numbered = [("name2", 2), ("name1", 1)].into_iter();
        assert_eq!(closest("name0", numbered), Some(("name1", 1)));
    }

    #[test]
    fn long_names_and_late_candidates_are_not_compared() {
        let long = "x".repeat(CHARS_MAX + 1);
        assert_eq!(similar(&long, [long.as_str()].into_iter()), None);
        let names: Vec<String> = (0..CANDIDATES_MAX).map(|it| format!("v{it}")).collect();
        let names = names.iter().map(String::as_str);
        assert_eq!(similar("alpah", names.chain(["alpha"])), None);
    }

    fn all_edits(a: &[char], b: &[char]) -> usize {
        let mut matrix = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                matrix[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let replaced = matrix[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    let swaps = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                    let swapped = if swaps {
                        matrix[i - 2][j - 2] + 1
                    } else {
                        replaced
                    };
                    let moved = matrix[i - 1][j].min(matrix[i][j - 1]) + 1;
                    replaced.min(swapped).min(moved)
                };
            }
        }
        matrix[a.len()][b.len()]
    }

    proptest! {
        #[test]
        fn bounds_change_no_number_of_edits(
            a in "[abc]{0,9}",
            b in "[abc]{0,9}",
            limit in 0..4_usize,
        ) {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            let edits = all_edits(&a, &b);
            let expected = (edits <= limit).then_some(edits);
            prop_assert_eq!(Rows::default().edits(&a, &b, limit), expected);
            let words = (String::from_iter(&a), String::from_iter(&b));
            let near = Word::near(&words.1, &Word::new(&words.0).unwrap(), limit);
            prop_assert!(expected.is_none() || near.is_some());
        }
    }
}
