//! A heap of four children a node whose top can be taken out and replaced in one way down.

use super::key::Key;

/// Children of a node: four keys of 16 bytes are one cache line.
const ARITY: usize = 4;

/// Events, the earliest on top.
///
/// The top may be vacant while its event is running: a process that holds again takes that
/// place, which saves one of two ways through the heap.
#[derive(Debug)]
pub(super) struct Heap {
    keys: Vec<Key>,
    /// Whether `keys[0]` is taken out and not replaced.
    vacant: bool,
}

impl Heap {
    pub(super) const fn new() -> Self {
        Self {
            keys: Vec::new(),
            vacant: false,
        }
    }

    /// How many places there are, the vacant one included.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The earliest event. No place is vacant.
    #[inline]
    pub(super) fn first(&self) -> Option<Key> {
        self.keys.first().copied()
    }

    /// Adds an event, in the vacant place if there is one; returns whether there was.
    #[inline]
    pub(super) fn push(&mut self, key: Key) -> bool {
        let vacant = std::mem::take(&mut self.vacant);
        if vacant {
            self.sift_down(0, key);
        } else {
            self.keys.push(key);
            self.sift_up(self.keys.len() - 1, key);
        }
        vacant
    }

    /// Takes the first event out; the next [`Self::push`] may have its place.
    #[inline]
    pub(super) fn vacate(&mut self) {
        self.vacant = true;
    }

    /// Closes the gap that [`Self::vacate`] made, unless a push did.
    #[inline]
    pub(super) fn settle(&mut self) {
        if std::mem::take(&mut self.vacant)
            && let Some(last) = self.keys.pop()
            && !self.keys.is_empty()
        {
            self.sift_down(0, last);
        }
    }

    /// Adds many events to an empty heap.
    pub(super) fn fill(&mut self, keys: impl Iterator<Item = Key>) {
        self.keys.extend(keys);
        for place in (0..self.keys.len().div_ceil(ARITY)).rev() {
            self.sift_down(place, self.keys[place]);
        }
    }

    /// Takes all events out, in no order.
    pub(super) fn drain(&mut self) -> std::vec::Drain<'_, Key> {
        self.settle();
        self.keys.drain(..)
    }

    #[inline]
    fn sift_up(&mut self, mut place: usize, key: Key) {
        while place > 0 {
            let parent = (place - 1) / ARITY;
            if self.keys[parent] <= key {
                break;
            }
            self.keys[place] = self.keys[parent];
            place = parent;
        }
        self.keys[place] = key;
    }

    #[inline]
    fn sift_down(&mut self, mut place: usize, key: Key) {
        let keys = self.keys.as_mut_slice();
        loop {
            let first = place * ARITY + 1;
            if first >= keys.len() {
                break;
            }
            let least = first + least(&keys[first..]);
            if key <= keys[least] {
                break;
            }
            keys[place] = keys[least];
            place = least;
        }
        keys[place] = key;
    }
}

/// The place of the least of the first four keys; in rounds, which compiles to no branches.
#[inline]
fn least(keys: &[Key]) -> usize {
    if let Some([a, b, c, d]) = keys.first_chunk() {
        let (left, low) = if b < a { (1, b) } else { (0, a) };
        let (right, high) = if d < c { (3, d) } else { (2, c) };
        return if high < low { right } else { left };
    }
    (1..keys.len()).fold(0, |least, place| {
        if keys[place] < keys[least] {
            place
        } else {
            least
        }
    })
}
