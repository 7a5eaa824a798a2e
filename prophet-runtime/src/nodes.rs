//! Simulates what the units of a node share: CPUs, memory domains, caches, and accelerators.

pub(crate) mod accelerators;
pub(crate) mod cpu;
pub(crate) mod memory;

use std::ops::Deref;

use crate::kernel::Kernel;
use crate::tracing::{Tracer, Tracing};
use accelerators::{Accelerators, Devices};
use cpu::Cpus;
use memory::Domains;

#[derive(Debug)]
pub(crate) struct Nodes<'s> {
    tracing: Tracing<'s>,
    pub(crate) cpus: Cpus,
    /// The memory domains and caches, or `None` if the machine's memory never limits the speed.
    pub(crate) domains: Option<Domains>,
    /// The accelerators, or `None` if the machine has none.
    pub(crate) accelerators: Option<Accelerators>,
}

impl<'s> Nodes<'s> {
    /// Creates the nodes of the kernel's system. Unless the local engine runs the units, makes
    /// those that can start now ready, in the order of their numbers.
    pub(crate) fn new(kernel: Kernel<'s>, tracer: Option<&'s Tracer>) -> Self {
        let system = kernel.system;
        let by_events = kernel.local().is_none();
        let nodes = Self {
            tracing: Tracing::new(kernel, tracer),
            cpus: Cpus::new(system, by_events),
            domains: Domains::new(system),
            accelerators: Accelerators::new(system, tracer.is_some_and(Tracer::records)),
        };
        if by_events {
            let starts = |unit: &u32| nodes.cpus.enter(&nodes, *unit);
            nodes.make_all_ready((0..system.processes).filter(starts));
        }
        nodes
    }
}

impl Nodes<'_> {
    /// Takes all accelerators that were used, by node and number, at the end of a run. Records
    /// their work.
    pub(crate) fn take_devices(&self, end_s: f64) -> Devices {
        let Some(all) = &self.accelerators else {
            return Devices::default();
        };
        self.trace_operations(all.take_operations(end_s));
        all.take()
    }
}

/// Gives access to the layers below.
impl<'s> Deref for Nodes<'s> {
    type Target = Tracing<'s>;

    #[inline]
    fn deref(&self) -> &Tracing<'s> {
        &self.tracing
    }
}
