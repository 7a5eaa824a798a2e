//! Declares the flags that all programs have, apart from those for the machine.

use std::path::PathBuf;

use clap::{Arg, ArgAction, value_parser};
use prophet_result::Expectation;

use super::flag::{count_of_units, seed};

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
        count("nodes", "N").help(
            "Use this many nodes\n\
             [default: all that the machine has, or 1]",
        ),
        count("cpus-per-node", "C").help(
            "Use this many CPUs on each node\n\
             [default: all, or 1]",
        ),
        count("processes", "P").help(
            "Run this many processes\n\
             [default: nodes x CPUs]",
        ),
        count("threads", "T").help(
            "Give each process this many threads\n\
             [default: 1]",
        ),
        flag("seed", "S")
            .value_parser(seed)
            .help("Set the random seed [default: 1]"),
        flag("replications", "N")
            .value_parser(value_parser!(u32).range(1..))
            .help(
                "Predict with this many seeds, starting at --seed,\n\
                 and show the mean and its 95% interval [default: 1]",
            ),
    ]
}

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
            .help(
                "Print the result as table or json\n\
                 [default: table]",
            ),
        flag("all-processes")
            .action(ArgAction::SetTrue)
            .help("List all processes in JSON, even more than 10,000"),
        flag("record")
            .value_parser(value_parser!(PathBuf))
            .help("Also write the result as JSON to a file"),
        flag("trace")
            .value_parser(value_parser!(PathBuf))
            .help("Write a trace of the run as an Arrow table"),
        flag("trace-filter")
            .value_name("FILTER")
            .action(ArgAction::Append)
            .help(
                "Trace only these records: pid=0..7,\n\
                 element=NAME, time=1ms..2ms, network=off.\n\
                 Can be repeated",
            ),
        flag("report")
            .value_name("FILE.html")
            .value_parser(value_parser!(PathBuf))
            .help(
                "Write a report of the run: a web page that works\n\
                 offline",
            ),
        flag("picture")
            .value_name("FILE.svg")
            .value_parser(value_parser!(PathBuf))
            .help("Draw the diagrams, colored by time spent"),
        flag("expect")
            .value_name("COMPARISON")
            .action(ArgAction::Append)
            .value_parser(|text: &str| text.parse::<Expectation>())
            .help(
                "Fail unless the result satisfies this, such as\n\
                 'predicted_time_s < 2'. Can be repeated",
            ),
        flag("kept").value_parser(value_parser!(PathBuf)).help(
            "If --expect fails, show what grew most since this\n\
                 earlier result (JSON)",
        ),
    ]
}
