//! Values of entries, and their problems with places.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::{Spanned, Value};

use crate::language::quantity::{ParseError, bytes, quoted};
use crate::machine::saturation::Saturation;
use crate::machine::system::System;
use prophet_text::did_you_mean;

/// A problem: its place, if known, and a message.
pub(super) type SpannedProblem = (Option<Range<usize>>, String);

/// Finds the law of a name.
pub(super) fn law(name: &str) -> Result<Saturation, String> {
    Saturation::of_name(name).ok_or_else(|| {
        let names = Saturation::NAMES;
        let suggestion = did_you_mean(name, names);
        let name = quoted(name);
        format!(
            "`{name}` is not a law of saturation ({}){suggestion}",
            names.join(", ")
        )
    })
}

/// Reads a count, which is at least one.
pub(super) fn count(entry: Option<&Spanned<i64>>) -> Result<Option<u32>, SpannedProblem> {
    let most = System::UNITS_MAX;
    let count = |entry: &Spanned<i64>| {
        let count = u32::try_from(*entry.get_ref()).ok();
        let count = count.filter(|count| (1..=most).contains(count));
        let message = || format!("it is a whole number from 1 to {most}");
        count.ok_or_else(|| (Some(entry.span()), message()))
    };
    entry.map(count).transpose()
}

/// Reads a text; `None` without an entry.
pub(super) fn value<T>(
    entry: Option<&Spanned<String>>,
    parse: impl FnOnce(&str) -> Result<T, ParseError>,
) -> Result<Option<T>, SpannedProblem> {
    let parse = |entry: &Spanned<String>| {
        parse(entry.get_ref()).map_err(|error| (Some(entry.span()), error.to_string()))
    };
    entry.map(parse).transpose()
}

/// Reads the size of a memory, which has some bytes.
pub(super) fn memory_size(entry: Option<&Spanned<String>>) -> Result<Option<u64>, SpannedProblem> {
    match (value(entry, bytes)?, entry) {
        (Some(0), Some(entry)) => Err((Some(entry.span()), "a memory has no bytes".to_owned())),
        (size, _) => Ok(size),
    }
}

/// Reads one of some words; the default without an entry.
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
    of_name(name).ok_or_else(|| {
        let suggestion = did_you_mean(name, names);
        let names = names.join(", ");
        let message = format!("`{name}` is not a {what} ({names}){suggestion}");
        (Some(entry.span()), message)
    })
}

/// Writes a table as the flag has it, except for some keys.
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
        ParseError::new(format!("the {device} has no `model`{example}"))
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
