//! Receives of any tag: they get the oldest message of a source.
//!
//! If the source is named, that message is known when it is sent; from any source it is decided as
//! in [`super::wild`]. No receive, of one tag or of any tag, gets a message that an older receive
//! may take.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::wild::head;
use super::{ANY_SOURCE, Context, Envelope, Letter, Matching, Post};

/// State of a rank that receives messages of any tag.
#[derive(Debug, Default)]
pub(super) struct AnyTag {
    /// Receives from any source, the oldest first.
    posts: VecDeque<Post>,
    /// Receives that name their source, the oldest first.
    of_source: BTreeMap<u32, VecDeque<Post>>,
    /// Tag and [`head`] of each waiting message of the program, by its source and a number in the
    /// order of sending.
    order: BTreeMap<(u32, u64), (i64, u64)>,
    /// Numbers of the messages of each source and tag.
    numbers: BTreeMap<(u32, i64), VecDeque<u64>>,
    /// Number of messages that have waited.
    count: u64,
    /// [`head`] and source of each source's oldest message.
    heads: BTreeSet<(u64, u32)>,
    /// True if other receives may wait for messages that receives from any source kept from them.
    pub(super) held_back: bool,
}

impl AnyTag {
    /// Creates the state of a rank at which these messages wait, in the order in which they were
    /// sent.
    pub(super) fn of(letters: &[Letter]) -> Self {
        // Receives may wait for a message that one of one tag has kept from them before.
        let mut any = Self {
            held_back: true,
            ..Self::default()
        };
        for letter in letters {
            any.add(letter);
        }
        any
    }

    pub(super) fn waits(&self) -> bool {
        self.held_back || !self.posts.is_empty() || !self.of_source.is_empty()
    }

    pub(super) fn post(&mut self, post: Post) {
        match post.envelope.source {
            ANY_SOURCE => self.posts.push_back(post),
            source => self.of_source.entry(source).or_default().push_back(post),
        }
    }

    /// Waiting receives.
    pub(super) fn posts(&self) -> impl Iterator<Item = &Post> {
        self.posts.iter().chain(self.of_source.values().flatten())
    }

    /// Number of the oldest receive from any source.
    pub(super) fn first_of_any(&self) -> u64 {
        self.posts.front().map_or(u64::MAX, |post| post.number)
    }

    /// Number of the oldest receive from that source.
    fn first_of_source(&self, source: u32) -> u64 {
        let posts = self.of_source.get(&source);
        let first = posts.and_then(VecDeque::front);
        first.map_or(u64::MAX, |post| post.number)
    }

    /// Number of the oldest receive that may take a message of that source.
    pub(super) fn first_post(&self, source: u32) -> u64 {
        self.first_of_any().min(self.first_of_source(source))
    }

    pub(super) fn take_of_any(&mut self) -> Option<Post> {
        self.posts.pop_front()
    }

    fn take_of_source(&mut self, source: u32) -> Option<Post> {
        let posts = self.of_source.get_mut(&source)?;
        let post = posts.pop_front();
        if posts.is_empty() {
            self.of_source.remove(&source);
        }
        post
    }

    pub(super) fn withdraw(&mut self, mine: impl Fn(&Post) -> bool) -> bool {
        let waiting = |any: &Self| {
            let named = any.of_source.values().map(VecDeque::len);
            any.posts.len() + named.sum::<usize>()
        };
        let before = waiting(self);
        self.posts.retain(|post| !mine(post));
        self.of_source.retain(|_, posts| {
            posts.retain(|post| !mine(post));
            !posts.is_empty()
        });
        let found = waiting(self) < before;
        self.held_back |= found;
        found
    }

    /// Records a message that waits.
    pub(super) fn add(&mut self, letter: &Letter) {
        let Envelope {
            source,
            context,
            tag,
        } = letter.envelope;
        if context != Context::Program {
            return;
        }
        if self.first_of(source).is_none() {
            self.heads.insert((head(letter), source));
        }
        self.order.insert((source, self.count), (tag, head(letter)));
        let numbers = self.numbers.entry((source, tag)).or_default();
        numbers.push_back(self.count);
        self.count += 1;
    }

    /// Forgets the oldest message of an envelope.
    pub(super) fn remove(&mut self, envelope: &Envelope) {
        let Envelope { source, tag, .. } = *envelope;
        let Some(numbers) = self.numbers.get_mut(&(source, tag)) else {
            return;
        };
        let number = numbers.pop_front();
        if numbers.is_empty() {
            self.numbers.remove(&(source, tag));
        }
        let Some(number) = number else { return };
        let was_first = self.first_of(source).is_some_and(|(it, _)| it == number);
        let Some((_, bits)) = self.order.remove(&(source, number)) else {
            return;
        };
        if was_first {
            self.heads.remove(&(bits, source));
            let next = self.messages(source).next();
            if let Some((_, (_, bits))) = next {
                self.heads.insert((bits, source));
            }
        }
    }

    /// Lists the messages of a source, the oldest first: number, tag and head.
    fn messages(&self, source: u32) -> impl Iterator<Item = (u64, (i64, u64))> {
        let of_source = self.order.range((source, 0)..=(source, u64::MAX));
        of_source.map(|((_, number), message)| (*number, *message))
    }

    /// Number and tag of a source's oldest message.
    fn first_of(&self, source: u32) -> Option<(u64, i64)> {
        let (number, (tag, _)) = self.messages(source).next()?;
        Some((number, tag))
    }
}

impl Matching {
    /// Settles as [`Self::settle`], for a rank that receives messages of any tag: at most one pair
    /// from any source, since each decision changes the messages that others may take.
    pub(super) fn settle_any_tag(&mut self, rank: u32, now_s: f64) -> (Vec<(Post, Letter)>, f64) {
        let mut again_s = f64::INFINITY;
        let pairs = self.release_named(rank);
        if !pairs.is_empty() {
            return (pairs, again_s);
        }
        for tag in self.fronts(rank) {
            let first = match tag {
                Some(tag) => self.first_there(rank, tag),
                None => self.first_there_of_any(rank),
            };
            let Some((envelope, there_s)) = first else {
                continue;
            };
            if there_s > now_s && there_s.is_finite() {
                again_s = again_s.min(there_s);
                continue;
            }
            let here = &mut self.ranks[rank as usize];
            let post = here.wild.as_mut().and_then(|wild| wild.take_front(tag));
            let letter = here.take_head(&mut self.letters, &envelope);
            return (post.zip(letter).into_iter().collect(), again_s);
        }
        (Vec::new(), again_s)
    }

    /// Lists the tags of the oldest receives from any source, the oldest first; `None` is any tag,
    /// and younger receives of one tag wait until that has its message.
    fn fronts(&self, rank: u32) -> Vec<Option<i64>> {
        let Some(wild) = &self.ranks[rank as usize].wild else {
            return Vec::new();
        };
        let of_any = wild
            .any_tag
            .as_ref()
            .map_or(u64::MAX, |any| any.first_of_any());
        let mut fronts: Vec<(u64, Option<i64>)> = wild
            .fronts()
            .filter(|(number, _)| *number < of_any)
            .map(|(number, tag)| (number, Some(tag)))
            .collect();
        fronts.sort_unstable();
        let last = (of_any < u64::MAX).then_some(None);
        fronts.into_iter().map(|(_, tag)| tag).chain(last).collect()
    }

    /// Finds the message whose envelope has arrived first for receives of any tag from any source,
    /// and the time; `None` if no such receive waits.
    fn first_there_of_any(&self, rank: u32) -> Option<(Envelope, f64)> {
        let any = self.ranks[rank as usize].wild.as_ref()?.any_tag.as_ref()?;
        any.posts.front()?;
        let (bits, source) = any.heads.first()?;
        let (_, tag) = any.first_of(*source)?;
        let envelope = Envelope::of_program(*source, tag);
        Some((envelope, f64::from_bits(*bits)))
    }

    /// Gives receives that name their source the messages that no older one from any source may
    /// take.
    fn release_named(&mut self, rank: u32) -> Vec<(Post, Letter)> {
        let mut pairs = Vec::new();
        let here = &mut self.ranks[rank as usize];
        let Some(any) = here.wild.as_mut().and_then(|wild| wild.any_tag.as_mut()) else {
            return pairs;
        };
        // Receives of one tag wait for others to be decided. Receives of any tag also wait for
        // messages.
        let all = std::mem::take(&mut any.held_back);
        let sources: BTreeSet<u32> = if all {
            any.heads.iter().map(|(_, source)| *source).collect()
        } else {
            any.of_source.keys().copied().collect()
        };
        for source in sources {
            self.release_of(rank, source, all, &mut pairs);
        }
        pairs
    }

    /// Releases the messages of one source: only its oldest message, or all.
    fn release_of(&mut self, rank: u32, source: u32, all: bool, pairs: &mut Vec<(Post, Letter)>) {
        let here = &mut self.ranks[rank as usize];
        let Some(any) = here.wild.as_ref().and_then(|wild| wild.any_tag.as_ref()) else {
            return;
        };
        let most = if all { usize::MAX } else { 1 };
        let messages: Vec<(u64, (i64, u64))> = any.messages(source).take(most).collect();
        for (number, (tag, _)) in messages {
            let envelope = Envelope::of_program(source, tag);
            let Some(wild) = here.wild.as_mut() else {
                return;
            };
            let from_any = wild.first_from_any(tag);
            let Some(any) = wild.any_tag.as_mut() else {
                return;
            };
            let of_source = any.first_of_source(source);
            let is_first = any.first_of(source).is_some_and(|(it, _)| it == number);
            let older = |post: &Post| post.number < from_any.min(of_source);
            let mut post = here.posts.take_if(&mut self.posts, &envelope, older);
            if post.is_none() && is_first && of_source < from_any {
                post = any.take_of_source(source);
                any.held_back = true;
            }
            if let Some(post) = post {
                let letter = here.take_head(&mut self.letters, &envelope);
                pairs.extend(letter.map(|letter| (post, letter)));
            }
        }
    }
}
