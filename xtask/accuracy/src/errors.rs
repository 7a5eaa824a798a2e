//! Computes relative errors of predictions.

/// Absolute relative errors, one for each prediction.
#[derive(Debug, Clone, Default)]
pub struct Errors(Vec<f64>);

impl Errors {
    /// Computes the errors from pairs of a predicted value and the measured value.
    pub fn new(pairs: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let error = |(predicted, measured)| f64::abs(predicted / measured - 1.0);
        Self(pairs.into_iter().map(error).collect())
    }

    /// Returns the number of predictions.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the mean error in percent.
    pub fn mean_percent(&self) -> f64 {
        100.0 * self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    /// Returns the largest error in percent.
    pub fn worst_percent(&self) -> f64 {
        100.0 * self.0.iter().copied().fold(0.0, f64::max)
    }

    /// Returns the median error in percent.
    pub fn median_percent(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        100.0 * sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

impl Extend<(f64, f64)> for Errors {
    fn extend<T: IntoIterator<Item = (f64, f64)>>(&mut self, pairs: T) {
        self.0.extend(Self::new(pairs).0);
    }
}
