//! The memory of the nodes: how the CPUs of a socket share its bandwidth.

use std::fmt;

use crate::engine::World;
use crate::quantity::engineering;
use crate::sharing::Sharing;
use crate::system::System;
use crate::waiters::Waiter;

/// The sockets of a node and the bandwidth of their memory.
///
/// A unit that moves bytes and computes at the same time ends when both are over (S. Williams,
/// A. Waterman, D. Patterson, *Roofline*, 2009). The units of a socket that move bytes share its
/// bandwidth max-min: as all have the same limit, each has
/// `min(core_bandwidth, bandwidth / units)`.
///
/// ```
/// use prophet_runtime::{ActionPlus, Memory, Model, Simulation, System};
///
/// const TRIAD: ActionPlus = ActionPlus::new(0, "Triad", 1);
/// let model = Model::new("Triad", &[], 1);
/// let mut system = System::new(1, 4, 4, 1);
/// // Two of the four CPUs can move 10 GB/s at once.
/// system.memory = Memory { sockets: 1, bandwidth: Some(20e9), core_bandwidth: Some(10e9) };
/// let run = Simulation::new(&model, system).run(async |ctx| {
///     TRIAD.execute(ctx, 0.5).moving(10_000_000_000).await
/// });
/// assert_eq!(run.map(|outcome| outcome.predicted_time_s), Ok(2.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Memory {
    /// How many sockets a node has; its units are placed on them by blocks.
    pub sockets: u32,
    /// The bandwidth of each socket's memory, in bytes a second; without one, moving bytes takes
    /// no time.
    pub bandwidth: Option<f64>,
    /// What one CPU can move at most, in bytes a second.
    pub core_bandwidth: Option<f64>,
}

impl Default for Memory {
    /// One socket, whose bandwidth is never the limit.
    fn default() -> Self {
        Self {
            sockets: 1,
            bandwidth: None,
            core_bandwidth: None,
        }
    }
}

impl fmt::Display for Memory {
    /// As the flags have it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--sockets {}", self.sockets)?;
        if let Some(bandwidth) = self.bandwidth {
            write!(f, " --memory-bandwidth {}", engineering(bandwidth, "B/s"))?;
        }
        if let Some(bandwidth) = self.core_bandwidth {
            let bandwidth = engineering(bandwidth, "B/s");
            write!(f, " --core-bandwidth {bandwidth}")?;
        }
        Ok(())
    }
}

impl Memory {
    /// What one unit of a socket can move when no other does, in bytes a second.
    fn alone(&self) -> Option<f64> {
        match (self.bandwidth, self.core_bandwidth) {
            (Some(socket), Some(core)) => Some(socket.min(core)),
            (socket, core) => socket.or(core),
        }
    }

    /// How many units of a socket can move bytes without slowing each other down.
    fn undisturbed(&self) -> f64 {
        match (self.bandwidth, self.alone()) {
            (Some(socket), Some(alone)) => socket / alone,
            _ => f64::INFINITY,
        }
    }
}

/// The sockets of all nodes, in a run.
#[derive(Debug)]
pub(crate) struct Sockets {
    /// Units of a node are placed on that many sockets.
    per_node: u32,
    alone: f64,
    undisturbed: f64,
    /// By process: how many of lower numbers are on its node.
    places: Vec<u32>,
    /// By node: how many processes it has.
    processes: Vec<u32>,
    /// By node and socket; a socket whose units cannot slow each other down has none.
    shared: Vec<Sharing>,
}

impl Sockets {
    /// None when the machine has no limit for what is moved.
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

    /// How long it takes to move bytes when no other unit does, in seconds.
    #[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
    pub(crate) fn seconds(&self, bytes: u64) -> f64 {
        bytes as f64 / self.alone
    }

    /// Whether other units of a process's node may move bytes on its socket and slow it down, with
    /// one unit a process.
    pub(crate) fn may_disturb(&self, nid: u32) -> bool {
        let units = self.processes.get(nid as usize).copied().unwrap_or(0);
        f64::from(units.div_ceil(self.per_node)) > self.undisturbed
    }

    /// Moves bytes that take `seconds` if no other unit does; the wait ends with that.
    pub(crate) fn enter(&self, world: &World<'_>, waiter: Waiter, seconds: f64) {
        match self.socket(world, waiter.0) {
            Some(socket) => socket.enter(world, waiter, seconds),
            // A time that is not finite is recorded, and the run ends.
            None => drop(world.resume_at(waiter.0, world.now_s() + seconds)),
        }
    }

    /// Ends what a unit moves, over or not.
    pub(crate) fn leave(&self, world: &World<'_>, unit: u32) {
        if let Some(socket) = self.socket(world, unit) {
            socket.leave(world, unit);
        }
    }

    /// The socket of a unit: by blocks of the units of its node, each process having as many as
    /// `NUM_THREADS`. A thread beyond them is where the last of them is.
    fn socket(&self, world: &World<'_>, unit: u32) -> Option<&Sharing> {
        let nid = world.nid(unit);
        let (pid, tid) = world.pid_and_tid(unit);
        let threads = u64::from(world.system.threads);
        let place = u64::from(*self.places.get(pid as usize)?);
        let units = u64::from(*self.processes.get(nid as usize)?) * threads;
        let unit = place * threads + u64::from(tid).min(threads - 1);
        let socket = unit * u64::from(self.per_node) / units;
        let index = u64::from(nid) * u64::from(self.per_node) + socket;
        self.shared.get(usize::try_from(index).ok()?)
    }
}
