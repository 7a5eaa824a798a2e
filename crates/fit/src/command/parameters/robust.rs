//! Reduces the influence of outliers with Huber's loss (P. Huber, *Robust estimation of a location
//! parameter*, 1964).

use prophet_sim::statistics::median;

/// Number of standard deviations beyond which an error counts linearly instead of squared. With
/// this value, the fit is 95 % as efficient as least squares if errors are normal.
const TURN: f64 = 1.345;
const OUTLIER: f64 = 4.0;
/// Standard deviation of normal errors whose median absolute value is 1.
const DEVIATION: f64 = 1.4826;
/// Standard deviation, in logarithms, below which the fit counts as exact and has no outliers.
const EXACT: f64 = 1e-9;

/// Estimates the standard deviation of errors from their median absolute value; `None` if the fit
/// is exact.
pub(super) fn deviation(errors: &[f64]) -> Option<f64> {
    let sizes: Vec<f64> = errors.iter().map(|it| it.abs()).collect();
    Some(DEVIATION * median(&sizes)?).filter(|it| *it > EXACT)
}

pub(super) fn outliers(errors: &[f64]) -> Vec<usize> {
    let Some(deviation) = deviation(errors) else {
        return Vec::new();
    };
    let is_outlier = |it: &usize| errors[*it].abs() > OUTLIER * deviation;
    (0..errors.len()).filter(is_outlier).collect()
}

/// Returns errors whose squares are twice Huber's loss. `deviation` is the errors' standard
/// deviation; if it is infinite, the errors don't change.
pub(super) fn damped(mut errors: Vec<f64>, deviation: f64) -> Vec<f64> {
    let turn = TURN * deviation;
    for error in &mut errors {
        if error.abs() > turn {
            *error = (turn * (2.0 * error.abs() - turn)).sqrt().copysign(*error);
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_turn_without_a_step() {
        let turn = TURN * 0.1;
        let at = |error: f64| damped(vec![error], 0.1)[0];
        assert!((at(0.5 * turn) - 0.5 * turn).abs() < 1e-15);
        let (below, above) = (at(turn - 1e-9), at(turn + 1e-9));
        assert!((above - below - 2e-9).abs() < 1e-12, "{below} {above}");
        // Twice the loss is 2 k e - k^2.
        let (error, turn) = (-0.8, TURN * 0.1);
        assert!((at(error).powi(2) - (1.6 * turn - turn * turn)).abs() < 1e-15);
        assert!(at(error) < 0.0);
        assert!((damped(vec![error], f64::INFINITY)[0] - error).abs() < 1e-15);
    }

    #[test]
    fn few_large_errors_are_outliers() {
        let mut errors = vec![0.01, -0.012, 0.009, 0.011, -0.008, 0.01, 0.012];
        assert_eq!(outliers(&errors), [0; 0]);
        errors.push(-0.4);
        assert_eq!(outliers(&errors), [7]);
        assert_eq!(deviation(&[0.0, 0.0, 0.3]), None);
    }
}
