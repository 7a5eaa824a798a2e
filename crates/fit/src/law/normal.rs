//! Computes the standard normal distribution.

/// Coefficients of [`normal`].
const POLYNOMIAL: [f64; 5] = [
    0.319_381_530,
    -0.356_563_782,
    1.781_477_937,
    -1.821_255_978,
    1.330_274_429,
];

/// Computes the standard normal distribution function with an error below 1e-7 (formula 26.2.17 of
/// Abramowitz and Stegun).
pub(crate) fn normal(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let series = POLYNOMIAL
        .iter()
        .rev()
        .fold(0.0, |sum, coefficient| t * (coefficient + sum));
    let upper = (-0.5 * x * x).exp() / (std::f64::consts::TAU).sqrt() * series;
    if x > 0.0 { 1.0 - upper } else { upper }
}
