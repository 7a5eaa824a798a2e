//! Flags of every program that say nothing of its machine.

use std::path::PathBuf;

use clap::{Arg, ArgAction, value_parser};
use prophet_result::Expectation;

use super::flag::{count_of_units, seed};

/// Flags of the sizes of the system.
pub(super) fn size_arguments() -> [Arg; 6] {
    let flag = |id: &'static str, name: &'static str| {
        Arg::new(id)
            .long(id)
            .value_name(name)
            .allow_negative_numbers(true)
            .help_heading("System")
    };
    let count = |id, name| flag(id, name).value_parser(count_of_units);
    [
        count("nodes", "N").help("Nodes [default: all of the machine, or 1]"),
        count("cpus-per-node", "C").help("CPUs of each node [default: all, or 1]"),
        count("processes", "P").help("Processes of the program [default: nodes x CPUs]"),
        count("threads", "T").help("Threads of each process [default: 1]"),
        flag("seed", "S")
            .value_parser(seed)
            .help("Seed of the random numbers [default: 1]"),
        flag("replications", "N")
            .value_parser(value_parser!(u32).range(1..))
            .help(
                "Predictions with seeds from --seed on, of which\nthe mean and its 95% interval \
                 are shown\n[default: 1]",
            ),
    ]
}

/// Flags of the output of a run.
pub(super) const OUTPUTS: [&str; 10] = [
    "replications",
    "format",
    "all-processes",
    "record",
    "trace",
    "trace-filter",
    "report",
    "picture",
    "expect",
    "kept",
];

pub(super) fn output_arguments() -> [Arg; 9] {
    let flag = |id: &'static str| {
        Arg::new(id)
            .long(id)
            .value_name("FILE")
            .help_heading("Output")
    };
    [
        flag("format")
            .value_name("FORMAT")
            .value_parser(["table", "json"])
            .hide_possible_values(true)
            .help("Format of the result: table, json\n[default: table]"),
        flag("all-processes")
            .action(ArgAction::SetTrue)
            .help("Lists even more than 10,000 processes in JSON"),
        flag("record")
            .value_parser(value_parser!(PathBuf))
            .help("Also writes the result as JSON to a file"),
        flag("trace")
            .value_parser(value_parser!(PathBuf))
            .help("Writes a trace of the run: an Arrow table"),
        flag("trace-filter")
            .value_name("FILTER")
            .action(ArgAction::Append)
            .requires("trace")
            .help(
                "Records to keep: pid=0..7, element=NAME,\ntime=1ms..2ms, network=off; may be \
                 given\nseveral times",
            ),
        flag("report")
            .value_name("FILE.html")
            .value_parser(value_parser!(PathBuf))
            .help("Writes a report of the run: one page that works\noffline"),
        flag("picture")
            .value_name("FILE.svg")
            .value_parser(value_parser!(PathBuf))
            .help("Draws the diagrams, colored by where time goes"),
        flag("expect")
            .value_name("COMPARISON")
            .action(ArgAction::Append)
            .value_parser(|text: &str| text.parse::<Expectation>())
            .help(
                "Fails unless a number of the result is so, as in\n'predicted_time_s < 2'; may \
                 be given several\ntimes",
            ),
        flag("kept")
            .value_parser(value_parser!(PathBuf))
            .requires("expect")
            .help("An earlier result in JSON; tells what grew most\nwhere --expect fails"),
    ]
}
