//! Determines from the rows of a trace which threads share a process's time.
//!
//! The threads in a parallel region share the time of the thread that encountered the region. The
//! first row of each thread except thread 0 names the thread that encountered the region. The row
//! for the whole execution of the region ends it.

use std::collections::BTreeMap;

use prophet_trace::{Record, UnitId, UnitState};

/// Maximum number of threads to track, which is also the maximum in a run.
const THREADS_MAX: usize = 1 << 22;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RegionIndex(usize);

#[derive(Debug, Clone, Copy)]
struct Region {
    element: u32,
    start_s: f64,
    /// The thread that encountered the region gets 1/`outer` of the process's time.
    outer: u64,
    threads: u64,
}

/// A thread that started in a region or has encountered regions.
#[derive(Debug, Clone, Default)]
struct Thread {
    /// The region in which the thread started; `None` for a process's first thread.
    born: Option<RegionIndex>,
    /// Regions that the thread has encountered and that haven't ended. Each is inside the previous
    /// one.
    met: Vec<RegionIndex>,
}

/// The regions of a trace, built from its rows in order.
#[derive(Debug, Default)]
pub(crate) struct Teams {
    threads: BTreeMap<UnitId, Thread>,
    regions: Vec<Region>,
    vacant: Vec<RegionIndex>,
}

impl Teams {
    /// Returns n if a row accounts for 1/n of the process's time. The second number is the same for
    /// the execution that ends with the row.
    ///
    /// Returns `None` for a thread that starts outside the trace, which is possible if the trace
    /// was filtered.
    pub(crate) fn parts(&mut self, row: &Record) -> Option<(u64, u64)> {
        if self.threads.is_empty() && row.tid == 0 {
            return Some((1, 1));
        }
        if let Some(cause) = start_of_thread(row) {
            self.start(row, cause);
        } else if row.state == UnitState::Content {
            self.end(row);
        }
        let own = self.parts_since(row.unit(), row.start_s)?;
        let whole = match row.began_s() {
            Some(began_s) if began_s < row.start_s => self.parts_since(row.unit(), began_s)?,
            _ => own,
        };
        Some((own, whole))
    }

    /// Starts a thread in the region that `cause` encountered.
    fn start(&mut self, row: &Record, cause: UnitId) {
        if self.threads.len() >= THREADS_MAX {
            return;
        }
        let element = row.element_index().unwrap_or(u32::MAX);
        let met = self.threads.get(&cause).and_then(|it| it.met.last());
        let known = met.copied().filter(|index| {
            let region = &self.regions[index.0];
            region.element == element && region.start_s.to_bits() == row.start_s.to_bits()
        });
        let index = known.unwrap_or_else(|| {
            // In a filtered trace, the share of a thread can be unknown.
            let outer = self.parts_since(cause, row.start_s).unwrap_or(u64::MAX);
            self.meet(cause, (element, row.start_s), outer)
        });
        let region = &mut self.regions[index.0];
        region.threads = region.threads.saturating_add(1);
        let thread = self.threads.entry(row.unit()).or_default();
        thread.born = Some(index);
        thread.met.clear();
    }

    /// Adds a region that a thread encounters. The thread is alone in it until other threads start.
    fn meet(&mut self, unit: UnitId, (element, start_s): (u32, f64), outer: u64) -> RegionIndex {
        let region = Region {
            element,
            start_s,
            outer,
            threads: 1,
        };
        let index = if let Some(index) = self.vacant.pop() {
            self.regions[index.0] = region;
            index
        } else {
            self.regions.push(region);
            RegionIndex(self.regions.len() - 1)
        };
        self.threads.entry(unit).or_default().met.push(index);
        index
    }

    /// Ends an execution that has content, which can be a region.
    fn end(&mut self, row: &Record) {
        let Some(thread) = self.threads.get_mut(&row.unit()) else {
            return;
        };
        let is_it = |index: &RegionIndex| {
            let region = &self.regions[index.0];
            Some(region.element) == row.element_index()
                && row.began_s().map(f64::to_bits) == Some(region.start_s.to_bits())
        };
        if thread.met.last().is_some_and(is_it) {
            self.vacant.extend(thread.met.pop());
        }
    }

    /// Returns n if the unit has had 1/n of the process's time since `start_s`.
    fn parts_since(&self, unit: UnitId, start_s: f64) -> Option<u64> {
        let Some(thread) = self.threads.get(&unit) else {
            return (unit.tid == 0).then_some(1);
        };
        let since = |index: &&RegionIndex| self.regions[index.0].start_s <= start_s;
        match thread.met.iter().rev().find(since).or(thread.born.as_ref()) {
            Some(index) => {
                let region = &self.regions[index.0];
                Some(region.outer.saturating_mul(region.threads))
            }
            None => (unit.tid == 0).then_some(1),
        }
    }
}

/// Returns the unit that encountered the region in which a thread starts, if this is the thread's
/// first row.
fn start_of_thread(row: &Record) -> Option<UnitId> {
    let is_first = row.tid > 0
        && row.state == UnitState::Synchronize
        && row.start_s.to_bits() == row.end_s.to_bits();
    row.cause_unit()
        .filter(|cause| is_first && cause.pid == row.pid && *cause != row.unit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEAM: u32 = 5;

    fn start(tid: u32, by: u32, at_s: f64) -> Record {
        let cause = UnitId { pid: 0, tid: by };
        Record::new(0, tid, UnitState::Synchronize, at_s, at_s)
            .element(TEAM)
            .cause(cause)
    }

    fn compute(tid: u32, from_s: f64, to_s: f64) -> Record {
        Record::new(0, tid, UnitState::Compute, from_s, to_s)
    }

    fn end(tid: u32, from_s: f64, to_s: f64) -> Record {
        Record::new(0, tid, UnitState::Content, from_s, to_s)
            .element(TEAM)
            .began(from_s)
    }

    fn parts(rows: &[Record]) -> Vec<Option<u64>> {
        let mut teams = Teams::default();
        let own = |row| teams.parts(row).map(|(own, _)| own);
        rows.iter().map(own).collect()
    }

    #[test]
    fn threads_of_a_region_share_its_time() {
        let rows = [
            compute(0, 0.0, 1.0),
            start(1, 0, 1.0),
            start(2, 0, 1.0),
            compute(0, 1.0, 2.0),
            compute(2, 1.0, 2.0),
            end(0, 1.0, 2.0),
            compute(0, 2.0, 3.0),
        ];
        let expected = [1, 2, 3, 3, 3, 1, 1].map(Some);
        assert_eq!(parts(&rows), expected);
    }

    #[test]
    fn threads_of_a_region_within_one_share_the_part_of_who_met_it() {
        let rows = [
            start(1, 0, 0.0),
            start(2, 1, 1.0),
            start(3, 1, 1.0),
            compute(0, 0.0, 2.0),
            compute(1, 0.0, 1.0),
            compute(1, 1.0, 2.0),
            compute(3, 1.0, 2.0),
            end(1, 1.0, 2.0),
            compute(1, 2.0, 3.0),
        ];
        let expected = [2, 4, 6, 2, 2, 6, 6, 2, 2].map(Some);
        assert_eq!(parts(&rows), expected);
    }

    #[test]
    fn what_ends_with_a_region_began_before_it() {
        let mut teams = Teams::default();
        for row in [start(1, 0, 1.0), compute(0, 1.0, 2.0)] {
            teams.parts(&row);
        }
        let around = Record::new(0, 0, UnitState::Content, 1.0, 2.0).began(1.0);
        assert_eq!(teams.parts(&end(0, 1.0, 2.0)), Some((1, 1)));
        assert_eq!(teams.parts(&around.element(7)), Some((1, 1)));
    }

    #[test]
    fn a_thread_that_comes_from_nowhere_has_no_part() {
        assert_eq!(parts(&[compute(3, 0.0, 1.0)]), [None]);
        let strange = [start(1, 2, 0.0), compute(1, 0.0, 1.0), end(9, 0.0, 1.0)];
        let found = parts(&strange);
        assert!(found[1].is_none_or(|parts| parts >= u64::MAX / 2));
        assert_eq!(found[2], None);
    }
}
