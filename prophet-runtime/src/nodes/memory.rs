//! Simulates the memory domains and caches of nodes, whose bandwidth CPUs share.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use prophet_machine::binding::{Binding, Parts, Unit};
use prophet_machine::memory::Memory;
use prophet_machine::saturation::Shares;
use prophet_machine::system::System;
use prophet_map::Map;

use crate::kernel::{Kernel, Waiter};
use prophet_sim::kernel::Sharing;

#[derive(Debug)]
pub(crate) struct Domains {
    /// Caches, the nearest first, and then the memory, if it is a limit.
    levels: Vec<Level>,
    parts: Parts,
    /// Number of lower-numbered processes on the same node, by process.
    places: Vec<u32>,
    processes: Vec<u32>,
}

/// Equal parts of all nodes: the caches of a level, or the memory domains.
#[derive(Debug)]
struct Level {
    /// Capacity of a cache in bytes; `None` for memory.
    size: Option<u64>,
    /// Bandwidth of a single unit, in bytes per second.
    alone: f64,
    shares: Shares,
    /// Number of caches or domains of the level on a node.
    per_node: u32,
    /// Units on them, by the number of processes on a node.
    counts: Map<u32, Counts>,
    /// Sharing by node and part, created when the first unit uses it.
    shared: Vec<OnceCell<Box<[OnceCell<Sharing>]>>>,
}

/// Units on the parts of a level of a node.
#[derive(Debug)]
struct Counts {
    /// Number of processes on the fullest part.
    most_processes: f64,
    /// Number of units on each part of caches; empty for memory, which is large enough for all.
    units: BTreeMap<u32, u64>,
}

/// Memory or cache in which an execution moves its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place(usize);

impl Place {
    pub(crate) fn is_cache(self, memory: &Memory) -> bool {
        self.0 < memory.caches.len()
    }
}

impl Domains {
    /// Creates the domains; `None` if the machine limits neither the moving of bytes nor memory.
    pub(crate) fn new(system: &System) -> Option<Self> {
        if !system.memory.is_limited() && !system.has_memory_sizes() {
            return None;
        }
        let (places, processes) = system.places();
        Some(Self {
            levels: levels(system, &processes),
            parts: system.parts(),
            places,
            processes,
        })
    }

    /// Returns the nearest level that is large enough for the working sets of all units that share
    /// it with a unit; without a working set, the memory. `None` if moving bytes takes no time
    /// there.
    pub(crate) fn place(
        &self,
        kernel: &Kernel<'_>,
        unit: u32,
        working_set: Option<u64>,
    ) -> Option<Place> {
        let holds = |level: &Level| match (level.size, working_set) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(size), Some(bytes)) => {
                let units = self.neighbors(kernel, level, unit).unwrap_or(1);
                u128::from(bytes) * u128::from(units) <= u128::from(size)
            }
        };
        self.levels.iter().position(holds).map(Place)
    }

    /// Returns the number of units that share a cache of a level with a unit, including the unit.
    fn neighbors(&self, kernel: &Kernel<'_>, level: &Level, unit: u32) -> Option<u64> {
        let (nid, unit) = self.unit(kernel, unit)?;
        let counts = level.counts.get(self.processes.get(nid as usize)?)?;
        let group = kernel
            .system
            .binding
            .group(unit, self.parts, level.per_node);
        counts.units.get(&group).copied()
    }

    pub(crate) fn processes(&self, nid: u32) -> u32 {
        self.processes.get(nid as usize).copied().unwrap_or(0)
    }

    /// Returns the time to move bytes if no other unit does, in seconds.
    #[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
    pub(crate) fn seconds(&self, place: Place, bytes: u64) -> f64 {
        let level = self.levels.get(place.0);
        level.map_or(0.0, |level| bytes as f64 / level.alone)
    }

    /// Returns `true` if other units of a process's node may move bytes there and slow it down,
    /// with one unit per process.
    pub(crate) fn may_disturb(&self, place: Place, nid: u32) -> bool {
        let processes = self.processes.get(nid as usize);
        let most = processes.and_then(|count| {
            let level = self.levels.get(place.0)?;
            Some(level.counts.get(count)?.most_processes > level.shares.undisturbed())
        });
        most.unwrap_or(false)
    }

    /// Moves bytes that take `seconds` if no other unit does, and then ends the wait.
    pub(crate) fn enter(&self, kernel: &Kernel<'_>, place: Place, waiter: Waiter, seconds: f64) {
        match self.shared(kernel, place, waiter.0) {
            Some(sharing) => sharing.enter(kernel, waiter, seconds),
            // A non-finite time is recorded, and the run ends.
            None => drop(kernel.resume_at(waiter.0, kernel.now_s() + seconds)),
        }
    }

    /// Ends the moving of bytes by a unit, complete or not.
    pub(crate) fn leave(&self, kernel: &Kernel<'_>, place: Place, unit: u32) {
        if let Some(sharing) = self.shared(kernel, place, unit) {
            sharing.leave(kernel, unit);
        }
    }

    fn shared(&self, kernel: &Kernel<'_>, place: Place, unit: u32) -> Option<&Sharing> {
        let level = self.levels.get(place.0)?;
        let (nid, unit) = self.unit(kernel, unit)?;
        let group = kernel
            .system
            .binding
            .group(unit, self.parts, level.per_node);
        let parts = level.shared.get(nid as usize)?;
        let parts = parts.get_or_init(|| (0..level.per_node).map(|_| OnceCell::new()).collect());
        let sharing = parts.get(group as usize)?;
        Some(sharing.get_or_init(|| level.sharing()))
    }

    /// Returns the node of a unit, and its place there. A thread beyond `NUM_THREADS` has the place
    /// of the last thread.
    fn unit(&self, kernel: &Kernel<'_>, unit: u32) -> Option<(u32, Unit)> {
        let nid = kernel.nid(unit);
        let (pid, tid) = kernel.pid_and_tid(unit);
        let threads = u64::from(kernel.system.threads);
        let unit = Unit {
            place: u64::from(*self.places.get(pid as usize)?),
            thread: u64::from(tid).min(threads - 1),
            processes: u64::from(*self.processes.get(nid as usize)?),
            threads,
        };
        Some((nid, unit))
    }
}

impl Level {
    fn sharing(&self) -> Sharing {
        match &self.shares {
            Shares::Servers(servers) => Sharing::new(*servers),
            Shares::Table(table) => Sharing::by_table(table.clone()),
        }
    }
}

fn levels(system: &System, processes: &[u32]) -> Vec<Level> {
    let (memory, parts) = (&system.memory, system.parts());
    let level = |size, alone, shares, per_node| Level {
        size,
        alone,
        shares,
        per_node,
        counts: counts(system, processes, per_node, size.is_some()),
        shared: processes.iter().map(|_| OnceCell::new()).collect(),
    };
    let caches = memory.caches.iter().map(|cache| {
        let of_core = cache.core_bandwidth;
        let alone = cache.bandwidth.map_or(of_core, |all| all.min(of_core));
        let shares = cache.saturation.shares(alone, cache.bandwidth, cache.cpus);
        level(
            Some(cache.size),
            alone,
            shares,
            (parts.cpus / cache.cpus).max(1),
        )
    });
    let mut levels: Vec<Level> = caches.collect();
    if let Some(alone) = memory.alone() {
        let cpus = parts.cpus.div_ceil(parts.domains);
        let shares = memory.saturation.shares(alone, memory.bandwidth, cpus);
        levels.push(level(None, alone, shares, parts.domains));
    }
    levels
}

/// Returns the units on each of `groups` parts of a node, by the number of its processes; for
/// caches, part by part.
#[expect(clippy::cast_precision_loss, reason = "there are at most 2^26 units")]
fn counts(system: &System, processes: &[u32], groups: u32, of_caches: bool) -> Map<u32, Counts> {
    let mut found = Map::new();
    for count in processes.iter().filter(|count| **count > 0) {
        found.get_or_insert_with(*count, || {
            let of = Unit {
                place: 0,
                thread: 0,
                processes: u64::from(*count),
                threads: u64::from(system.threads.max(1)),
            };
            let (binding, parts) = (&system.binding, system.parts());
            let most = if *binding == Binding::default() {
                of.processes.div_ceil(u64::from(groups))
            } else {
                let counts = binding.counts(of, parts, groups, false);
                counts.into_values().max().unwrap_or(0)
            };
            let units = of_caches.then(|| binding.counts(of, parts, groups, true));
            Counts {
                most_processes: most as f64,
                units: units.unwrap_or_default(),
            }
        });
    }
    found
}
