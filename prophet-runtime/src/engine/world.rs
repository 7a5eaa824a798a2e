//! The state of a run: the clock, the events, the units, and what they share.
//!
//! Everything lies in cells that are borrowed for the length of one method and never while a
//! process runs.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use super::alarms::Alarms;
use super::arena::prefetch;
use super::list::{EventList, Key};
use super::local::Local;
use super::unit::{More, NO_ELEMENT, Phase, SPARE_UNITS, Unit};
use crate::collectives::{Communicator, Communicators};
use crate::cpu::Cpus;
use crate::failure::{Cause, Failure, Livelock, Participant, Site};
use crate::matching::Matching;
use crate::memory::Sockets;
use crate::messages::Nics;
use crate::model::Value;
use crate::requests::Requests;
use crate::scaled::Scaled;
use crate::statistics::ElementTable;
use crate::stopped::Stopped;
use crate::stream::Streams;
use crate::system::System;
use crate::threads::{Locks, Members, Turns};

/// Loops of one process may turn so often at one instant.
pub(crate) const TURNS_MAX: u32 = 10_000_000;
/// There may be so many events at one instant, and [`STEPS_PER_UNIT_MAX`] more for each unit.
pub(crate) const STEPS_MAX: u64 = 10_000_000;
const STEPS_PER_UNIT_MAX: u64 = 10_000;
/// The last of them, whose units and elements are told.
const STEPS_WATCHED: u64 = 1000;
/// How many of those are named.
const WATCHED_NAMED: usize = 10;

/// What a unit waits for, told when a deadlock is reported.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    /// A text that follows "waits for".
    pub(crate) text: String,
    /// The unit that could end the wait, if one could: that of a process is its first thread.
    pub(crate) process: Option<u32>,
}

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
    /// Those of the system's processes; without such, some for those that are spawned.
    units: Vec<Unit>,
    more_units: More<Unit>,
    pub(crate) elements: RefCell<ElementTable>,
    pub(crate) cpus: Cpus,
    /// None when the machine's memory is never the limit.
    pub(crate) sockets: Option<Sockets>,
    pub(crate) members: Members,
    pub(crate) turns: Turns,
    pub(crate) locks: Locks,
    pub(crate) streams: Streams,
    /// The state of the local engine, if that one runs the program.
    local: Option<Local>,
    /// The element that a what-if changes, if it is one.
    pub(crate) scaled: Option<Scaled>,
    /// Whether the network within nodes is that between them.
    pub(crate) one_network: bool,
    /// Messages of so many bytes never wait for their receives.
    pub(crate) eager_bytes_min: u64,
    /// What is to be done at the ends of instants.
    pub(crate) alarms: Alarms,
    /// The network interfaces of the nodes, if ranks share them.
    pub(crate) nics: Option<Nics>,
    communication: OnceCell<Communication>,
    now_s: Cell<f64>,
    list: RefCell<EventList>,
    /// Whether something is left to do at this instant besides what is due and CPUs.
    busy: Cell<bool>,
    /// Units to poll at this instant, with the generations of their waits.
    ready: RefCell<VecDeque<(u32, u32)>>,
    /// Events since the time advanced.
    steps: Cell<u64>,
    steps_max: Cell<u64>,
    /// Units that had the last events before there were too many, and their elements.
    watched: RefCell<BTreeSet<(u32, u32)>>,
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
            local: Some(Local::new(system.processes)),
            ..Self::idle(system, parameters, elements)
        }
    }

    fn idle(system: &'s System, parameters: Vec<Value>, elements: usize) -> Self {
        let units = system.processes;
        let spare = if units == 0 { SPARE_UNITS } else { 0 };
        Self {
            system,
            parameters,
            units: (0..units + spare).map(|_| Unit::default()).collect(),
            more_units: More::default(),
            elements: RefCell::new(ElementTable::new(elements)),
            cpus: Cpus::new(system),
            sockets: Sockets::new(system),
            members: Members::new(units),
            turns: Turns::default(),
            locks: Locks::default(),
            streams: Streams::new(),
            local: None,
            scaled: None,
            one_network: system.network == system.intranode,
            eager_bytes_min: system.protocol.eager_bytes_min(),
            alarms: Alarms::new(),
            nics: Nics::of(system),
            communication: OnceCell::new(),
            now_s: Cell::new(0.0),
            list: RefCell::new(EventList::new()),
            busy: Cell::new(true),
            ready: RefCell::default(),
            steps: Cell::new(0),
            steps_max: Cell::new(STEPS_MAX + u64::from(units) * STEPS_PER_UNIT_MAX),
            watched: RefCell::default(),
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

    /// The time of the event engine.
    #[inline]
    pub(crate) fn now_s(&self) -> f64 {
        self.now_s.get()
    }

    /// The time of a unit.
    #[inline]
    pub(crate) fn now_of(&self, unit: u32) -> f64 {
        match &self.local {
            None => self.now_s.get(),
            Some(local) => local.now_s(unit),
        }
    }

    /// The state of the local engine, if that one runs the program.
    #[inline]
    pub(crate) fn local(&self) -> Option<&Local> {
        self.local.as_ref()
    }

    /// Ends a run of the local engine, which has no order among processes, at something that has
    /// to be ordered: `what` completes the sentence "the program uses".
    #[inline]
    pub(crate) fn needs_order(&self, what: &'static str) {
        if let Some(local) = &self.local {
            local.set_unsuited(what);
            self.failed.set(true);
        }
    }

    /// A unit of this run. Numbers come from the contexts of this world.
    #[inline]
    pub(crate) fn unit(&self, unit: u32) -> &Unit {
        match self.units.get(unit as usize) {
            Some(unit) => unit,
            None => self.more_units.get(self.number_of_more(unit)),
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
                matching: RefCell::new(Matching::new(match self.local {
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
        if let Some(local) = &self.local {
            return local.messages();
        }
        self.communication
            .get()
            .map_or(0, |communication| communication.messages.get())
    }

    // Waits.

    /// Begins a wait of a running unit and returns its generation, which is never 0.
    #[inline]
    pub(crate) fn register(&self, unit: u32) -> Result<u32, Stopped> {
        let state = self.unit(unit);
        if state.phase.get() != Phase::Running {
            return Err(self.fail(Some(unit), Cause::TwoWaits));
        }
        let generation = state.generation.get().wrapping_add(1).max(1);
        state.generation.set(generation);
        state.phase.set(Phase::Waiting);
        Ok(generation)
    }

    /// Whether a wait is over; if so the unit runs again.
    #[inline]
    pub(crate) fn granted(&self, unit: u32, generation: u32) -> bool {
        let state = self.unit(unit);
        let granted = state.phase.get() == Phase::Granted && state.generation.get() == generation;
        if granted {
            state.phase.set(Phase::Running);
        }
        granted
    }

    /// Ends a wait at this instant; returns whether there was one.
    #[inline]
    pub(crate) fn wake(&self, unit: u32, generation: u32) -> bool {
        let Some(state) = self.made(unit) else {
            return false;
        };
        let phase = state.phase.get();
        let waits = matches!(phase, Phase::Waiting | Phase::Nudged);
        let waiting = waits && state.generation.get() == generation;
        if waiting && !self.closing.get() {
            state.phase.set(Phase::Granted);
            // One that has been nudged is in the ring.
            if phase == Phase::Waiting {
                self.make_ready(unit, generation);
            }
        }
        waiting
    }

    /// Whether a wait goes on.
    pub(crate) fn waits(&self, unit: u32, generation: u32) -> bool {
        self.made(unit).is_some_and(|state| {
            let waits = matches!(state.phase.get(), Phase::Waiting | Phase::Nudged);
            waits && state.generation.get() == generation
        })
    }

    /// Whether a unit waits and is not ready.
    pub(crate) fn is_waiting(&self, unit: u32) -> bool {
        self.unit(unit).phase.get() == Phase::Waiting
    }

    /// Notes that a unit that has been started runs.
    pub(crate) fn begin(&self, unit: u32) {
        self.unit(unit).phase.set(Phase::Running);
    }

    /// Whether an event of the unit is in the list.
    pub(crate) fn has_timer(&self, unit: u32) -> bool {
        self.unit(unit).timer.get() != 0
    }

    /// Has a waiting unit polled at this instant without ending its wait, so that it can look at
    /// something else. A wait that ends before that poll is over for it.
    pub(crate) fn nudge(&self, unit: u32) {
        let state = self.unit(unit);
        if state.phase.get() == Phase::Waiting && !self.closing.get() {
            state.phase.set(Phase::Nudged);
            self.make_ready(unit, state.generation.get());
        }
    }

    /// Makes a unit that a process has left, or that none has had yet, ready for its next.
    pub(crate) fn start(&self, unit: u32) {
        let state = self.unit(unit);
        let generation = state.generation.get().wrapping_add(1).max(1);
        state.generation.set(generation);
        state.phase.set(Phase::Granted);
        state.element.set(NO_ELEMENT);
        state.turned_at.set(0);
        state.turns.set(0);
        self.make_ready(unit, generation);
    }

    /// Begins the account of a unit that is used again.
    pub(crate) fn clear(&self, unit: u32) {
        let state = self.unit(unit);
        state.compute_s.set(0.0);
        state.communication_s.set(0.0);
        state.wait_s.set(0.0);
    }

    /// Makes a unit ready that has not run yet and had to wait for that.
    pub(crate) fn start_late(&self, unit: u32) {
        if unit < self.system.processes {
            self.make_ready(unit, 0);
        } else {
            self.start(unit);
        }
    }

    /// Makes a unit wait for its event in the list alone, which the caller schedules.
    pub(crate) fn arm(&self, unit: u32) {
        let state = self.unit(unit);
        let generation = state.generation.get().wrapping_add(1).max(1);
        state.generation.set(generation);
        state.phase.set(Phase::Waiting);
    }

    /// Ends a unit: what is left of its waits in queues wakes nobody.
    pub(crate) fn end(&self, unit: u32) {
        let state = self.unit(unit);
        let generation = state.generation.get().wrapping_add(1).max(1);
        state.generation.set(generation);
        state.phase.set(Phase::Ended);
    }

    fn made(&self, unit: u32) -> Option<&Unit> {
        let first = self.units.get(unit as usize);
        first.or_else(|| self.more_units.made(self.number_of_more(unit)))
    }

    /// Ends the wait of a waiting unit at `time_s`, which is now or later.
    #[inline]
    pub(crate) fn resume_at(&self, unit: u32, time_s: f64) -> Result<(), Stopped> {
        self.resume_with(unit, time_s, 0)
    }

    /// [`Self::resume_at`] after what else is scheduled for that time with a lower `priority`.
    #[inline]
    pub(crate) fn resume_with(&self, unit: u32, time_s: f64, priority: u8) -> Result<(), Stopped> {
        let state = self.unit(unit);
        if time_s <= self.now_s() {
            self.wake(unit, state.generation.get());
            return Ok(());
        }
        if time_s > f64::MAX || time_s.is_nan() {
            return Err(self.fail(Some(unit), Cause::TimeOverflow));
        }
        self.schedule(unit, state, time_s, priority);
        Ok(())
    }

    /// Begins a wait of a running unit for that many seconds and returns its generation.
    ///
    /// What a process does most often, in one function that is not inlined at each await.
    #[inline(never)]
    pub(crate) fn hold(&self, unit: u32, seconds: f64) -> Result<u32, Stopped> {
        let time_s = self.now_s() + seconds;
        let generation = self.register_checked(unit, seconds)?;
        if time_s > self.now_s() && time_s <= f64::MAX {
            self.schedule(unit, self.unit(unit), time_s, 0);
        } else {
            self.resume_at(unit, time_s)?;
        }
        Ok(generation)
    }

    #[inline]
    fn register_checked(&self, unit: u32, seconds: f64) -> Result<u32, Stopped> {
        if (0.0..=f64::MAX).contains(&seconds) {
            return self.register(unit);
        }
        Err(self.fail(Some(unit), Cause::Cost { cost_s: seconds }))
    }

    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    fn schedule(&self, unit: u32, state: &Unit, time_s: f64, priority: u8) {
        let mut list = self.list.borrow_mut();
        if list.must_renumber() {
            self.renumber(&mut list);
        }
        state.timer.set(list.push(time_s, priority, unit));
    }

    #[cold]
    fn renumber(&self, list: &mut EventList) {
        list.sweep(|key| self.is_live(key));
        list.renumber(|key, ticket| self.unit(key.unit()).timer.set(ticket));
    }

    /// Forgets a wait that is dropped. Queues that know of it are the caller's to tidy.
    pub(crate) fn cancel(&self, unit: u32, generation: u32) {
        let state = self.unit(unit);
        if self.closing.get() || state.generation.get() != generation {
            return;
        }
        self.needs_order("waits that are given up");
        if !matches!(state.phase.get(), Phase::Running | Phase::Ended) {
            state.phase.set(Phase::Running);
        }
        self.forget_timer(unit);
    }

    /// Takes a unit's event out of the list, if it has one there; its wait goes on.
    pub(crate) fn forget_timer(&self, unit: u32) {
        let state = self.unit(unit);
        if state.timer.replace(0) != 0 {
            let mut list = self.list.borrow_mut();
            if list.cancel() {
                list.sweep(|key| self.is_live(key));
            }
        }
    }

    #[inline]
    fn is_live(&self, key: Key) -> bool {
        self.unit(key.unit()).timer.get() == key.ticket()
    }

    // What is next.

    #[inline]
    fn make_ready(&self, unit: u32, generation: u32) {
        self.ready.borrow_mut().push_back((unit, generation));
        self.busy.set(true);
    }

    /// The next unit whose time in the event list has come. Moves the clock there, unless
    /// something is left to do at this instant.
    #[inline]
    pub(crate) fn take_due(&self, fetch: impl Fn(u32)) -> Option<u32> {
        let mut list = self.list.borrow_mut();
        loop {
            let Some(key) = list.first() else {
                self.sound_alarm(f64::MAX);
                return None;
            };
            if !self.is_live(key) {
                list.skip(key);
                continue;
            }
            if key.time_bits() != self.now_s().to_bits() {
                if self.is_busy() {
                    return None;
                }
                if self.alarms.next_s() <= key.time_s() && self.sound_alarm(key.time_s()) {
                    return None;
                }
                self.now_s.set(key.time_s());
                self.steps.set(0);
            }
            list.upcoming(|unit| {
                prefetch(self.unit(unit));
                fetch(unit);
            });
            list.vacate(key);
            let state = self.unit(key.unit());
            state.timer.set(0);
            state.phase.set(Phase::Granted);
            return Some(key.unit());
        }
    }

    /// Moves the clock to the next alarm if that comes before the event at `event_s`, and has the
    /// alarm seen to when the instant ends; returns whether it does come before.
    #[cold]
    fn sound_alarm(&self, event_s: f64) -> bool {
        let alarm_s = self.alarms.next_s();
        if alarm_s > event_s || self.is_busy() {
            return false;
        }
        self.alarms.sound();
        self.set_attention();
        if alarm_s < event_s {
            self.now_s.set(alarm_s);
            self.steps.set(0);
        }
        alarm_s < event_s
    }

    #[inline]
    fn is_busy(&self) -> bool {
        self.busy.get() || self.cpus.is_busy()
    }

    /// Whether something is left to do at this instant, which the caller then does.
    #[inline]
    pub(crate) fn take_busy(&self) -> bool {
        self.busy.replace(false) || self.cpus.is_busy()
    }

    /// Keeps the clock from moving on before the end of this instant is seen to.
    pub(crate) fn set_busy(&self) {
        self.busy.set(true);
    }

    /// Whether a unit is ready at this instant.
    pub(crate) fn has_ready(&self) -> bool {
        !self.ready.borrow().is_empty()
    }

    /// The next unit that is ready at this instant.
    #[inline]
    pub(crate) fn take_ready(&self) -> Option<u32> {
        loop {
            let (unit, generation) = self.ready.borrow_mut().pop_front()?;
            let state = self.unit(unit);
            if state.generation.get() != generation {
                continue;
            }
            match state.phase.get() {
                Phase::Granted => return Some(unit),
                Phase::Nudged => state.phase.set(Phase::Waiting),
                _ if generation != 0 => continue,
                _ => {}
            }
            return Some(unit);
        }
    }

    /// Counts an event of `unit` at this instant.
    #[inline]
    pub(crate) fn count_step(&self, unit: u32) -> Result<(), Stopped> {
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        if steps > self.steps_max.get().saturating_sub(STEPS_WATCHED) {
            return self.watch_step(unit, steps);
        }
        Ok(())
    }

    /// Sets how many events there may be at one instant.
    pub(crate) fn set_steps_max(&self, steps_max: u64) {
        self.steps_max.set(steps_max);
    }

    /// Keeps in mind who has the last events before there are too many.
    #[cold]
    fn watch_step(&self, unit: u32, steps: u64) -> Result<(), Stopped> {
        let mut watched = self.watched.borrow_mut();
        let steps_max = self.steps_max.get();
        if steps == steps_max.saturating_sub(STEPS_WATCHED) + 1 {
            watched.clear();
        }
        watched.insert((unit, self.unit(unit).element.get()));
        if steps <= steps_max {
            return Ok(());
        }
        let among = watched.iter().take(WATCHED_NAMED);
        let among = among.map(|(unit, element)| {
            let who = self.members.who(*unit);
            Participant {
                process: who.process,
                thread: who.thread,
                element: self.site(*element),
            }
        });
        let livelock = Livelock::Cycle {
            events: steps_max,
            among: among.collect(),
            more: u32::try_from(watched.len().saturating_sub(WATCHED_NAMED)).unwrap_or(u32::MAX),
        };
        Err(self.fail(Some(unit), Cause::Livelock(livelock)))
    }

    // Priorities.

    /// The priority of a unit: 0 unless it has been set.
    pub(crate) fn priority(&self, unit: u32) -> i32 {
        let priorities = self.priorities.borrow();
        priorities.get(&unit).copied().unwrap_or(0)
    }

    pub(crate) fn set_priority(&self, unit: u32, priority: i32) {
        self.prioritized.set(true);
        self.priorities.borrow_mut().insert(unit, priority);
    }

    /// Whether any priority has been set.
    pub(crate) fn has_priorities(&self) -> bool {
        self.prioritized.get()
    }

    /// Forgets the priority of a unit that has ended.
    pub(crate) fn drop_priority(&self, unit: u32) {
        self.priorities.borrow_mut().remove(&unit);
    }

    // Failures.

    /// Records why the run can't go on, unless it is known already.
    #[cold]
    pub(crate) fn fail(&self, unit: Option<u32>, cause: Cause) -> Stopped {
        let element = unit.map_or(NO_ELEMENT, |unit| self.unit(unit).element.get());
        self.fail_at(unit, element, cause)
    }

    /// [`Self::fail`] at another element than the unit's.
    #[cold]
    pub(crate) fn fail_at(&self, unit: Option<u32>, element: u32, cause: Cause) -> Stopped {
        self.failed.set(true);
        self.failure.borrow_mut().get_or_insert_with(|| {
            let who = unit.map(|unit| self.members.who(unit));
            Failure {
                time_s: self.now_s(),
                process: who.map(|who| who.process),
                thread: who.and_then(|who| who.thread),
                element: self.site(element),
                cause: Box::new(cause),
            }
        });
        Stopped::RECORDED
    }

    /// Ends the run after this event, without a failure.
    pub(crate) fn halt(&self) {
        self.failed.set(true);
    }

    /// Whether something stops the run.
    #[inline]
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.get()
    }

    /// Takes the failure that stops the run, if there is one.
    pub(crate) fn take_failure(&self) -> Option<Failure> {
        self.failure.borrow_mut().take()
    }

    /// The element with an index, for messages.
    pub(crate) fn site(&self, element: u32) -> Option<Site> {
        let (element, kind) = self.elements.borrow().get(element)?;
        Some(Site {
            name: element.name.to_owned(),
            id: element.id,
            kind,
        })
    }

    /// Tells what the unit that is being polled waits for, when that is asked.
    #[inline]
    pub(crate) fn explain(&self, wanted: impl FnOnce() -> Wanted) {
        if self.asking.get() {
            self.answer(wanted);
        }
    }

    #[cold]
    #[inline(never)]
    fn answer(&self, wanted: impl FnOnce() -> Wanted) {
        *self.answer.borrow_mut() = Some(wanted());
    }

    /// Asks what a unit waits for: `poll` polls it, and its wait answers.
    pub(crate) fn ask(&self, poll: impl FnOnce()) -> Wanted {
        self.asking.set(true);
        self.answer.take();
        poll();
        self.asking.set(false);
        let unknown = || Wanted {
            text: "something that it does not tell".into(),
            process: None,
        };
        self.answer.take().unwrap_or_else(unknown)
    }

    /// Ends the run with this instant, though there may be more to do.
    pub(crate) fn stop(&self) {
        self.stopping.set(true);
        self.attention.set(true);
        self.busy.set(true);
    }

    /// Whether the run ends with this instant.
    pub(crate) fn stops(&self) -> bool {
        self.stopping.get()
    }

    /// Has inquiries answered at the end of this instant.
    pub(crate) fn inquire(&self) {
        self.inquiry.set(true);
        self.attention.set(true);
        self.busy.set(true);
    }

    /// Whether there are inquiries; not any more after that.
    pub(crate) fn has_inquiry(&self) -> bool {
        self.inquiry.replace(false)
    }

    /// Has the end of this instant seen to.
    pub(crate) fn set_attention(&self) {
        self.attention.set(true);
        self.busy.set(true);
    }

    /// Whether there is a task for the end of this instant.
    pub(crate) fn has_tasks(&self) -> bool {
        self.alarms.has_due()
    }

    /// The element that a unit is at, by index.
    #[inline]
    pub(crate) fn element_of(&self, unit: u32) -> u32 {
        self.unit(unit).element.get()
    }

    /// Whether there is something to do at the end of this instant.
    #[inline]
    pub(crate) fn takes_attention(&self) -> bool {
        self.attention.get()
    }

    /// Whether the futures are being dropped.
    pub(crate) fn closes(&self) -> bool {
        self.closing.get()
    }

    /// Whether units are polled only to tell what they wait for.
    pub(crate) fn asks(&self) -> bool {
        self.asking.get()
    }

    /// From now on futures are only dropped.
    pub(crate) fn close(&self) {
        self.closing.set(true);
    }
}
