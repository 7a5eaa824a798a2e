//! Regions that a program marks, and their shares of a rank's time.

use std::collections::BTreeMap;

/// Maximum number of open regions.
const OPEN_MAX: usize = 1 << 16;

/// Numbers of a processor's counters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Instructions of the program.
    pub instructions: u64,
    /// Accesses that no cache could answer.
    pub cache_misses: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.instructions = self.instructions.saturating_add(other.instructions);
        self.cache_misses = self.cache_misses.saturating_add(other.cache_misses);
    }
}

/// Parallel regions of OpenMP.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Parallel {
    /// Number of regions, without those inside of others.
    pub regions: u64,
    /// Largest number of threads.
    pub threads: u64,
    /// Time from their beginnings to their ends.
    pub wall_ns: u64,
}

impl std::ops::AddAssign for Parallel {
    fn add_assign(&mut self, other: Self) {
        self.regions = self.regions.saturating_add(other.regions);
        self.threads = self.threads.max(other.threads);
        self.wall_ns = self.wall_ns.saturating_add(other.wall_ns);
    }
}

/// Region of a program, without those inside of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Region {
    /// Times that the region begins.
    pub times: u64,
    /// CPU time between calls.
    pub computing_ns: u64,
    /// Time in calls.
    pub calls_ns: u64,
    /// Instructions and cache misses between calls.
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

/// Regions of a rank so far.
#[derive(Debug, Default)]
pub(super) struct Regions {
    names: BTreeMap<String, usize>,
    list: Vec<Region>,
    /// Numbers of those that have begun, the innermost last.
    open: Vec<usize>,
}

impl Regions {
    /// Begins a region; false if there are too many.
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

    /// Ends the innermost region.
    pub(super) fn end(&mut self) {
        self.open.pop();
    }

    pub(super) fn innermost(&self) -> Option<usize> {
        self.open.last().copied()
    }

    /// Adds the time before a call or the end of a region, and that in a call, to the innermost.
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
