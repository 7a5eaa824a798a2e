//! Matching of messages and receives: a receive gets the oldest message with its source and tag; a
//! receive from any source gets the oldest message whose envelope arrives first.
//!
//! Matching is independent of the engines. Each rank has queues of the messages and of the receives
//! that wait,
//! in which both are found by their envelopes, so that matching never becomes quadratic.

mod any_tag;
mod slab;
mod wild;

use crate::machine::network::NicClocks;
use slab::{Addressed, Queue, Slab};
use wild::Wild;

/// Properties that a message and its receive have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Envelope {
    /// The sending rank, or [`ANY_SOURCE`] in a receive.
    pub(crate) source: u32,
    /// Separates messages of collectives from messages of the program.
    pub(crate) context: Context,
    /// The program's tag, or the tag of the collective call; [`ANY_TAG`] in a receive.
    pub(crate) tag: i64,
}

/// The source of a receive from any source.
pub(crate) const ANY_SOURCE: u32 = u32::MAX;
/// The tag of a receive of any tag.
pub(crate) const ANY_TAG: i64 = i64::MIN;

impl Envelope {
    /// Creates the envelope of a message of the program, not of a collective.
    #[inline]
    pub(crate) const fn of_program(source: u32, tag: i64) -> Self {
        Self {
            source,
            context: Context::Program,
            tag,
        }
    }

    /// True for a receive from any source, or of any tag.
    #[inline]
    pub(crate) const fn is_wild(&self) -> bool {
        self.source == ANY_SOURCE || self.tag == ANY_TAG
    }
}

/// Sender of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Context {
    /// The program.
    Program,
    /// A collective's algorithm.
    Collective,
}

/// Transport of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Sent immediately, priced by the network.
    Eager,
    /// Sent immediately, priced by its sender, which leaves the receiver's NIC alone.
    Priced,
    /// Sent after its receive is posted.
    Rendezvous,
    /// Sent immediately, on links that it shares with other messages.
    Flowing,
}

/// A message on its way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Letter {
    pub(crate) envelope: Envelope,
    pub(crate) bytes: u64,
    /// Time at which the message has arrived; for one that waits for its receive, time at which it
    /// was sent; in simulated seconds.
    pub(crate) time_s: f64,
    /// Time at which its envelope has arrived, by which receives from any source choose.
    pub(crate) envelope_s: f64,
    pub(crate) mode: Mode,
    /// Number among the messages of its sender, only while tracing. For a message that waits for
    /// its receive in the event engine: the number of its sender in [`Matching`]. For a message on
    /// shared links: its number among the messages under way.
    pub(crate) number: u32,
}

/// Properties of a message that its receive needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Arrived {
    pub(crate) source: u32,
    pub(crate) tag: i64,
    pub(crate) bytes: u64,
    /// Time at which the message has arrived, in simulated seconds.
    pub(crate) arrival_s: f64,
    /// True if the sender gave the price.
    pub(crate) priced: bool,
    /// True if the message has waited for its receive.
    pub(crate) is_late: bool,
    /// Number among the messages of its sender, only while tracing.
    pub(crate) number: u32,
}

impl Letter {
    /// Converts the letter for its receive, with its arrival at `arrival_s`.
    #[inline]
    pub(crate) fn arrived_at(&self, arrival_s: f64) -> Arrived {
        Arrived {
            source: self.envelope.source,
            tag: self.envelope.tag,
            bytes: self.bytes,
            arrival_s,
            priced: self.mode == Mode::Priced,
            is_late: false,
            number: self.number,
        }
    }
}

/// Owner of a message or a receive, who is reported of its progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// A unit that waits, with the generation of its wait.
    Unit { unit: u32, generation: u32 },
    /// A request, which a unit may wait for later.
    Request(u32),
}

/// A receive that waits for its message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Post {
    pub(crate) envelope: Envelope,
    /// Maximum number of bytes that it takes.
    pub(crate) bytes_max: u64,
    /// Price given by the receive, if any, in seconds.
    pub(crate) cost_s: Option<f64>,
    /// Time at which it was posted, in simulated seconds.
    pub(crate) posted_s: f64,
    pub(crate) owner: Owner,
    /// Number among all receives, in the order in which they are posted.
    pub(crate) number: u64,
}

/// The sender of a message that waits for its receive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sender {
    pub(crate) rank: u32,
    /// Number of its thread.
    pub(crate) tid: u32,
    /// The element that sends, by index.
    pub(crate) element: u32,
    pub(crate) owner: Owner,
    /// Number of the message within its rank.
    pub(crate) message: u32,
    /// Number of the send among all that wait for network interfaces.
    pub(crate) number: u64,
}

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

/// Messages and receives of one rank.
#[derive(Debug)]
struct Rank {
    clocks: NicClocks,
    letters: Queue,
    posts: Queue,
    /// State for ranks that receive from any source.
    wild: Option<Box<Wild>>,
}

/// The messages and receives of all ranks.
#[derive(Debug)]
pub(crate) struct Matching {
    ranks: Vec<Rank>,
    letters: Slab<Letter>,
    posts: Slab<Post>,
    senders: Slab<Sender>,
    /// Number of receives posted.
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

    /// Clocks of a rank's network interface.
    #[inline]
    pub(crate) fn clocks(&mut self, rank: u32) -> &mut NicClocks {
        &mut self.ranks[rank as usize].clocks
    }

    /// Stores the sender of a message that waits for its receive; returns its number.
    pub(crate) fn rendezvous(&mut self, sender: Sender) -> u32 {
        self.senders.insert(sender)
    }

    /// Takes out the sender of a message that has met its receive.
    pub(crate) fn sender(&mut self, number: u32) -> Sender {
        self.senders.remove(number)
    }

    /// Takes the receive of rank `dest` that waits for a message of this envelope, unless an older
    /// one from any source waits for it, too.
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

    /// Keeps a message for rank `dest`; returns true if a receive from any source waits there,
    /// which may want it.
    #[inline]
    pub(crate) fn keep(&mut self, dest: u32, letter: Letter) -> bool {
        let rank = &mut self.ranks[dest as usize];
        if let Some(wild) = &mut rank.wild {
            let first = rank.letters.first(&self.letters, &letter.envelope);
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

    /// Takes the oldest message with an envelope that waits for `rank`, unless an older receive
    /// waits for it.
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

    /// Lists the messages of the program that wait for `rank`, in the order in which they came.
    pub(crate) fn untaken(&self, rank: u32) -> Vec<Letter> {
        let mut letters = self.ranks[rank as usize].letters.in_order(&self.letters);
        letters.retain(|letter| letter.envelope.context == Context::Program);
        letters
    }

    /// Lists the envelopes of the receives of the program that wait at `rank`.
    pub(crate) fn awaited(&self, rank: u32) -> Vec<Envelope> {
        let rank = &self.ranks[rank as usize];
        let mut awaited = rank.posts.envelopes(&self.posts);
        awaited.retain(|envelope| envelope.context == Context::Program);
        let wild = rank.wild.iter().flat_map(|wild| wild.posts());
        awaited.extend(wild.map(|post| post.envelope));
        awaited
    }

    /// Finds the element that sends a message, by index, if it is known.
    pub(crate) fn sending_element(&self, letter: &Letter) -> Option<u32> {
        let is_known = letter.mode == Mode::Rendezvous;
        is_known.then(|| self.senders.get(letter.number).element)
    }

    /// Lets a receive of `rank` wait for its message.
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

    /// True if receives that name their source wait at a rank.
    pub(crate) fn has_posts(&self, rank: u32) -> bool {
        !self.ranks[rank as usize].posts.is_empty()
    }

    /// Takes back a receive that waits; returns true if it was one from any source.
    pub(crate) fn withdraw(&mut self, rank: u32, owner: Owner) -> bool {
        let rank = &mut self.ranks[rank as usize];
        let mine = |post: &Post| post.owner == owner;
        if rank.posts.withdraw(&mut self.posts, mine) {
            return false;
        }
        rank.wild.as_mut().is_some_and(|wild| wild.withdraw(mine))
    }

    /// Gives the oldest receive of each tag from any source the message that is there for it at
    /// `now_s`, and other receives the messages that these no longer want.
    ///
    /// Returns the pairs, after which there may be more. If there are no pairs, the time is when to
    /// look again.
    pub(crate) fn settle(&mut self, rank: u32, now_s: f64) -> (Vec<(Post, Letter)>, f64) {
        let wild = &self.ranks[rank as usize].wild;
        if wild.as_ref().is_some_and(|wild| wild.takes_any_tag()) {
            return self.settle_any_tag(rank, now_s);
        }
        let mut pairs = Vec::new();
        let mut again_s = f64::INFINITY;
        let tags = wild.as_ref().map_or_else(Vec::new, |wild| wild.concerned());
        for tag in tags {
            self.release(rank, tag, &mut pairs);
            let Some((envelope, there_s)) = self.first_there(rank, tag) else {
                continue;
            };
            if there_s > now_s && there_s.is_finite() {
                again_s = again_s.min(there_s);
                continue;
            }
            let here = &mut self.ranks[rank as usize];
            let post = here.wild.as_mut().and_then(|wild| wild.take_post(tag));
            let letter = here.take_head(&mut self.letters, &envelope);
            pairs.extend(post.zip(letter));
        }
        (pairs, again_s)
    }
}

#[cfg(test)]
mod tests;
