//! Implements a process's locks, each held by one thread at a time, first come, first served.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

use super::{Candidate, Turns};
use crate::kernel::Kernel;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LockName {
    /// The lock of all critical sections with the same name, which this number stands for.
    Critical(u32),
    /// The lock of an atomic; this is the element's index.
    Atomic(u32),
}

#[derive(Debug, Default)]
pub(crate) struct Locks {
    places: RefCell<BTreeMap<(u32, LockName), usize>>,
    pub(crate) locks: RefCell<Vec<Lock>>,
}

#[derive(Debug, Default)]
pub(crate) struct Lock {
    /// The unit that holds the lock, and the index of the element that locked it.
    pub(crate) holder: Option<(u32, u32)>,
    /// The unit that last held the lock.
    pub(crate) last: u32,
    /// Number of rounds of turns when the lock was last released.
    pub(crate) released: u64,
    pub(crate) queue: VecDeque<Candidate>,
}

impl Lock {
    /// Lets the thread that has waited longest ask again, if the lock is free.
    pub(crate) fn pass_on(&mut self, turns: &Turns, kernel: &Kernel<'_>) {
        if self.holder.is_none()
            && let Some(next) = self.queue.pop_front()
        {
            turns.ask_lock(kernel, next);
        }
    }

    pub(crate) fn enqueue(&mut self, candidate: Candidate) {
        let behind = |other: &Candidate| other.precedes(&candidate);
        let place = self.queue.partition_point(behind);
        self.queue.insert(place, candidate);
    }
}

impl Locks {
    pub(crate) fn place(&self, pid: u32, name: LockName) -> usize {
        let mut locks = self.locks.borrow_mut();
        let mut places = self.places.borrow_mut();
        *places.entry((pid, name)).or_insert_with(|| {
            locks.push(Lock::default());
            locks.len() - 1
        })
    }
}
