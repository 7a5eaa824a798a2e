//! What every simulation has: units, their waits, the clock, and what happens later.
//!
//! Everything lies in cells that are borrowed for the length of one method and never while a
//! process runs.

mod alarms;
mod arena;
mod ends;
mod failures;
mod instants;
pub(crate) mod list;
pub(crate) mod local;
mod members;
mod observer;
mod priorities;
mod steps;
mod unit;
mod waits;
mod wanted;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};

pub(crate) use alarms::{Alarms, Task};
pub(crate) use arena::{Arena, Spare, Wrapped, prefetch};
pub(crate) use list::UNITS_MAX;
pub(crate) use members::{Member, Members};
pub(crate) use observer::{Ended, LOOK_EVERY, Nobody, Observer, Progress};
pub(crate) use steps::EXCESS_MAX;
pub(crate) use unit::{Account, More, NO_ELEMENT, Phase, SPARE_UNITS, Unit, add};
pub(crate) use wanted::Wanted;

use crate::machine::system::System;
use crate::results::elements::ElementTable;
use crate::results::failure::Failure;
use list::EventList;
use local::Local;
use steps::Steps;

/// Loops of one process may turn so often at one instant.
pub(crate) const TURNS_MAX: u32 = 10_000_000;

/// A unit and the number of its wait.
pub(crate) type Waiter = (u32, u32);

/// The state of a run that every layer knows.
#[derive(Debug)]
pub(crate) struct Kernel<'s> {
    pub(crate) system: &'s System,
    /// Those of the system's processes; without such, some for those that are spawned. The local
    /// engine has them elsewhere.
    units: Vec<Unit>,
    more_units: More<Unit>,
    pub(crate) members: Members,
    pub(crate) elements: ElementTable,
    /// The state of the local engine: without ranks if that one does not run the program.
    pub(crate) local: Local,
    /// What is to be done at the ends of instants.
    pub(crate) alarms: Alarms,
    now_s: Cell<f64>,
    list: RefCell<EventList>,
    /// Whether something is left to do at this instant besides what is due and CPUs.
    busy: Cell<bool>,
    /// Units to poll at this instant, with the generations of their waits.
    ready: RefCell<VecDeque<Waiter>>,
    steps: Steps,
    /// Those that are set, by unit.
    priorities: RefCell<BTreeMap<u32, i32>>,
    prioritized: Cell<bool>,
    failure: RefCell<Option<Failure>>,
    failed: Cell<bool>,
    /// Whether units are polled to tell what they wait for.
    asking: Cell<bool>,
    answer: RefCell<Option<Wanted>>,
    /// Whether there is something to do at the end of the instant, seldom.
    attention: Cell<bool>,
    /// Whether processes ask how the others stand.
    inquiry: Cell<bool>,
    /// Whether the run ends with this instant.
    stopping: Cell<bool>,
    /// Whether the futures are being dropped: nobody is woken any more.
    closing: Cell<bool>,
}

impl<'s> Kernel<'s> {
    /// A kernel at time 0 where no unit is ready yet, with a table of so many elements.
    pub(crate) fn new(system: &'s System, elements: usize) -> Self {
        let units = system.processes;
        let spare = if units == 0 { SPARE_UNITS } else { 0 };
        Self {
            units: (0..units + spare).map(|_| Unit::default()).collect(),
            ..Self::without_units(system, elements)
        }
    }

    /// [`Self::new`] for the local engine.
    pub(crate) fn new_local(system: &'s System, elements: usize) -> Self {
        Self {
            local: Local::new(system.processes),
            ..Self::without_units(system, elements)
        }
    }

    fn without_units(system: &'s System, elements: usize) -> Self {
        Self {
            system,
            units: Vec::new(),
            more_units: More::default(),
            members: Members::new(system.processes),
            elements: ElementTable::new(elements),
            local: Local::new(0),
            alarms: Alarms::new(),
            now_s: Cell::new(0.0),
            list: RefCell::new(EventList::new()),
            busy: Cell::new(true),
            ready: RefCell::default(),
            steps: Steps::new(),
            priorities: RefCell::default(),
            prioritized: Cell::new(false),
            failure: RefCell::new(None),
            failed: Cell::new(false),
            asking: Cell::new(false),
            answer: RefCell::new(None),
            attention: Cell::new(false),
            inquiry: Cell::new(false),
            stopping: Cell::new(false),
            closing: Cell::new(false),
        }
    }

    /// Makes units ready that have not run yet.
    pub(crate) fn make_all_ready(&self, units: impl Iterator<Item = u32>) {
        let mut ready = self.ready.borrow_mut();
        ready.extend(units.map(|unit| (unit, 0)));
    }

    /// The time of the event engine.
    #[inline]
    pub(crate) fn now_s(&self) -> f64 {
        self.now_s.get()
    }

    /// The time of a unit.
    #[inline]
    pub(crate) fn now_of(&self, unit: u32) -> f64 {
        match self.local.line(unit) {
            None => self.now_s.get(),
            Some(line) => line.now_s(),
        }
    }

    /// The state of the local engine, if that one runs the program.
    #[inline]
    pub(crate) fn local(&self) -> Option<&Local> {
        self.local.has_ranks().then_some(&self.local)
    }

    /// Ends a run of the local engine, which has no order among processes, at something that has
    /// to be ordered: `what` completes the sentence "the program uses".
    #[inline]
    pub(crate) fn needs_order(&self, what: &'static str) {
        if let Some(local) = self.local() {
            local.set_unsuited(what);
            self.failed.set(true);
        }
    }

    /// A unit of this run. Numbers come from the contexts of this world.
    #[inline]
    pub(crate) fn unit(&self, unit: u32) -> &Unit {
        match self.units.get(unit as usize) {
            Some(unit) => unit,
            None => self.other_unit(unit),
        }
    }

    /// A unit of the local engine, or one that is not among the first.
    #[inline(never)]
    fn other_unit(&self, unit: u32) -> &Unit {
        match self.local.line(unit) {
            None => self.more_units.get(self.number_of_more(unit)),
            Some(line) => &line.unit,
        }
    }

    /// The number of a unit that is not one of the first.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "units are numbered in 32 bits"
    )]
    #[inline]
    fn number_of_more(&self, unit: u32) -> u32 {
        unit - self.units.len() as u32 + SPARE_UNITS
    }

    /// The node of a unit; 0 for a process that is spawned.
    #[inline]
    pub(crate) fn nid(&self, unit: u32) -> u32 {
        let process = self.members.process_of(unit) as usize;
        self.system.mapping.get(process).copied().unwrap_or(0)
    }

    /// What units are ordered by that ask for a CPU at one instant.
    #[inline]
    pub(crate) fn pid_and_tid(&self, unit: u32) -> (u32, u32) {
        self.members.pid_and_tid(unit)
    }

    fn made(&self, unit: u32) -> Option<&Unit> {
        match self.units.get(unit as usize) {
            None => self.other_made(unit),
            first => first,
        }
    }

    #[inline(never)]
    fn other_made(&self, unit: u32) -> Option<&Unit> {
        match self.local.line(unit) {
            None => self.more_units.made(self.number_of_more(unit)),
            Some(line) => Some(&line.unit),
        }
    }
}
