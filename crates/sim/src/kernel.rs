//! The foundation of all simulations: units and their waits, the clock, and future events.
//!
//! Studies don't need this module. Use it to build your own simulations with the
//! [resources](crate::resources). A *unit* is a process or one of its threads; the kernel resumes
//! units one at a time. A [`Program`] polls units, and a [`Host`] records errors.
//!
//! The kernel keeps its state in cells. It borrows a cell only within a method, and never while a
//! process runs.

mod arena;
mod caller;
mod clock;
mod ends;
mod failures;
mod host;
mod instants;
mod list;
mod program;
mod ready;
mod run;
mod sharing;
mod steps;
mod stopped;
mod stuck;
mod unit;
mod waits;
pub mod wording;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

pub use arena::{Arena, Spare, Wrapped, Wrapper, prefetch};
pub use caller::{Caller, Wait};
pub use clock::Clock;
pub use host::{Host, Trouble, UnitAt};
pub use list::UNITS_MAX;
pub use program::Wanted;
pub use program::{LOOK_EVERY, Program, Progress};
pub use ready::Waiter;
pub use run::{Ended, run};
pub use sharing::Sharing;
pub use steps::EXCESS_MAX;
pub use stopped::{ProcessError, Stopped};
pub use stuck::Stuck;
pub use unit::{ACTIVITIES, More, NO_SITE, Phase, SPARE_UNITS, Unit};

use list::EventList;
use ready::Ready;
use steps::Steps;

/// The state of a simulation run, shared by all layers.
#[derive(Debug)]
pub struct Kernel<'h> {
    host: &'h dyn Host,
    /// Units that exist from the start.
    units: Vec<Unit>,
    more_units: More<Unit>,
    now_s: Cell<f64>,
    /// The clock, shared with objects that outlive the run.
    clock: Clock,
    list: RefCell<EventList>,
    /// Whether there is still work at this instant, apart from due events and the program's own
    /// work.
    busy: Cell<bool>,
    /// Units to poll at this instant, each with the generation of its wait.
    ready: Ready,
    steps: Steps,
    priorities: RefCell<BTreeMap<u32, i32>>,
    prioritized: Cell<bool>,
    failed: Cell<bool>,
    /// Whether units are being polled only to report what they are waiting for.
    asking: Cell<bool>,
    answer: RefCell<Option<Wanted>>,
    /// Whether there is work to do at the end of this instant, which is rare.
    attention: Cell<bool>,
    /// Whether processes have asked for the state of all processes.
    inquiry: Cell<bool>,
    /// Whether the run ends at the end of this instant.
    stopping: Cell<bool>,
    /// Whether futures are being dropped. No unit may be woken then.
    closing: Cell<bool>,
}

impl<'h> Kernel<'h> {
    /// Creates a kernel at time 0 with `units` units that aren't ready yet. Further units are
    /// created on first use.
    pub fn new(host: &'h dyn Host, units: u32) -> Self {
        let spare = if units == 0 { SPARE_UNITS } else { 0 };
        Self {
            host,
            units: (0..units + spare).map(|_| Unit::default()).collect(),
            more_units: More::default(),
            now_s: Cell::new(0.0),
            clock: Clock::new(),
            list: RefCell::new(EventList::new()),
            busy: Cell::new(true),
            ready: Ready::default(),
            steps: Steps::new(),
            priorities: RefCell::default(),
            prioritized: Cell::new(false),
            failed: Cell::new(false),
            asking: Cell::new(false),
            answer: RefCell::new(None),
            attention: Cell::new(false),
            inquiry: Cell::new(false),
            stopping: Cell::new(false),
            closing: Cell::new(false),
        }
    }

    /// Marks units that haven't run yet as ready.
    pub fn make_all_ready(&self, units: impl Iterator<Item = u32>) {
        units.for_each(|unit| self.ready.push((unit, 0)));
    }

    /// Returns the simulated time, in seconds.
    #[inline]
    pub fn now_s(&self) -> f64 {
        self.now_s.get()
    }

    /// Returns the clock. An object that keeps a clone of it can read the time even after the run.
    #[inline]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    #[inline]
    fn advance(&self, now_s: f64) {
        self.now_s.set(now_s);
        self.clock.set(now_s);
        self.steps.reset();
    }

    /// Returns a unit of this run.
    #[inline]
    pub fn unit(&self, unit: u32) -> &Unit {
        match self.units.get(unit as usize) {
            Some(unit) => unit,
            None => self.other_unit(unit),
        }
    }

    /// Returns the units that exist from the start.
    #[inline]
    pub fn first_units(&self) -> &[Unit] {
        &self.units
    }

    /// Returns a unit that exists from the start.
    #[inline]
    pub fn first_unit(&self, unit: u32) -> &Unit {
        &self.units[unit as usize]
    }

    #[inline(never)]
    fn other_unit(&self, unit: u32) -> &Unit {
        self.more_units.get(self.number_of_more(unit))
    }

    /// Returns the number of a unit that was added after the first units.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "units are numbered in 32 bits"
    )]
    #[inline]
    fn number_of_more(&self, unit: u32) -> u32 {
        unit - self.units.len() as u32 + SPARE_UNITS
    }

    #[inline]
    fn made(&self, unit: u32) -> Option<&Unit> {
        match self.units.get(unit as usize) {
            None => self.other_made(unit),
            first => first,
        }
    }

    #[inline(never)]
    fn other_made(&self, unit: u32) -> Option<&Unit> {
        self.more_units.made(self.number_of_more(unit))
    }
}
