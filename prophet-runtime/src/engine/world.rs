//! The state of a run: the clock, the events, the units, and what they share.
//!
//! Everything lies in cells that are borrowed for the length of one method and never while a
//! process runs.

mod ends;
mod failures;
mod instants;
mod priorities;
mod shared_waits;
mod steps;
mod waits;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use super::local::Local;
use crate::kernel::list::EventList;
use crate::kernel::{Alarms, More, SPARE_UNITS, Unit, Wanted};
use crate::language::model::Value;
use crate::language::stream::Streams;
use crate::machine::system::System;
use crate::messages::matching::Matching;
use crate::messages::requests::Requests;
use crate::mpi::collectives::{Communicator, Communicators};
use crate::mpi::contents::Contents;
use crate::mpi::scaled::Scaled;
use crate::mpi::transfer::{Between, Charges, Nics};
use crate::nodes::cpu::Cpus;
use crate::nodes::sockets::Sockets;
use crate::omp::{Locks, Members, Turns};
use crate::results::elements::ElementTable;
use crate::results::failure::Failure;
use crate::tracing::Tracer;
pub(crate) use steps::EXCESS_MAX;
use steps::Steps;

/// Loops of one process may turn so often at one instant.
pub(crate) const TURNS_MAX: u32 = 10_000_000;

/// What ranks share that communicate.
#[derive(Debug)]
pub(crate) struct Communication {
    pub(crate) matching: RefCell<Matching>,
    /// The communicator of all processes.
    pub(crate) all: Rc<Communicator>,
    pub(crate) communicators: RefCell<Communicators>,
    /// Made when the first of them is opened.
    pub(crate) requests: OnceCell<RefCell<Requests>>,
    /// How many messages have been sent.
    pub(crate) messages: Cell<u64>,
}

/// The state of one run.
#[derive(Debug)]
pub(crate) struct World<'s> {
    pub(crate) system: &'s System,
    /// The model's parameters: those of the system, the defaults for the rest.
    pub(crate) parameters: Vec<Value>,
    /// Those of the system's processes; without such, some for those that are spawned. The local
    /// engine has them elsewhere.
    units: Vec<Unit>,
    more_units: More<Unit>,
    pub(crate) elements: ElementTable,
    pub(crate) cpus: Cpus,
    /// None when the machine's memory is never the limit.
    pub(crate) sockets: Option<Sockets>,
    pub(crate) members: Members,
    pub(crate) turns: Turns,
    pub(crate) locks: Locks,
    pub(crate) streams: Streams,
    /// The state of the local engine: without ranks if that one does not run the program.
    pub(super) local: Local,
    /// Whether sends that are over at once are kept for waits for any of several requests.
    pub(crate) keeps_sends: bool,
    /// The element that a what-if changes, if it is one.
    pub(crate) scaled: Option<Scaled>,
    /// Which network two ranks have between them.
    pub(crate) between: Between,
    /// Whether the ends of messages take time on any network.
    pub(crate) charges_ends: bool,
    /// Messages of so many bytes never wait for their receives.
    pub(crate) eager_bytes_min: u64,
    /// What is to be done at the ends of instants.
    pub(crate) alarms: Alarms,
    /// The network interfaces, where several units use one.
    pub(crate) nics: Nics,
    /// Waits for requests whose network interface others use.
    pub(crate) charges: Charges,
    /// Who records the run, if somebody does.
    pub(crate) tracer: Option<&'s Tracer>,
    /// What is kept beside the messages, once a program wants to know.
    pub(crate) contents: OnceCell<Contents>,
    /// Whether messages are numbered and what is received is noted: for the records, or for the
    /// program.
    watches: Cell<bool>,
    communication: OnceCell<Communication>,
    now_s: Cell<f64>,
    list: RefCell<EventList>,
    /// Whether something is left to do at this instant besides what is due and CPUs.
    busy: Cell<bool>,
    /// Units to poll at this instant, with the generations of their waits.
    ready: RefCell<VecDeque<(u32, u32)>>,
    steps: Steps,
    /// Those that are set, by unit.
    priorities: RefCell<BTreeMap<u32, i32>>,
    prioritized: Cell<bool>,
    /// Since when units wait for what processes share.
    shared_waits: RefCell<BTreeMap<u32, f64>>,
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

impl<'s> World<'s> {
    /// A world at time 0 with all units ready that start then, in the order of their numbers.
    pub(crate) fn new(system: &'s System, parameters: Vec<Value>, elements: usize) -> Self {
        let world = Self::idle(system, parameters, elements);
        let starts = |unit: &u32| world.cpus.enter(&world, *unit);
        let ready = (0..system.processes).filter(starts);
        world.ready.borrow_mut().extend(ready.map(|unit| (unit, 0)));
        world
    }

    /// [`Self::new`] for the local engine.
    pub(crate) fn new_local(system: &'s System, parameters: Vec<Value>, elements: usize) -> Self {
        Self {
            local: Local::new(system.processes),
            units: Vec::new(),
            ..Self::idle(system, parameters, elements)
        }
    }

    /// The same, recorded by `tracer`.
    pub(crate) fn traced(self, tracer: Option<&'s Tracer>) -> Self {
        let world = Self { tracer, ..self };
        if tracer.is_some() {
            world.watch_messages();
        }
        world
    }

    fn idle(system: &'s System, parameters: Vec<Value>, elements: usize) -> Self {
        let units = system.processes;
        let spare = if units == 0 { SPARE_UNITS } else { 0 };
        Self {
            system,
            parameters,
            units: (0..units + spare).map(|_| Unit::default()).collect(),
            more_units: More::default(),
            elements: ElementTable::new(elements),
            cpus: Cpus::new(system),
            sockets: Sockets::new(system),
            members: Members::new(units),
            turns: Turns::default(),
            locks: Locks::default(),
            streams: Streams::new(),
            local: Local::new(0),
            keeps_sends: false,
            scaled: None,
            between: Between::of(system),
            charges_ends: system.network.charges_ends() || system.intranode.charges_ends(),
            eager_bytes_min: system.protocol.eager_bytes_min(),
            alarms: Alarms::new(),
            nics: Nics::of(system),
            charges: Charges::default(),
            tracer: None,
            contents: OnceCell::new(),
            watches: Cell::new(false),
            communication: OnceCell::new(),
            now_s: Cell::new(0.0),
            list: RefCell::new(EventList::new()),
            busy: Cell::new(true),
            ready: RefCell::default(),
            steps: Steps::new(),
            priorities: RefCell::default(),
            prioritized: Cell::new(false),
            shared_waits: RefCell::default(),
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

    /// Numbers messages from now on, and notes what is received.
    pub(crate) fn watch_messages(&self) {
        self.watches.set(true);
        self.local.keep_numbers();
    }

    /// Whether messages are numbered and what is received is noted.
    #[inline]
    pub(crate) fn watches_messages(&self) -> bool {
        self.watches.get()
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

    /// What the ranks share, made when the first of them communicates.
    #[inline]
    pub(crate) fn communication(&self) -> &Communication {
        self.communication.get_or_init(|| {
            let all = Rc::new(Communicator::world(&self.system.mapping));
            Communication {
                matching: RefCell::new(Matching::new(match self.local() {
                    None => self.system.processes as usize,
                    Some(_) => 0,
                })),
                communicators: RefCell::new(Communicators::new(Rc::clone(&all))),
                all,
                requests: OnceCell::new(),
                messages: Cell::new(0),
            }
        })
    }

    /// How many messages have been sent.
    pub(crate) fn messages(&self) -> u64 {
        if let Some(local) = self.local() {
            return local.messages();
        }
        self.communication
            .get()
            .map_or(0, |communication| communication.messages.get())
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
