//! Computes statistics of observations: moments, extremes, and confidence intervals.

use std::fmt;

use crate::statistics::student::student_quantile;

/// The mean, variance, minimum and maximum of observations, such as waiting times.
///
/// It uses Welford's recurrence, which doesn't lose precision if the mean is large.
///
/// ```
/// use prophet_sim::statistics::Tally;
///
/// let mut waits = Tally::new();
/// for wait_s in [1.0, 2.0, 3.0, 4.0] {
///     waits.record(wait_s);
/// }
/// assert_eq!((waits.mean(), waits.max()), (2.5, 4.0));
/// assert!((waits.variance() - 5.0 / 3.0).abs() < 1e-15);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tally {
    count: u64,
    mean: f64,
    /// The sum of squared deviations from the mean.
    squares: f64,
    min: f64,
    max: f64,
}

impl Default for Tally {
    fn default() -> Self {
        Self::new()
    }
}

impl Tally {
    /// Creates a tally without observations.
    pub const fn new() -> Self {
        Self {
            count: 0,
            mean: 0.0,
            squares: 0.0,
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
        }
    }

    /// Adds an observation.
    #[inline]
    pub fn record(&mut self, value: f64) {
        self.count += 1;
        let deviation = value - self.mean;
        self.mean += deviation / count_real(self.count);
        self.squares += deviation * (value - self.mean);
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    /// Adds all observations of another tally.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        let (mine, theirs) = (count_real(self.count), count_real(other.count));
        let both = mine + theirs;
        let deviation = other.mean - self.mean;
        self.mean += deviation * theirs / both;
        self.squares += other.squares + deviation * deviation * mine * theirs / both;
        self.count += other.count;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// Returns the number of observations.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the mean of the observations, or 0 if there are none.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Returns the sum of the observations.
    pub fn sum(&self) -> f64 {
        self.mean * count_real(self.count)
    }

    /// Returns the sample variance of the observations, or 0 if there are fewer than two.
    pub fn variance(&self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        self.squares / count_real(self.count - 1)
    }

    /// Returns the sample standard deviation of the observations: the square root of the variance.
    pub fn deviation(&self) -> f64 {
        libm::sqrt(self.variance())
    }

    /// Returns the smallest observation, or infinity if there are none.
    pub fn min(&self) -> f64 {
        self.min
    }

    /// Returns the largest observation, or minus infinity if there are none.
    pub fn max(&self) -> f64 {
        self.max
    }

    /// Returns the interval that contains the true mean with probability `level`, or `None` with
    /// fewer than two observations. The observations must be independent, such as the results of
    /// runs with different seeds.
    ///
    /// Successive observations in the same run are not independent. Use
    /// [`BatchMeans`](super::BatchMeans) for these.
    ///
    /// ```
    /// use prophet_sim::{Facility, Study};
    /// use prophet_sim::statistics::Tally;
    ///
    /// let mut ends = Tally::new();
    /// for seed in 0..20 {
    ///     let run = Study::new().seed(seed).run(&(), async |sim, ()| {
    ///         let mut services = sim.generator("services");
    ///         for _ in 0..100 {
    ///             sim.hold(services.exponential(2.0)?).await?;
    ///         }
    ///         Ok(())
    ///     })?;
    ///     ends.record(run.end_s);
    /// }
    /// let interval = ends.interval(0.99).ok_or("too few")?;
    /// assert!(interval.contains(200.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn interval(&self, level: f64) -> Option<Interval> {
        if self.count < 2 || !(0.0..1.0).contains(&level) {
            return None;
        }
        let freedom = count_real(self.count - 1);
        let quantile = student_quantile(0.5 + 0.5 * level, freedom);
        Some(Interval {
            mean: self.mean,
            half_width: quantile * libm::sqrt(self.variance() / count_real(self.count)),
            level,
        })
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count == 0 {
            return f.write_str("no observations");
        }
        write!(
            f,
            "{} observations, mean {:.6}, deviation {:.6}, from {:.6} to {:.6}",
            self.count,
            self.mean,
            self.deviation(),
            self.min,
            self.max
        )
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn count_real(count: u64) -> f64 {
    count as f64
}

/// An estimated mean, with a confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Interval {
    /// The estimate, at the center of the interval.
    pub mean: f64,
    /// Half of the interval's width.
    pub half_width: f64,
    /// The probability that the interval contains the true mean, such as 0.95.
    pub level: f64,
}

impl Interval {
    /// Returns `true` if the interval contains `value`.
    pub fn contains(&self, value: f64) -> bool {
        (value - self.mean).abs() <= self.half_width
    }

    /// Returns the half width divided by the absolute mean, or infinity if the mean is 0.
    pub fn relative(&self) -> f64 {
        if self.mean == 0.0 {
            return f64::INFINITY;
        }
        (self.half_width / self.mean).abs()
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = 100.0 * self.level;
        write!(
            f,
            "{:.4} +- {:.4} ({percent} %)",
            self.mean, self.half_width
        )
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the sums are exact")]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_definition() {
        let values = [1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0];
        let mut tally = Tally::new();
        for value in values {
            tally.record(value);
        }
        assert_eq!((tally.count(), tally.mean()), (4, 1e9 + 10.0));
        assert_eq!(tally.variance(), 30.0);
        assert_eq!((tally.min(), tally.max()), (1e9 + 4.0, 1e9 + 16.0));
        assert_eq!(tally.sum(), 4e9 + 40.0);
    }

    #[test]
    fn merging_is_recording_all() {
        let (mut left, mut right, mut all) = (Tally::new(), Tally::new(), Tally::new());
        for value in (0..100).map(f64::from) {
            let part = if value < 30.0 { &mut left } else { &mut right };
            part.record(value * value);
            all.record(value * value);
        }
        left.merge(&right);
        left.merge(&Tally::new());
        assert_eq!((left.count(), left.min(), left.max()), (100, 0.0, 9801.0));
        assert!((left.mean() - all.mean()).abs() < 1e-9);
        assert!((left.variance() / all.variance() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn an_interval_is_that_of_student() {
        let mut tally = Tally::new();
        for value in [9.0, 10.0, 11.0] {
            tally.record(value);
        }
        let interval = tally.interval(0.95).expect("there are three");
        // t(0.975, 2) = 4.302652729911275
        assert!((interval.half_width - 4.302_652_729_911_275 / 3.0_f64.sqrt()).abs() < 1e-9);
        assert!(interval.contains(12.4) && !interval.contains(12.5));
        assert_eq!(tally.interval(1.0), None);
        assert_eq!(Tally::new().interval(0.9), None);
    }
}
