//! Stores the ranks that can continue, first in, first out.

use std::cell::Cell;

/// A queue in which each rank occurs at most once, so that it never has to grow.
#[derive(Debug)]
pub(crate) struct Ring {
    /// The positions. Their number is a power of two.
    places: Box<[Cell<u32>]>,
    /// The index of the first rank. The position is this modulo the number of positions.
    head: Cell<usize>,
    tail: Cell<usize>,
}

impl Ring {
    pub(super) fn full(ranks: u32) -> Self {
        let len = ranks.next_power_of_two();
        Self {
            places: (0..len)
                .map(|rank| Cell::new(rank % ranks.max(1)))
                .collect(),
            head: Cell::new(0),
            tail: Cell::new(ranks as usize),
        }
    }

    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(super) fn push(&self, rank: u32) {
        let tail = self.tail.get();
        self.places[tail & (self.places.len() - 1)].set(rank);
        self.tail.set(tail.wrapping_add(1));
    }

    #[inline]
    pub(super) fn pop(&self) -> Option<u32> {
        let head = self.head.get();
        if head == self.tail.get() {
            return None;
        }
        self.head.set(head.wrapping_add(1));
        Some(self.places[head & (self.places.len() - 1)].get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_in_first_out_round_and_round() {
        let ring = Ring::full(3);
        for turn in 0..10 {
            assert_eq!(ring.pop(), Some(turn % 3));
            ring.push(turn % 3);
        }
        for rank in [1, 2, 0] {
            assert_eq!(ring.pop(), Some(rank));
        }
        assert_eq!(ring.pop(), None);
        ring.push(7);
        assert_eq!(ring.pop(), Some(7));
    }
}
