//! How each process and each element spent its time.

use super::record::{Record, State};
use super::ticks::Ticks;

/// The time of a process by what it was, in seconds: the sums over its threads.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Split {
    /// On a CPU.
    pub compute_s: f64,
    /// In messages and collectives by their own cost.
    pub communication_s: f64,
    /// In a queue, or for messages, other processes and other threads.
    pub wait_s: f64,
}

/// How one element was executed, by one process or by all.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ElementTime {
    /// The element, by index.
    pub element: u32,
    /// Its time by what it was.
    pub split: Split,
}

/// What a split is made of, exactly.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    compute: i128,
    communication: i128,
    wait: i128,
}

impl Sum {
    fn add(&mut self, state: State, ticks: i128) {
        *match state {
            State::Compute => &mut self.compute,
            State::Send | State::Receive | State::Collective => &mut self.communication,
            State::Wait | State::Synchronise => &mut self.wait,
        } += ticks;
    }

    fn split(self, ticks: Ticks) -> Split {
        Split {
            compute_s: ticks.seconds(self.compute),
            communication_s: ticks.seconds(self.communication),
            wait_s: ticks.seconds(self.wait),
        }
    }
}

/// Sums the rows of a trace, in any order; needs a place for each process, and one for each
/// process and element up to [`Totals::PLACES_MAX`].
///
/// ```
/// use prophet_report::analysis::record::{Record, State};
/// use prophet_report::analysis::totals::Totals;
///
/// let mut totals = Totals::new(10.0, 2, 1);
/// let wait = Record {
///     pid: 1, end_s: 2.5, state: State::Wait, ..Record::NOTHING
/// };
/// totals.add(&wait);
/// assert_eq!(totals.processes()[1].wait_s, 2.5);
/// assert_eq!(totals.elements()[0].split.wait_s, 2.5);
/// ```
#[derive(Debug)]
pub struct Totals {
    ticks: Ticks,
    elements: usize,
    processes: Vec<Sum>,
    all: Vec<Sum>,
    /// By process, then element; empty when that would be too many.
    each: Vec<Sum>,
    rows: u64,
}

impl Totals {
    /// Above so many places there are no totals of an element in a process.
    pub const PLACES_MAX: usize = 1 << 21;

    /// Totals of a run that took `predicted_s`.
    pub fn new(predicted_s: f64, processes: usize, elements: usize) -> Self {
        let places = processes.saturating_mul(elements);
        let each = if places <= Self::PLACES_MAX {
            places
        } else {
            0
        };
        Self {
            ticks: Ticks::up_to(predicted_s),
            elements,
            processes: vec![Sum::default(); processes],
            all: vec![Sum::default(); elements],
            each: vec![Sum::default(); each],
            rows: 0,
        }
    }

    /// Adds a row. One of a process or an element that is not of the run counts for the other.
    pub fn add(&mut self, row: &Record) {
        let ticks = self.ticks.between(row.start_s, row.end_s);
        let (process, element) = (row.pid as usize, row.element as usize);
        if let Some(sum) = self.processes.get_mut(process) {
            sum.add(row.state, ticks);
        }
        if let Some(sum) = self.all.get_mut(element) {
            sum.add(row.state, ticks);
            if let Some(sum) = self.each.get_mut(process * self.elements + element) {
                sum.add(row.state, ticks);
            }
        }
        self.rows += 1;
    }

    /// How many rows have been added.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The time of each process, by pid.
    pub fn processes(&self) -> Vec<Split> {
        let sums = self.processes.iter();
        sums.map(|sum| sum.split(self.ticks)).collect()
    }

    /// The time of each element, over all processes.
    pub fn elements(&self) -> Vec<ElementTime> {
        self.times(&self.all)
    }

    /// The time of each element in one process; none when there are too many to know.
    pub fn elements_of(&self, pid: u32) -> Option<Vec<ElementTime>> {
        let first = (pid as usize).checked_mul(self.elements)?;
        let sums = self.each.get(first..first.checked_add(self.elements)?)?;
        Some(self.times(sums))
    }

    fn times(&self, sums: &[Sum]) -> Vec<ElementTime> {
        let time = |(element, sum): (u32, &Sum)| ElementTime {
            element,
            split: sum.split(self.ticks),
        };
        (0..).zip(sums).map(time).collect()
    }
}

impl Split {
    /// All of it, in seconds.
    pub fn seconds(&self) -> f64 {
        self.compute_s + self.communication_s + self.wait_s
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the sums are exact")]
mod tests {
    use super::*;

    fn row(pid: u32, element: u32, state: State, [start_s, end_s]: [f64; 2]) -> Record {
        Record {
            pid,
            element,
            state,
            start_s,
            end_s,
            ..Record::NOTHING
        }
    }

    #[test]
    fn states_are_computing_communicating_or_waiting() {
        let mut totals = Totals::new(6.0, 1, 2);
        let states = [
            State::Compute,
            State::Send,
            State::Receive,
            State::Collective,
            State::Wait,
            State::Synchronise,
        ];
        for (start_s, state) in (0_u8..).map(f64::from).zip(states) {
            totals.add(&row(0, 1, state, [start_s, start_s + 1.0]));
        }
        let split = Split {
            compute_s: 1.0,
            communication_s: 3.0,
            wait_s: 2.0,
        };
        assert_eq!(totals.rows(), 6);
        assert_eq!(totals.processes(), [split]);
        let times = [ElementTime::default(), ElementTime { element: 1, split }];
        assert_eq!(totals.elements(), times);
        assert_eq!(totals.elements_of(0).as_deref(), Some(&times[..]));
        assert_eq!(totals.elements_of(1), None);
        assert!((split.seconds() - 6.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_not_of_the_run_is_no_trouble() {
        let mut totals = Totals::new(1.0, 1, 1);
        totals.add(&row(7, 0, State::Wait, [0.0, 1.0]));
        totals.add(&row(0, u32::MAX, State::Wait, [0.0, 0.5]));
        assert_eq!(totals.processes()[0].wait_s, 0.5);
        assert_eq!(totals.elements()[0].split.wait_s, 1.0);
        assert_eq!(totals.elements_of(0).unwrap()[0].split.wait_s, 0.0);
    }

    #[test]
    fn very_many_places_are_not_kept() {
        let totals = Totals::new(1.0, Totals::PLACES_MAX, 2);
        assert_eq!(totals.elements_of(0), None);
        assert_eq!(totals.elements().len(), 2);
    }
}
