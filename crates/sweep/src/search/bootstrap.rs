//! Confidence intervals of statistics whose distribution is not known.

use prophet_sim::variates::Generator;

use super::random::below;

const RESAMPLES: usize = 200;

/// An estimate with its confidence interval at 95 %.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimate itself.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// A value that is known.
    pub const fn exact(value: f64) -> Self {
        Self {
            value,
            low: value,
            high: value,
        }
    }

    /// Estimate of a statistic of `count` rows. Its interval comes from the same statistic of rows
    /// drawn from these with replacement (Efron's percentile method).
    pub(crate) fn resampled(
        count: usize,
        generator: &mut Generator,
        statistic: impl Fn(&[usize]) -> f64,
    ) -> Self {
        let all: Vec<usize> = (0..count).collect();
        let mut drawn = vec![0; count];
        let mut values: Vec<f64> = (0..RESAMPLES)
            .map(|_| {
                drawn.fill_with(|| below(generator, count));
                statistic(&drawn)
            })
            .filter(|value| value.is_finite())
            .collect();
        values.sort_by(f64::total_cmp);
        let value = statistic(&all);
        let Some(last) = values.len().checked_sub(1) else {
            return Self::exact(value);
        };
        Self {
            value,
            low: values[last / 40],
            high: values[last - last / 40],
        }
    }
}
