//! Adds up the time of each process and element, by activity.

use prophet_trace::{ProcessOutcome, Record, UnitState};

use super::teams::Teams;
use super::ticks::Ticks;

/// Time by activity, in seconds. While several threads share a process's time, each counts for an
/// equal share of it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Split {
    /// Time spent on a CPU.
    pub compute_s: f64,
    /// Time spent on messages and collectives, without waiting.
    pub communication_s: f64,
    /// Time spent in a queue, or waiting for messages, other processes or other threads.
    pub wait_s: f64,
    /// Time that user-defined elements let pass.
    pub hold_s: f64,
}

impl Split {
    /// Share of a process's time that rounding can add or remove.
    const ROUNDING: f64 = 1e-9;

    /// Returns the time of a process, split by activity.
    pub fn of(process: &ProcessOutcome) -> Self {
        Self {
            compute_s: process.compute_s,
            communication_s: process.communication_s,
            wait_s: process.wait_s,
            hold_s: process.hold_s,
        }
    }

    /// Returns `true` if the activities of a process take no longer than the process itself. They
    /// can take less if the run was interrupted.
    pub fn adds_up(process: &ProcessOutcome) -> bool {
        let split = Self::of(process);
        let parts = [
            split.compute_s,
            split.communication_s,
            split.wait_s,
            split.hold_s,
            process.end_s,
        ];
        parts.iter().all(|part_s| (0.0..=f64::MAX).contains(part_s))
            && split.seconds() <= process.end_s * (1.0 + Self::ROUNDING)
    }

    pub fn seconds(&self) -> f64 {
        self.compute_s + self.communication_s + self.wait_s + self.hold_s
    }
}

/// How often an element was executed, and for how long, by one process or by all of them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Times {
    pub count: u64,
    /// Sum of the execution times in seconds, including the element's content.
    pub total_s: f64,
    /// Longest execution time, in seconds.
    pub max_s: f64,
    /// Process time spent in these executions, in seconds. If several threads share the process's
    /// time, each counts only for its share.
    pub taken_s: f64,
    /// Time by activity, without the element's content.
    pub split: Split,
}

#[derive(Debug, Clone, Copy, Default)]
struct ExactSums {
    count: u64,
    max_s: f64,
    total: i128,
    taken: i128,
    compute: i128,
    communication: i128,
    wait: i128,
    hold: i128,
}

impl ExactSums {
    /// Adds a row. The row, and the execution that ends with it, each account for one of this many
    /// equal parts of the process's time. If `parts` is `None`, the row's time is left out.
    fn add(&mut self, row: &Record, parts: Option<(u64, u64)>, ticks: Ticks) {
        let sum = match row.state {
            UnitState::Compute => Some(&mut self.compute),
            UnitState::Send | UnitState::Receive | UnitState::Collective => {
                Some(&mut self.communication)
            }
            UnitState::Wait | UnitState::Synchronize => Some(&mut self.wait),
            UnitState::Hold => Some(&mut self.hold),
            UnitState::Content => None,
        };
        let part = |ticks: i128, parts: u64| ticks / i128::from(parts);
        if let (Some(sum), Some((parts, _))) = (sum, parts) {
            let ticks = ticks.between(row.start_s, row.end_s);
            *sum = sum.saturating_add(part(ticks, parts));
        }
        if let Some(began_s) = row.began_s() {
            let whole = ticks.between(began_s, row.end_s);
            self.count += 1;
            self.total = self.total.saturating_add(whole);
            if let Some((_, parts)) = parts {
                self.taken = self.taken.saturating_add(part(whole, parts));
            }
            self.max_s = self.max_s.max(row.end_s - began_s);
        }
    }

    fn split(&self, ticks: Ticks) -> Split {
        Split {
            compute_s: ticks.seconds(self.compute),
            communication_s: ticks.seconds(self.communication),
            wait_s: ticks.seconds(self.wait),
            hold_s: ticks.seconds(self.hold),
        }
    }

    fn times(&self, ticks: Ticks) -> Times {
        Times {
            count: self.count,
            total_s: ticks.seconds(self.total),
            max_s: self.max_s,
            taken_s: ticks.seconds(self.taken),
            split: self.split(ticks),
        }
    }
}

/// Adds up the rows of a trace, in order. Memory use grows with the number of processes, and with
/// up to [`Totals::PLACES_MAX`] sums for single elements in single processes.
///
/// ```
/// use prophet_report::analysis::totals::Totals;
/// use prophet_trace::{ProcessOutcome, Record, UnitState};
///
/// let mut totals = Totals::new(10.0, 2, &[7]);
/// totals.add(&Record::new(1, 0, UnitState::Wait, 0.0, 2.5).element(7).began(0.0));
/// assert_eq!(totals.processes()[1].wait_s, 2.5);
/// assert_eq!(totals.elements()[0].total_s, 2.5);
/// ```
#[derive(Debug)]
pub struct Totals {
    ticks: Ticks,
    /// Indices of the elements in the model, in ascending order.
    indices: Vec<u32>,
    processes: Vec<ExactSums>,
    ends_s: Vec<f64>,
    elements: Vec<ExactSums>,
    /// Sums by process, then by element; empty if there would be too many.
    each: Vec<ExactSums>,
    teams: Teams,
    rows: u64,
    threads: u32,
    /// Whether any thread's share of its process's time is unknown.
    lost: bool,
}

impl Totals {
    /// Maximum number of sums for single elements in single processes. Larger runs only get sums
    /// per element.
    pub const PLACES_MAX: usize = 1 << 18;

    /// Creates empty totals for a run of `predicted_s` seconds. `elements` contains the indices of
    /// its elements in ascending order.
    pub fn new(predicted_s: f64, processes: usize, elements: &[u32]) -> Self {
        let places = processes.saturating_mul(elements.len());
        let each = if places <= Self::PLACES_MAX {
            places
        } else {
            0
        };
        Self {
            ticks: Ticks::up_to(predicted_s),
            indices: elements.to_vec(),
            processes: vec![ExactSums::default(); processes],
            ends_s: vec![0.0; processes],
            elements: vec![ExactSums::default(); elements.len()],
            each: vec![ExactSums::default(); each],
            teams: Teams::default(),
            rows: 0,
            threads: 1,
            lost: false,
        }
    }

    /// Adds a row. A row whose process or element isn't part of the run counts only for the other
    /// one.
    pub fn add(&mut self, row: &Record) {
        let process = row.pid as usize;
        let parts = self.teams.parts(row);
        self.lost |= parts.is_none();
        if let Some(sum) = self.processes.get_mut(process) {
            sum.add(row, parts, self.ticks);
            let end_s = &mut self.ends_s[process];
            *end_s = if row.tid == 0 {
                end_s.max(row.end_s)
            } else {
                *end_s
            };
        }
        if let Some(element) = self.place(row) {
            self.elements[element].add(row, parts, self.ticks);
            let place = process.saturating_mul(self.indices.len());
            if let Some(sum) = self.each.get_mut(place.saturating_add(element)) {
                sum.add(row, parts, self.ticks);
            }
        }
        self.rows += 1;
        self.threads = self.threads.max(row.tid.saturating_add(1));
    }

    /// Finds the position of a row's element in the list of elements.
    fn place(&self, row: &Record) -> Option<usize> {
        let index = row.element_index()?;
        // Usually, the index equals the position.
        if self.indices.get(index as usize) == Some(&index) {
            return Some(index as usize);
        }
        self.indices.binary_search(&index).ok()
    }

    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the largest number of threads that a process had at the same time.
    pub fn threads(&self) -> u32 {
        self.threads
    }

    /// Returns `true` if the totals lack the time of threads whose shares are unknown.
    pub fn is_partial(&self) -> bool {
        self.lost
    }

    /// Returns the time of each process by activity, in pid order.
    pub fn processes(&self) -> Vec<Split> {
        let sums = self.processes.iter();
        sums.map(|sum| sum.split(self.ticks)).collect()
    }

    /// Returns when each process's first thread ended, in pid order.
    pub fn ends_s(&self) -> &[f64] {
        &self.ends_s
    }

    /// Returns the time of each element, summed over all processes, in element order.
    pub fn elements(&self) -> Vec<Times> {
        let sums = self.elements.iter();
        sums.map(|sum| sum.times(self.ticks)).collect()
    }

    /// Returns the time of each element in one process; `None` if there are too many elements and
    /// processes to store these sums.
    pub fn elements_of(&self, pid: u32) -> Option<Vec<Times>> {
        let first = (pid as usize).checked_mul(self.indices.len())?;
        let sums = self
            .each
            .get(first..first.checked_add(self.indices.len())?)?;
        Some(sums.iter().map(|sum| sum.times(self.ticks)).collect())
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the sums are exact")]
mod tests {
    use super::*;

    #[test]
    fn states_are_computing_communicating_or_waiting() {
        let mut totals = Totals::new(8.0, 1, &[0, 9]);
        for (start_s, state) in (0_u8..).map(f64::from).zip(UnitState::ALL) {
            totals.add(&Record::new(0, 0, state, start_s, start_s + 1.0).element(9));
        }
        let split = Split {
            compute_s: 1.0,
            communication_s: 3.0,
            wait_s: 2.0,
            hold_s: 1.0,
        };
        assert_eq!((totals.rows(), totals.threads()), (8, 1));
        assert_eq!(totals.processes(), [split]);
        assert_eq!(totals.ends_s(), [8.0]);
        let times = Times {
            split,
            ..Times::default()
        };
        assert_eq!(totals.elements(), [Times::default(), times]);
        assert_eq!(totals.elements_of(0), Some(totals.elements()));
        assert_eq!(totals.elements_of(1), None);
        assert!((split.seconds() - 7.0).abs() < 1e-12);
    }

    #[test]
    fn an_execution_ends_with_its_last_row() {
        let mut totals = Totals::new(9.0, 2, &[4]);
        let row = |start_s, end_s| Record::new(1, 3, UnitState::Wait, start_s, end_s).element(4);
        totals.add(&row(1.0, 2.0));
        totals.add(&row(2.0, 4.0).began(1.0));
        totals.add(&row(4.0, 5.0).began(4.0));
        let times = totals.elements()[0];
        assert_eq!((times.count, times.total_s, times.max_s), (2, 4.0, 3.0));
        assert_eq!(totals.elements_of(0).unwrap()[0], Times::default());
        assert_eq!(totals.elements_of(1).unwrap()[0], times);
        // A process ends with its first thread.
        assert_eq!((totals.ends_s(), totals.threads()), (&[0.0; 2][..], 4));
    }

    #[test]
    fn what_is_not_of_the_run_is_no_trouble() {
        let mut totals = Totals::new(1.0, 1, &[0]);
        totals.add(&Record::new(7, 0, UnitState::Wait, 0.0, 1.0).element(0));
        totals.add(&Record::new(0, 0, UnitState::Wait, 0.0, 0.5).element(u32::MAX - 1));
        totals.add(&Record::new(u32::MAX, u32::MAX, UnitState::Wait, 0.0, 0.5));
        assert_eq!(totals.processes()[0].wait_s, 0.5);
        assert_eq!(totals.elements()[0].split.wait_s, 1.0);
        assert_eq!(totals.elements_of(0).unwrap()[0].split.wait_s, 0.0);
    }

    #[test]
    fn wild_times_are_no_trouble() {
        let mut totals = Totals::new(1e-6, 1, &[0]);
        for (start_s, end_s) in [
            (0.0, 1e300),
            (-1e300, 1e300),
            (f64::NAN, f64::INFINITY),
            (1.0, -1.0),
            (f64::NEG_INFINITY, 1e-6),
        ] {
            let row = Record::new(0, 0, UnitState::Compute, start_s, end_s);
            totals.add(&row.element(0).began(start_s));
        }
        let split = totals.processes()[0];
        assert!((0.0..=5e-6).contains(&split.compute_s), "{split:?}");
        let times = totals.elements()[0];
        assert!((0.0..=5e-6).contains(&times.total_s), "{times:?}");
    }

    #[test]
    fn very_many_places_are_not_kept() {
        let totals = Totals::new(1.0, Totals::PLACES_MAX, &[0, 1]);
        assert_eq!(totals.elements_of(0), None);
        assert_eq!(totals.elements().len(), 2);
    }
}
