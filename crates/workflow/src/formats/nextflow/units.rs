//! Parses times, sizes and dates as Nextflow writes them.

use crate::wfformat::date_seconds;

/// Parses a duration such as `1d 2h 3m 4.5s` or `350ms`, and returns seconds. A plain number is in
/// milliseconds, as in raw traces.
pub(super) fn seconds(text: &str) -> Option<f64> {
    if let Ok(millis) = text.parse::<f64>() {
        return checked(millis / 1000.0);
    }
    let mut sum = 0.0;
    for part in text.split_whitespace() {
        let (number, unit) = split(part)?;
        sum += match unit {
            "ms" => number / 1000.0,
            "s" => number,
            "m" => number * 60.0,
            "h" => number * 3600.0,
            "d" => number * 86_400.0,
            _ => return None,
        };
    }
    checked(sum)
}

/// Parses a size such as `1.2 GB` or a plain number, and returns bytes. Nextflow's units are powers
/// of 1024.
pub(super) fn bytes(text: &str) -> Option<f64> {
    let (number, unit) = split(text)?;
    let power = match unit.trim() {
        "" | "B" => 0,
        "KB" => 1,
        "MB" => 2,
        "GB" => 3,
        "TB" => 4,
        "PB" => 5,
        _ => return None,
    };
    checked(number * 1024_f64.powi(power)).filter(|it| *it < 9e18)
}

/// Parses a date such as `2024-01-31 12:00:00.123`, and returns seconds since 1970. A plain number
/// is in milliseconds.
pub(super) fn instant(text: &str) -> Option<f64> {
    match text.parse::<f64>() {
        Ok(millis) => checked(millis / 1000.0),
        Err(_) => date_seconds(text),
    }
}

/// Parses a percentage such as `98.5%`, or a plain number as in raw traces.
pub(super) fn percent(text: &str) -> Option<f64> {
    checked(text.trim_end_matches('%').trim().parse().ok()?)
}

fn split(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|it: char| !it.is_ascii_digit() && it != '.');
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    Some((number.parse().ok()?, unit))
}

fn checked(number: f64) -> Option<f64> {
    (number.is_finite() && number >= 0.0).then_some(number)
}

#[allow(clippy::float_cmp, reason = "the numbers are exact")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_of_units_are_read() {
        for (text, expected) in [
            ("1h 2m 3s", Some(3723.0)),
            ("1d 1h", Some(90_000.0)),
            ("350ms", Some(0.35)),
            ("1.5s", Some(1.5)),
            ("0ms", Some(0.0)),
            ("2500", Some(2.5)),
            ("-1", None),
            ("1y", None),
            ("NaN", None),
            ("1e999", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
        for (text, expected) in [
            ("1.5 GB", Some(1.5 * 1024.0 * 1024.0 * 1024.0)),
            ("0", Some(0.0)),
            ("12 B", Some(12.0)),
            ("6.3 MB", Some(6.3 * 1024.0 * 1024.0)),
            ("1024", Some(1024.0)),
            ("1 XB", None),
            ("GB", None),
        ] {
            assert_eq!(bytes(text), expected, "{text}");
        }
        assert_eq!(instant("1970-01-01 00:00:01.500"), Some(1.5));
        assert_eq!(instant("1500"), Some(1.5));
        assert_eq!(instant("yesterday"), None);
    }
}
