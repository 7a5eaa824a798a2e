//! Stores the kernel's state of each unit.

use super::Kernel;
use std::cell::{Cell, OnceCell};

/// The value of [`Unit::site`] for a unit whose place is unknown.
pub const NO_SITE: u32 = u32::MAX;

/// Number of activities that a unit's time is divided among.
pub const ACTIVITIES: usize = 4;

/// The phase of a unit between two polls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The unit is running, hasn't run yet, or awaits something that the kernel doesn't know about.
    Running,
    /// The unit has registered a wait that isn't over.
    Waiting,
    /// The unit's wait is over, and it will be polled.
    Granted,
    /// The unit is still waiting, but will be polled so that it can check something else.
    Nudged,
    /// The unit has a new process that hasn't run yet.
    Started,
    /// The unit lets other units go first. Used only by the local engine.
    Yielded,
    /// The unit has ended.
    Ended,
}

/// A unit's state without its future, in a single cache line.
///
/// The private fields are the kernel's record of the unit's wait. The public fields are for users
/// of the kernel, who number sites and activities themselves. They are here only to share the cache
/// line.
#[derive(Debug)]
pub struct Unit {
    /// The ticket of the unit's event in the list, or 0 if there is none.
    pub(super) timer: Cell<u64>,
    pub(super) generation: Cell<u32>,
    /// The unit's place in the program; [`NO_SITE`] if unknown.
    pub site: Cell<u32>,
    /// Number of loop iterations counted at `latest_s`.
    pub turns: Cell<u32>,
    /// The unit's phase between two polls.
    pub phase: Cell<Phase>,
    /// Whether the unit has been waiting for something shared since `latest_s`.
    pub shares: Cell<bool>,
    /// The simulated time, in seconds, at which the unit's latest iteration or wait began, or at
    /// which the unit ended.
    pub latest_s: Cell<f64>,
    /// The simulated time spent on each kind of activity, in seconds.
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
    /// Returns the generation of the unit's latest wait: waits are numbered from 1.
    pub fn generation(&self) -> u32 {
        self.generation.get()
    }

    /// Begins the next process of a unit. The unit must not be waiting.
    #[inline]
    pub(super) fn begin(&self) {
        self.wait();
        self.phase.set(Phase::Started);
        self.site.set(NO_SITE);
        self.latest_s.set(0.0);
        self.turns.set(0);
    }

    /// Begins a wait, whatever the phase, and returns its generation, which is never 0.
    #[inline]
    pub fn wait(&self) -> u32 {
        let generation = self.generation.get().wrapping_add(1).max(1);
        self.generation.set(generation);
        self.phase.set(Phase::Waiting);
        generation
    }

    /// Returns `true` if this wait is over, and lets the unit run again.
    #[inline]
    pub fn granted(&self, generation: u32) -> bool {
        let granted = self.is_granted(generation);
        if granted {
            self.phase.set(Phase::Running);
        }
        granted
    }

    /// Returns `true` if this wait is over but the unit isn't running yet.
    #[inline]
    pub fn is_granted(&self, generation: u32) -> bool {
        self.phase.get() == Phase::Granted && self.generation.get() == generation
    }

    /// Records the simulated time at which the unit arrives. If it is a new time, iterations are
    /// counted from 0 again.
    #[inline]
    pub fn arrive(&self, now_s: f64) {
        if self.latest_s.replace(now_s).to_bits() != now_s.to_bits() {
            self.turns.set(0);
        }
    }

    /// Counts a loop iteration at a simulated time; returns the number of iterations at that time.
    #[inline]
    pub fn turn(&self, now_s: f64) -> u32 {
        self.arrive(now_s);
        let turns = self.turns.get() + 1;
        self.turns.set(turns);
        turns
    }
}

/// The state of all units after the first [`SPARE_UNITS`], in chunks that are created on demand and
/// never move. Each chunk is twice as large as the previous one: chunk `k` begins at unit
/// `SPARE_UNITS << k` and contains `SPARE_UNITS << k` units.
#[derive(Debug)]
pub struct More<T>([OnceCell<Box<[T]>>; MORE_CHUNKS]);

/// Number of units that a kernel without initial units reserves for spawned processes.
pub const SPARE_UNITS: u32 = 1 << SPARE_BITS;
const SPARE_BITS: u32 = 8;
/// Number of chunks needed for the maximum number of units, 2^27.
const MORE_CHUNKS: usize = 19;

impl<T> Default for More<T> {
    fn default() -> Self {
        Self([const { OnceCell::new() }; MORE_CHUNKS])
    }
}

impl<T: Default> More<T> {
    /// Returns the state of a unit, creating its chunk if necessary.
    #[inline(never)]
    pub fn get(&self, unit: u32) -> &T {
        let (chunk, place) = place(unit);
        let make = || (0..SPARE_UNITS << chunk).map(|_| T::default()).collect();
        &self.0[chunk].get_or_init(make)[place]
    }

    /// Returns the state of a unit, or `None` if its chunk hasn't been created.
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
    /// Returns the priority of a unit, which is 0 by default.
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

    /// Returns `true` if any priority was set.
    #[inline]
    pub fn has_priorities(&self) -> bool {
        self.prioritized.get()
    }

    /// Removes the priority of a unit that has ended.
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
