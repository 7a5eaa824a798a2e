//! Adds up quantities over time.

/// A quantity over time, as sums over intervals of equal length.
///
/// ```
/// use prophet_report::analysis::series::Series;
///
/// let mut series = Series::new(8.0, 4);
/// series.add(1.0, 5.0, 1.0);
/// assert_eq!(series.sums(), [1.0, 2.0, 1.0, 0.0]);
/// ```
#[derive(Debug, Clone)]
pub struct Series {
    per_s: f64,
    width_s: f64,
    end_s: f64,
    /// Contributions that start or end within an interval.
    partial: Vec<f64>,
    /// Contributions that cover whole intervals, as differences from the previous interval.
    change: Vec<f64>,
}

impl Series {
    /// Creates an empty series with `intervals` intervals from 0 to `end_s`.
    pub fn new(end_s: f64, intervals: usize) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "some hundreds")]
        let count = intervals as f64;
        Self {
            per_s: if end_s > 0.0 { count / end_s } else { 0.0 },
            width_s: end_s / count,
            end_s,
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

    /// Adds a quantity with this rate, per second, between two times. Times outside the run are
    /// ignored.
    pub fn add(&mut self, from_s: f64, to_s: f64, rate: f64) {
        let to_s = to_s.min(self.end_s);
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

    /// Returns the sum in each interval.
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

    /// Returns the mean rate in each interval, as a share of `capacity`.
    pub fn rates(&self, capacity: f64) -> Vec<f64> {
        let scale = if capacity > 0.0 && self.width_s > 0.0 {
            1.0 / (capacity * self.width_s)
        } else {
            0.0
        };
        self.sums().into_iter().map(|sum| sum * scale).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
