//! Promise of an evaluation.

use std::f64::consts::{PI, SQRT_2};

/// Expected improvement on the best result so far (Jones, Schonlau and Welch, Journal of Global
/// Optimization 13, 1998).
pub(crate) fn expected_improvement(best: f64, mean: f64, deviation: f64) -> f64 {
    let distance = (best - mean) / deviation;
    deviation * (distance * below(distance) + density(distance))
}

/// Probability of a number of at most 0.
pub(crate) fn not_above_zero(mean: f64, deviation: f64) -> f64 {
    below(-mean / deviation)
}

/// Probability of a standard normal number below `x`.
fn below(x: f64) -> f64 {
    0.5 * libm::erfc(-x / SQRT_2)
}

fn density(x: f64) -> f64 {
    libm::exp(-0.5 * x * x) / (2.0 * PI).sqrt()
}
