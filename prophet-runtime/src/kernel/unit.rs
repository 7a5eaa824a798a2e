//! What the kernel keeps of each unit that runs.

use std::cell::{Cell, OnceCell};

/// The element index of a unit that is at none.
pub(crate) const NO_ELEMENT: u32 = u32::MAX;

/// Where a unit is between two polls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// It runs, or has not run yet, or awaits something that the kernel does not know.
    Running,
    /// It has registered a wait.
    Waiting,
    /// Its wait is over and it will be polled.
    Granted,
    /// It waits on, and will be polled to look at something besides its wait.
    Nudged,
    /// It lets others go first, in the local engine.
    Yielded,
    /// It has ended.
    Ended,
}

/// A unit's state besides its future: one cache line.
#[derive(Debug)]
pub(crate) struct Unit {
    /// The ticket of its live event in the list; 0 is none.
    pub(crate) timer: Cell<u64>,
    /// The number of its latest wait, from 1.
    pub(crate) generation: Cell<u32>,
    /// The element that it is at, by index.
    pub(crate) element: Cell<u32>,
    /// Turns of its loops at `latest_s`.
    pub(crate) turns: Cell<u32>,
    pub(crate) phase: Cell<Phase>,
    /// The simulated time of its latest turn; when it ended, once it has.
    pub(crate) latest_s: Cell<f64>,
    pub(crate) compute_s: Cell<f64>,
    pub(crate) communication_s: Cell<f64>,
    pub(crate) wait_s: Cell<f64>,
    pub(crate) hold_s: Cell<f64>,
}

impl Default for Unit {
    fn default() -> Self {
        Self {
            timer: Cell::new(0),
            generation: Cell::new(0),
            element: Cell::new(NO_ELEMENT),
            turns: Cell::new(0),
            phase: Cell::new(Phase::Running),
            latest_s: Cell::new(0.0),
            compute_s: Cell::new(0.0),
            communication_s: Cell::new(0.0),
            wait_s: Cell::new(0.0),
            hold_s: Cell::new(0.0),
        }
    }
}

impl Unit {
    /// Whether a wait is over; if so the unit runs again.
    #[inline]
    pub(crate) fn granted(&self, generation: u32) -> bool {
        let granted = self.phase.get() == Phase::Granted && self.generation.get() == generation;
        if granted {
            self.phase.set(Phase::Running);
        }
        granted
    }
}

impl Unit {
    /// Its account: what it has computed, communicated, waited and held, in seconds.
    pub(crate) fn account(&self) -> Account {
        Account {
            compute_s: self.compute_s.get(),
            communication_s: self.communication_s.get(),
            wait_s: self.wait_s.get(),
            hold_s: self.hold_s.get(),
        }
    }

    pub(crate) fn set_account(&self, account: Account) {
        self.compute_s.set(account.compute_s);
        self.communication_s.set(account.communication_s);
        self.wait_s.set(account.wait_s);
        self.hold_s.set(account.hold_s);
    }
}

/// What a unit's time went to, in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[expect(clippy::struct_field_names, reason = "names carry their unit last")]
pub(crate) struct Account {
    pub(crate) compute_s: f64,
    pub(crate) communication_s: f64,
    pub(crate) wait_s: f64,
    pub(crate) hold_s: f64,
}

impl Account {
    /// Each part by itself.
    pub(crate) fn with(self, other: Self, combine: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            compute_s: combine(self.compute_s, other.compute_s),
            communication_s: combine(self.communication_s, other.communication_s),
            wait_s: combine(self.wait_s, other.wait_s),
            hold_s: combine(self.hold_s, other.hold_s),
        }
    }
}

/// What belongs to units after the first [`SPARE_UNITS`], made when it is needed, in chunks that
/// never move and double: chunk `k` begins at unit `SPARE_UNITS << k` and has as many.
#[derive(Debug)]
pub(crate) struct More<T>([OnceCell<Box<[T]>>; MORE_CHUNKS]);

/// Units that a world has from its start for processes that are spawned.
pub(crate) const SPARE_UNITS: u32 = 1 << SPARE_BITS;
const SPARE_BITS: u32 = 8;
/// Up to the most units that there can be, 2^27.
const MORE_CHUNKS: usize = 19;

impl<T> Default for More<T> {
    fn default() -> Self {
        Self([const { OnceCell::new() }; MORE_CHUNKS])
    }
}

impl<T: Default> More<T> {
    /// What belongs to a unit, made with its chunk.
    #[inline(never)]
    pub(crate) fn get(&self, unit: u32) -> &T {
        let (chunk, place) = place(unit);
        let make = || (0..SPARE_UNITS << chunk).map(|_| T::default()).collect();
        &self.0[chunk].get_or_init(make)[place]
    }

    /// The same, if its chunk has been made.
    pub(crate) fn made(&self, unit: u32) -> Option<&T> {
        let (chunk, place) = place(unit);
        self.0.get(chunk)?.get()?.get(place)
    }
}

fn place(unit: u32) -> (usize, usize) {
    let chunk = (unit | SPARE_UNITS).ilog2() - SPARE_BITS;
    (chunk as usize, (unit - (SPARE_UNITS << chunk)) as usize)
}

/// Adds to a sum in a cell.
pub(crate) fn add(sum: &Cell<f64>, seconds: f64) {
    sum.set(sum.get() + seconds);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_units_have_a_place_each() {
        let more = More::<Unit>::default();
        assert!(more.made(SPARE_UNITS).is_none());
        for unit in SPARE_UNITS..5 * SPARE_UNITS {
            assert_eq!(more.get(unit).turns.replace(unit), 0);
        }
        for unit in SPARE_UNITS..5 * SPARE_UNITS {
            assert_eq!(more.made(unit).map(|unit| unit.turns.get()), Some(unit));
        }
        assert_eq!(place((1 << 27) - 1).0, MORE_CHUNKS - 1);
    }

    #[test]
    fn a_unit_is_one_cache_line() {
        assert_eq!(size_of::<Unit>(), 64);
    }
}
