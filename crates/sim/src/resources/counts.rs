//! Queues processes that each want a number of tokens or units.

use std::collections::VecDeque;

use crate::kernel::{Caller, Kernel, Wait, Waiter};

/// Waiting processes, each with the number of units that it wants. They are served in order of
/// arrival: as long as the first one can't be served, all others wait.
#[derive(Debug, Default)]
pub(crate) struct Counts(VecDeque<(Waiter, u64)>);

impl Counts {
    pub(crate) fn len(&self) -> u64 {
        self.0.len() as u64
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, waiter: Waiter, amount: u64) {
        self.0.push_back((waiter, amount));
    }

    /// Ends the first wait if it wants at most `available` units. Returns the number of units that
    /// it wants.
    pub(crate) fn pop(&mut self, kernel: &Kernel<'_>, available: u64) -> Option<u64> {
        loop {
            let (waiter, amount) = *self.0.front()?;
            if amount > available {
                return None;
            }
            self.0.pop_front();
            if kernel.wake(waiter.0, waiter.1) {
                return Some(amount);
            }
        }
    }

    /// Removes a wait whose future was dropped; returns `false` if it wasn't in the queue.
    pub(crate) fn remove(&mut self, wait: &Wait<'_, impl Caller>) -> bool {
        let waiter = wait.waiter();
        let place = self.0.iter().position(|(other, _)| *other == waiter);
        place.and_then(|place| self.0.remove(place)).is_some()
    }
}
