//! The command line of a generated program.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::engine::{Engine, why_not_local};
use crate::mapping::{Mapping, MappingError};
use crate::model::{Model, Value};
use crate::network::NetworkFlag;
use crate::quantity::{ParseError, quoted};
use crate::system::System;

mod collective;
mod parameters;

use parameters::ParameterFlags;

/// What the user asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Options {
    pub(crate) system: System,
    pub(crate) engine: Engine,
    pub(crate) format: Format,
    /// Whether JSON lists the processes however many they are.
    pub(crate) all_processes: bool,
}

/// How to print the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Table,
    Json,
}

/// Why there are no options.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The command line is wrong, or it asked for help.
    Usage(clap::Error),
    /// A file that it names is wrong.
    Input(String),
}

impl From<clap::Error> for Refusal {
    fn from(error: clap::Error) -> Self {
        Self::Usage(error)
    }
}

/// Reads the command line, the program's name included.
pub(crate) fn parse(
    model: &Model,
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<Options, Refusal> {
    let flags = ParameterFlags::new(model);
    let mut command = command(model, &flags);
    let matches = command.try_get_matches_from_mut(arguments)?;
    let usage = |command: &mut Command, message: String| {
        Refusal::Usage(command.error(ErrorKind::ValueValidation, message))
    };
    refuse_later_features(&matches).map_err(|message| usage(&mut command, message))?;
    let mut system = machine(&matches).map_err(|message| usage(&mut command, message))?;
    system.parameters = flags
        .values(model, &matches)
        .map_err(|message| usage(&mut command, message))?;
    if let Some(text) = matches.get_one::<String>("mapping") {
        system.mapping = Mapping::parse(text)
            .and_then(|mapping| mapping.nodes_of(system.processes, system.nodes))
            .map_err(|error| match error {
                MappingError::Flag(problem) => usage(
                    &mut command,
                    format!(
                        "invalid value '{}' for '--mapping': {problem}",
                        quoted(text)
                    ),
                ),
                MappingError::File(problem) => Refusal::Input(problem),
            })?;
    }
    let engine = matches
        .get_one::<String>("engine")
        .and_then(|name| Engine::of_name(name))
        .unwrap_or(Engine::Auto);
    if engine == Engine::Local
        && let Some(why) = why_not_local(&system)
    {
        let message = format!("--engine local cannot run this: {why}; use `auto` or `event`");
        return Err(usage(&mut command, message));
    }
    let json = matches
        .get_one::<String>("format")
        .is_some_and(|format| format == "json");
    Ok(Options {
        system,
        engine,
        format: if json { Format::Json } else { Format::Table },
        all_processes: matches.get_flag("all-processes"),
    })
}

/// The sizes, networks and seed; processes are mapped by blocks.
fn machine(matches: &ArgMatches) -> Result<System, String> {
    let number = |id| matches.get_one::<u32>(id).copied();
    let nodes = number("nodes").unwrap_or(1);
    let cpus_per_node = number("cpus-per-node").unwrap_or(1);
    let threads = number("threads").unwrap_or(1);
    let most = System::UNITS_MAX;
    let processes = match number("processes") {
        Some(processes) => processes,
        None => nodes
            .checked_mul(cpus_per_node)
            .filter(|&cpus| cpus <= most)
            .ok_or_else(|| {
                let cpus = u64::from(nodes) * u64::from(cpus_per_node);
                format!(
                    "there would be a process on each of {cpus} CPUs, but at most {most} can run; \
                     give --processes"
                )
            })?,
    };
    let units = u64::from(processes) * u64::from(threads);
    if units > u64::from(most) {
        return Err(format!(
            "{processes} processes with {threads} threads each are {units} units, but at most \
             {most} can run"
        ));
    }
    let mut system = System::new(nodes, cpus_per_node, processes, threads);
    let network = |id| matches.get_one::<NetworkFlag>(id).copied();
    system.set_networks(network("network"), network("intranode"))?;
    let collectives = matches.get_many::<String>("collective");
    system.algorithms = collective::algorithms(collectives.into_iter().flatten())?;
    system.seed = matches
        .get_one::<u64>("seed")
        .copied()
        .unwrap_or(System::DEFAULT_SEED);
    Ok(system)
}

/// What the flags promise and later versions bring is an error until then, never ignored.
fn refuse_later_features(matches: &ArgMatches) -> Result<(), String> {
    let text = |id| matches.get_one::<String>(id).map_or("", String::as_str);
    let not_yet = |what: String, instead: &str| Err(format!("{what} is not yet there{instead}"));
    if matches.contains_id("trace") {
        return not_yet("--trace (a trace of the run)".to_owned(), "");
    }
    if matches.contains_id("report") {
        return not_yet("--report (a report of the run in HTML)".to_owned(), "");
    }
    if !matches!(text("machine"), "" | "default") {
        let instead = "; describe the machine by --nodes, --cpus-per-node and --network";
        return not_yet(
            "--machine with a file or a name other than `default`".to_owned(),
            instead,
        );
    }
    for (id, present) in [("discipline", "fcfs"), ("wait-policy", "release")] {
        if !matches!(text(id), "" | "fcfs" | "release") {
            return not_yet(
                format!("--{id} {}", text(id)),
                &format!("; use `{present}`"),
            );
        }
    }
    if matches.contains_id("quantum") {
        return not_yet("--quantum (with --discipline round-robin)".to_owned(), "");
    }
    Ok(())
}

fn command(model: &Model, flags: &ParameterFlags) -> Command {
    let mut command = Command::new(model.name)
        .about(format!(
            "Predicts how long the program of the model {} runs",
            model.name
        ))
        .version(env!("CARGO_PKG_VERSION"))
        .args(size_arguments())
        .args(machine_arguments())
        .args(flags.arguments(model))
        .args(output_arguments());
    if let Some(help) = flags.help_of_taken(model) {
        command = command.after_help(help);
    }
    command
}

fn size_arguments() -> [Arg; 5] {
    let flag = |id: &'static str, name: &'static str| {
        Arg::new(id)
            .long(id)
            .value_name(name)
            .allow_negative_numbers(true)
            .help_heading("System")
    };
    let count = |id, name| flag(id, name).value_parser(count_of_units);
    [
        count("nodes", "N").help("Nodes of the machine [default: 1]"),
        count("cpus-per-node", "C").help("CPUs of each node [default: 1]"),
        count("processes", "P").help("Processes of the program [default: nodes x CPUs]"),
        count("threads", "T").help("Threads of each process [default: 1]"),
        flag("seed", "S")
            .value_parser(seed)
            .help("Seed of the random numbers [default: 1]"),
    ]
}

fn count_of_units(text: &str) -> Result<u32, ParseError> {
    let most = System::UNITS_MAX;
    let count = text.parse().ok().filter(|count| (1..=most).contains(count));
    count.ok_or_else(|| ParseError::new(format!("it is a whole number from 1 to {most}")))
}

fn seed(text: &str) -> Result<u64, ParseError> {
    let most = u64::MAX;
    text.parse()
        .map_err(|_| ParseError::new(format!("it is a whole number from 0 to {most}")))
}

fn machine_arguments() -> [Arg; 9] {
    let flag = |id: &'static str, name: &'static str| {
        Arg::new(id)
            .long(id)
            .value_name(name)
            .help_heading("Machine")
            .hide_possible_values(true)
    };
    let network = |text: &str| text.parse::<NetworkFlag>();
    // Lines are broken by hand: to know the terminal's width takes one more dependency.
    [
        flag("machine", "FILE|NAME").help("The machine: default (others: not yet)"),
        flag("network", "NETWORK").value_parser(network).help(
            "The network between nodes, such as\n\
             loggp:L=2us,o=1us,g=0,G=1ns or\n\
             hockney:latency=1us,bandwidth=1.25GB/s\n\
             eager=64KiB: above, a send waits for its\n\
             receive; nic=node: a node has one NIC\n\
             [default: hockney of 1us and 10GB/s]",
        ),
        flag("intranode", "NETWORK").value_parser(network).help(
            "The network within a node\n\
             [default: that of --network, without it\n\
             hockney of 0.3us and 20GB/s]",
        ),
        flag("collective", "NAME=ALGORITHM")
            .action(ArgAction::Append)
            .help(
                "How a collective is done, such as\n\
             allreduce=ring; may be given several\n\
             times [default: auto, by size and\n\
             processes as in MPICH]",
            ),
        flag("mapping", "MAPPING").help(
            "Processes to nodes: block, cyclic,\n\
             a list such as 0,0,1,1, or a file\n\
             with such a list [default: block]",
        ),
        flag("discipline", "DISCIPLINE")
            .value_parser(["fcfs", "round-robin", "processor-sharing"])
            .help(
                "How units share a CPU: fcfs (round-robin,\n\
                 processor-sharing: not yet) [default: fcfs]",
            ),
        flag("quantum", "TIME").help("Time slice of round-robin (not yet)"),
        flag("wait-policy", "POLICY")
            .value_parser(["release", "hold"])
            .help(
                "What waiting units do with a CPU: release\n\
             (hold: not yet) [default: release]",
            ),
        flag("engine", "ENGINE")
            .value_parser(["auto", "event", "local"])
            .help(
                "The simulation engine: event runs all,\n\
             local is fast when only messages order\n\
             the processes, auto chooses\n\
             [default: auto]",
            ),
    ]
}

fn output_arguments() -> [Arg; 4] {
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
            .help("How to print the result: table, json\n[default: table]"),
        flag("all-processes")
            .action(ArgAction::SetTrue)
            .help("Lists even more than 10,000 processes in JSON"),
        flag("trace").help("Writes a trace of the run (not yet)"),
        flag("report")
            .value_name("FILE.html")
            .help("Writes a report of the run (not yet)"),
    ]
}

/// The flags that are no model parameter's, so that a parameter of such a name has none.
const SYSTEM_FLAGS: [&str; 21] = [
    "all-processes",
    "collective",
    "cpus-per-node",
    "discipline",
    "engine",
    "format",
    "help",
    "intranode",
    "machine",
    "mapping",
    "network",
    "nodes",
    "processes",
    "quantum",
    "report",
    "seed",
    "set",
    "threads",
    "trace",
    "version",
    "wait-policy",
];

#[cfg(test)]
mod tests;
