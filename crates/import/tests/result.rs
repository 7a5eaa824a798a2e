//! The predicted time in a result.

/// The predicted time in a result; `None` if the run did not come to its end.
pub(crate) fn time_of(text: &str) -> Option<f64> {
    let rest = text.split("\"predicted_time_s\":").nth(1)?;
    let number = rest.trim_start().split([',', '\n', '}']).next()?;
    number.trim().parse().ok()
}
