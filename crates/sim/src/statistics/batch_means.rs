//! Computes confidence intervals from a single long run, and determines when the run has been long
//! enough.

use crate::statistics::tally::{Interval, Tally};

/// When there are this many batches, they are joined in pairs.
const BATCHES_MAX: usize = 40;
const BATCHES_MIN: usize = 10;

/// The mean of observations that depend on each other, with a confidence interval from the method
/// of batch means.
///
/// Observations are grouped into batches of equal length. If the batches are long, their means are
/// nearly independent. There are never more than 40 batches: when their number reaches 40, they are
/// joined in pairs. Use [`BatchMeans::is_precise`] to end a run when the mean is precise enough.
///
/// ```
/// use std::cell::RefCell;
/// use prophet_sim::{Facility, Study};
/// use prophet_sim::statistics::BatchMeans;
///
/// struct Queue {
///     server: Facility,
///     times: RefCell<BatchMeans>,
/// }
///
/// let queue = Queue {
///     server: Facility::new("server", 1),
///     times: RefCell::new(BatchMeans::new()),
/// };
/// Study::new().seed(1).run(&queue, async |sim, queue| {
///     let mut arrivals = sim.generator("arrivals");
///     let mut services = sim.generator("services");
///     loop {
///         sim.hold(arrivals.exponential(2.0)?).await?;
///         let service_s = services.exponential(1.0)?;
///         sim.spawn(async move |customer| {
///             let start_s = customer.now_s();
///             queue.server.use_for(&customer, service_s).await?;
///             let mut times = queue.times.borrow_mut();
///             times.record(customer.now_s() - start_s);
///             // The run ends when the mean is known to 10 %, with 95 % confidence.
///             if times.is_precise(0.1, 0.95) {
///                 customer.stop();
///             }
///             Ok(())
///         });
///     }
/// })?;
/// let times = queue.times.borrow();
/// let interval = times.interval(0.95).ok_or("too few")?;
/// assert!((interval.mean - 2.0).abs() < 0.3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BatchMeans {
    sums: Vec<f64>,
    length: u64,
    sum: f64,
    filled: u64,
    all: Tally,
}

impl Default for BatchMeans {
    fn default() -> Self {
        Self::new()
    }
}

impl BatchMeans {
    /// Creates batch means without observations. Initially, each batch contains a single
    /// observation.
    pub fn new() -> Self {
        Self::with_length(1)
    }

    /// Creates batch means without observations. Initially, each batch contains `length`
    /// observations, or one if `length` is 0.
    pub fn with_length(length: u64) -> Self {
        Self {
            sums: Vec::with_capacity(BATCHES_MAX),
            length: length.max(1),
            sum: 0.0,
            filled: 0,
            all: Tally::new(),
        }
    }

    /// Adds an observation.
    pub fn record(&mut self, value: f64) {
        self.all.record(value);
        self.sum += value;
        self.filled += 1;
        if self.filled < self.length {
            return;
        }
        self.sums.push(std::mem::take(&mut self.sum));
        self.filled = 0;
        if self.sums.len() == BATCHES_MAX {
            self.sums = self.sums.chunks(2).map(|pair| pair.iter().sum()).collect();
            self.length = self.length.saturating_mul(2);
        }
    }

    /// Returns statistics of all observations, such as the variance.
    pub fn tally(&self) -> &Tally {
        &self.all
    }

    /// Returns the number of full batches, and the number of observations per batch.
    pub fn batches(&self) -> (usize, u64) {
        (self.sums.len(), self.length)
    }

    /// Returns the interval that contains the true mean with probability `level`, computed from the
    /// means of full batches, or `None` with fewer than 10 full batches.
    #[expect(clippy::cast_precision_loss, reason = "lengths are far below 2^53")]
    pub fn interval(&self, level: f64) -> Option<Interval> {
        if self.sums.len() < BATCHES_MIN {
            return None;
        }
        let mut means = Tally::new();
        for sum in &self.sums {
            means.record(sum / self.length as f64);
        }
        means.interval(level)
    }

    /// Returns `true` if the mean is known to the precision `relative` with confidence `level`, for
    /// example to 0.01 with confidence 0.95. This takes batches of at least 100 observations.
    ///
    /// The precision is only recomputed when a batch is full, so frequent calls are cheap.
    pub fn is_precise(&self, relative: f64, level: f64) -> bool {
        const LENGTH_MIN: u64 = 100;
        self.filled == 0
            && self.length >= LENGTH_MIN
            && self
                .interval(level)
                .is_some_and(|interval| interval.relative() <= relative)
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the sums are exact")]
mod tests {
    use super::*;
    use crate::variates::Generator;

    #[test]
    fn batches_double_and_lose_nothing() {
        let mut batches = BatchMeans::new();
        for value in 0..1000_u32 {
            batches.record(f64::from(value));
        }
        let (count, length) = batches.batches();
        assert!((20..40).contains(&count), "{count}");
        assert_eq!(length, 32);
        let sum: f64 = batches.sums.iter().sum();
        let full = u32::try_from(count as u64 * length).expect("few");
        assert_eq!(sum, f64::from(full) * f64::from(full - 1) / 2.0);
        assert_eq!(batches.tally().count(), 1000);
    }

    #[test]
    fn an_interval_of_dependent_observations_is_wide_enough() {
        let mut covered = 0;
        let mut naive = 0;
        for seed in 0..200 {
            let mut noise = Generator::named(seed, "noise");
            let (mut batches, mut value) = (BatchMeans::new(), 0.0);
            for _ in 0..5000 {
                value = 0.9 * value + noise.normal(0.0, 1.0).expect("in range");
                batches.record(value);
            }
            let holds = |interval: Option<Interval>| interval.is_some_and(|i| i.contains(0.0));
            covered += u32::from(holds(batches.interval(0.95)));
            naive += u32::from(holds(batches.tally().interval(0.95)));
        }
        assert!((180..=200).contains(&covered), "{covered}");
        assert!(naive < 120, "{naive}");
    }

    #[test]
    fn few_batches_tell_nothing() {
        let mut batches = BatchMeans::with_length(0);
        for _ in 0..9 {
            batches.record(1.0);
        }
        assert_eq!(batches.interval(0.9), None);
        assert!(!batches.is_precise(0.5, 0.9));
    }
}
