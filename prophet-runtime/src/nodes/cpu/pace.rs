//! Handles speeds of nodes that change during a run.

use std::cell::Cell;

use prophet_machine::policy::CpuDiscipline;
use prophet_machine::system::System;
use prophet_sim::kernel::Sharing;

use crate::kernel::{Task, Waiter};
use crate::tracing::Tracing;

/// Serves computing units while the speeds of nodes change.
///
/// When the speed changes, what is left of a block continues at the new speed. Changes are awaited
/// only while units are computing. At other times, a unit checks for changes when it begins.
#[derive(Debug)]
pub(super) struct Pace {
    /// The service on each node, if each computing unit has its own CPU.
    own: Vec<Sharing>,
    computing: Cell<u32>,
}

impl Pace {
    /// Creates the service, or returns `None` if the speeds of nodes never change.
    pub(super) fn of(system: &System) -> Option<Box<Self>> {
        if !system.changes_nodes() {
            return None;
        }
        let is_own = system.discipline == CpuDiscipline::Fcfs;
        let nodes = if is_own { system.nodes } else { 0 };
        Some(Box::new(Self {
            own: (0..nodes).map(|_| Sharing::new(f64::INFINITY)).collect(),
            computing: Cell::new(0),
        }))
    }

    /// Returns the service on a node's CPUs, if each unit has its own CPU.
    pub(super) fn own(&self, nid: u32) -> Option<&Sharing> {
        self.own.get(nid as usize)
    }

    /// Serves a unit for `cost_s` seconds at full speed. Its wait ends when the service does.
    pub(super) fn serve(
        &self,
        run: &Tracing<'_>,
        service: &Sharing,
        (waiter, cost_s): (Waiter, f64),
    ) {
        self.computing.set(self.computing.get() + 1);
        if self.computing.get() == 1 {
            self.await_change(run);
        }
        service.enter(run, waiter, cost_s);
    }

    /// Ends a unit's service, even if it isn't complete.
    pub(super) fn leave(&self, run: &Tracing<'_>, service: &Sharing, unit: u32) {
        if !service.leave(run, unit) {
            return;
        }
        self.computing.set(self.computing.get() - 1);
        if self.computing.get() == 0 {
            run.alarms.set(Task::Changes, f64::INFINITY);
        }
    }

    /// Sets an alarm for the next change, if any unit is computing.
    pub(super) fn await_change(&self, run: &Tracing<'_>) {
        if self.computing.get() > 0 {
            run.alarms.set(Task::Changes, run.next_change_s());
        }
    }
}
