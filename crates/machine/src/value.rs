//! Represents the values of a model's parameters.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::quantity::{ParseError, parse_error, quoted};

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    Int(i64),
    Real(f64),
    Bool(bool),
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl Value {
    /// Parses a value of the same type as this value.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is invalid.
    ///
    /// ```
    /// use prophet_runtime::Value;
    ///
    /// assert_eq!(Value::Real(0.0).parse("1e-6"), Ok(Value::Real(1e-6)));
    /// let wrong = Value::Int(0).parse("4.5").unwrap_err();
    /// assert_eq!(wrong.to_string(), "`4.5` is not a whole number");
    /// ```
    pub fn parse(self, text: &str) -> Result<Self, ParseError> {
        let word = text.trim();
        let value = match self {
            Self::Int(_) => word.parse().ok().map(Self::Int),
            Self::Real(_) => word
                .parse()
                .ok()
                .filter(|real: &f64| real.is_finite())
                .map(Self::Real),
            Self::Bool(_) => match word {
                "true" | "1" => Some(Self::Bool(true)),
                "false" | "0" => Some(Self::Bool(false)),
                _ => None,
            },
        };
        value.ok_or_else(|| {
            let digits = word.trim_start_matches(['+', '-']);
            let only_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            let problem = match self {
                Self::Int(_) if only_digits => "does not fit into 64 bits",
                Self::Int(_) => "is not a whole number",
                Self::Real(_) => "is not a finite number",
                Self::Bool(_) => "is neither `true` nor `false`",
            };
            let number = match self {
                Self::Int(_) => word.to_owned(),
                Self::Real(_) => word.replacen(',', ".", 1),
                Self::Bool(_) => String::new(),
            };
            let is_whole = |value: f64| libm::trunc(value).to_bits() == value.to_bits();
            let fits = |value: &f64| matches!(self, Self::Real(_)) || is_whole(*value);
            let meant = meant(&number).filter(fits).filter(|_| !only_digits);
            let help = meant.map_or_else(String::new, |it| format!("; write {it}"));
            parse_error!("`{}` {problem}{help}", quoted(text))
        })
    }

    /// Returns the type's name for help texts.
    pub const fn type_name(self) -> &'static str {
        match self {
            Self::Int(_) => "INTEGER",
            Self::Real(_) => "REAL",
            Self::Bool(_) => "BOOLEAN",
        }
    }
}

/// Returns the number that a text such as `1e3`, `4k` or `1GF` means; `None` if it is not exact.
fn meant(text: &str) -> Option<f64> {
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    let digits = text.trim_end_matches(char::is_alphabetic);
    let factor = match text[digits.len()..].chars().next() {
        None => 1.0,
        Some('k' | 'K') => 1e3,
        Some('M') => 1e6,
        Some('G') => 1e9,
        Some(_) => return None,
    };
    let value = factor * digits.trim().parse::<f64>().ok()?;
    (value.abs() < EXACT_MAX).then_some(value)
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => value.fmt(f),
            Self::Real(value) => fmt::Debug::fmt(value, f),
            Self::Bool(value) => value.fmt(f),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Int(value) => serializer.serialize_i64(value),
            Self::Real(value) => serializer.serialize_f64(value),
            Self::Bool(value) => serializer.serialize_bool(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn values_keep_their_type() {
        assert_eq!(Value::Int(1).parse("-7"), Ok(Value::Int(-7)));
        assert_eq!(Value::Real(1.0).parse("7"), Ok(Value::Real(7.0)));
        assert_eq!(Value::Bool(true).parse("0"), Ok(Value::Bool(false)));
        assert_eq!(Value::Bool(true).parse("true"), Ok(Value::Bool(true)));
    }

    #[test]
    fn what_is_no_value_says_why() {
        for (kind, text, message) in [
            (Value::Int(0), "", "`` is not a whole number"),
            (Value::Int(0), "1.5", "`1.5` is not a whole number"),
            (
                Value::Int(0),
                "1e3",
                "`1e3` is not a whole number; write 1000",
            ),
            (
                Value::Int(0),
                "-4k",
                "`-4k` is not a whole number; write -4000",
            ),
            (
                Value::Int(0),
                "9223372036854775808",
                "`9223372036854775808` does not fit into 64 bits",
            ),
            (Value::Real(0.0), "inf", "`inf` is not a finite number"),
            (Value::Real(0.0), "fast", "`fast` is not a finite number"),
            (
                Value::Real(0.0),
                "1GF",
                "`1GF` is not a finite number; write 1000000000",
            ),
            (
                Value::Real(0.0),
                "0,5",
                "`0,5` is not a finite number; write 0.5",
            ),
            (Value::Real(0.0), "10ms", "`10ms` is not a finite number"),
            (
                Value::Bool(false),
                "yes",
                "`yes` is neither `true` nor `false`",
            ),
        ] {
            assert_eq!(kind.parse(text).unwrap_err().to_string(), message);
        }
    }

    proptest! {
        #[test]
        fn values_are_read_as_they_are_shown(int: i64, real in -1e300..1e300_f64, flag: bool) {
            for value in [Value::Int(int), Value::Real(real), Value::Bool(flag)] {
                prop_assert_eq!(value.parse(&value.to_string()), Ok(value));
            }
        }
    }
}
