//! What the world keeps of each unit that runs.

use std::cell::{Cell, OnceCell};

/// The element index of a unit that is at none.
pub(crate) const NO_ELEMENT: u32 = u32::MAX;

/// Where a unit is between two polls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// It runs, or has not run yet, or awaits something that the world does not know.
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
    /// Turns of its loops at `turned_at`.
    pub(crate) turns: Cell<u32>,
    pub(crate) phase: Cell<Phase>,
    /// The bits of the simulated time of its latest turn.
    pub(crate) turned_at: Cell<u64>,
    pub(crate) compute_s: Cell<f64>,
    pub(crate) communication_s: Cell<f64>,
    pub(crate) wait_s: Cell<f64>,
    pub(crate) end_s: Cell<f64>,
}

impl Default for Unit {
    fn default() -> Self {
        Self {
            timer: Cell::new(0),
            generation: Cell::new(0),
            element: Cell::new(NO_ELEMENT),
            turns: Cell::new(0),
            phase: Cell::new(Phase::Running),
            turned_at: Cell::new(0),
            compute_s: Cell::new(0.0),
            communication_s: Cell::new(0.0),
            wait_s: Cell::new(0.0),
            end_s: Cell::new(0.0),
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
