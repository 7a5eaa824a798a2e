//! Implements the locks of a process. Only one thread at a time has a lock, first come, first
//! served.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

use super::{Candidate, Turns};
use crate::kernel::Kernel;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LockName {
    /// The lock of all critical sections that have the name with this number.
    Critical(u32),
    /// The lock of an atomic element, by the element's index.
    Atomic(u32),
}

#[derive(Debug, Default)]
pub(crate) struct Locks {
    places: RefCell<BTreeMap<(u32, LockName), usize>>,
    pub(crate) locks: RefCell<Vec<Lock>>,
}

#[derive(Debug, Default)]
pub(crate) struct Lock {
    /// The unit that has the lock, and the index of the element that took it.
    pub(crate) holder: Option<(u32, u32)>,
    /// The last unit that had the lock.
    pub(crate) last: u32,
    /// Number of rounds of turns by the time the lock was last released.
    pub(crate) released: u64,
    pub(crate) queue: VecDeque<Candidate>,
}

impl Lock {
    /// If the lock is free, lets the thread that has waited longest request it again.
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
