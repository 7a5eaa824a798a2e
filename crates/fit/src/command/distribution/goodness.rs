//! Computes how far values deviate from a distribution, and how likely it is that chance alone
//! causes such a deviation.
//!
//! The tables for the Kolmogorov-Smirnov test don't apply, because the parameters are fitted to the
//! same values. Instead, a parametric bootstrap draws samples from the fitted distribution, and
//! fits them in the same way (Stute, Gonzáles Manteiga and Presedo Quindimil 1993, "Bootstrap based
//! goodness-of-fit-tests", Metrika 40).

use prophet_sim::variates::Generator;
use serde::Serialize;

use super::family::Variate;

const SAMPLES: u32 = 199;
/// Maximum number of values to compare. More values would make the bootstrap slow, and would reveal
/// differences too small to affect predictions.
const VALUES_MAX: usize = 500;

#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Goodness {
    /// Largest difference between the expected and the actual share of values below any number.
    pub(super) distance: f64,
    /// Share of random samples with at least this distance.
    pub(super) p_value: f64,
}

/// Compares values, in ascending order, with the distribution fitted to them.
pub(super) fn goodness(variate: Variate, values: &[f64], seed: u64) -> Goodness {
    // Every n-th value of a long list has the same distribution.
    let stride = values.len().div_ceil(VALUES_MAX);
    let kept: Vec<f64> = values
        .iter()
        .copied()
        .skip(stride / 2)
        .step_by(stride)
        .collect();
    let fitted = Variate::fit(variate.family, &kept).unwrap_or(variate);
    let own = distance(&fitted, &kept);
    let mut generator = Generator::new(seed, 0, 0);
    let mut far = 0_u32;
    for _ in 0..SAMPLES {
        let sample = (0..kept.len()).map(|_| fitted.draw(&mut generator));
        let Some(mut sample) = sample.collect::<Option<Vec<f64>>>() else {
            break;
        };
        sample.sort_by(f64::total_cmp);
        let again = Variate::fit(variate.family, &sample);
        far += u32::from(again.is_some_and(|it| distance(&it, &sample) >= own));
    }
    Goodness {
        distance: own,
        p_value: f64::from(far + 1) / f64::from(SAMPLES + 1),
    }
}

/// Returns the Kolmogorov-Smirnov distance between a distribution and values in ascending order.
fn distance(variate: &Variate, values: &[f64]) -> f64 {
    let count = real(values.len());
    let differences = values.iter().enumerate().map(|(index, value)| {
        let below = variate.below(*value);
        let (before, behind) = (real(index) / count, real(index + 1) / count);
        (below - before).max(behind - below)
    });
    differences.fold(0.0, f64::max)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "there are at most a million values"
)]
pub(super) fn real(index: usize) -> f64 {
    index as f64
}

#[cfg(test)]
mod tests {
    use super::super::family::Family;
    use super::*;

    fn sample(family: Family, parameters: [f64; 2]) -> Vec<f64> {
        let variate = Variate { family, parameters };
        let mut generator = Generator::new(3, 1, 4);
        let draws = (0..300).filter_map(|_| variate.draw(&mut generator));
        let mut draws: Vec<f64> = draws.collect();
        draws.sort_by(f64::total_cmp);
        draws
    }

    #[test]
    fn the_right_distribution_is_likely_and_a_wrong_one_is_not() {
        let values = sample(Family::Lognormal, [0.0, 1.0]);
        let p_value = |family| {
            let variate = Variate::fit(family, &values).expect("it has parameters");
            goodness(variate, &values, 1).p_value
        };
        assert!(p_value(Family::Lognormal) > 0.05);
        assert!(p_value(Family::Gamma) < 0.05);
        assert!(p_value(Family::Weibull) < 0.05);
    }

    #[test]
    fn a_seed_tells_the_samples() {
        let values = sample(Family::Weibull, [2.0, 1.0]);
        let variate = Variate::fit(Family::Weibull, &values).expect("it has parameters");
        let once = goodness(variate, &values, 5);
        let again = goodness(variate, &values, 5);
        assert_eq!(once.p_value.to_bits(), again.p_value.to_bits());
    }
}
