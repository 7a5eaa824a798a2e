//! Defines flags and value parsers that several parts of the command line share.

use prophet_machine::quantity::{ParseError, parse_error, quoted};
use prophet_machine::system::System;

use std::fmt::Display;

use clap::Arg;

pub(super) fn flag(id: &'static str, name: &'static str) -> Arg {
    Arg::new(id)
        .long(id)
        .value_name(name)
        .help_heading("Machine")
        .hide_possible_values(true)
}

/// Parses a number of nodes, CPUs, processes, or threads.
pub(super) fn count_of_units(text: &str) -> Result<u32, ParseError> {
    let most = System::UNITS_MAX;
    let count = text.parse().ok().filter(|count| (1..=most).contains(count));
    count.ok_or_else(|| parse_error!("expected a whole number from 1 to {most}"))
}

pub(super) fn invalid(flag: &str, text: &str, problem: impl Display) -> String {
    format!("invalid value '{}' for '{flag}': {problem}", quoted(text))
}

pub(super) fn seed(text: &str) -> Result<u64, ParseError> {
    let most = u64::MAX;
    text.parse()
        .map_err(|_| parse_error!("expected a whole number from 0 to {most}"))
}
