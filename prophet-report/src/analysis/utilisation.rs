//! How busy the CPUs and the networks were over time.

use std::collections::BTreeMap;

use super::record::{Record, State};

/// A quantity over time, as its sums in equal intervals.
///
/// ```
/// use prophet_report::analysis::utilisation::Series;
///
/// let mut series = Series::new(8.0, 4);
/// series.add(1.0, 5.0, 1.0);
/// assert_eq!(series.sums(), [1.0, 2.0, 1.0, 0.0]);
/// ```
#[derive(Debug, Clone)]
pub struct Series {
    /// Intervals a second.
    per_s: f64,
    width_s: f64,
    /// What begins or ends within an interval.
    partial: Vec<f64>,
    /// What goes on through all of an interval: changes from the one before.
    change: Vec<f64>,
}

impl Series {
    /// Nothing yet, over so many intervals from 0 to `end_s`.
    pub fn new(end_s: f64, intervals: usize) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "some hundreds")]
        let count = intervals as f64;
        Self {
            per_s: if end_s > 0.0 { count / end_s } else { 0.0 },
            width_s: end_s / count,
            partial: vec![0.0; intervals],
            change: vec![0.0; intervals + 1],
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "saturates, and is cut to the intervals"
    )]
    fn interval(&self, time_s: f64) -> usize {
        ((time_s * self.per_s) as usize).min(self.partial.len().saturating_sub(1))
    }

    #[expect(clippy::cast_precision_loss, reason = "some hundreds")]
    fn begin_s(&self, interval: usize) -> f64 {
        interval as f64 * self.width_s
    }

    /// Adds `rate` for each second between two times.
    pub fn add(&mut self, from_s: f64, to_s: f64, rate: f64) {
        if self.partial.is_empty() || to_s <= from_s {
            return;
        }
        let (first, last) = (self.interval(from_s), self.interval(to_s));
        if first == last {
            self.partial[first] += rate * (to_s - from_s);
            return;
        }
        self.partial[first] += rate * (self.begin_s(first + 1) - from_s).max(0.0);
        self.partial[last] += rate * (to_s - self.begin_s(last)).max(0.0);
        self.change[first + 1] += rate;
        self.change[last] -= rate;
    }

    /// The sum over each interval: rate × seconds.
    pub fn sums(&self) -> Vec<f64> {
        let mut rate = 0.0;
        let changes = self.partial.iter().zip(&self.change);
        changes
            .map(|(partial, change)| {
                rate += change;
                (partial + rate * self.width_s).max(0.0)
            })
            .collect()
    }

    /// The mean rate in each interval, over a capacity.
    pub fn rates(&self, capacity: f64) -> Vec<f64> {
        let scale = if capacity > 0.0 && self.width_s > 0.0 {
            1.0 / (capacity * self.width_s)
        } else {
            0.0
        };
        self.sums().into_iter().map(|sum| sum * scale).collect()
    }
}

/// How much of a machine was in use over time.
#[derive(Debug)]
pub struct Utilisation {
    /// Units that compute.
    pub computing: Series,
    /// Units that communicate.
    pub communicating: Series,
    /// Units that wait.
    pub waiting: Series,
    /// Bytes on their way between nodes, per second.
    pub between_nodes: Series,
    /// Bytes on their way within nodes, per second.
    pub within_nodes: Series,
    /// The node of each process.
    mapping: Vec<u32>,
    /// Messages that have been sent and not received: when they left, and their bytes.
    travelling: BTreeMap<u64, (f64, u64)>,
    /// Messages that nobody saw arrive because there were too many on their way.
    lost: u64,
}

impl Utilisation {
    /// Intervals of a series.
    pub const INTERVALS: usize = 400;
    /// The most messages whose way is followed at one time.
    pub const TRAVELLING_MAX: usize = 1 << 20;

    /// Nothing yet, of a run that took `predicted_s` with processes on these nodes.
    pub fn new(predicted_s: f64, mapping: &[u32]) -> Self {
        let series = || Series::new(predicted_s, Self::INTERVALS);
        Self {
            computing: series(),
            communicating: series(),
            waiting: series(),
            between_nodes: series(),
            within_nodes: series(),
            mapping: mapping.to_vec(),
            travelling: BTreeMap::new(),
            lost: 0,
        }
    }

    /// Adds a row; rows come in the order of their ends.
    pub fn add(&mut self, row: &Record) {
        let series = match row.state {
            State::Compute => &mut self.computing,
            State::Send | State::Receive | State::Collective => &mut self.communicating,
            State::Wait | State::Synchronise => &mut self.waiting,
        };
        series.add(row.start_s, row.end_s, 1.0);
        let Some(message) = row.message else { return };
        if row.state == State::Send {
            if self.travelling.len() < Self::TRAVELLING_MAX {
                let bytes = row.bytes.unwrap_or(0);
                self.travelling.insert(message, (row.start_s, bytes));
            } else {
                self.lost += 1;
            }
        } else if let Some((left_s, bytes)) = self.travelling.remove(&message) {
            // A wait ends at the arrival; without one the message was there before.
            let there_s = if row.state == State::Wait {
                row.end_s
            } else {
                row.start_s
            };
            self.arrive(row, (left_s, there_s), bytes);
        }
    }

    fn arrive(&mut self, row: &Record, (left_s, there_s): (f64, f64), bytes: u64) {
        let node = |pid: Option<u32>| self.mapping.get(pid? as usize);
        let series = if node(Some(row.pid)) == node(row.partner) {
            &mut self.within_nodes
        } else {
            &mut self.between_nodes
        };
        #[expect(clippy::cast_precision_loss, reason = "sizes above 2^53 are rounded")]
        let bytes = bytes as f64;
        if there_s > left_s {
            series.add(left_s, there_s, bytes / (there_s - left_s));
        }
    }

    /// How many messages are missing in the bytes on their way.
    pub fn lost(&self) -> u64 {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_message_is_on_its_way_until_it_arrives() {
        let mut utilisation = Utilisation::new(4.0, &[0, 0, 1]);
        let send = |pid, message, end_s| Record {
            pid,
            state: State::Send,
            bytes: Some(600),
            message: Some(message),
            end_s,
            ..Record::NOTHING
        };
        let wait = |partner, message, end_s| Record {
            pid: 0,
            partner: Some(partner),
            message: Some(message),
            end_s,
            ..Record::NOTHING
        };
        for row in [
            send(1, 7, 0.0),
            send(2, 8, 0.5),
            wait(1, 7, 2.0),
            wait(2, 8, 3.0),
            wait(1, 9, 3.5),
        ] {
            utilisation.add(&row);
        }
        let total = |series: &Series| series.sums().iter().sum::<f64>();
        assert!((total(&utilisation.within_nodes) - 600.0).abs() < 1e-9);
        assert!((total(&utilisation.between_nodes) - 600.0).abs() < 1e-9);
        let rates = utilisation.within_nodes.rates(1.0);
        assert!((rates[10] - 300.0).abs() < 1e-9 && rates[250] == 0.0);
        assert_eq!(utilisation.lost(), 0);
    }

    #[test]
    fn a_run_of_no_time_has_no_rate() {
        let mut series = Series::new(0.0, 3);
        series.add(0.0, 0.0, 5.0);
        assert_eq!(series.rates(1.0), [0.0; 3]);
        assert_eq!(Series::new(1.0, 0).sums(), [0.0; 0]);
    }

    proptest! {
        #[test]
        fn what_is_added_is_there(
            spans in prop::collection::vec((0.0..1.0_f64, 0.0..1.0_f64, 0.1..9.0_f64), 0..30),
            intervals in 1..40_usize,
        ) {
            let mut series = Series::new(3.0, intervals);
            let mut expected = 0.0;
            for (a, b, rate) in spans {
                let (from_s, to_s) = (3.0 * a.min(b), 3.0 * a.max(b));
                series.add(from_s, to_s, rate);
                expected += rate * (to_s - from_s);
            }
            prop_assert!((series.sums().iter().sum::<f64>() - expected).abs() < 1e-9);
        }
    }
}
