//! Matches receives from any source. They consider each source's oldest message with their tag, and
//! get the one whose envelope arrives first or, if several arrive at the same time, the one from
//! the lowest rank.
//!
//! That message is known only when its envelope has arrived, because a message that arrives even
//! earlier can still be sent. Until then, newer receives don't take messages that the receive from
//! any source may take.

use std::collections::{BTreeSet, VecDeque};

use prophet_map::Map;

use super::any_tag::AnyTag;
use super::slab::{Queue, Slab};
use crate::messages::letter::{ANY_TAG, Context, Envelope, Letter, Post};

#[derive(Debug, Default)]
pub(super) struct Wild {
    tags: Map<i64, OfTag>,
    /// The tags of receives that are waiting or have held back messages from other receives.
    concerned: BTreeSet<i64>,
    /// The state for receives with any tag, or `None` before the first of these.
    pub(super) any_tag: Option<Box<AnyTag>>,
}

#[derive(Debug, Default)]
struct OfTag {
    posts: VecDeque<Post>,
    /// The [`Letter::head`] and source of each source's oldest message.
    heads: BTreeSet<(u64, u32)>,
    /// Whether other receives may be waiting for messages that receives from any source held back.
    held_back: bool,
}

impl Wild {
    /// Creates the state of a rank with these waiting messages.
    pub(super) fn of(queue: &Queue, letters: &Slab<Letter>) -> Self {
        let mut wild = Self::default();
        let sources: BTreeSet<Envelope> = queue.envelopes(letters).into_iter().collect();
        for envelope in sources {
            if let Some(letter) = queue.oldest(letters, &envelope) {
                wild.add_head(letter);
            }
        }
        wild
    }

    /// Returns `true` if a receive from any source is waiting that might take a message.
    pub(super) fn waits(&self) -> bool {
        !self.concerned.is_empty() || self.any_tag.as_ref().is_some_and(|any| any.waits())
    }

    /// Returns `true` if there has been a receive with any tag.
    pub(super) fn takes_any_tag(&self) -> bool {
        self.any_tag.is_some()
    }

    /// Returns the tags of receives that are waiting or have held back messages from other
    /// receives.
    pub(super) fn concerned(&self) -> Vec<i64> {
        self.concerned.iter().copied().collect()
    }

    /// Adds a receive. `waiting` returns the waiting messages, in the order of sending.
    pub(super) fn post(&mut self, post: Post, waiting: impl FnOnce() -> Vec<Letter>) {
        if post.envelope.tag == ANY_TAG {
            let any = || Box::new(AnyTag::of(&waiting()));
            return self.any_tag.get_or_insert_with(any).post(post);
        }
        self.concerned.insert(post.envelope.tag);
        let of_tag = self.tags.get_or_default(post.envelope.tag);
        of_tag.posts.push_back(post);
    }

    pub(super) fn posts(&self) -> impl Iterator<Item = &Post> {
        let of_tags = self.tags.values().flat_map(|of_tag| &of_tag.posts);
        of_tags.chain(self.any_tag.iter().flat_map(|any| any.posts()))
    }

    /// Returns the number of the oldest receive that may take a message with this envelope.
    pub(super) fn first_post(&self, envelope: &Envelope) -> u64 {
        if envelope.context != Context::Program {
            return u64::MAX;
        }
        let of_tag = self.first_of_tag(envelope.tag);
        match &self.any_tag {
            None => of_tag,
            Some(any) => of_tag.min(any.first_post(envelope.source)),
        }
    }

    /// Returns the number of the oldest receive from any source that may take a message with this
    /// tag.
    pub(super) fn first_from_any(&self, tag: i64) -> u64 {
        let of_any = self.any_tag.as_ref().map(|any| any.first_of_any());
        self.first_of_tag(tag).min(of_any.unwrap_or(u64::MAX))
    }

    fn first_of_tag(&self, tag: i64) -> u64 {
        let post = self.tags.get(&tag).and_then(|of_tag| of_tag.posts.front());
        post.map_or(u64::MAX, |post| post.number)
    }

    /// Returns the number and tag of the oldest receive with each tag.
    pub(super) fn fronts(&self) -> impl Iterator<Item = (u64, i64)> {
        let fronts = self
            .concerned
            .iter()
            .map(|tag| (self.first_of_tag(*tag), *tag));
        fronts.filter(|(number, _)| *number < u64::MAX)
    }

    /// Returns the message whose envelope arrives first, and that time, for receives with a tag.
    /// Returns `None` if no such receive is waiting.
    pub(super) fn first_there(&self, tag: i64) -> Option<(Envelope, f64)> {
        let of_tag = self.tags.get(&tag)?;
        of_tag.posts.front()?;
        let (bits, source) = of_tag.heads.first()?;
        Some((Envelope::of_program(*source, tag), f64::from_bits(*bits)))
    }

    /// Returns the sources of messages that receives with this tag have held back, and the number
    /// of the oldest of these receives. Returns no sources unless a receive `wants` the messages.
    pub(super) fn release(&mut self, tag: i64, wants: bool) -> (Vec<u32>, u64) {
        let Some(of_tag) = self.tags.get_mut(&tag) else {
            return (Vec::new(), 0);
        };
        if !std::mem::take(&mut of_tag.held_back) || !wants {
            return (Vec::new(), 0);
        }
        let before = of_tag.posts.front().map_or(u64::MAX, |post| post.number);
        let sources = of_tag.heads.iter().map(|(_, source)| *source);
        (sources.collect(), before)
    }

    pub(super) fn take_post(&mut self, tag: i64) -> Option<Post> {
        let of_tag = self.tags.get_mut(&tag)?;
        let post = of_tag.posts.pop_front()?;
        of_tag.held_back = true;
        Some(post)
    }

    /// Takes the oldest receive from any source that has this tag. `None` means any tag.
    pub(super) fn take_front(&mut self, tag: Option<i64>) -> Option<Post> {
        let any = self.any_tag.as_mut()?;
        any.held_back = true;
        match tag {
            None => any.take_of_any(),
            Some(tag) => {
                let post = self.take_post(tag);
                if let Some(of_tag) = self.tags.get_mut(&tag) {
                    of_tag.held_back = false;
                }
                self.tidy(tag);
                post
            }
        }
    }

    pub(super) fn withdraw(&mut self, mine: impl Fn(&Post) -> bool) -> bool {
        if let Some(any) = &mut self.any_tag {
            any.held_back = true;
            if any.withdraw(&mine) {
                return true;
            }
        }
        for tag in &self.concerned {
            let Some(of_tag) = self.tags.get_mut(tag) else {
                continue;
            };
            let before = of_tag.posts.len();
            of_tag.posts.retain(|post| !mine(post));
            if of_tag.posts.len() < before {
                of_tag.held_back = true;
                return true;
            }
        }
        false
    }

    pub(super) fn add_head(&mut self, letter: &Letter) {
        let Envelope {
            source,
            context,
            tag,
        } = letter.envelope;
        if context == Context::Program {
            let of_tag = self.tags.get_or_default(tag);
            of_tag.heads.insert((letter.head(), source));
        }
    }

    pub(super) fn remove_head(&mut self, letter: &Letter) {
        let Envelope { source, tag, .. } = letter.envelope;
        if let Some(of_tag) = self.tags.get_mut(&tag) {
            of_tag.heads.remove(&(letter.head(), source));
        }
        self.tidy(tag);
    }

    /// Forgets a tag once all receives with it are done.
    pub(super) fn tidy(&mut self, tag: i64) {
        let Some(of_tag) = self.tags.get(&tag) else {
            return;
        };
        if of_tag.posts.is_empty() && !of_tag.held_back {
            self.concerned.remove(&tag);
            if of_tag.heads.is_empty() {
                self.tags.remove(&tag);
            }
        }
    }
}
