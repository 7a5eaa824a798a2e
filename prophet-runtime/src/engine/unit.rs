//! What the world keeps of each unit that runs.

use std::cell::Cell;

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

impl Unit {
    pub(crate) const fn new() -> Self {
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

/// Adds to a sum in a cell.
pub(crate) fn add(sum: &Cell<f64>, seconds: f64) {
    sum.set(sum.get() + seconds);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_one_cache_line() {
        assert_eq!(size_of::<Unit>(), 64);
    }
}
