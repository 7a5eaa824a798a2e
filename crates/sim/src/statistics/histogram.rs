//! Histograms: how many observations fall into each of several ranges of equal width.

use std::fmt;

use crate::statistics::tally::Tally;

/// Counts of observations in ranges of equal width, below them, and above them, with a [`Tally`] of
/// all observations.
///
/// ```
/// use prophet_sim::statistics::Histogram;
///
/// let mut waits = Histogram::new(0.0, 10.0, 5);
/// for wait_s in [0.0, 1.9, 2.0, 9.9, 10.0, -1.0] {
///     waits.record(wait_s);
/// }
/// assert_eq!(waits.counts(), [2, 1, 0, 0, 1]);
/// assert_eq!((waits.below(), waits.above()), (1, 1));
/// assert_eq!(waits.tally().max(), 10.0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    low: f64,
    high: f64,
    counts: Vec<u64>,
    below: u64,
    above: u64,
    tally: Tally,
}

impl Histogram {
    /// Creates a histogram with `ranges` ranges of equal width from `low` to below `high`, or one
    /// range if `ranges` is 0.
    ///
    /// If `high` is not above `low`, no observation falls into a range.
    pub fn new(low: f64, high: f64, ranges: usize) -> Self {
        Self {
            low,
            high,
            counts: vec![0; ranges.max(1)],
            below: 0,
            above: 0,
            tally: Tally::new(),
        }
    }

    /// Adds an observation. NaN counts as above the last range.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the share is from 0 to below 1"
    )]
    pub fn record(&mut self, value: f64) {
        self.tally.record(value);
        let ranges = self.counts.len();
        if value < self.low {
            self.below += 1;
        } else if value < self.high {
            let share = (value - self.low) / (self.high - self.low);
            let range = (share * ranges as f64) as usize;
            self.counts[range.min(ranges - 1)] += 1;
        } else {
            self.above += 1;
        }
    }

    /// Returns the number of observations in each range.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the number of observations below the first range.
    pub fn below(&self) -> u64 {
        self.below
    }

    /// Returns the number of observations at or above the end of the last range.
    pub fn above(&self) -> u64 {
        self.above
    }

    /// Returns statistics of all observations, such as the mean.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Returns the lower end of a range.
    #[expect(clippy::cast_precision_loss, reason = "ranges are far below 2^53")]
    pub fn start(&self, range: usize) -> f64 {
        self.low + (self.high - self.low) * range as f64 / self.counts.len() as f64
    }

    /// Estimates the value that the fraction `share` of all observations are below, as precisely as
    /// the ranges allow. Returns `None` if the value is outside of the ranges.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let wanted = share * self.tally.count() as f64;
        let mut before = self.below as f64;
        if wanted < before || self.tally.count() == 0 {
            return None;
        }
        for (range, count) in self.counts.iter().enumerate() {
            let count = *count as f64;
            if count > 0.0 && wanted <= before + count {
                let (start, end) = (self.start(range), self.start(range + 1));
                return Some(start + (end - start) * (wanted - before) / count);
            }
            before += count;
        }
        None
    }
}

/// Width of the longest bar, in characters.
const BAR: u64 = 40;

impl fmt::Display for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.tally)?;
        let most = self.counts.iter().copied().max().unwrap_or(0).max(1);
        for (range, count) in self.counts.iter().enumerate() {
            let bar = usize::try_from(count * BAR / most).unwrap_or(0);
            let line = format!(
                "{:>12.4} {count:>10} {}",
                self.start(range),
                "#".repeat(bar)
            );
            writeln!(f, "{}", line.trim_end())?;
        }
        write!(f, "{} below, {} above", self.below, self.above)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_linear_within_a_range() {
        let mut histogram = Histogram::new(0.0, 4.0, 4);
        for value in [0.5, 1.5, 1.5, 2.5] {
            histogram.record(value);
        }
        assert_eq!(histogram.quantile(0.25), Some(1.0));
        assert_eq!(histogram.quantile(0.5), Some(1.5));
        assert_eq!(histogram.quantile(1.0), Some(3.0));
        histogram.record(9.0);
        assert_eq!(histogram.quantile(1.0), None);
        assert_eq!(Histogram::new(0.0, 1.0, 3).quantile(0.5), None);
    }

    #[test]
    fn what_is_no_number_or_range_is_above() {
        let mut histogram = Histogram::new(1.0, 1.0, 0);
        for value in [f64::NAN, 1.0, f64::INFINITY] {
            histogram.record(value);
        }
        histogram.record(0.0);
        assert_eq!((histogram.below(), histogram.above()), (1, 3));
        assert_eq!(histogram.counts(), [0]);
    }

    #[test]
    fn a_text_has_a_line_a_range() {
        let mut histogram = Histogram::new(0.0, 2.0, 2);
        for value in [0.1, 0.2, 1.5] {
            histogram.record(value);
        }
        let lines: Vec<String> = histogram.to_string().lines().map(str::to_owned).collect();
        assert_eq!(lines.len(), 4);
        assert!(lines[1].ends_with(&format!("2 {}", "#".repeat(40))));
        assert_eq!(lines[3], "0 below, 0 above");
    }
}
