//! Stores the messages that don't fit in the lines of their ranks, in a hash table with a queue for
//! each envelope.
//!
//! Finding a queue takes constant time, no matter how many messages are waiting. Only a list of all
//! messages needs the whole table. The list is sorted by envelope, so the table's own order never
//! has an effect.

use super::line::Sender;
use crate::messages::letter::{Envelope, Letter};

const NONE: u32 = u32::MAX;
const BUCKETS_MIN: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key {
    dest: u32,
    sender: u32,
    tag: i64,
}

impl Key {
    fn new(dest: u32, envelope: &Envelope) -> Self {
        Self {
            dest,
            sender: Sender::of(envelope).bits(),
            tag: envelope.tag,
        }
    }

    /// The product's high bits depend on all bits, so they are used as the hash.
    fn hash(self) -> u64 {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let ranks = (u64::from(self.dest) << 32) | u64::from(self.sender);
        let mixed = ranks.wrapping_mul(ODD) ^ self.tag.cast_unsigned();
        (mixed ^ (mixed >> 32)).wrapping_mul(ODD)
    }
}

/// The messages with the same envelope, oldest first.
#[derive(Debug, Clone, Copy)]
struct Queue {
    key: Key,
    head: u32,
    tail: u32,
    /// The next queue in the same bucket, or the next unused queue.
    next: u32,
}

#[derive(Debug)]
pub(super) struct Overflow {
    /// The first queue of each bucket. The number of buckets is a power of two.
    buckets: Vec<u32>,
    queues: Vec<Queue>,
    free_queue: u32,
    used: usize,
    /// Message slots, each with the index of the next slot in its queue or in the free list.
    letters: Vec<(Letter, u32)>,
    free_letter: u32,
}

impl Overflow {
    pub(super) const fn new() -> Self {
        Self {
            buckets: Vec::new(),
            queues: Vec::new(),
            free_queue: NONE,
            used: 0,
            letters: Vec::new(),
            free_letter: NONE,
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.used == 0
    }

    pub(super) fn put(&mut self, dest: u32, letter: Letter) {
        let place = self.place(letter);
        let key = Key::new(dest, &letter.envelope);
        if let Some((_, queue)) = self.find(key) {
            let queue = &mut self.queues[queue as usize];
            let tail = std::mem::replace(&mut queue.tail, place);
            self.letters[tail as usize].1 = place;
            return;
        }
        if self.used >= self.buckets.len() {
            self.grow();
        }
        let bucket = self.bucket(key);
        let queue = Queue {
            key,
            head: place,
            tail: place,
            next: self.buckets[bucket],
        };
        self.buckets[bucket] = self.open(queue);
        self.used += 1;
    }

    pub(super) fn take(&mut self, dest: u32, envelope: &Envelope) -> Option<Letter> {
        let key = Key::new(dest, envelope);
        let (before, found) = self.find(key)?;
        let Queue {
            head, tail, next, ..
        } = self.queues[found as usize];
        let (letter, second) = self.letters[head as usize];
        self.letters[head as usize].1 = self.free_letter;
        self.free_letter = head;
        if head != tail {
            self.queues[found as usize].head = second;
            return Some(letter);
        }
        if before == NONE {
            let bucket = self.bucket(key);
            self.buckets[bucket] = next;
        } else {
            self.queues[before as usize].next = next;
        }
        self.queues[found as usize].next = self.free_queue;
        self.free_queue = found;
        self.used -= 1;
        Some(letter)
    }

    /// Calls `see` with each message and its rank. Messages with the same envelope are in order.
    pub(super) fn for_each(&self, mut see: impl FnMut(u32, &Letter)) {
        self.walk(|dest, letter| see(dest, &self.letters[letter as usize].0));
    }

    pub(super) fn for_each_mut(&mut self, mut change: impl FnMut(&mut Letter)) {
        let mut places = Vec::new();
        self.walk(|_, letter| places.push(letter));
        for place in places {
            change(&mut self.letters[place as usize].0);
        }
    }

    fn walk(&self, mut see: impl FnMut(u32, u32)) {
        for bucket in &self.buckets {
            let mut at = *bucket;
            while let Some(queue) = self.queues.get(at as usize) {
                let mut letter = queue.head;
                see(queue.key.dest, letter);
                while letter != queue.tail {
                    letter = self.letters[letter as usize].1;
                    see(queue.key.dest, letter);
                }
                at = queue.next;
            }
        }
    }

    /// Finds the queue for a key, and the queue before it in its bucket.
    fn find(&self, key: Key) -> Option<(u32, u32)> {
        let mut before = NONE;
        let mut queue = *self.buckets.get(self.bucket(key))?;
        while queue != NONE {
            if self.queues[queue as usize].key == key {
                return Some((before, queue));
            }
            before = queue;
            queue = self.queues[queue as usize].next;
        }
        None
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "below the number of buckets"
    )]
    fn bucket(&self, key: Key) -> usize {
        let bits = self.buckets.len().checked_ilog2().unwrap_or(0);
        key.hash().checked_shr(u64::BITS - bits).unwrap_or(0) as usize
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "4 G messages do not fit in memory"
    )]
    fn place(&mut self, letter: Letter) -> u32 {
        if self.free_letter == NONE {
            self.letters.push((letter, NONE));
            return (self.letters.len() - 1) as u32;
        }
        let place = self.free_letter;
        self.free_letter = self.letters[place as usize].1;
        self.letters[place as usize] = (letter, NONE);
        place
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "there are fewer queues than messages"
    )]
    fn open(&mut self, queue: Queue) -> u32 {
        if self.free_queue == NONE {
            self.queues.push(queue);
            return (self.queues.len() - 1) as u32;
        }
        let place = self.free_queue;
        self.free_queue = self.queues[place as usize].next;
        self.queues[place as usize] = queue;
        place
    }

    /// Doubles the number of buckets. The queues stay where they are in memory.
    fn grow(&mut self) {
        let old = std::mem::take(&mut self.buckets);
        self.buckets = vec![NONE; (2 * old.len()).max(BUCKETS_MIN)];
        for mut queue in old {
            while queue != NONE {
                let bucket = self.bucket(self.queues[queue as usize].key);
                let first = std::mem::replace(&mut self.buckets[bucket], queue);
                queue = std::mem::replace(&mut self.queues[queue as usize].next, first);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, VecDeque};

    use proptest::prelude::*;

    use super::*;
    use crate::messages::letter::{Context, Mode};

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
            time_s: 0.0,
            envelope_s: 0.0,
            mode: Mode::Eager,
            number: 0,
        }
    }

    /// Generates a rank, a source, a tag, and whether to store a message or to take one.
    fn step() -> impl Strategy<Value = (u32, u32, i64, bool)> {
        (0..4_u32, 0..20_u32, 0..5_i64, prop::bool::weighted(0.6))
    }

    proptest! {
        #[test]
        fn it_is_a_queue_for_each_envelope(
            steps in prop::collection::vec(step(), 0..2000),
        ) {
            let mut overflow = Overflow::new();
            let mut model: BTreeMap<_, VecDeque<u64>> = BTreeMap::new();
            for (number, (dest, source, tag, put)) in (0..).zip(steps) {
                let queue = model.entry((dest, source, tag)).or_default();
                if put {
                    overflow.put(dest, letter(source, tag, number));
                    queue.push_back(number);
                } else {
                    let got = overflow.take(dest, &envelope(source, tag));
                    prop_assert_eq!(got.map(|letter| letter.bytes), queue.pop_front());
                }
            }
            for ((dest, source, tag), queue) in model {
                for number in queue {
                    let got = overflow.take(dest, &envelope(source, tag));
                    prop_assert_eq!(got.map(|letter| letter.bytes), Some(number));
                }
            }
            prop_assert_eq!(overflow.used, 0);
        }
    }

    #[test]
    fn places_are_used_again() {
        let mut overflow = Overflow::new();
        for number in 0..10_000 {
            overflow.put(0, letter(1, number, 0));
            overflow.put(0, letter(1, number, 1));
            assert!(overflow.take(0, &envelope(1, number)).is_some());
            assert!(overflow.take(0, &envelope(1, number)).is_some());
        }
        assert_eq!((overflow.letters.len(), overflow.queues.len()), (2, 1));
        assert_eq!(overflow.buckets.len(), BUCKETS_MIN);
    }
}
