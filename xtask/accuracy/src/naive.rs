//! Predictions that need no model of the program: what anyone with a pocket calculator has.

use crate::least_squares::least_squares;

/// Value of a power law of `N - 1` parameters at a place, fitted to the logarithms of measurements.
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
