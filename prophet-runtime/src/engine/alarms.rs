//! When receives from whoever sends are to be looked at.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// Ranks to look at, now and later.
#[derive(Debug)]
pub(crate) struct Alarms {
    /// When this instant ends.
    due: RefCell<BTreeSet<u32>>,
    later: RefCell<Later>,
    /// The earliest of those to come, in simulated seconds.
    next_s: Cell<f64>,
}

/// Times as bits, which sort as the times do.
#[derive(Debug, Default)]
struct Later {
    of_rank: BTreeMap<u32, u64>,
    order: BTreeSet<(u64, u32)>,
}

impl Alarms {
    pub(super) fn new() -> Self {
        Self {
            due: RefCell::default(),
            later: RefCell::default(),
            next_s: Cell::new(f64::INFINITY),
        }
    }

    /// Has a rank looked at when this instant ends.
    pub(crate) fn look_at(&self, rank: u32) {
        self.due.borrow_mut().insert(rank);
    }

    /// Takes the ranks that are to be looked at, in order.
    pub(crate) fn take_due(&self) -> BTreeSet<u32> {
        self.due.take()
    }

    pub(super) fn has_due(&self) -> bool {
        !self.due.borrow().is_empty()
    }

    /// Has a rank looked at again at `time_s` and not at the time set before; never, if that is
    /// infinite.
    pub(crate) fn set(&self, rank: u32, time_s: f64) {
        let mut later = self.later.borrow_mut();
        if let Some(bits) = later.of_rank.remove(&rank) {
            later.order.remove(&(bits, rank));
        }
        if time_s.is_finite() {
            later.of_rank.insert(rank, time_s.to_bits());
            later.order.insert((time_s.to_bits(), rank));
        }
        let next = later.order.first();
        let next_s = next.map_or(f64::INFINITY, |(bits, _)| f64::from_bits(*bits));
        self.next_s.set(next_s);
    }

    /// The next time at which a rank is to be looked at; infinite if there is none.
    #[inline]
    pub(super) fn next_s(&self) -> f64 {
        self.next_s.get()
    }

    /// It is that time: makes those ranks due.
    pub(super) fn sound(&self) {
        let now = self.next_s.get().to_bits();
        let ranks: Vec<u32> = {
            let later = self.later.borrow();
            let due = later.order.iter().take_while(|(bits, _)| *bits == now);
            due.map(|(_, rank)| *rank).collect()
        };
        for rank in ranks {
            self.set(rank, f64::INFINITY);
            self.look_at(rank);
        }
    }
}
