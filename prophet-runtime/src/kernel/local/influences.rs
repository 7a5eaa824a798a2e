//! Records which ranks influence each other's clocks. The clocks of ranks that don't can drift
//! apart.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// How ranks have influenced each other in a part of a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Influence {
    /// Pairs of ranks of which one may have waited for the other.
    pub(crate) bound: BTreeSet<(u32, u32)>,
    /// Pairs of sender and receiver of messages that had arrived before their receives began, so
    /// that their exact arrival time didn't matter.
    pub(crate) early: BTreeSet<(u32, u32)>,
}

impl Influence {
    pub(crate) fn add(&mut self, other: &Self) {
        self.bound.extend(&other.bound);
        self.early.extend(&other.early);
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.bound.len() + self.early.len()) * size_of::<(u32, u32)>()
    }
}

/// The influence so far, if it is being recorded.
#[derive(Debug, Default)]
pub(crate) struct Influences {
    noted: Cell<bool>,
    latest: RefCell<Influence>,
}

impl Influences {
    /// Sets whether influence is recorded from now on.
    pub(crate) fn note(&self, noted: bool) {
        self.noted.set(noted);
        self.latest.take();
    }

    #[inline]
    pub(crate) fn are_noted(&self) -> bool {
        self.noted.get()
    }

    /// Records that one of two ranks may have waited for the other.
    #[inline]
    pub(crate) fn bind(&self, one: u32, other: u32) {
        if self.are_noted() {
            self.latest.borrow_mut().bound.insert((one, other));
        }
    }

    /// Records a message that had arrived before its receive began.
    #[cold]
    pub(crate) fn come_early(&self, source: u32, rank: u32) {
        self.latest.borrow_mut().early.insert((source, rank));
    }

    /// Takes the influence recorded since the last call. Returns `None` if recording is off.
    pub(crate) fn take(&self) -> Option<Influence> {
        self.are_noted().then(|| self.latest.take())
    }
}
