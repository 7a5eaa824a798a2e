//! Influence of ranks on each other's clocks. Ranks without influence on each other may drift
//! apart.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// Influence of ranks on each other in a part of a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Influence {
    /// Pairs of ranks one of which may have waited for the other.
    pub(crate) bound: BTreeSet<(u32, u32)>,
    /// Senders and receivers of messages that were there when their receives began, so that it did
    /// not matter when they had come.
    pub(crate) early: BTreeSet<(u32, u32)>,
}

impl Influence {
    /// Adds the influence in another part of the run.
    pub(crate) fn add(&mut self, other: &Self) {
        self.bound.extend(&other.bound);
        self.early.extend(&other.early);
    }

    /// Memory that it takes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        (self.bound.len() + self.early.len()) * size_of::<(u32, u32)>()
    }
}

/// The influence that is noted, once somebody wants to know.
#[derive(Debug, Default)]
pub(crate) struct Influences {
    noted: Cell<bool>,
    latest: RefCell<Influence>,
}

impl Influences {
    /// Sets whether influence is noted from now on.
    pub(crate) fn note(&self, noted: bool) {
        self.noted.set(noted);
        self.latest.take();
    }

    #[inline]
    pub(crate) fn are_noted(&self) -> bool {
        self.noted.get()
    }

    /// Notes that one of two ranks may have waited for the other.
    #[inline]
    pub(crate) fn bind(&self, one: u32, other: u32) {
        if self.are_noted() {
            self.latest.borrow_mut().bound.insert((one, other));
        }
    }

    /// Notes a message that was there when its receive began.
    #[cold]
    pub(crate) fn come_early(&self, source: u32, rank: u32) {
        self.latest.borrow_mut().early.insert((source, rank));
    }

    /// Takes the influences noted since the last call, if they are noted.
    pub(crate) fn take(&self) -> Option<Influence> {
        self.are_noted().then(|| self.latest.take())
    }
}
