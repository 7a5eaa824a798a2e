//! Handles node speeds that change during a run.

use std::cell::Cell;

use prophet_machine::policy::CpuDiscipline;
use prophet_machine::system::System;
use prophet_sim::kernel::Sharing;

use crate::kernel::{Task, Waiter};
use crate::tracing::Tracing;

/// Service of the computing units at changing speeds.
///
/// What is left of a block continues at the new speed. Changes are awaited only while units
/// compute; otherwise, units ask for them when they begin.
#[derive(Debug)]
pub(super) struct Pace {
    /// Service by node, if each computing unit has a CPU to itself.
    own: Vec<Sharing>,
    computing: Cell<u32>,
}

impl Pace {
    /// Creates the service; `None` if nodes keep their speeds.
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

    /// Returns the service on the CPUs of a node, if each unit has one to itself.
    pub(super) fn own(&self, nid: u32) -> Option<&Sharing> {
        self.own.get(nid as usize)
    }

    /// Serves a unit for `cost_s` seconds at full speed; its wait ends with the service.
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

    /// Ends the service of a unit, complete or not.
    pub(super) fn leave(&self, run: &Tracing<'_>, service: &Sharing, unit: u32) {
        if !service.leave(run, unit) {
            return;
        }
        self.computing.set(self.computing.get() - 1);
        if self.computing.get() == 0 {
            run.alarms.set(Task::Changes, f64::INFINITY);
        }
    }

    /// Sets an alarm for the next change, if units compute.
    pub(super) fn await_change(&self, run: &Tracing<'_>) {
        if self.computing.get() > 0 {
            run.alarms.set(Task::Changes, run.next_change_s());
        }
    }
}
