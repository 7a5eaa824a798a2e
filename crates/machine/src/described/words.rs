//! Parses the values of entries, and adds the entries' places to problems.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::{Spanned, Value};

use crate::mapping::UNITS_MAX;
use crate::quantity::{ParseError, bytes, parse_error};
use crate::saturation::Saturation;

/// A problem: its place, if known, and a message.
pub(super) type SpannedProblem = (Option<Range<usize>>, String);

/// Adds the place of an entry to a problem.
pub(super) trait Placed<T> {
    /// Returns the value, or the problem with the entry's place added.
    fn at<E>(self, entry: &Spanned<E>) -> Result<T, SpannedProblem>;
}

impl<T, P: ToString> Placed<T> for Result<T, P> {
    fn at<E>(self, entry: &Spanned<E>) -> Result<T, SpannedProblem> {
        self.map_err(|problem| (Some(entry.span()), problem.to_string()))
    }
}

pub(super) fn law(name: &str) -> Result<Saturation, ParseError> {
    let unknown = || ParseError::unknown(name, "is not a saturation law", Saturation::NAMES);
    Saturation::of_name(name).ok_or_else(unknown)
}

/// Reads a count, which must be at least 1.
pub(super) fn count(entry: Option<&Spanned<i64>>) -> Result<Option<u32>, SpannedProblem> {
    let most = UNITS_MAX;
    let count = |entry: &Spanned<i64>| {
        let count = u32::try_from(*entry.get_ref()).ok();
        let count = count.filter(|count| (1..=most).contains(count));
        let found = entry.get_ref();
        let message = || format!("expected a whole number from 1 to {most}, found {found}");
        count.ok_or_else(message).at(entry)
    };
    entry.map(count).transpose()
}

/// Parses the text of an entry; `None` if there is no entry.
pub(super) fn value<T>(
    entry: Option<&Spanned<String>>,
    parse: impl Fn(&str) -> Result<T, ParseError>,
) -> Result<Option<T>, SpannedProblem> {
    let parse = |entry: &Spanned<String>| in_unit(entry.get_ref(), &parse).at(entry);
    entry.map(parse).transpose()
}

/// Parses a quantity in a file. A plain number is in seconds, bytes, operations, or one of these
/// per second. For power and energy, a unit is required, because both watts and kilowatts are
/// likely.
pub(super) fn in_unit<T>(
    text: &str,
    parse: impl Fn(&str) -> Result<T, ParseError>,
) -> Result<T, ParseError> {
    const UNITS: [&str; 2] = ["W", "J/B"];
    let number = text.trim();
    let is_bare = number.parse::<f64>().is_ok_and(|it| it > 0.0);
    let mut with_units = UNITS.iter().map(|unit| format!("{number}{unit}"));
    match with_units.find(|it| is_bare && parse(it).is_ok()) {
        Some(usual) => Err(parse_error!("`{number}` needs a unit: write `\"{usual}\"`")),
        None => parse(text),
    }
}

/// Reads the size of a memory, which must be above 0.
pub(super) fn memory_size(entry: Option<&Spanned<String>>) -> Result<Option<u64>, SpannedProblem> {
    match (value(entry, bytes)?, entry) {
        (Some(0), Some(entry)) => Err("expected a memory size above 0").at(entry),
        (size, _) => Ok(size),
    }
}

/// Reads one of several words; returns the default if there is no entry.
pub(super) fn word<T: Default, const N: usize>(
    entry: Option<&Spanned<String>>,
    what: &str,
    names: [&'static str; N],
    of_name: impl FnOnce(&str) -> Option<T>,
) -> Result<T, SpannedProblem> {
    let Some(entry) = entry else {
        return Ok(T::default());
    };
    let name = entry.get_ref();
    let unknown = || ParseError::unknown(name, &format!("is not a {what}"), names);
    of_name(name).ok_or_else(unknown).at(entry)
}

/// Writes a table in the flag's notation, leaving out some keys.
pub(super) fn flag_text(
    device: &str,
    table: &BTreeMap<String, Value>,
    without: &[&str],
) -> Result<String, ParseError> {
    let model = table.get("model").and_then(Value::as_str).ok_or_else(|| {
        let example = if device == "network" {
            ", such as `model = \"shared\"`"
        } else {
            ""
        };
        parse_error!("the {device} needs a `model`{example}")
    })?;
    let mut pairs = Vec::new();
    for (key, value) in table {
        if key == "model" || without.contains(&key.as_str()) {
            continue;
        }
        let value = match value {
            Value::String(text) if !text.contains(',') => text.clone(),
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Array(numbers) if numbers.iter().all(Value::is_integer) => {
                let numbers = numbers.iter().filter_map(Value::as_integer);
                let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
                numbers.join("x")
            }
            _ => {
                let message = format!("`{key}` is neither a number, a text nor a list of numbers");
                return Err(ParseError::new(message));
            }
        };
        pairs.push(format!("{key}={value}"));
    }
    Ok(format!("{model}:{}", pairs.join(",")))
}
