//! Parses and formats quantities such as `2us`, `1.25GB/s`, `64KiB` or `1e-6`.
//!
//! A number without a unit is in seconds, bytes, or bytes per second. Decimal prefixes are exact:
//! `3us` is the same double as `3e-6`.

use std::error::Error;
use std::fmt;

use prophet_text::did_you_mean;

/// The error for text that is not a valid quantity, network or value. It contains a message for the
/// user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError(String);

impl ParseError {
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// Returns the same error, with the key of the invalid value at the start of the message.
    #[must_use]
    pub fn of_key(&self, key: &str) -> Self {
        Self(format!("{key}: {}", self.0))
    }

    /// Creates an error for an unknown name, and lists the known names. `is` says what is wrong,
    /// for example `is not a collective`.
    pub fn unknown<'k>(name: &str, is: &str, known: impl IntoIterator<Item = &'k str>) -> Self {
        Self(format!("`{}` {is} {}", quoted(name), among(name, known)))
    }
}

/// Creates an error from a format string and values, like `format!`.
#[macro_export]
macro_rules! parse_error {
    ($($text:tt)*) => {
        $crate::quantity::ParseError::new(format!($($text)*))
    };
}

pub use parse_error;

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for ParseError {}

/// A unit's name, and its value as `factor * 10^exponent`.
struct Unit {
    name: &'static str,
    exponent: i64,
    factor: f64,
}

const fn decimal(name: &'static str, exponent: i64) -> Unit {
    Unit {
        name,
        exponent,
        factor: 1.0,
    }
}

const fn bits(name: &'static str, exponent: i64) -> Unit {
    Unit {
        name,
        exponent,
        factor: 0.125,
    }
}

const fn scaled(name: &'static str, factor: f64) -> Unit {
    Unit {
        name,
        exponent: 0,
        factor,
    }
}

const TIMES: [Unit; 9] = [
    decimal("s", 0),
    decimal("ms", -3),
    decimal("us", -6),
    decimal("µs", -6), // U+00B5, the micro sign
    decimal("μs", -6), // U+03BC, the Greek letter
    decimal("ns", -9),
    decimal("ps", -12),
    scaled("min", 60.0),
    scaled("h", 3600.0),
];

const SIZES: [Unit; 10] = [
    decimal("B", 0),
    decimal("kB", 3),
    decimal("KB", 3),
    decimal("MB", 6),
    decimal("GB", 9),
    decimal("TB", 12),
    scaled("KiB", 1024.0),
    scaled("MiB", 1_048_576.0),
    scaled("GiB", 1_073_741_824.0),
    scaled("TiB", 1_099_511_627_776.0),
];

const BANDWIDTHS: [Unit; 15] = [
    decimal("B/s", 0),
    decimal("kB/s", 3),
    decimal("KB/s", 3),
    decimal("MB/s", 6),
    decimal("GB/s", 9),
    decimal("TB/s", 12),
    scaled("KiB/s", 1024.0),
    scaled("MiB/s", 1_048_576.0),
    scaled("GiB/s", 1_073_741_824.0),
    scaled("TiB/s", 1_099_511_627_776.0),
    bits("bit/s", 0),
    bits("kbit/s", 3),
    bits("Mbit/s", 6),
    bits("Gbit/s", 9),
    bits("Tbit/s", 12),
];

const POWERS: [Unit; 4] = [
    decimal("W", 0),
    decimal("mW", -3),
    decimal("kW", 3),
    decimal("MW", 6),
];

const BYTE_ENERGIES: [Unit; 5] = [
    decimal("J/B", 0),
    decimal("mJ/B", -3),
    decimal("uJ/B", -6),
    decimal("nJ/B", -9),
    decimal("pJ/B", -12),
];

const OPERATION_RATES: [Unit; 10] = [
    decimal("FLOP/s", 0),
    decimal("MFLOP/s", 6),
    decimal("GFLOP/s", 9),
    decimal("TFLOP/s", 12),
    decimal("PFLOP/s", 15),
    decimal("OP/s", 0),
    decimal("MOP/s", 6),
    decimal("GOP/s", 9),
    decimal("TOP/s", 12),
    decimal("POP/s", 15),
];

/// Parses a time in seconds: non-negative and finite.
///
/// Units are `s`, `ms`, `us` (or `µs`), `ns`, `ps`, `min` and `h`; the default is seconds.
///
/// # Errors
///
/// Returns an error if the text is invalid.
///
/// ```
/// use prophet_runtime::quantity::seconds;
///
/// assert_eq!(seconds("2us"), Ok(2e-6));
/// assert_eq!(seconds("0.5"), Ok(0.5));
/// assert_eq!(
///     seconds("2usec").unwrap_err().to_string(),
///     "`2usec`: `usec` is not a unit of time; use ns, us, ms or s"
/// );
/// ```
pub fn seconds(text: &str) -> Result<f64, ParseError> {
    quantity(text, "time", &TIMES, "ns, us, ms or s")
}

/// Parses a size in bytes: a whole number.
///
/// Units are `B`, `kB`, `MB`, `GB`, `TB` (powers of 1000) and `KiB`, `MiB`, `GiB`, `TiB` (powers of
/// 1024); the default is bytes.
///
/// # Errors
///
/// Returns an error if the text is invalid.
///
/// ```
/// use prophet_runtime::quantity::bytes;
///
/// assert_eq!(bytes("64KiB"), Ok(65_536));
/// assert_eq!(bytes("1.5B").unwrap_err().to_string(), "`1.5B` is not a whole number of bytes");
/// ```
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a whole number below 2^53 by then"
)]
pub fn bytes(text: &str) -> Result<u64, ParseError> {
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    let size = quantity(text, "size", &SIZES, "B, kB, MB, GB, KiB, MiB or GiB")?;
    if size > EXACT_MAX {
        return Err(parse_error!("the size `{}` is too large", quoted(text)));
    }
    if libm::trunc(size) < size {
        return Err(parse_error!(
            "`{}` is not a whole number of bytes",
            quoted(text)
        ));
    }
    Ok(size as u64)
}

/// Parses a bandwidth in bytes per second: positive and finite.
///
/// Units are the units of [`bytes`] followed by `/s` (such as `GB/s`), and `bit/s`, `kbit/s`,
/// `Mbit/s`, `Gbit/s` and `Tbit/s`. The default is bytes per second.
///
/// # Errors
///
/// Returns an error if the text is invalid. `Gb/s` is rejected because it can mean bits or bytes.
///
/// ```
/// use prophet_runtime::quantity::bytes_per_second;
///
/// assert_eq!(bytes_per_second("1.25GB/s"), Ok(1.25e9));
/// assert_eq!(bytes_per_second("10Gbit/s"), Ok(1.25e9));
/// ```
pub fn bytes_per_second(text: &str) -> Result<f64, ParseError> {
    let bandwidth = quantity(
        text,
        "bandwidth",
        &BANDWIDTHS,
        "MB/s, GB/s, GiB/s or Gbit/s",
    )?;
    if bandwidth > 0.0 {
        Ok(bandwidth)
    } else {
        Err(parse_error!(
            "expected a bandwidth above 0, found `{}`",
            quoted(text)
        ))
    }
}

/// Parses a bandwidth like [`bytes_per_second`]. A low one needs a unit, because it is probably not
/// in bytes per second.
///
/// # Errors
///
/// Returns an error if the text is invalid, or has no unit and is below 1 MB/s.
pub fn likely_rate(text: &str) -> Result<f64, ParseError> {
    let rate = bytes_per_second(text)?;
    likely(text, rate, rate >= DOUBTED_BYTES_PER_S, ["GB/s", "B/s"])
}

/// Parses a time like [`seconds`]. A long one needs a unit, because it is probably not in seconds.
///
/// # Errors
///
/// Returns an error if the text is invalid, or has no unit and is 1 ms or more.
pub fn likely_seconds(text: &str) -> Result<f64, ParseError> {
    let time_s = seconds(text)?;
    likely(text, time_s, time_s < DOUBTED_S, ["ms", "s"])
}

/// A time without a unit is doubted from this number of seconds on.
pub(crate) const DOUBTED_S: f64 = 1e-3;
/// A bandwidth without a unit is doubted below this number of bytes per second.
pub(crate) const DOUBTED_BYTES_PER_S: f64 = 1e6;

fn likely(text: &str, value: f64, is_likely: bool, units: [&str; 2]) -> Result<f64, ParseError> {
    let text = text.trim();
    if is_likely || text.parse::<f64>().is_err() {
        return Ok(value);
    }
    let (shown, [likely, plain]) = (quoted(text), units);
    Err(parse_error!(
        "`{shown}` needs a unit: write `{shown}{likely}` or `{shown}{plain}`"
    ))
}

/// Parses a number of operations per second: positive and finite.
///
/// Units are `FLOP/s`, `GFLOP/s`, `TFLOP/s`, `PFLOP/s` and, for integer operations, `OP/s` with the
/// same prefixes; the default is operations per second.
///
/// # Errors
///
/// Returns an error if the text is invalid.
///
/// ```
/// use prophet_runtime::quantity::operations_per_second;
///
/// assert_eq!(operations_per_second("9.7TFLOP/s"), Ok(9.7e12));
/// ```
pub fn operations_per_second(text: &str) -> Result<f64, ParseError> {
    let what = "rate of operations";
    let rate = quantity(text, what, &OPERATION_RATES, "GFLOP/s, TFLOP/s or TOP/s")?;
    if rate > 0.0 {
        return Ok(rate);
    }
    let shown = quoted(text);
    Err(parse_error!("expected a {what} above 0, found `{shown}`"))
}

/// Parses a power in watts: non-negative and finite.
///
/// Units are `W`, `mW`, `kW` and `MW`; the default is watts.
///
/// # Errors
///
/// Returns an error if the text is invalid.
///
/// ```
/// use prophet_runtime::quantity::watts;
///
/// assert_eq!(watts("0.35kW"), Ok(350.0));
/// ```
pub fn watts(text: &str) -> Result<f64, ParseError> {
    quantity(text, "power", &POWERS, "W or kW")
}

/// Parses an energy per byte in joules: non-negative and finite.
///
/// Units are `J/B`, `mJ/B`, `uJ/B`, `nJ/B` and `pJ/B`; the default is joules per byte.
///
/// # Errors
///
/// Returns an error if the text is invalid.
///
/// ```
/// use prophet_runtime::quantity::joules_per_byte;
///
/// assert_eq!(joules_per_byte("60pJ/B"), Ok(60e-12));
/// ```
pub fn joules_per_byte(text: &str) -> Result<f64, ParseError> {
    quantity(text, "per-byte energy", &BYTE_ENERGIES, "pJ/B or nJ/B")
}

/// Returns how many of the unit `other` one `unit` is; `None` if they don't measure the same
/// quantity.
///
/// ```
/// use prophet_runtime::quantity::units_in;
///
/// assert_eq!(units_in("ms", "us"), Some(1000.0));
/// assert_eq!(units_in("GB/s", "us"), None);
/// ```
pub fn units_in(unit: &str, other: &str) -> Option<f64> {
    let quantities: [&[Unit]; 6] = [
        &TIMES,
        &SIZES,
        &BANDWIDTHS,
        &OPERATION_RATES,
        &POWERS,
        &BYTE_ENERGIES,
    ];
    quantities.into_iter().find_map(|units| {
        let find = |name: &str| units.iter().find(|it| it.name == name);
        let (one, other) = (find(unit)?, find(other)?);
        let exponent = one.exponent - other.exponent;
        let decimal: f64 = format!("1e{exponent}").parse().ok()?;
        Some(decimal * one.factor / other.factor)
    })
}

fn quantity(text: &str, what: &str, units: &[Unit], usual: &str) -> Result<f64, ParseError> {
    let shown = quoted(text);
    let refuse = |reason: &str| Err(parse_error!("`{shown}` {reason}"));
    let text = text.trim();
    if text.starts_with('-') {
        return refuse(&format!("is negative; expected a {what} of 0 or more"));
    }
    let Some((number, unit)) = split(text) else {
        return refuse(&format!(
            "is not a {what}: expected a number and a unit ({usual})"
        ));
    };
    let unit = if unit.is_empty() {
        &decimal("", 0)
    } else if let Some(unit) = units.iter().find(|known| known.name == unit) {
        unit
    } else {
        return Err(ParseError::new(unknown_unit(
            &shown, unit, what, units, usual,
        )));
    };
    // Put the exponent into the text, so that `0.3us` is rounded only once, like `0.3e-6`.
    let decimal_text = format!("{}e{}", number.mantissa, number.exponent + unit.exponent);
    let value = decimal_text.parse::<f64>().unwrap_or(f64::INFINITY) * unit.factor;
    if value.is_finite() {
        Ok(value)
    } else {
        refuse(&format!("is too large for a {what}"))
    }
}

fn unknown_unit(shown: &str, unit: &str, what: &str, units: &[Unit], usual: &str) -> String {
    let unit = quoted(unit);
    if what == "bandwidth" && (unit.ends_with("b/s") || unit.ends_with("bps")) {
        return format!("`{shown}`: write `GB/s` for bytes or `Gbit/s` for bits, not `{unit}`");
    }
    let other_case = units
        .iter()
        .find(|known| known.name.eq_ignore_ascii_case(&unit));
    let hint = match other_case {
        Some(known) => did_you_mean(&unit, [known.name]),
        None => format!("; use {usual}"),
    };
    format!("`{shown}`: `{unit}` is not a unit of {what}{hint}")
}

/// A non-negative decimal number `mantissa * 10^exponent`.
struct Decimal<'a> {
    mantissa: &'a str,
    exponent: i64,
}

/// Splits a number from its unit; `None` if the text doesn't start with a number.
fn split(text: &str) -> Option<(Decimal<'_>, &str)> {
    let text = text.strip_prefix('+').unwrap_or(text);
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (mantissa, rest) = text.split_at(end);
    mantissa.parse::<f64>().ok()?;
    let (exponent, rest) = split_exponent(rest).unwrap_or((0, rest));
    Some((Decimal { mantissa, exponent }, rest.trim_start()))
}

/// Splits an exponent such as `e-6` from the text that follows it.
fn split_exponent(text: &str) -> Option<(i64, &str)> {
    /// Larger exponents are far outside the range of a double, but sums of them fit in an `i64`.
    const EXPONENT_MAX: i64 = 100_000;
    let digits = text.strip_prefix(['e', 'E'])?;
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    let length = unsigned
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(unsigned.len());
    let (exponent, rest) = unsigned.split_at(length);
    if exponent.is_empty() {
        return None;
    }
    let size = exponent.parse().unwrap_or(EXPONENT_MAX).min(EXPONENT_MAX);
    Some((if digits.starts_with('-') { -size } else { size }, rest))
}

/// Shortens text from a user to one line, for a message.
pub fn quoted(text: &str) -> String {
    const CHARS_MAX: usize = 60;
    match text.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => one_line(&text[..end]) + "…",
        None => one_line(text),
    }
}

/// Lists the known names and suggests the most similar one, for messages about an unknown name.
pub fn among<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let near = match meant(name, known.iter().copied()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => did_you_mean(name, known.iter().copied()),
    };
    format!("({}){near}", known.join(", "))
}

/// Returns the known name for what other tools call by this name.
pub fn meant<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    const OTHERS: [(&str, &str); 6] = [
        ("fifo", "fcfs"),
        ("rr", "round-robin"),
        ("ps", "processor-sharing"),
        ("fair", "processor-sharing"),
        ("clos", "fat-tree"),
        ("mesh", "torus"),
    ];
    let name = name.to_ascii_lowercase();
    let mut known = known.into_iter();
    let (_, ours) = OTHERS.iter().find(|(other, _)| *other == name)?;
    known.find(|it| it == ours)
}

/// Replaces control characters in text that comes from a user.
pub fn one_line(text: &str) -> String {
    let visible = |c: char| {
        if prophet_text::plain::is_hidden(c) {
            char::REPLACEMENT_CHARACTER
        } else {
            c
        }
    };
    text.chars().map(visible).collect()
}

/// Formats a number with a decimal prefix and a unit. For example, 3e-7 with the unit `s` becomes
/// `300ns`. The parsers in this module read the same number back.
pub fn engineering(value: f64, unit: &str) -> String {
    if value == 0.0 {
        return format!("0{unit}");
    }
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let prefixes: [(i32, &str); 9] = [
        (-12, "p"),
        (-9, "n"),
        (-6, "u"),
        (-3, "m"),
        (0, ""),
        (3, "k"),
        (6, "M"),
        (9, "G"),
        (12, "T"),
    ];
    // Small prefixes are for seconds, large ones for bytes.
    let allowed = if unit == "s" {
        &prefixes[..5]
    } else {
        &prefixes[4..]
    };
    let Some(&(power, prefix)) = allowed.iter().rev().find(|&&(power, _)| power <= exponent) else {
        return format!("{value:?}{unit}");
    };
    if exponent - power > 20 {
        return format!("{value:?}{unit}");
    }
    let digits = mantissa.replace('.', "");
    let whole = 1 + usize::try_from(exponent - power).unwrap_or(0);
    let text = if digits.len() > whole {
        format!("{}.{}", &digits[..whole], &digits[whole..])
    } else {
        format!("{digits:0<whole$}")
    };
    format!("{text}{prefix}{unit}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn quantities_have_units() {
        prophet_testing::assert_cases("tests/cases/quantities.txt", |case| {
            let read = |text: &str| match &*case.title {
                "times" => seconds(text).map(|time_s| format!("{time_s:?} s")),
                "sizes" => bytes(text).map(|size| format!("{size} B")),
                _ => bytes_per_second(text).map(|rate| format!("{rate:?} B/s")),
            };
            let told = |line: &str| {
                let read = read(line.trim_matches('"'));
                format!(
                    "{line}: {}\n",
                    read.unwrap_or_else(|error| error.to_string())
                )
            };
            case.input.lines().map(told).collect()
        });
        let hidden = seconds("1\n2").unwrap_err().to_string();
        let why = "is not a unit of time; use ns, us, ms or s";
        assert_eq!(hidden, format!("`1\u{fffd}2`: `2` {why}"));
        let long = seconds(&"x".repeat(1_000_000)).unwrap_err();
        assert!(long.to_string().len() < 200);
    }

    #[test]
    fn engineering_has_the_fitting_prefix() {
        assert_eq!(engineering(3e-7, "s"), "300ns");
        assert_eq!(engineering(1e-6, "s"), "1us");
        assert_eq!(engineering(1.25e9, "B/s"), "1.25GB/s");
        assert_eq!(engineering(123_456.0, "B/s"), "123.456kB/s");
        assert_eq!(engineering(0.0, "s"), "0s");
        assert_eq!(engineering(90.0, "s"), "90s");
        assert_eq!(engineering(1e-15, "s"), "1e-15s");
        assert_eq!(engineering(1e-3, "B/s"), "0.001B/s");
    }

    proptest! {
        #[test]
        fn prefixes_lose_no_digit(value in prop_oneof![
            1e-12..1e15_f64,
            (-1022..1023_i32).prop_map(|e| 2.0_f64.powi(e)),
            any::<f64>().prop_map(f64::abs).prop_filter("finite", |x| x.is_finite() && *x > 0.0),
        ]) {
            prop_assert_eq!(seconds(&engineering(value, "s")), Ok(value));
            prop_assert_eq!(bytes_per_second(&engineering(value, "B/s")), Ok(value));
        }

        #[test]
        fn no_text_panics(text: String, number in "[0-9.eE+-]{0,12}(us|GB/s|KiB|B)?") {
            for text in [text, number] {
                for value in [seconds(&text), bytes_per_second(&text)].into_iter().flatten() {
                    prop_assert!(value >= 0.0 && value.is_finite());
                }
                if let Ok(size) = bytes(&text) {
                    prop_assert!(size <= 1 << 53);
                }
            }
        }

        #[test]
        fn microseconds_are_rounded_once(digits in 0..10_000_000_u64) {
            let expected: f64 = format!("{digits}e-6").parse().unwrap();
            prop_assert_eq!(seconds(&format!("{digits}us")), Ok(expected));
        }
    }
}
