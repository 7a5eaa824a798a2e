//! A queue of waits, first in first out.

use std::cell::RefCell;
use std::collections::VecDeque;

use crate::engine::process::{ProcessCtx, Wait};
use crate::kernel::Waiter;
use crate::language::stopped::Stopped;

/// Waits in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct Waiters(RefCell<VecDeque<Waiter>>);

impl Waiters {
    /// Begins a wait at the end of the queue.
    pub(crate) fn join(&self, wait: &mut Wait<'_>) -> Result<(), Stopped> {
        let generation = wait.register()?;
        self.0
            .borrow_mut()
            .push_back((wait.ctx().unit(), generation));
        Ok(())
    }

    /// Adds a registered wait at the end of the queue.
    pub(crate) fn add(&self, waiter: Waiter) {
        self.0.borrow_mut().push_back(waiter);
    }

    /// Lets all in the queue look whether their wait is over, in their order; they stay in it.
    pub(crate) fn nudge(&self, ctx: &ProcessCtx<'_>) {
        let world = ctx.world();
        for (unit, generation) in &*self.0.borrow() {
            if world.waits(*unit, *generation) {
                world.nudge(*unit);
            }
        }
    }

    /// Takes a wait out that is dropped; returns whether it was still in the queue.
    pub(crate) fn leave(&self, wait: &Wait<'_>) -> bool {
        let waiter = waiter(wait);
        let mut queue = self.0.borrow_mut();
        let place = queue.iter().position(|other| *other == waiter);
        place.and_then(|place| queue.remove(place)).is_some()
    }

    /// Ends the first wait, if there is one, and returns it.
    pub(crate) fn wake_first(&self, ctx: &ProcessCtx<'_>) -> Option<Waiter> {
        ctx.world().needs_order("facilities, mailboxes or events");
        loop {
            let (unit, generation) = self.0.borrow_mut().pop_front()?;
            if ctx.world().wake(unit, generation) {
                return Some((unit, generation));
            }
        }
    }

    /// How many waits there are.
    pub(crate) fn len(&self) -> usize {
        self.0.borrow().len()
    }
}

/// A registered wait as queues know it.
pub(crate) fn waiter(wait: &Wait<'_>) -> Waiter {
    (wait.ctx().unit(), wait.generation())
}
