//! A heap of four children a node whose top can be taken out and replaced in one way down.

use super::key::Key;

/// Children of a node: four keys of 16 bytes are one cache line.
const ARITY: usize = 4;
/// Number of siblings of a first child.
const PADDING: usize = ARITY - 1;

/// Events, the earliest on top.
///
/// The top may be vacant while its event is running: a process that holds again takes that
/// place, which saves one of two ways through the heap.
#[derive(Debug)]
pub(super) struct Heap {
    /// The events, and after them [`PADDING`] places or more that hold none: so a node has four
    /// children or no child, and to find the least of them takes no branches.
    keys: Vec<Key>,
    len: usize,
    /// True if `keys[0]` is taken out and not replaced.
    vacant: bool,
}

impl Heap {
    pub(super) const fn new() -> Self {
        Self {
            keys: Vec::new(),
            len: 0,
            vacant: false,
        }
    }

    /// Number of places, the vacant one included.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.len == usize::from(self.vacant)
    }

    #[inline]
    pub(super) fn first(&self) -> Option<Key> {
        if self.is_empty() {
            return None;
        }
        if self.vacant {
            let children = self.keys.get(1..)?.first_chunk()?;
            return Some(children[least(children)]);
        }
        self.keys.first().copied()
    }

    /// Adds an event, in the vacant place if there is one; returns whether there was.
    #[inline]
    pub(super) fn push(&mut self, key: Key) -> bool {
        let vacant = std::mem::take(&mut self.vacant);
        if vacant {
            self.sift_down(0, key);
        } else {
            self.len += 1;
            if self.keys.len() < self.len + PADDING {
                self.keys.resize(self.len + PADDING, Key::LAST);
            }
            self.sift_up(self.len - 1, key);
        }
        vacant
    }

    /// Takes the first event out; the next [`Self::push`] has its place.
    #[inline]
    pub(super) fn vacate(&mut self) {
        self.settle();
        self.vacant = true;
    }

    /// Closes the gap that [`Self::vacate`] made, if no push has.
    #[inline]
    pub(super) fn settle(&mut self) {
        if std::mem::take(&mut self.vacant) && self.len > 0 {
            self.len -= 1;
            let last = std::mem::replace(&mut self.keys[self.len], Key::LAST);
            if self.len > 0 {
                self.sift_down(0, last);
            }
        }
    }

    /// Adds many events to an empty heap.
    pub(super) fn fill(&mut self, keys: impl Iterator<Item = Key>) {
        self.keys.clear();
        self.keys.extend(keys);
        self.len = self.keys.len();
        self.keys.resize(self.len + PADDING, Key::LAST);
        for place in (0..self.len.div_ceil(ARITY)).rev() {
            self.sift_down(place, self.keys[place]);
        }
    }

    /// Takes all events out, in no order.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = Key> {
        self.settle();
        let len = std::mem::take(&mut self.len);
        self.keys.drain(..).take(len)
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
        while let Some(children) = keys.get(place * ARITY + 1..).and_then(<[Key]>::first_chunk) {
            let least = least(children);
            if key <= children[least] {
                break;
            }
            keys[place] = children[least];
            place = place * ARITY + 1 + least;
        }
        keys[place] = key;
    }
}

/// The place of the least of four keys; in rounds, which compiles to no branches.
#[inline]
fn least([a, b, c, d]: &[Key; ARITY]) -> usize {
    let (left, low) = if b < a { (1, b) } else { (0, a) };
    let (right, high) = if d < c { (3, d) } else { (2, c) };
    if high < low { right } else { left }
}
