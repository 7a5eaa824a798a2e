//! How busy the CPUs and the networks were over time.

use prophet_trace::{Record, State};

use super::messages::Message;

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
    /// How many nodes one series of the CPUs stands for, neighbours by number.
    group: u32,
    /// Units that compute, by group of nodes.
    computing: Vec<Series>,
    /// Bytes on their way between nodes, per second.
    between_nodes: Series,
    /// Bytes on their way within nodes, per second.
    within_nodes: Series,
    /// The node of each process.
    mapping: Vec<u32>,
}

impl Utilisation {
    /// Intervals of a series.
    pub const INTERVALS: usize = 256;
    /// The most groups of nodes.
    pub const GROUPS_MAX: u32 = 64;

    /// Nothing yet, of a run that took `predicted_s` on so many nodes, with the processes on these
    /// of them.
    pub fn new(predicted_s: f64, nodes: u32, mapping: &[u32]) -> Self {
        let series = || Series::new(predicted_s, Self::INTERVALS);
        let group = nodes.div_ceil(Self::GROUPS_MAX).max(1);
        Self {
            group,
            computing: (0..nodes.div_ceil(group)).map(|_| series()).collect(),
            between_nodes: series(),
            within_nodes: series(),
            mapping: mapping.to_vec(),
        }
    }

    /// Adds a row.
    pub fn add(&mut self, row: &Record) {
        let node = self.mapping.get(row.pid as usize);
        let group = node.map_or(0, |node| node / self.group) as usize;
        if row.state == State::Compute
            && let Some(series) = self.computing.get_mut(group)
        {
            series.add(row.start_s, row.end_s, 1.0);
        }
    }

    /// Adds a message.
    pub fn add_message(&mut self, message: &Message) {
        let node = |pid: u32| self.mapping.get(pid as usize);
        let series = if node(message.from.pid) == node(message.to.pid) {
            &mut self.within_nodes
        } else {
            &mut self.between_nodes
        };
        let seconds = message.arrived_s - message.sent_s;
        #[expect(clippy::cast_precision_loss, reason = "sizes above 2^53 are rounded")]
        let bytes = message.bytes as f64;
        if seconds > 0.0 {
            series.add(message.sent_s, message.arrived_s, bytes / seconds);
        }
    }

    /// How many nodes a series of [`Self::cpus`] stands for.
    pub fn group(&self) -> u32 {
        self.group
    }

    /// The share of the CPUs of each group of nodes that computed, by interval.
    pub fn cpus(&self, cpus_per_node: u32) -> Vec<Vec<f64>> {
        let capacity = f64::from(cpus_per_node) * f64::from(self.group);
        let series = self.computing.iter();
        series.map(|series| series.rates(capacity)).collect()
    }

    /// Bytes a second that were on their way between nodes and within nodes, by interval.
    pub fn bytes_per_s(&self) -> [Vec<f64>; 2] {
        [&self.between_nodes, &self.within_nodes].map(|series| series.rates(1.0))
    }
}

#[cfg(test)]
mod tests {
    use prophet_trace::UnitId;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_message_is_on_its_way_until_it_arrives() {
        let mut utilisation = Utilisation::new(4.0, 2, &[0, 0, 1]);
        let unit = |pid| UnitId { pid, tid: 0 };
        for (from, to, [sent_s, arrived_s]) in [(0, 1, [0.0, 2.0]), (2, 0, [1.0, 1.5])] {
            let (from, to) = (unit(from), unit(to));
            utilisation.add_message(&Message {
                from,
                to,
                sent_s,
                arrived_s,
                bytes: 600,
            });
        }
        let [between, within] = utilisation.bytes_per_s();
        assert!((within[127] - 300.0).abs() < 1e-9 && within[128] == 0.0);
        assert!((between[95] - 1200.0).abs() < 1e-9 && between[96] == 0.0);
    }

    #[test]
    fn cpus_are_busy_with_what_is_computed() {
        let mut utilisation = Utilisation::new(1.0, 2, &[0, 1]);
        for (pid, state) in [(1, State::Compute), (0, State::Wait), (7, State::Compute)] {
            utilisation.add(&Record::new(pid, 0, state, 0.25, 0.75));
        }
        // A process that is not of the run is on the first node.
        let busy = |node: usize| utilisation.cpus(2)[node].iter().sum::<f64>() / 256.0;
        assert!((busy(1) - 0.25).abs() < 1e-9 && (busy(0) - 0.25).abs() < 1e-9);
        assert_eq!(Utilisation::new(1.0, 129, &[]).group(), 3);
        assert_eq!(Utilisation::new(1.0, 129, &[]).cpus(1).len(), 43);
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
