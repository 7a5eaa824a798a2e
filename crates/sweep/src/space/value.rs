//! Represents a value of an axis.

use std::fmt;
use std::sync::Arc;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AxisForm {
    Whole,
    Real,
    /// Texts, including numbers with units.
    Text,
}

/// A value of an axis: a number, or a text such as `hockney:latency=1us,bandwidth=1GB/s` or `5us`.
#[derive(Debug, Clone, PartialEq)]
pub enum AxisValue {
    Whole(i64),
    /// Any other finite number.
    Real(f64),
    Text(Arc<str>),
}

/// Magnitude below which a double can represent every integer exactly.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

impl AxisValue {
    /// Parses a word as a number if possible, and as a text otherwise.
    pub fn read(word: &str) -> Self {
        if let Ok(whole) = word.parse() {
            return Self::Whole(whole);
        }
        // A seed that is too large for `Whole` must keep its digits.
        let is_long = word.bytes().all(|byte| byte.is_ascii_digit());
        match split(word) {
            Some((number, "")) if !is_long => Self::from(number),
            _ => Self::Text(word.into()),
        }
    }

    pub(crate) fn with_unit(number: f64, unit: &str) -> Self {
        let value = Self::from(number);
        if unit.is_empty() {
            return value;
        }
        Self::Text(format!("{value}{unit}").into())
    }

    /// Returns the number, without its unit if it has one; `None` if the value isn't a number.
    #[expect(clippy::cast_precision_loss, reason = "charts need no more digits")]
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Whole(whole) => Some(*whole as f64),
            Self::Real(real) => Some(*real),
            Self::Text(text) => split(text).map(|(number, _)| number),
        }
    }

    pub(crate) fn form(&self) -> AxisForm {
        match self {
            Self::Whole(_) => AxisForm::Whole,
            Self::Real(_) => AxisForm::Real,
            Self::Text(_) => AxisForm::Text,
        }
    }

    /// Returns the unit that follows the number; empty if the value has no unit.
    pub fn unit(&self) -> &str {
        match self {
            Self::Whole(_) | Self::Real(_) => "",
            Self::Text(text) => split(text).map_or("", |(_, unit)| unit),
        }
    }
}

impl From<f64> for AxisValue {
    /// Converts a number. It must be finite.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a whole number in range by then"
    )]
    fn from(number: f64) -> Self {
        if is_whole(number) && number.abs() < EXACT_MAX {
            Self::Whole(number as i64)
        } else {
            Self::Real(number)
        }
    }
}

impl fmt::Display for AxisValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(whole) => whole.fmt(f),
            Self::Real(real) => fmt::Debug::fmt(real, f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

pub(crate) fn is_whole(number: f64) -> bool {
    number % 1.0 == 0.0
}

/// Splits a text into a finite number and the unit that follows it.
pub(crate) fn split(text: &str) -> Option<(f64, &str)> {
    let is_unit = |text: &str| text.chars().all(|c| c.is_alphabetic() || "/%µ".contains(c));
    let is_end = |c: char| c.is_ascii_digit() || c == '.';
    let (number, unit) = text.split_at(text.rfind(is_end)? + 1);
    let number = number
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())?;
    is_unit(unit).then_some((number, unit))
}

/// Shortens text from a user for messages.
pub(crate) fn shown(text: &str) -> String {
    const CHARS_MAX: usize = 60;
    let cut = text
        .char_indices()
        .nth(CHARS_MAX)
        .map(|(end, _)| &text[..end]);
    prophet_text::plain::line(&cut.map_or_else(|| text.to_owned(), |cut| format!("{cut}…")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_numbers_or_texts() {
        assert_eq!(AxisValue::read("64"), AxisValue::Whole(64));
        assert_eq!(AxisValue::read("1e3"), AxisValue::Whole(1000));
        assert_eq!(AxisValue::read("-0.5"), AxisValue::Real(-0.5));
        assert_eq!(AxisValue::read("1e-6").to_string(), "1e-6");
        for text in [
            "18446744073709551615",
            "block",
            "5us",
            "0,1",
            "inf",
            "nan",
            "",
        ] {
            assert_eq!(AxisValue::read(text), AxisValue::Text(text.into()));
            assert_eq!(AxisValue::read(text).to_string(), text);
        }
    }

    #[test]
    fn quantities_have_a_number_and_a_unit() {
        let of = |text: &str| {
            (
                AxisValue::read(text).number(),
                AxisValue::read(text).unit().to_owned(),
            )
        };
        assert_eq!(of("5us"), (Some(5.0), "us".to_owned()));
        assert_eq!(of("1.25e3GB/s"), (Some(1250.0), "GB/s".to_owned()));
        assert_eq!(of("2e"), (Some(2.0), "e".to_owned()));
        assert_eq!(of("block"), (None, String::new()));
        assert_eq!(of("loggp:L=1us"), (None, String::new()));
        assert_eq!(of(&"9".repeat(100_000)).0, None);
    }
}
