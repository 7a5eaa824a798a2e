//! Matches receives with any tag, which take the oldest message from a source.
//!
//! If the receive names its source, that message is known as soon as it has been sent. Otherwise,
//! the message is chosen as in [`super::wild`]. No receive, whatever its tag, gets a message that
//! an older receive may still take.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use prophet_map::Map;

use crate::messages::letter::{ANY_SOURCE, Context, Envelope, Letter, Post};

#[derive(Debug, Default)]
pub(super) struct AnyTag {
    /// Receives from any source, oldest first.
    posts: VecDeque<Post>,
    /// Receives that name their source, oldest first.
    of_source: Map<u32, VecDeque<Post>>,
    /// The tag and [`Letter::head`] of each of the program's waiting messages, by its source and a
    /// number that increases in the order of sending.
    order: BTreeMap<(u32, u64), (i64, u64)>,
    /// The numbers of the messages with each source and tag.
    numbers: Map<(u32, i64), VecDeque<u64>>,
    /// Number of messages that have ever waited.
    count: u64,
    /// The [`Letter::head`] and source of each source's oldest message.
    heads: BTreeSet<(u64, u32)>,
    /// Whether other receives may be waiting for messages that receives from any source held back.
    pub(super) held_back: bool,
}

impl AnyTag {
    /// Creates the state of a rank with these waiting messages, which are in the order of sending.
    pub(super) fn of(letters: &[Letter]) -> Self {
        // Receives may be waiting for a message that an earlier receive with a tag has held back.
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
            source => self.of_source.get_or_default(source).push_back(post),
        }
    }

    pub(super) fn posts(&self) -> impl Iterator<Item = &Post> {
        self.posts.iter().chain(self.of_source.values().flatten())
    }

    /// Returns the message whose envelope arrives first, and that time, for receives from any
    /// source. Returns `None` if no such receive is waiting.
    pub(super) fn first_there(&self) -> Option<(Envelope, f64)> {
        self.posts.front()?;
        let (bits, source) = self.heads.first()?;
        let (_, tag) = self.first_of(*source)?;
        Some((Envelope::of_program(*source, tag), f64::from_bits(*bits)))
    }

    /// Returns the sources whose messages can be released to receives that name them, and whether
    /// to release all of their messages or only the oldest.
    pub(super) fn release(&mut self) -> (BTreeSet<u32>, bool) {
        // Receives with a tag wait until others have been decided. Receives with any tag also wait
        // for messages.
        let all = std::mem::take(&mut self.held_back);
        let sources = if all {
            self.heads.iter().map(|(_, source)| *source).collect()
        } else {
            self.of_source.keys().copied().collect()
        };
        (sources, all)
    }

    pub(super) fn first_of_any(&self) -> u64 {
        self.posts.front().map_or(u64::MAX, |post| post.number)
    }

    pub(super) fn first_of_source(&self, source: u32) -> u64 {
        let posts = self.of_source.get(&source);
        let first = posts.and_then(VecDeque::front);
        first.map_or(u64::MAX, |post| post.number)
    }

    /// Returns the number of the oldest receive that may take a message from this source.
    pub(super) fn first_post(&self, source: u32) -> u64 {
        self.first_of_any().min(self.first_of_source(source))
    }

    pub(super) fn take_of_any(&mut self) -> Option<Post> {
        self.posts.pop_front()
    }

    pub(super) fn take_of_source(&mut self, source: u32) -> Option<Post> {
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
        let sources: Vec<u32> = self.of_source.keys().copied().collect();
        for source in sources {
            let posts = self.of_source.get_or_default(source);
            posts.retain(|post| !mine(post));
            if posts.is_empty() {
                self.of_source.remove(&source);
            }
        }
        let found = waiting(self) < before;
        self.held_back |= found;
        found
    }

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
            self.heads.insert((letter.head(), source));
        }
        self.order
            .insert((source, self.count), (tag, letter.head()));
        let numbers = self.numbers.get_or_default((source, tag));
        numbers.push_back(self.count);
        self.count += 1;
    }

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

    /// Returns the messages from a source, oldest first, each with its number, tag, and head.
    pub(super) fn messages(&self, source: u32) -> impl Iterator<Item = (u64, (i64, u64))> {
        let of_source = self.order.range((source, 0)..=(source, u64::MAX));
        of_source.map(|((_, number), message)| (*number, *message))
    }

    /// Returns the number and tag of a source's oldest message.
    pub(super) fn first_of(&self, source: u32) -> Option<(u64, i64)> {
        let (number, (tag, _)) = self.messages(source).next()?;
        Some((number, tag))
    }
}
