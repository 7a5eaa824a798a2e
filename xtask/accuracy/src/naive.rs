//! Predicts without a model of the program, as anyone could with a pocket calculator.

use crate::least_squares::least_squares;

/// Fits a power law with `N - 1` parameters to the logarithms of measurements, and evaluates it at
/// a point.
pub(crate) fn power_law<const N: usize>(
    measured: impl IntoIterator<Item = ([f64; N], f64)>,
    at: [f64; N],
) -> f64 {
    let logarithms = measured
        .into_iter()
        .map(|(place, value)| (place.map(f64::ln), value.ln()));
    let coefficients = least_squares(logarithms);
    let terms = coefficients.iter().zip(at);
    terms.map(|(power, x)| power * x.ln()).sum::<f64>().exp()
}
