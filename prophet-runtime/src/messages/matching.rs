//! Matches messages and receives. A receive gets the oldest message that has its source and tag. A
//! receive from any source considers the oldest message from each source, and gets the one whose
//! envelope arrives first.
//!
//! Matching doesn't depend on the engine. Each rank has a queue of waiting messages and one of
//! waiting receives. Entries are found by envelope, so the cost of matching never becomes
//! quadratic.

mod any_tag;
mod settle;
mod slab;
mod wild;
use prophet_machine::network::NicClocks;

use super::letter::{Context, Envelope, Letter, Mode, Owner, Post, Sender};
use slab::{Addressed, Queue, Slab};
use wild::Wild;

impl Addressed for Letter {
    #[inline]
    fn envelope(&self) -> &Envelope {
        &self.envelope
    }
}

impl Addressed for Post {
    #[inline]
    fn envelope(&self) -> &Envelope {
        &self.envelope
    }
}

#[derive(Debug)]
struct Rank {
    clocks: NicClocks,
    letters: Queue,
    posts: Queue,
    wild: Option<Box<Wild>>,
}

#[derive(Debug)]
pub(crate) struct Matching {
    ranks: Vec<Rank>,
    letters: Slab<Letter>,
    posts: Slab<Post>,
    senders: Slab<Sender>,
    posted: u64,
}

impl Matching {
    pub(crate) fn new(ranks: usize) -> Self {
        let rank = || Rank {
            clocks: NicClocks::default(),
            letters: Queue::new(),
            posts: Queue::new(),
            wild: None,
        };
        Self {
            ranks: std::iter::repeat_with(rank).take(ranks).collect(),
            letters: Slab::new(),
            posts: Slab::new(),
            senders: Slab::new(),
            posted: 0,
        }
    }

    #[inline]
    pub(crate) fn clocks(&mut self, rank: u32) -> &mut NicClocks {
        &mut self.ranks[rank as usize].clocks
    }

    /// Stores the sender of a message that waits for its receive. Returns the sender's number.
    pub(crate) fn rendezvous(&mut self, sender: Sender) -> u32 {
        self.senders.insert(sender)
    }

    pub(crate) fn sender(&mut self, number: u32) -> Sender {
        self.senders.remove(number)
    }

    /// Takes the receive of rank `dest` that is waiting for a message with this envelope, unless an
    /// older receive from any source could take that message.
    #[inline]
    pub(crate) fn take_post(&mut self, dest: u32, envelope: &Envelope) -> Option<Post> {
        let rank = &mut self.ranks[dest as usize];
        if rank.posts.is_empty() {
            return None;
        }
        match &rank.wild {
            None => rank.posts.take(&mut self.posts, envelope),
            Some(wild) => {
                let before = wild.first_post(envelope);
                let older = |post: &Post| post.number < before;
                rank.posts.take_if(&mut self.posts, envelope, older)
            }
        }
    }

    /// Stores a message for rank `dest`. Returns `true` if a receive from any source is waiting
    /// there that might take it.
    #[inline]
    pub(crate) fn keep(&mut self, dest: u32, letter: Letter) -> bool {
        let rank = &mut self.ranks[dest as usize];
        if let Some(wild) = &mut rank.wild {
            let first = rank.letters.oldest(&self.letters, &letter.envelope);
            if first.is_none() {
                wild.add_head(&letter);
            }
            if let Some(any) = &mut wild.any_tag {
                any.add(&letter);
            }
        }
        rank.letters.put(&mut self.letters, letter);
        rank.wild.as_ref().is_some_and(|wild| wild.waits())
    }

    /// Takes the oldest message with this envelope that is waiting for `rank`, unless an older
    /// receive is waiting for that message.
    #[inline]
    pub(crate) fn take(&mut self, rank: u32, envelope: &Envelope) -> Option<Letter> {
        let rank = &mut self.ranks[rank as usize];
        if rank.wild.is_none() {
            return rank.letters.take(&mut self.letters, envelope);
        }
        let claimed = |wild: &Wild| wild.first_post(envelope) < u64::MAX;
        if rank.wild.as_deref().is_some_and(claimed) {
            return None;
        }
        rank.take_head(&mut self.letters, envelope)
    }

    /// Returns the program's messages that are waiting for `rank`, in the order of arrival.
    pub(crate) fn untaken(&self, rank: u32) -> Vec<Letter> {
        let mut letters = self.ranks[rank as usize].letters.in_order(&self.letters);
        letters.retain(|letter| letter.envelope.context == Context::Program);
        letters
    }

    /// Returns the envelopes of the program's receives that are waiting at `rank`.
    pub(crate) fn awaited(&self, rank: u32) -> Vec<Envelope> {
        let rank = &self.ranks[rank as usize];
        let mut awaited = rank.posts.envelopes(&self.posts);
        awaited.retain(|envelope| envelope.context == Context::Program);
        let wild = rank.wild.iter().flat_map(|wild| wild.posts());
        awaited.extend(wild.map(|post| post.envelope));
        awaited
    }

    /// Returns the index of the element that sends a message, if it is known.
    pub(crate) fn sending_element(&self, letter: &Letter) -> Option<u32> {
        let is_known = letter.mode == Mode::Rendezvous;
        is_known.then(|| self.senders.get(letter.number).element)
    }

    #[inline]
    pub(crate) fn post(&mut self, rank: u32, mut post: Post) {
        post.number = self.posted;
        self.posted += 1;
        let rank = &mut self.ranks[rank as usize];
        if post.envelope.is_wild() {
            let letters = &self.letters;
            let wild = rank
                .wild
                .get_or_insert_with(|| Box::new(Wild::of(&rank.letters, letters)));
            wild.post(post, || rank.letters.in_order(letters));
        } else {
            rank.posts.put(&mut self.posts, post);
        }
    }

    /// Returns `true` if receives that name their source are waiting at a rank.
    pub(crate) fn has_posts(&self, rank: u32) -> bool {
        !self.ranks[rank as usize].posts.is_empty()
    }

    /// Removes a waiting receive. Returns `true` if it was a receive from any source.
    pub(crate) fn withdraw(&mut self, rank: u32, owner: Owner) -> bool {
        let rank = &mut self.ranks[rank as usize];
        let mine = |post: &Post| post.owner == owner;
        if rank.posts.withdraw(&mut self.posts, mine) {
            return false;
        }
        rank.wild.as_mut().is_some_and(|wild| wild.withdraw(mine))
    }
}

#[cfg(test)]
mod tests;
