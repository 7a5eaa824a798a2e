//! Simulates the CPUs of all nodes, and how units share them.

mod admission;
mod pace;
mod queue;
mod round_robin;
mod taken;

use std::cell::{Cell, OnceCell, RefCell};

use prophet_machine::policy::{CpuDiscipline, WaitPolicy};
use prophet_machine::system::System;

use crate::kernel::{Activity, Spending as _, Waiter};
use crate::language::Stopped;
use crate::tracing::Tracing;
use admission::{Admission, Admitted};
use pace::Pace;
use prophet_sim::kernel::Sharing;
use queue::{Queue, Request};
pub(crate) use round_robin::Turn;
use round_robin::{Rest, Turns};
use taken::{Entry, Taken};

/// The CPUs of all nodes.
///
/// On a node with at least as many CPUs as units, no unit has to queue, and only the number of CPUs
/// in use is tracked. On all other nodes, requests are answered at the end of an instant, when
/// every unit that can request a CPU then has done so. Requests at the same instant queue by (pid,
/// tid), so the order in which the engine runs the units doesn't matter. As teams of threads come
/// and go, a node can get more units than CPUs during a run. Then the CPUs that were taken at that
/// instant are requested again.
///
/// If units take turns or share CPUs, each request is recorded, because the unit may have to give
/// way later.
#[derive(Debug)]
pub(crate) struct Cpus {
    per_node: u32,
    discipline: CpuDiscipline,
    policy: WaitPolicy,
    nodes: Vec<Node>,
    /// The CPUs that were taken at this instant without a queue.
    taken: RefCell<Taken>,
    /// The turns on each node, if units take turns.
    turns: Vec<Turns>,
    /// The sharing on each node, if all units compute at the same time.
    shared: Vec<Sharing>,
    pace: Option<Box<Pace>>,
    /// Whether a unit that gets a CPU keeps it, at the same speed, until it has computed its whole
    /// cost.
    is_plain: bool,
    /// The units that have started, if units keep their CPUs.
    admission: Option<Admission>,
    /// The nodes that have requests or free CPUs to assign.
    busy: RefCell<Vec<u32>>,
    /// The most units of a node that needed a CPU at the same time, if that is more than it has.
    wanted: Cell<u32>,
}

#[derive(Debug)]
struct Node {
    units: Cell<u32>,
    used: Cell<u32>,
    /// Index of the node's latest entry in [`Taken`]. It is out of date if there is no such entry,
    /// or if the entry belongs to another node.
    latest: Cell<u32>,
    listed: Cell<bool>,
    /// The queue. Created when a unit first has to queue.
    queue: OnceCell<Box<Queue>>,
}

impl Cpus {
    /// Creates the CPUs. Units request them only in the event engine.
    pub(crate) fn new(system: &System, by_events: bool) -> Self {
        let node = || Node {
            units: Cell::new(0),
            used: Cell::new(0),
            latest: Cell::new(Taken::NONE),
            listed: Cell::new(false),
            queue: OnceCell::new(),
        };
        let count = if by_events { system.nodes } else { 0 };
        let nodes: Vec<Node> = (0..count).map(|_| node()).collect();
        for nid in &system.mapping {
            if let Some(node) = nodes.get(*nid as usize) {
                node.units.set(node.units.get() + 1);
            }
        }
        let count = |used| if used { nodes.len() } else { 0 };
        let has_turns = matches!(system.discipline, CpuDiscipline::RoundRobin { .. });
        let is_shared = system.discipline == CpuDiscipline::ProcessorSharing;
        let cpus = f64::from(system.cpus_per_node);
        let pace = Pace::of(system);
        let holds = system.wait_policy == WaitPolicy::Hold;
        Self {
            per_node: system.cpus_per_node,
            discipline: system.discipline,
            policy: system.wait_policy,
            shared: (0..count(is_shared)).map(|_| Sharing::new(cpus)).collect(),
            turns: (0..count(has_turns)).map(|_| Turns::default()).collect(),
            nodes,
            is_plain: system.discipline == CpuDiscipline::Fcfs && pace.is_none(),
            pace,
            taken: RefCell::new(Taken::new()),
            admission: (by_events && holds && !is_shared).then(|| Admission::new(system)),
            busy: RefCell::default(),
            wanted: Cell::new(0),
        }
    }
}

/// Methods that count units.
impl Cpus {
    /// Records that `count` more units run on a node from now on.
    pub(crate) fn add_units(&self, run: &Tracing<'_>, nid: u32, count: u32) {
        let Some(node) = self.node(nid) else { return };
        let queued = self.queues(node);
        node.units.set(node.units.get() + count);
        if !queued && self.queues(node) {
            self.take_back(run, nid, node);
        }
    }

    /// Records that `count` units of a node have ended. They neither have nor request a CPU.
    pub(crate) fn remove_units(&self, nid: u32, count: u32) {
        if let Some(node) = self.node(nid) {
            node.units.set(node.units.get().saturating_sub(count));
        }
    }

    /// Returns `true` if a unit can start now. If not, it starts when it gets a CPU that it keeps.
    /// With [`WaitPolicy::Hold`], [`Self::admit`] assigns it.
    pub(crate) fn enter(&self, run: &Tracing<'_>, unit: u32) -> bool {
        let nid = run.nid(unit);
        if self.policy == WaitPolicy::Hold
            && let Some(sharing) = self.shared.get(nid as usize)
        {
            sharing.set_users_min(run, |users| users + 1);
        }
        if let Some(admission) = &self.admission {
            admission.ask(unit);
            run.set_attention();
        }
        self.admission.is_none()
    }

    /// Starts the units that have been given a CPU. Returns `true` if there were any.
    pub(crate) fn admit(&self, run: &Tracing<'_>) -> bool {
        let busy = |admission: &&Admission| admission.is_busy();
        let Some(admission) = self.admission.as_ref().filter(busy) else {
            return false;
        };
        let admitted = admission.admit(run);
        for Admitted {
            unit,
            since_s,
            leaver,
        } in &admitted
        {
            run.unit(*unit).spend(Activity::Wait, run.now_s() - since_s);
            if let Some(leaver) = leaver {
                run.trace_admitted(*unit, *since_s, *leaver);
            }
            run.start_late(*unit);
        }
        !admitted.is_empty()
    }

    #[inline]
    pub(crate) fn leave(&self, run: &Tracing<'_>, unit: u32) {
        if self.policy == WaitPolicy::Hold {
            self.pass_on(run, unit);
        }
    }

    /// Returns the units that have the CPUs which a unit is waiting for before it can start, or
    /// `None` once it has started.
    pub(crate) fn holders_before(&self, nid: u32, unit: u32) -> Option<Vec<u32>> {
        self.admission.as_ref()?.holders_before(nid, unit)
    }

    #[cold]
    fn pass_on(&self, run: &Tracing<'_>, unit: u32) {
        let nid = run.nid(unit);
        if let Some(sharing) = self.shared.get(nid as usize) {
            sharing.set_users_min(run, |users| users.saturating_sub(1));
        }
        if let Some(admission) = &self.admission {
            admission.leave(nid, unit);
            run.set_attention();
        }
    }
}

/// Methods that handle the requests of units.
impl Cpus {
    /// Returns `true` if a unit may have to wait for a CPU even if it doesn't need it for any time.
    #[inline]
    pub(crate) fn contended(&self, nid: u32) -> bool {
        self.node(nid).is_some_and(|node| self.queues(node))
    }

    /// Returns `true` if the queue doesn't determine how long a unit waits, so that this is only
    /// known at the end.
    pub(crate) fn stretches(&self) -> bool {
        self.discipline != CpuDiscipline::Fcfs
    }

    /// Returns `true` if all units compute at the same time.
    pub(crate) fn is_shared(&self) -> bool {
        !self.shared.is_empty()
    }

    /// Requests a CPU for `cost_s` seconds. The unit's wait ends when it has had the CPU for that
    /// time, or when its turn ends before.
    #[inline]
    pub(crate) fn ask(
        &self,
        run: &Tracing<'_>,
        nid: u32,
        waiter: Waiter,
        cost_s: f64,
    ) -> Result<(), Stopped> {
        let now_s = run.now_s();
        if let Some(node) = self.node(nid) {
            if self.queues(node) || !self.is_plain {
                self.ask_otherwise(run, (nid, node), waiter, cost_s);
                return Ok(());
            }
            self.take(now_s, (nid, node), (waiter, cost_s));
        }
        run.resume_at(waiter.0, now_s + cost_s)
    }

    #[inline]
    fn take(&self, now_s: f64, (nid, node): (u32, &Node), (waiter, cost_s): (Waiter, f64)) {
        node.used.set(node.used.get() + 1);
        // A request that ends immediately can't be taken back.
        if now_s + cost_s > now_s {
            let mut taken = self.taken.borrow_mut();
            let place = taken.push(now_s, (nid, node.latest.get()), (waiter, cost_s));
            node.latest.set(place);
        }
    }

    /// Requests a CPU that the unit may have to wait for or share, or whose speed may change.
    fn ask_otherwise(
        &self,
        run: &Tracing<'_>,
        (nid, node): (u32, &Node),
        waiter: Waiter,
        cost_s: f64,
    ) {
        self.follow(run);
        if self.queues(node) || self.stretches() {
            self.ask_in_line(run, (nid, node), waiter, cost_s);
        } else {
            self.take(run.now_s(), (nid, node), (waiter, cost_s));
            self.serve(run, nid, (waiter, cost_s));
        }
    }

    fn serve(&self, run: &Tracing<'_>, nid: u32, (waiter, cost_s): (Waiter, f64)) {
        let pace = self.pace.as_ref();
        match pace.and_then(|pace| Some((pace, pace.own(nid)?))) {
            Some((pace, service)) => pace.serve(run, service, (waiter, cost_s)),
            // If the time isn't finite, a failure is recorded and the run ends.
            None => drop(run.resume_at(waiter.0, run.now_s() + cost_s)),
        }
    }

    /// Lets computing units continue after a change at this instant, until the next change.
    pub(crate) fn follow_change(&self, run: &Tracing<'_>) {
        self.follow(run);
        if let Some(pace) = &self.pace {
            pace.await_change(run);
        }
    }

    /// Lets computing units continue at the current speeds of their nodes.
    fn follow(&self, run: &Tracing<'_>) {
        let Some(pace) = &self.pace else {
            return;
        };
        run.look_at_changes(|changes| {
            while let Some((nid, speed)) = changes.take_node() {
                let service = pace.own(nid).or_else(|| self.shared.get(nid as usize));
                if let Some(service) = service {
                    service.set_speed(run, speed);
                }
            }
        });
    }

    /// Returns how many seconds of its CPU's time a unit has had, or `None` if that equals its
    /// cost, because the speed has always been 1.
    pub(crate) fn computed_s(&self, run: &Tracing<'_>, nid: u32, unit: u32) -> Option<f64> {
        let service = self.pace.as_ref()?.own(nid);
        let service = service.or_else(|| self.shared.get(nid as usize))?;
        service.had_s(run, unit)
    }

    /// Requests a CPU on a node where other requests may have to be taken into account.
    fn ask_in_line(
        &self,
        run: &Tracing<'_>,
        (nid, node): (u32, &Node),
        waiter: Waiter,
        cost_s: f64,
    ) {
        let place = nid as usize;
        let asked_s = run.now_s();
        if let Some(sharing) = self.shared.get(place) {
            run.trace_shares(waiter.0);
            match &self.pace {
                Some(pace) => pace.serve(run, sharing, (waiter, cost_s)),
                None => sharing.enter(run, waiter, cost_s),
            }
            self.count(sharing.users());
            return;
        }
        if let Some(turns) = self.turns.get(place) {
            turns.ask(waiter, Rest::new(asked_s, cost_s));
        } else {
            node.queue.get_or_init(Box::default).ask(Request {
                waiter,
                asked_s,
                cost_s,
            });
        }
        self.list(nid, node);
    }

    /// Ends the turn of a unit whose wait is over. Returns the work that is left, for
    /// [`Self::ask_again`], or `None` if the unit has finished.
    #[inline]
    pub(crate) fn end_turn(&self, run: &Tracing<'_>, nid: u32, waiter: Waiter) -> Option<Turn> {
        let turns = self.turns.get(nid as usize)?;
        let turn = turns.end_turn(waiter)?;
        run.trace_turn(waiter.0);
        run.trace_given_back(nid, waiter.0);
        Some(turn)
    }

    /// Releases the CPU of a unit whose turn has ended, and makes it wait for its next turn.
    pub(crate) fn ask_again(&self, nid: u32, waiter: Waiter, turn: Turn) {
        if let (Some(node), Some(turns)) = (self.node(nid), self.turns.get(nid as usize)) {
            turns.ask_again(waiter, turn);
            self.give_back(nid, node);
        }
    }

    #[inline]
    pub(crate) fn release(&self, run: &Tracing<'_>, nid: u32, unit: u32) {
        if let Some(sharing) = self.shared.get(nid as usize) {
            self.end_service(run, sharing, unit);
        } else if let Some(node) = self.node(nid) {
            if let Some(service) = self.pace.as_ref().and_then(|pace| pace.own(nid)) {
                self.end_service(run, service, unit);
            }
            run.trace_given_back(nid, unit);
            self.give_back(nid, node);
        }
    }

    /// Ends a unit's service, even if it isn't complete.
    fn end_service(&self, run: &Tracing<'_>, service: &Sharing, unit: u32) {
        match &self.pace {
            Some(pace) => pace.leave(run, service, unit),
            None => drop(service.leave(run, unit)),
        }
    }

    /// Removes a wait whose future was dropped from the queue, or releases the CPU that it got.
    pub(crate) fn withdraw(&self, run: &Tracing<'_>, nid: u32, waiter: Waiter) {
        let queued = match (self.node(nid), self.turns.get(nid as usize)) {
            (_, Some(turns)) => !turns.withdraw(waiter),
            (Some(node), None) => node.queue.get().is_some_and(|queue| queue.withdraw(waiter)),
            (None, None) => true,
        };
        if !queued {
            self.release(run, nid, waiter.0);
        }
    }

    /// Returns `true` if there is something to dispatch.
    #[inline]
    pub(crate) fn is_busy(&self) -> bool {
        !self.busy.borrow().is_empty()
    }

    /// Gives free CPUs to units that have requested one, at the end of an instant.
    #[inline]
    pub(crate) fn dispatch(&self, run: &Tracing<'_>) {
        while let Some(nid) = self.busy.borrow_mut().pop() {
            self.dispatch_node(run, nid);
        }
    }

    fn dispatch_node(&self, run: &Tracing<'_>, nid: u32) {
        let Some(node) = self.node(nid) else { return };
        node.listed.set(false);
        let free = self.per_node.saturating_sub(node.used.get());
        let given = match (self.turns.get(nid as usize), self.discipline) {
            (Some(turns), CpuDiscipline::RoundRobin { quantum_s }) => {
                turns.dispatch(run, free, quantum_s)
            }
            _ => node.queue.get().map_or(0, |queue| {
                queue.dispatch(run, free, |waiter, cost_s| {
                    self.serve(run, nid, (waiter, cost_s));
                })
            }),
        };
        node.used.set(node.used.get() + given);
        let waiting = match (self.turns.get(nid as usize), node.queue.get()) {
            (Some(turns), _) => turns.waiting(),
            (None, queue) => queue.map_or(0, |queue| queue.waiting()),
        };
        if waiting > 0 {
            self.count(node.used.get() as usize + waiting);
        }
    }

    /// Notes that this many units of a node need a CPU now.
    fn count(&self, units: usize) {
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        if units > self.per_node.max(self.wanted.get()) {
            self.wanted.set(units);
        }
    }

    /// Returns the most units of a node that needed a CPU at the same time, or 0 if there was
    /// always a CPU for each of them.
    pub(crate) fn wanted(&self) -> u32 {
        self.wanted.get()
    }

    /// Requests again the CPUs that were taken at this instant without a queue, so that later
    /// requests at this instant can compete with them.
    fn take_back(&self, run: &Tracing<'_>, nid: u32, node: &Node) {
        let latest = node.latest.replace(Taken::NONE);
        let entries = self.taken.borrow().of_node(run.now_s(), nid, latest);
        for Entry { waiter, cost_s, .. } in entries {
            let (unit, generation) = waiter;
            if run.waits(unit, generation) {
                run.forget_timer(unit);
                if let Some(service) = self.pace.as_ref().and_then(|pace| pace.own(nid)) {
                    self.end_service(run, service, unit);
                }
                node.used.set(node.used.get().saturating_sub(1));
                self.ask_in_line(run, (nid, node), waiter, cost_s);
            }
        }
    }

    /// Returns `true` if requests on a node go through its queue.
    #[inline]
    fn queues(&self, node: &Node) -> bool {
        self.is_contended(node) && self.admission.is_none() && self.shared.is_empty()
    }

    #[inline]
    fn is_contended(&self, node: &Node) -> bool {
        node.units.get() > self.per_node
    }

    #[inline]
    fn node(&self, nid: u32) -> Option<&Node> {
        self.nodes.get(nid as usize)
    }

    #[inline]
    fn give_back(&self, nid: u32, node: &Node) {
        node.used.set(node.used.get().saturating_sub(1));
        if node.queue.get().is_some() || !self.turns.is_empty() {
            self.list(nid, node);
        }
    }

    fn list(&self, nid: u32, node: &Node) {
        if !node.listed.replace(true) {
            self.busy.borrow_mut().push(nid);
        }
    }
}

#[cfg(test)]
mod tests;
