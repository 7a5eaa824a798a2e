//! Sockets of the nodes, whose CPUs share the bandwidth of their memory.

use crate::kernel::{Kernel, Waiter};
use crate::machine::system::System;
use prophet_sim::kernel::Sharing;

/// Sockets of all nodes, in a run.
#[derive(Debug)]
pub(crate) struct Sockets {
    /// Number of sockets on which the units of a node are placed.
    per_node: u32,
    alone: f64,
    undisturbed: f64,
    /// Number of processes with lower numbers on the same node, by process.
    places: Vec<u32>,
    /// Number of processes, by node.
    processes: Vec<u32>,
    /// Sharing, by node and socket; empty for sockets whose units cannot slow each other down.
    shared: Vec<Sharing>,
}

impl Sockets {
    /// Creates the sockets; `None` if the machine has no limit on moving bytes.
    pub(crate) fn new(system: &System) -> Option<Self> {
        let alone = system.memory.alone()?;
        let undisturbed = system.memory.undisturbed();
        let per_node = system.memory.sockets.max(1);
        let mut processes = vec![0; system.nodes as usize];
        let place = |nid: &u32| {
            let count: &mut u32 = &mut processes[*nid as usize];
            *count += 1;
            *count - 1
        };
        let places = system.mapping.iter().map(place).collect();
        let count = processes.len() * per_node as usize;
        Some(Self {
            per_node,
            alone,
            undisturbed,
            places,
            processes,
            shared: (0..count).map(|_| Sharing::new(undisturbed)).collect(),
        })
    }

    /// Time to move bytes when no other unit does, in seconds.
    #[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
    pub(crate) fn seconds(&self, bytes: u64) -> f64 {
        bytes as f64 / self.alone
    }

    /// True if other units of a process's node may move bytes on its socket and slow it down, with
    /// one unit per process.
    pub(crate) fn may_disturb(&self, nid: u32) -> bool {
        let units = self.processes.get(nid as usize).copied().unwrap_or(0);
        f64::from(units.div_ceil(self.per_node)) > self.undisturbed
    }

    /// Moves bytes that take `seconds` if no other unit does; the wait ends with that.
    pub(crate) fn enter(&self, kernel: &Kernel<'_>, waiter: Waiter, seconds: f64) {
        match self.socket(kernel, waiter.0) {
            Some(socket) => socket.enter(kernel, waiter, seconds),
            // A non-finite time is recorded, and the run ends.
            None => drop(kernel.resume_at(waiter.0, kernel.now_s() + seconds)),
        }
    }

    /// Ends the moving of bytes by a unit, complete or not.
    pub(crate) fn leave(&self, kernel: &Kernel<'_>, unit: u32) {
        if let Some(socket) = self.socket(kernel, unit) {
            socket.leave(kernel, unit);
        }
    }

    /// Socket of a unit: by blocks of the units of its node, each process having as many as
    /// `NUM_THREADS`. A thread beyond them shares the socket of the last of them.
    fn socket(&self, kernel: &Kernel<'_>, unit: u32) -> Option<&Sharing> {
        let nid = kernel.nid(unit);
        let (pid, tid) = kernel.pid_and_tid(unit);
        let threads = u64::from(kernel.system.threads);
        let place = u64::from(*self.places.get(pid as usize)?);
        let units = u64::from(*self.processes.get(nid as usize)?) * threads;
        let unit = place * threads + u64::from(tid).min(threads - 1);
        let socket = unit * u64::from(self.per_node) / units;
        let index = u64::from(nid) * u64::from(self.per_node) + socket;
        self.shared.get(usize::try_from(index).ok()?)
    }
}
