//! Values of entries, and their problems with places.

use std::ops::Range;

use toml::Spanned;

use crate::language::quantity::{ParseError, quoted};
use crate::machine::saturation::Saturation;
use crate::machine::system::System;
use prophet_text::did_you_mean;

/// A problem: its place, if known, and a message.
pub(super) type Problem = (Option<Range<usize>>, String);

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
pub(super) fn count(entry: Option<&Spanned<i64>>) -> Result<Option<u32>, Problem> {
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
) -> Result<Option<T>, Problem> {
    let parse = |entry: &Spanned<String>| {
        parse(entry.get_ref()).map_err(|error| (Some(entry.span()), error.to_string()))
    };
    entry.map(parse).transpose()
}

/// Reads one of some words; the default without an entry.
pub(super) fn word<T: Default, const N: usize>(
    entry: Option<&Spanned<String>>,
    what: &str,
    names: [&'static str; N],
    of_name: impl FnOnce(&str) -> Option<T>,
) -> Result<T, Problem> {
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
