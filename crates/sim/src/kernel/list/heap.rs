//! Implements a heap with four children per node. Its top can be removed and replaced in a single
//! pass.

use super::key::Key;

/// Number of children per node: four keys of 16 bytes fill a cache line.
const ARITY: usize = 4;
/// Number of siblings of a first child.
const PADDING: usize = ARITY - 1;

/// A heap of events, with the earliest on top.
///
/// The top can be vacant while its event is being executed. If the process then holds again, its
/// new event takes the vacant place, which saves one of two passes through the heap.
#[derive(Debug)]
pub(super) struct Heap {
    /// The events, followed by at least [`PADDING`] empty places. So each node has either four
    /// children or none, and finding the earliest takes no branches.
    keys: Vec<Key>,
    len: usize,
    /// Whether `keys[0]` has been removed but not replaced.
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

    /// Returns the number of places, including a vacant one.
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

    /// Adds an event, in the vacant place if there is one; returns `true` if it was vacant.
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

    /// Removes the first event. The next [`Self::push`] takes its place.
    #[inline]
    pub(super) fn vacate(&mut self) {
        self.settle();
        self.vacant = true;
    }

    /// Closes the gap left by [`Self::vacate`], unless a push has filled it.
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

    pub(super) fn fill(&mut self, keys: impl Iterator<Item = Key>) {
        self.keys.clear();
        self.keys.extend(keys);
        self.len = self.keys.len();
        self.keys.resize(self.len + PADDING, Key::LAST);
        for place in (0..self.len.div_ceil(ARITY)).rev() {
            self.sift_down(place, self.keys[place]);
        }
    }

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

/// Returns the place of the smallest of four keys, in rounds that compile to code without branches.
#[inline]
fn least([a, b, c, d]: &[Key; ARITY]) -> usize {
    let (left, low) = if b < a { (1, b) } else { (0, a) };
    let (right, high) = if d < c { (3, d) } else { (2, c) };
    if high < low { right } else { left }
}
