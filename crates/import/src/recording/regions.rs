//! Tracks the regions that a program marks, and how much of a rank's time each takes.

use std::collections::BTreeMap;

const OPEN_MAX: usize = 1 << 16;

/// What the processor's performance counters counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of instructions that the program executed.
    pub instructions: u64,
    /// Number of memory accesses that missed all caches.
    pub cache_misses: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.instructions = self.instructions.saturating_add(other.instructions);
        self.cache_misses = self.cache_misses.saturating_add(other.cache_misses);
    }
}

/// What was recorded about OpenMP parallel regions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Parallel {
    /// Number of regions, not counting nested ones.
    pub regions: u64,
    /// Largest number of threads in a region.
    pub threads: u64,
    /// Sum of the regions' times from start to end, in nanoseconds.
    pub wall_ns: u64,
}

impl std::ops::AddAssign for Parallel {
    fn add_assign(&mut self, other: Self) {
        self.regions = self.regions.saturating_add(other.regions);
        self.threads = self.threads.max(other.threads);
        self.wall_ns = self.wall_ns.saturating_add(other.wall_ns);
    }
}

/// What was recorded about one region of a program, without the regions inside it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Region {
    /// How often the region was entered.
    pub times: u64,
    pub computing_ns: u64,
    pub calls_ns: u64,
    /// Instructions and cache misses between the region's MPI calls.
    pub counts: Counts,
}

impl std::ops::AddAssign<&Self> for Region {
    fn add_assign(&mut self, other: &Self) {
        self.times = self.times.saturating_add(other.times);
        self.computing_ns = self.computing_ns.saturating_add(other.computing_ns);
        self.calls_ns = self.calls_ns.saturating_add(other.calls_ns);
        self.counts += other.counts;
    }
}

#[derive(Debug, Default)]
pub(super) struct Regions {
    names: BTreeMap<String, usize>,
    list: Vec<Region>,
    /// Indices of the open regions, innermost last.
    open: Vec<usize>,
}

impl Regions {
    /// Starts a region. Returns `false` if there are too many.
    pub(super) fn begin(&mut self, name: String) -> bool {
        let next = self.list.len();
        let number = *self.names.entry(name).or_insert(next);
        if number == next {
            self.list.push(Region::default());
        }
        self.list[number].times += 1;
        self.open.push(number);
        self.open.len() <= OPEN_MAX
    }

    pub(super) fn end(&mut self) {
        self.open.pop();
    }

    pub(super) fn innermost(&self) -> Option<usize> {
        self.open.last().copied()
    }

    /// Adds time to the innermost region: before a call or the end of a region, and in the call.
    pub(super) fn spend(&mut self, computing_ns: u64, calls_ns: u64, counts: Counts) {
        if let Some(number) = self.innermost() {
            self.list[number] += &Region {
                times: 0,
                computing_ns,
                calls_ns,
                counts,
            };
        }
    }

    pub(super) fn name(&self, number: usize) -> &str {
        let mut names = self.names.iter().filter(|it| *it.1 == number);
        names.next().map_or("", |it| it.0)
    }

    pub(super) fn by_name(&self) -> BTreeMap<String, Region> {
        let named = |(name, number): (&String, &usize)| (name.clone(), self.list[*number].clone());
        self.names.iter().map(named).collect()
    }
}
