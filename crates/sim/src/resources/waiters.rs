//! Queues waits, first in, first out.

use std::cell::RefCell;
use std::collections::VecDeque;

use crate::kernel::{Caller, Kernel, Wait, Waiter};

/// Waiting processes, in order of arrival.
#[derive(Debug, Default)]
pub(crate) struct Waiters(RefCell<VecDeque<Waiter>>);

impl Waiters {
    pub(crate) fn add(&self, waiter: Waiter) {
        self.0.borrow_mut().push_back(waiter);
    }

    /// Makes all waiting processes check, in order, whether their waits are over. They stay in the
    /// queue.
    pub(crate) fn nudge(&self, kernel: &Kernel<'_>) {
        for (unit, generation) in &*self.0.borrow() {
            if kernel.waits(*unit, *generation) {
                kernel.nudge(*unit);
            }
        }
    }

    /// Removes a wait whose future was dropped; returns `true` if it was still in the queue.
    pub(crate) fn leave(&self, wait: &Wait<'_, impl Caller>) -> bool {
        let waiter = wait.waiter();
        let mut queue = self.0.borrow_mut();
        let place = queue.iter().position(|other| *other == waiter);
        place.and_then(|place| queue.remove(place)).is_some()
    }

    pub(crate) fn wake_first(&self, kernel: &Kernel<'_>) -> Option<Waiter> {
        loop {
            let (unit, generation) = self.0.borrow_mut().pop_front()?;
            if kernel.wake(unit, generation) {
                return Some((unit, generation));
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.borrow().len()
    }
}
