//! Computes the evidence for a candidate: how well it would have predicted each measurement from
//! the smaller ones, without knowing its coefficients or the size of the error.

use crate::law::linear::{Cholesky, Solution};

/// Relative errors that a candidate can have in addition to the noise of repetitions.
const ERRORS: [f64; 17] = [
    0.0, 1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 2e-2, 5e-2, 0.1, 0.25, 0.6, 1.5, 4.0,
];

/// Exponent with which the belief in an error declines if it is larger than repetitions suggest.
const DECLINE: f64 = 2.5;

/// Noise below which measurements are treated as exact.
const EXACT: f64 = 1e-6;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Evidence {
    /// Logarithm of the probability density of the measurements.
    pub(crate) log: f64,
    /// The most likely variance of a relative error.
    pub(crate) variance: f64,
}

impl Evidence {
    /// Computes the evidence for a least-squares solution of `count` points, all with the same
    /// noise. The prior of the coefficients is normal with variance 1.
    pub(crate) fn new(solution: &Solution, count: usize, noise: f64) -> Self {
        let mut logs = [f64::NEG_INFINITY; ERRORS.len()];
        let mut variances = [0.0; ERRORS.len()];
        for (index, error) in ERRORS.iter().enumerate() {
            let variance = noise.max(EXACT * EXACT) + error * error;
            variances[index] = variance;
            logs[index] = prior(*error, noise.sqrt()) + log_density(solution, count, variance);
        }
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights = logs.map(|log| (log - most).exp());
        let total: f64 = weights.iter().sum();
        let variance = weights
            .iter()
            .zip(variances)
            .map(|(w, v)| w * v)
            .sum::<f64>()
            / total;
        Self {
            log: most + total.ln(),
            variance,
        }
    }
}

/// Returns the logarithm of an error's prior weight. Models of computers are rarely more accurate
/// than 1 %. If the noise of repetitions is known, a model with a much larger error is rarely
/// right.
fn prior(error: f64, noise: f64) -> f64 {
    let weight: f64 = if error == 0.0 {
        0.2
    } else if error < 5e-3 {
        0.02
    } else {
        0.1
    };
    if noise == 0.0 {
        return weight.ln();
    }
    let usual = (2.0 * noise).max(0.01);
    weight.ln() - DECLINE * (error / usual).max(1.0).ln()
}

/// Returns the log-density of the measurements if relative errors have this variance. By the chain
/// rule, the density is a product in which each factor predicts a measurement from the earlier
/// ones.
fn log_density(solution: &Solution, count: usize, variance: f64) -> f64 {
    let unknowns = solution.unknowns;
    let mut gram = solution.gram;
    for (index, row) in gram.iter_mut().enumerate().take(unknowns) {
        row[index] += variance;
    }
    let Some(factor) = Cholesky::new(&gram, unknowns) else {
        return f64::NEG_INFINITY;
    };
    let norm: f64 = solution
        .coefficients
        .iter()
        .map(|coefficient| coefficient.powi(2))
        .sum();
    let freedom = count as f64 - unknowns as f64;
    -0.5 * (solution.squares / variance + norm + freedom * variance.ln() + factor.log_determinant())
}
