//! Implements turns, so that threads which want the same thing at the same instant get it in the
//! order of their numbers.
//!
//! Which thread gets a lock, the next chunk of a loop, or a `single` is decided at the end of the
//! instant, when all threads that can ask have asked. The threads then resume in turn and take what
//! they get, so the order in which the engine runs threads doesn't matter. Locks come last, because
//! a thread that gets a chunk or a `single` may then ask for a lock.

use std::cell::{Cell, RefCell};

use crate::kernel::Kernel;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// When the thread began to wait, in simulated seconds. The thread that has waited longest
    /// comes first.
    pub(crate) since_s: f64,
    /// The numbers of the process and the thread, which decide between candidates with the same
    /// time.
    pub(crate) order: (u32, u32),
    pub(crate) unit: u32,
    pub(crate) generation: u32,
}

impl Candidate {
    /// Returns `true` if `other` doesn't come before this candidate.
    pub(crate) fn precedes(&self, other: &Self) -> bool {
        (self.since_s, self.order) <= (other.since_s, other.order)
    }
}

/// The threads that get turns at the end of this instant.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    /// Threads that want a part of their team's work.
    shares: RefCell<Vec<Candidate>>,
    locks: RefCell<Vec<Candidate>>,
    any: Cell<bool>,
    /// Number of rounds in which turns were given.
    rounds: Cell<u64>,
}

impl Turns {
    /// Asks for a turn in which a waiting thread can take some of its team's work.
    pub(crate) fn ask(&self, kernel: &Kernel<'_>, candidate: Candidate) {
        self.shares.borrow_mut().push(candidate);
        self.any.set(true);
        kernel.set_busy();
    }

    /// Asks for a turn in which a waiting thread can take a lock.
    pub(crate) fn ask_lock(&self, kernel: &Kernel<'_>, candidate: Candidate) {
        self.locks.borrow_mut().push(candidate);
        self.any.set(true);
        kernel.set_busy();
    }

    pub(crate) fn rounds(&self) -> u64 {
        self.rounds.get()
    }

    /// Makes the threads with the next turns ready, in order. Returns `true` if there were any.
    #[inline]
    pub(crate) fn give(&self, kernel: &Kernel<'_>) -> bool {
        self.any.get() && self.give_next(kernel)
    }

    fn give_next(&self, kernel: &Kernel<'_>) -> bool {
        let mut candidates = self.shares.take();
        if candidates.is_empty() {
            candidates = self.locks.take();
        }
        self.any.set(!self.locks.borrow().is_empty());
        self.rounds.set(self.rounds.get() + 1);
        candidates.sort_by(|a, b| {
            let by_time = a.since_s.total_cmp(&b.since_s);
            by_time.then_with(|| a.order.cmp(&b.order))
        });
        for candidate in candidates {
            kernel.wake(candidate.unit, candidate.generation);
        }
        // Even if no thread was woken, there may still be locks to give.
        kernel.set_busy();
        true
    }
}
