//! Simulates the memory domains and caches of nodes. CPUs share their bandwidth.

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
    /// The caches, nearest first, followed by the memory if its bandwidth is limited.
    levels: Vec<Level>,
    parts: Parts,
    /// For each process, the number of processes with lower numbers on its node.
    places: Vec<u32>,
    processes: Vec<u32>,
}

/// A level on every node: the caches of one level, or the memory domains.
#[derive(Debug)]
struct Level {
    /// The size of a cache in bytes, or `None` for memory.
    size: Option<u64>,
    /// The bandwidth for a unit that is alone, in bytes per second.
    alone: f64,
    shares: Shares,
    /// Number of caches or memory domains at this level on each node.
    per_node: u32,
    /// How units are distributed over the level, by the number of processes on the node.
    counts: Map<u32, Counts>,
    /// The sharing, by node and by cache or domain. Created when a unit first uses it.
    shared: Vec<OnceCell<Box<[OnceCell<Sharing>]>>>,
}

/// How many processes and units share each cache or memory domain of a level on one node.
#[derive(Debug)]
struct Counts {
    /// Number of processes at the cache or domain that has the most of them.
    most_processes: f64,
    /// Number of units that share each cache. Empty for memory, which is large enough for all.
    units: BTreeMap<u32, u64>,
}

/// The memory or cache that the bytes of an execution come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place(usize);

impl Place {
    pub(crate) fn is_cache(self, memory: &Memory) -> bool {
        self.0 < memory.caches.len()
    }
}

impl Domains {
    /// Creates the domains, or returns `None` if the machine limits neither the speed nor the size
    /// of memory.
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
    /// it with `unit`. Without a working set, that is the memory. Returns `None` if moving bytes
    /// takes no time at that level.
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

    /// Returns the number of units that share a cache of a level with `unit`, including `unit`
    /// itself.
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

    /// Returns how long it takes to move bytes if no other unit moves any, in seconds.
    #[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
    pub(crate) fn seconds(&self, place: Place, bytes: u64) -> f64 {
        let level = self.levels.get(place.0);
        level.map_or(0.0, |level| bytes as f64 / level.alone)
    }

    /// Returns `true` if other units of the node may move bytes in the same place and slow a
    /// process down. Assumes one unit per process.
    pub(crate) fn may_disturb(&self, place: Place, nid: u32) -> bool {
        let processes = self.processes.get(nid as usize);
        let most = processes.and_then(|count| {
            let level = self.levels.get(place.0)?;
            Some(level.counts.get(count)?.most_processes > level.shares.undisturbed())
        });
        most.unwrap_or(false)
    }

    /// Moves bytes, which takes `seconds` if no other unit moves any. Then ends the wait.
    pub(crate) fn enter(&self, kernel: &Kernel<'_>, place: Place, waiter: Waiter, seconds: f64) {
        match self.shared(kernel, place, waiter.0) {
            Some(sharing) => sharing.enter(kernel, waiter, seconds),
            // If the time isn't finite, a failure is recorded and the run ends.
            None => drop(kernel.resume_at(waiter.0, kernel.now_s() + seconds)),
        }
    }

    /// Stops moving the bytes of a unit, even if not all have been moved.
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

    /// Returns a unit's node, and its place there. Threads beyond `NUM_THREADS` have the same place
    /// as the last thread.
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

/// Counts the processes and units that share each of `groups` caches or domains of a node, for each
/// number of processes that some node has.
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
