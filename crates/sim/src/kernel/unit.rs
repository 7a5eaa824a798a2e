//! The kernel's state of each unit that runs.

use super::Kernel;
use std::cell::{Cell, OnceCell};

/// The site of a unit that is at no site.
pub const NO_SITE: u32 = u32::MAX;

/// Kinds of activities that a unit's time is accounted by.
pub const ACTIVITIES: usize = 4;

/// Phase of a unit between two polls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The unit runs, or has not run yet, or awaits something that the kernel does not know.
    Running,
    /// The unit has registered a wait.
    Waiting,
    /// The wait of the unit is over, and the unit will be polled.
    Granted,
    /// The unit still waits, and will be polled to look at something other than its wait.
    Nudged,
    /// The unit has a process that has not run yet.
    Started,
    /// The unit lets others go first, in the local engine.
    Yielded,
    /// The unit has ended.
    Ended,
}

/// A unit's state without its future: one cache line.
///
/// The kernel itself uses the fields of its wait. The public fields are for whoever runs units and
/// names the sites and the activities, and are here to share the cache line.
#[derive(Debug)]
pub struct Unit {
    /// The ticket of its live event in the list; 0 if it has no such event.
    pub(super) timer: Cell<u64>,
    /// The number of its latest wait, from 1.
    pub(super) generation: Cell<u32>,
    /// The place in the program that it is at.
    pub site: Cell<u32>,
    /// Turns of its loops at `latest_s`.
    pub turns: Cell<u32>,
    /// Phase between two polls.
    pub phase: Cell<Phase>,
    /// True while it waits for what processes share, which it does since `latest_s`.
    pub shares: Cell<bool>,
    /// The simulated time of its latest turn or of a wait's beginning; when it ended, once it has.
    pub latest_s: Cell<f64>,
    /// The seconds that each kind of activity has taken.
    pub spent_s: [Cell<f64>; ACTIVITIES],
}

impl Default for Unit {
    fn default() -> Self {
        Self {
            timer: Cell::new(0),
            generation: Cell::new(0),
            site: Cell::new(NO_SITE),
            turns: Cell::new(0),
            phase: Cell::new(Phase::Running),
            shares: Cell::new(false),
            latest_s: Cell::new(0.0),
            spent_s: Default::default(),
        }
    }
}

impl Unit {
    /// Returns the number of its latest wait, from 1.
    pub fn generation(&self) -> u32 {
        self.generation.get()
    }

    /// Begins the next process of a unit, which has no wait yet.
    #[inline]
    pub(super) fn begin(&self) {
        self.wait();
        self.phase.set(Phase::Started);
        self.site.set(NO_SITE);
        self.latest_s.set(0.0);
        self.turns.set(0);
    }

    /// Begins a wait, whatever the phase; returns its generation, which is never 0.
    #[inline]
    pub fn wait(&self) -> u32 {
        let generation = self.generation.get().wrapping_add(1).max(1);
        self.generation.set(generation);
        self.phase.set(Phase::Waiting);
        generation
    }

    /// Returns `true` if a wait is over; the unit then runs again.
    #[inline]
    pub fn granted(&self, generation: u32) -> bool {
        let granted = self.is_granted(generation);
        if granted {
            self.phase.set(Phase::Running);
        }
        granted
    }

    /// Returns `true` if a wait is over and the unit does not run yet.
    #[inline]
    pub fn is_granted(&self, generation: u32) -> bool {
        self.phase.get() == Phase::Granted && self.generation.get() == generation
    }

    /// Notes that the unit is at a simulated time, where its turns are counted again if the time is
    /// later than the last noted one.
    #[inline]
    pub fn arrive(&self, now_s: f64) {
        if self.latest_s.replace(now_s).to_bits() != now_s.to_bits() {
            self.turns.set(0);
        }
    }

    /// Counts a turn of a loop at a simulated time; returns the number of turns at that time.
    #[inline]
    pub fn turn(&self, now_s: f64) -> u32 {
        self.arrive(now_s);
        let turns = self.turns.get() + 1;
        self.turns.set(turns);
        turns
    }
}

/// State of units after the first [`SPARE_UNITS`], made when it is needed, in chunks that never
/// move and double: chunk `k` begins at unit `SPARE_UNITS << k` and has as many.
#[derive(Debug)]
pub struct More<T>([OnceCell<Box<[T]>>; MORE_CHUNKS]);

/// Units that a kernel without any has from its start for processes that are spawned.
pub const SPARE_UNITS: u32 = 1 << SPARE_BITS;
const SPARE_BITS: u32 = 8;
/// Up to the most units that there can be, 2^27.
const MORE_CHUNKS: usize = 19;

impl<T> Default for More<T> {
    fn default() -> Self {
        Self([const { OnceCell::new() }; MORE_CHUNKS])
    }
}

impl<T: Default> More<T> {
    /// Returns the state of a unit, made with its chunk.
    #[inline(never)]
    pub fn get(&self, unit: u32) -> &T {
        let (chunk, place) = place(unit);
        let make = || (0..SPARE_UNITS << chunk).map(|_| T::default()).collect();
        &self.0[chunk].get_or_init(make)[place]
    }

    /// Returns the state of a unit, if its chunk has been made.
    pub fn made(&self, unit: u32) -> Option<&T> {
        let (chunk, place) = place(unit);
        self.0.get(chunk)?.get()?.get(place)
    }
}

fn place(unit: u32) -> (usize, usize) {
    let chunk = (unit | SPARE_UNITS).ilog2() - SPARE_BITS;
    (chunk as usize, (unit - (SPARE_UNITS << chunk)) as usize)
}

impl Kernel<'_> {
    /// The priority of a unit: 0 unless it has been set.
    #[inline]
    pub fn priority(&self, unit: u32) -> i32 {
        let priorities = self.priorities.borrow();
        priorities.get(&unit).copied().unwrap_or(0)
    }

    /// Sets the priority of a unit.
    pub fn set_priority(&self, unit: u32, priority: i32) {
        self.prioritized.set(true);
        self.priorities.borrow_mut().insert(unit, priority);
    }

    /// True if any priority has been set.
    #[inline]
    pub fn has_priorities(&self) -> bool {
        self.prioritized.get()
    }

    /// Forgets the priority of a unit that has ended.
    pub fn drop_priority(&self, unit: u32) {
        self.priorities.borrow_mut().remove(&unit);
    }
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
