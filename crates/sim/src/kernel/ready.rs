//! Queues the units that are ready at this instant, first in, first out.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

/// A unit, and the generation of its wait.
pub type Waiter = (u32, u32);

/// Units that are ready. Usually there is only one, which bypasses the queue.
#[derive(Debug, Default)]
pub(super) struct Ready {
    /// Number of ready units, including `first`.
    len: Cell<usize>,
    /// The first unit, or `None` if it was taken while others were waiting.
    first: Cell<Option<Waiter>>,
    others: RefCell<VecDeque<Waiter>>,
}

impl Ready {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.len.get() == 0
    }

    #[inline]
    pub(super) fn push(&self, waiter: Waiter) {
        let len = self.len.get();
        self.len.set(len + 1);
        if len == 0 {
            self.first.set(Some(waiter));
        } else {
            self.others.borrow_mut().push_back(waiter);
        }
    }

    #[inline]
    pub(super) fn pop(&self) -> Option<Waiter> {
        let len = self.len.get();
        if len == 0 {
            return None;
        }
        self.len.set(len - 1);
        match self.first.take() {
            None => self.others.borrow_mut().pop_front(),
            first => first,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_a_queue() {
        let (ready, mut queue) = (Ready::default(), VecDeque::new());
        let mut random = 1_u32;
        for unit in 0..10_000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if random >> 31 == 0 || queue.len() > 3 {
                assert_eq!(ready.pop(), queue.pop_front());
            } else {
                ready.push((unit, random));
                queue.push_back((unit, random));
            }
            assert_eq!(ready.is_empty(), queue.is_empty());
        }
    }
}
