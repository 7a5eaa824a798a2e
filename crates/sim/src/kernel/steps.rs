//! Limits the number of steps at the same instant, to find livelocks.
//!
//! With many units, many steps at one instant can be normal, because each unit makes a few. So the
//! steps of an instant are first counted together. Once there are many, the steps of each unit are
//! counted as well. Each unit has an allowance, and too many steps beyond these allowances are a
//! livelock.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use super::{Trouble, UnitAt};

/// Number of steps that all units together can make before steps are counted per unit.
const FREE: u64 = 5_000_000;
/// Number of steps that each unit can make after that.
const FREE_OF_UNIT: u32 = 10_000;
/// Number of steps that all units together can make beyond their allowances. More are a livelock.
pub const EXCESS_MAX: u64 = 5_000_000;
/// Number of steps before the limit for which the units and their sites are recorded, so that the
/// failure can name them.
const WATCHED: u64 = 1000;
const WATCHED_NAMED: usize = 10;

#[derive(Debug)]
pub(super) struct Steps {
    count: Cell<u64>,
    free: Cell<u64>,
    free_of_unit: Cell<u32>,
    excess_max: Cell<u64>,
    many: RefCell<Many>,
}

/// Counts that are only needed after many steps.
#[derive(Debug, Default)]
struct Many {
    of_unit: Vec<u32>,
    excess: u64,
    /// The units that made the last steps before the limit, and where.
    watched: BTreeSet<UnitAt>,
}

impl Steps {
    pub(super) fn new() -> Self {
        Self {
            count: Cell::new(0),
            free: Cell::new(FREE),
            free_of_unit: Cell::new(FREE_OF_UNIT),
            excess_max: Cell::new(EXCESS_MAX),
            many: RefCell::default(),
        }
    }

    #[inline]
    pub(super) fn reset(&self) {
        self.count.set(0);
    }

    /// Sets the maximum number of steps at the same instant, whichever units make them.
    pub(super) fn set_max(&self, steps_max: u64) {
        let excess_max = steps_max.div_ceil(2);
        self.free.set(steps_max - excess_max);
        self.free_of_unit.set(0);
        self.excess_max.set(excess_max);
    }

    /// Counts a step at this instant. Returns `true` after many steps. The caller must then check
    /// [`Self::livelock`].
    #[inline]
    pub(super) fn count(&self) -> bool {
        let steps = self.count.get() + 1;
        self.count.set(steps);
        steps > self.free.get()
    }

    /// Counts the latest step for its unit. Returns the failure to report if there have been too
    /// many.
    #[cold]
    #[inline(never)]
    pub(super) fn livelock(&self, at: UnitAt) -> Option<Trouble> {
        let steps = self.count.get();
        let mut many = self.many.borrow_mut();
        if steps == self.free.get() + 1 {
            *many = Many::default();
        }
        let excess = many.count(at.unit, self.free_of_unit.get());
        let excess_max = self.excess_max.get();
        if excess + WATCHED <= excess_max || excess == 0 {
            return None;
        }
        many.watched.insert(at);
        let among = many.watched.iter().take(WATCHED_NAMED).copied();
        let more = many.watched.len().saturating_sub(WATCHED_NAMED);
        (excess > excess_max).then(|| Trouble::Livelock {
            events: steps - 1,
            among: among.collect(),
            more: u32::try_from(more).unwrap_or(u32::MAX),
        })
    }
}

impl Many {
    /// Counts a step; returns the number of steps so far beyond the units' allowances.
    fn count(&mut self, unit: u32, free_of_unit: u32) -> u64 {
        let place = unit as usize;
        if self.of_unit.len() <= place {
            self.of_unit.resize(place + 1, 0);
        }
        let count = &mut self.of_unit[place];
        if *count < free_of_unit {
            *count += 1;
        } else {
            self.excess += 1;
        }
        self.excess
    }
}
