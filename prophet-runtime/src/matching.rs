//! Which message a receive gets: the oldest sent with its source and tag.
//!
//! Knows nothing of engines. Each rank has a short list of the messages that wait for it, which
//! is searched, and a map for when there are many, so that matching never becomes quadratic.

use std::collections::BTreeMap;

use crate::network::NicClocks;

/// What a message and its receive have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Envelope {
    /// The sending rank.
    pub(crate) source: u32,
    /// Keeps the messages of collectives apart from those of the program.
    pub(crate) context: Context,
    /// The program's tag, or that of the collective call.
    pub(crate) tag: i64,
}

/// Who sends a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Context {
    /// The program.
    Program,
    /// A collective's algorithm.
    Collective,
}

/// A message on its way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Letter {
    pub(crate) envelope: Envelope,
    pub(crate) bytes: u64,
    /// When it is there, in simulated seconds.
    pub(crate) arrival_s: f64,
    /// Whether the sender named the price, which leaves the receiver's NIC alone.
    pub(crate) priced: bool,
}

/// What a receive has to know of its message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Arrived {
    pub(crate) bytes: u64,
    /// When it is there, in simulated seconds.
    pub(crate) arrival_s: f64,
    /// Whether the sender named the price.
    pub(crate) priced: bool,
}

impl Letter {
    #[inline]
    pub(crate) fn arrived(&self) -> Arrived {
        Arrived {
            bytes: self.bytes,
            arrival_s: self.arrival_s,
            priced: self.priced,
        }
    }
}

/// A receive that waits for its message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Post {
    pub(crate) envelope: Envelope,
    /// The most bytes that it takes.
    pub(crate) bytes_max: u64,
    /// Its own price, if it has one, in seconds.
    pub(crate) cost_s: Option<f64>,
    /// When it was posted, in simulated seconds.
    pub(crate) posted_s: f64,
    pub(crate) unit: u32,
    pub(crate) generation: u32,
}

/// The end of a list.
const NONE: u32 = u32::MAX;
/// A rank's list of messages is searched up to this length; more go to its map.
const LIST_MAX: u32 = 8;

/// Entries of the lists of all ranks, in one place.
#[derive(Debug)]
struct Slab<T> {
    slots: Vec<(T, u32)>,
    free: u32,
}

impl<T: Copy> Slab<T> {
    const fn new() -> Self {
        Self {
            slots: Vec::new(),
            free: NONE,
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "4 G entries do not fit in memory"
    )]
    fn insert(&mut self, value: T) -> u32 {
        if self.free == NONE {
            self.slots.push((value, NONE));
            return (self.slots.len() - 1) as u32;
        }
        let slot = self.free;
        self.free = self.next(slot);
        self.slots[slot as usize] = (value, NONE);
        slot
    }

    fn next(&self, slot: u32) -> u32 {
        self.slots[slot as usize].1
    }

    fn get(&self, slot: u32) -> T {
        self.slots[slot as usize].0
    }

    fn remove(&mut self, slot: u32) -> T {
        let value = self.get(slot);
        self.slots[slot as usize].1 = self.free;
        self.free = slot;
        value
    }

    /// Adds an entry at the end of a list.
    fn append(&mut self, list: &mut List, value: T) {
        let slot = self.insert(value);
        if list.head == NONE {
            list.head = slot;
        } else {
            self.slots[list.tail as usize].1 = slot;
        }
        list.tail = slot;
        list.len += 1;
    }

    /// Takes the first entry that `wanted` accepts out of a list.
    fn take(&mut self, list: &mut List, wanted: impl Fn(&T) -> bool) -> Option<T> {
        let mut before = NONE;
        let mut slot = list.head;
        while slot != NONE {
            let next = self.next(slot);
            if wanted(&self.slots[slot as usize].0) {
                if before == NONE {
                    list.head = next;
                } else {
                    self.slots[before as usize].1 = next;
                }
                if next == NONE {
                    list.tail = before;
                }
                list.len -= 1;
                return Some(self.remove(slot));
            }
            before = slot;
            slot = next;
        }
        None
    }
}

/// A queue whose entries lie in a [`Slab`].
#[derive(Debug, Clone, Copy)]
struct List {
    head: u32,
    tail: u32,
    len: u32,
}

impl List {
    const EMPTY: Self = Self {
        head: NONE,
        tail: NONE,
        len: 0,
    };
}

/// What one rank has to do with messages.
#[derive(Debug)]
struct Rank {
    clocks: NicClocks,
    letters: List,
    posts: List,
    /// Messages that came when the list was full, by envelope. They are younger than the list's:
    /// as long as there are any, all that come join them.
    many: BTreeMap<Envelope, List>,
}

/// The messages and receives of all ranks.
#[derive(Debug)]
pub(crate) struct Matching {
    ranks: Vec<Rank>,
    letters: Slab<Letter>,
    posts: Slab<Post>,
}

impl Matching {
    pub(crate) fn new(ranks: usize) -> Self {
        let rank = || Rank {
            clocks: NicClocks::default(),
            letters: List::EMPTY,
            posts: List::EMPTY,
            many: BTreeMap::new(),
        };
        Self {
            ranks: std::iter::repeat_with(rank).take(ranks).collect(),
            letters: Slab::new(),
            posts: Slab::new(),
        }
    }

    /// The clocks of a rank's network interface.
    pub(crate) fn clocks(&mut self, rank: u32) -> &mut NicClocks {
        &mut self.ranks[rank as usize].clocks
    }

    /// Sends to rank `dest`: takes the receive that waits for the message, or keeps the message.
    pub(crate) fn send(&mut self, dest: u32, letter: Letter) -> Option<Post> {
        let rank = &mut self.ranks[dest as usize];
        let envelope = letter.envelope;
        if let Some(post) = self
            .posts
            .take(&mut rank.posts, |post| post.envelope == envelope)
        {
            return Some(post);
        }
        if rank.letters.len < LIST_MAX && rank.many.is_empty() {
            self.letters.append(&mut rank.letters, letter);
        } else {
            let list = rank.many.entry(envelope).or_insert(List::EMPTY);
            self.letters.append(list, letter);
        }
        None
    }

    /// Takes the oldest message with an envelope that waits for `rank`.
    pub(crate) fn take(&mut self, rank: u32, envelope: Envelope) -> Option<Letter> {
        let rank = &mut self.ranks[rank as usize];
        let wanted = |letter: &Letter| letter.envelope == envelope;
        if let Some(letter) = self.letters.take(&mut rank.letters, wanted) {
            return Some(letter);
        }
        let list = rank.many.get_mut(&envelope)?;
        let letter = self.letters.take(list, |_| true);
        if list.len == 0 {
            rank.many.remove(&envelope);
        }
        letter
    }

    /// Lets a receive of `rank` wait for its message.
    pub(crate) fn post(&mut self, rank: u32, post: Post) {
        self.posts
            .append(&mut self.ranks[rank as usize].posts, post);
    }

    /// Takes back a receive that waits.
    pub(crate) fn withdraw(&mut self, rank: u32, unit: u32, generation: u32) {
        let posts = &mut self.ranks[rank as usize].posts;
        self.posts.take(posts, |post| {
            post.unit == unit && post.generation == generation
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn envelope(source: u32, tag: i64) -> Envelope {
        Envelope {
            source,
            context: Context::Program,
            tag,
        }
    }

    fn letter(source: u32, tag: i64, bytes: u64) -> Letter {
        Letter {
            envelope: envelope(source, tag),
            bytes,
            arrival_s: 0.0,
            priced: false,
        }
    }

    fn post(source: u32, tag: i64, generation: u32) -> Post {
        let envelope = envelope(source, tag);
        Post {
            envelope,
            bytes_max: 0,
            cost_s: None,
            posted_s: 0.0,
            unit: 0,
            generation,
        }
    }

    #[test]
    fn the_oldest_message_with_source_and_tag_comes_first() {
        let mut matching = Matching::new(2);
        for (number, (source, tag)) in [(1, 0), (0, 0), (1, 5), (1, 0)].into_iter().enumerate() {
            assert_eq!(matching.send(0, letter(source, tag, number as u64)), None);
        }
        let mut take = |source, tag| matching.take(0, envelope(source, tag)).map(|got| got.bytes);
        assert_eq!(take(1, 5), Some(2));
        assert_eq!(take(1, 0), Some(0));
        assert_eq!(take(1, 0), Some(3));
        assert_eq!(take(1, 0), None);
        assert_eq!(take(0, 0), Some(1));
    }

    #[test]
    fn many_messages_keep_their_order_through_list_and_map() {
        let mut matching = Matching::new(1);
        let mut expected = [Vec::new(), Vec::new(), Vec::new()];
        let mut taken = [0; 3];
        for number in 0..3000_u64 {
            let source = u32::try_from(number * 7 % 3).expect("below 3");
            matching.send(0, letter(source, 0, number));
            expected[source as usize].push(number);
            // Take in bursts, so that list and map fill and drain again and again.
            if number % 100 > 60 {
                let from = u32::try_from(number % 3).expect("below 3");
                let got = matching
                    .take(0, envelope(from, 0))
                    .map(|letter| letter.bytes);
                let index = &mut taken[from as usize];
                assert_eq!(got, expected[from as usize].get(*index).copied());
                *index += usize::from(got.is_some());
            }
        }
        for from in 0..3_u32 {
            for number in &expected[from as usize][taken[from as usize]..] {
                let got = matching.take(0, envelope(from, 0));
                assert_eq!(got.map(|letter| letter.bytes), Some(*number));
            }
        }
        assert!(
            matching.ranks[0].many.is_empty(),
            "empty lists are given back"
        );
        assert!(matching.letters.slots.len() < 3000, "places are used again");
    }

    #[test]
    fn a_receive_that_is_withdrawn_gets_nothing() {
        let mut matching = Matching::new(1);
        for generation in 1..=3 {
            matching.post(0, post(0, 0, generation));
        }
        matching.withdraw(0, 0, 3);
        matching.withdraw(0, 0, 1);
        let got = matching
            .send(0, letter(0, 0, 0))
            .map(|post| post.generation);
        assert_eq!(got, Some(2));
        assert_eq!(matching.send(0, letter(0, 0, 0)), None);
        matching.post(0, post(0, 9, 4));
        assert_eq!(
            matching
                .send(0, letter(0, 9, 0))
                .map(|post| post.generation),
            Some(4)
        );
    }

    #[test]
    fn collectives_and_the_program_do_not_meet() {
        let mut matching = Matching::new(1);
        matching.send(0, letter(0, 0, 0));
        let collective = Envelope {
            context: Context::Collective,
            ..envelope(0, 0)
        };
        assert_eq!(matching.take(0, collective), None);
    }
}
