//! Limits the steps at one instant, to find livelocks.
//!
//! With many units there may be many steps before time passes, a few of each unit. So all steps of
//! an instant are counted together first. If there are many, the steps of each unit are counted,
//! too, and the steps beyond the units' shares add up to a livelock.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use super::{Kernel, Stopped, Trouble, UnitAt};

/// Steps that all units together may make before the steps of each unit are counted.
const FREE: u64 = 5_000_000;
/// Steps that each unit may then make.
const FREE_OF_UNIT: u32 = 10_000;
/// Steps that all units together may then make beyond these shares.
pub const EXCESS_MAX: u64 = 5_000_000;
/// The last steps before there are too many, whose units and sites are reported.
const WATCHED: u64 = 1000;
/// Number of watched processes that are named.
const WATCHED_NAMED: usize = 10;

/// Steps since the time advanced.
#[derive(Debug)]
pub(super) struct Steps {
    count: Cell<u64>,
    free: Cell<u64>,
    free_of_unit: Cell<u32>,
    excess_max: Cell<u64>,
    many: RefCell<Many>,
}

/// State that is kept when there have been many steps.
#[derive(Debug, Default)]
struct Many {
    of_unit: Vec<u32>,
    excess: u64,
    /// Units that had the last steps before there were too many, and where they were.
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

    /// The time advances.
    #[inline]
    pub(super) fn reset(&self) {
        self.count.set(0);
    }
}

impl Many {
    /// Counts a step; returns how many there have been beyond the shares of units.
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

impl Kernel<'_> {
    /// Counts a step of `unit` at this instant.
    ///
    /// # Errors
    ///
    /// Stops the run when there are too many.
    #[inline]
    pub fn count_step(&self, unit: u32) -> Result<(), Stopped> {
        let steps = self.steps.count.get() + 1;
        self.steps.count.set(steps);
        if steps > self.steps.free.get() {
            return self.count_of_unit(unit, steps);
        }
        Ok(())
    }

    /// Sets how many steps there may be at one instant, whichever units make them.
    pub fn set_steps_max(&self, steps_max: u64) {
        let excess_max = steps_max.div_ceil(2);
        self.steps.free.set(steps_max - excess_max);
        self.steps.free_of_unit.set(0);
        self.steps.excess_max.set(excess_max);
    }

    #[cold]
    #[inline(never)]
    fn count_of_unit(&self, unit: u32, steps: u64) -> Result<(), Stopped> {
        let mut many = self.steps.many.borrow_mut();
        if steps == self.steps.free.get() + 1 {
            *many = Many::default();
        }
        let excess = many.count(unit, self.steps.free_of_unit.get());
        let excess_max = self.steps.excess_max.get();
        if excess + WATCHED <= excess_max || excess == 0 {
            return Ok(());
        }
        many.watched.insert(self.unit_at(unit));
        if excess <= excess_max {
            return Ok(());
        }
        let among = many.watched.iter().take(WATCHED_NAMED).copied();
        let livelock = Trouble::Livelock {
            events: steps - 1,
            among: among.collect(),
            more: u32::try_from(many.watched.len().saturating_sub(WATCHED_NAMED))
                .unwrap_or(u32::MAX),
        };
        drop(many);
        Err(self.fail(Some(unit), livelock))
    }
}
