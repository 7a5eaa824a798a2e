//! Adds the state of processes to the simulation library's kernel. Its units are the threads of
//! these processes.

mod account;
mod alarms;
mod changes;
mod ledger;
pub(crate) mod local;
mod members;
mod observer;

use std::cell::RefCell;
use std::ops::Deref;

pub(crate) use account::{Account, Activity, Spending};
pub(crate) use alarms::{Alarms, Task};
pub(crate) use ledger::Ledger;
pub(crate) use members::{Member, Members};
pub(crate) use observer::{Ended, Nobody, Observer, Progress};
use prophet_machine::changes::Changes;
use prophet_machine::system::System;
pub(crate) use prophet_sim::kernel::{
    Arena, Caller, EXCESS_MAX, LOOK_EVERY, NO_SITE as NO_ELEMENT, Phase, Program, Stuck, UNITS_MAX,
    Unit, Waiter, Wanted, Wrapped, Wrapper, prefetch, run,
};

use crate::results::elements::ElementTable;
use crate::results::failure::{Cause, Failure, Site};
use local::Local;
use prophet_sim::Stopped;

/// Maximum number of iterations of a process's loops at the same instant.
pub(crate) const TURNS_MAX: u32 = 10_000_000;

/// Maximum number of units for threads that exist from the start.
const FIRST_THREADS_MAX: u32 = 1 << 12;

/// Returns the number of units that exist from the start, which are the fastest to find: one for
/// each process, and some for threads.
fn first_units(system: &System) -> u32 {
    let threads = system
        .processes
        .saturating_mul(system.threads.saturating_sub(1));
    system.processes + threads.min(FIRST_THREADS_MAX)
}

#[derive(Debug)]
pub(crate) struct Kernel<'s> {
    pub(crate) system: &'s System,
    sim: prophet_sim::kernel::Kernel<'s>,
    ledger: &'s Ledger,
    pub(crate) members: &'s Members,
    pub(crate) elements: &'s ElementTable,
    /// The state of the local engine. It has no ranks if another engine runs the program.
    pub(crate) local: Local,
    pub(crate) alarms: Alarms,
    changes: Option<Box<RefCell<Changes>>>,
}

/// Each layer contains the one below it.
impl<'s> Deref for Kernel<'s> {
    type Target = prophet_sim::kernel::Kernel<'s>;

    #[inline]
    fn deref(&self) -> &prophet_sim::kernel::Kernel<'s> {
        &self.sim
    }
}

impl<'s> Kernel<'s> {
    /// Creates a kernel at time 0. No unit is ready yet.
    pub(crate) fn new(system: &'s System, ledger: &'s Ledger) -> Self {
        Self::with_units(system, ledger, first_units(system))
    }

    fn with_units(system: &'s System, ledger: &'s Ledger, units: u32) -> Self {
        Self {
            system,
            sim: prophet_sim::kernel::Kernel::new(ledger, units),
            ledger,
            members: &ledger.members,
            elements: &ledger.elements,
            local: Local::new(0..0),
            alarms: Alarms::new(),
            changes: Changes::of(system).map(|changes| Box::new(RefCell::new(changes))),
        }
    }

    /// Creates a kernel like [`Self::new`] for the local engine. Each unit is the place of a rank.
    pub(crate) fn new_local(system: &'s System, ledger: &'s Ledger, local: Local) -> Self {
        let units = local.place_count();
        Self {
            local,
            ..Self::with_units(system, ledger, units)
        }
    }

    #[inline]
    pub(crate) fn now_of(&self, process: u32) -> f64 {
        match self.local.line(process) {
            None => self.now_s(),
            Some(line) => line.now_s(),
        }
    }

    #[inline]
    pub(crate) fn local(&self) -> Option<&Local> {
        self.local.has_ranks().then_some(&self.local)
    }

    /// Ends a run of the local engine, which doesn't order processes, when the program does
    /// something that needs an order. `what` completes the sentence "the program uses".
    #[inline]
    pub(crate) fn needs_order(&self, what: &'static str) {
        if let Some(local) = self.local() {
            local.set_unsuited(what);
            self.halt();
        }
    }

    /// Cancels a wait whose future was dropped. The caller must remove it from queues.
    pub(crate) fn cancel(&self, unit: u32, generation: u32) {
        if !self.closes() {
            self.needs_order("canceled waits");
        }
        self.sim.cancel(unit, generation);
    }

    #[inline]
    pub(crate) fn nid(&self, unit: u32) -> u32 {
        let process = self.members.process_of(unit) as usize;
        self.system.mapping.get(process).copied().unwrap_or(0)
    }

    /// Returns the numbers of the process and the thread. They order units that request a CPU at
    /// the same instant.
    #[inline]
    pub(crate) fn pid_and_tid(&self, unit: u32) -> (u32, u32) {
        self.members.pid_and_tid(unit)
    }

    /// Makes a unit ready that had to wait before it could start.
    pub(crate) fn start_late(&self, unit: u32) {
        if unit < self.system.processes {
            self.make_ready(unit, 0);
        } else {
            self.start(unit);
        }
    }

    /// Clears the account of a unit that is used again.
    pub(crate) fn clear(&self, unit: u32) {
        self.unit(unit).set_account(Account::default());
    }

    #[inline]
    pub(crate) fn element_of(&self, unit: u32) -> u32 {
        self.unit(unit).site.get()
    }

    /// Records why the run can't continue, unless a reason is already known.
    #[cold]
    pub(crate) fn fail(&self, unit: Option<u32>, cause: Cause) -> Stopped {
        let element = unit.map_or(NO_ELEMENT, |unit| self.element_of(unit));
        self.fail_at(unit, element, cause)
    }

    /// Like [`Self::fail`], but at an element that isn't the unit's current one.
    #[cold]
    pub(crate) fn fail_at(&self, unit: Option<u32>, element: u32, cause: Cause) -> Stopped {
        self.halt();
        self.ledger.record(self.now_s(), unit, element, || cause);
        Stopped::RECORDED
    }

    pub(crate) fn take_failure(&self) -> Option<Failure> {
        self.ledger.take_failure()
    }

    pub(crate) fn site(&self, element: u32) -> Option<Site> {
        self.ledger.site(element)
    }
}
