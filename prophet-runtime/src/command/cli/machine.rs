//! Declares the flags for the machine and for the layout of the program on it.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, Command, Error};
use prophet_machine::binding::Binding;
use prophet_machine::hardware::Hardware;
use prophet_machine::machine::Machine;
use prophet_machine::network_flag::NetworkFlag;
use prophet_machine::policy::{CpuDiscipline, WaitPolicy};
use prophet_machine::quantity::{likely_rate, likely_seconds, one_line};
use prophet_machine::tariff::Date;

use super::flag::{count_of_units, flag};
use super::mistake::Mistake;
use super::{devices, noise};
use crate::simulation::choice::Jobs;

/// Finds a machine by its name or file. Returns `None` for the default machine.
pub(super) fn machine(name: &str, hardware: Hardware) -> Result<Option<Machine>, Mistake> {
    match name {
        "list" => Err(Mistake::List(Machine::list())),
        "default" => Ok(None),
        _ => match Machine::preset(name) {
            Some(machine) => Ok(Some(machine)),
            // On a web page there are no files, so the studio passes the text itself.
            None if name.contains('\n') => described(Machine::parse(name, "machine")),
            None if is_file(name) => described(Machine::read_with(name, hardware)),
            None => Err(Mistake::Flag(Machine::unknown(&one_line(name)))),
        },
    }
}

fn described(machine: Result<Machine, prophet_text::Problem>) -> Result<Option<Machine>, Mistake> {
    machine.map(Some).map_err(Mistake::Input)
}

/// Returns `true` if `name`, which isn't the name of a machine, looks like a file.
fn is_file(name: &str) -> bool {
    let lower = name.to_lowercase();
    let ends = [".toml", ".xml"].iter().any(|end| lower.ends_with(end));
    let looks = name.contains(['/', '\\']) || ends;
    looks || std::path::Path::new(name).exists()
}

/// Returns the flags for the machine. The lines of their help are broken by hand, because querying
/// the terminal's width would take another dependency.
pub(super) fn arguments(hardware: Hardware) -> impl Iterator<Item = Arg> {
    let first = [
        flag("machine", "FILE|NAME")
            .num_args(0..=1)
            .default_missing_value("list")
            .value_parser(NameOrFile)
            .hide_possible_values(true)
            .help(
                "Choose the machine by name or file; without\n\
                 a value, list the names [default: default]",
            ),
        flag("mapping", "MAPPING").help(
            "Place processes on nodes: block, cyclic,\n\
             a list such as 0,0,1,1, or a file with\n\
             such a list [default: block]",
        ),
        flag("changes", "FILE").help(
            "Change links, nodes and operations over\n\
             time, as listed in this file of JSON lines\n\
             or in a pipe (`-`)",
        ),
        flag("engine", "ENGINE")
            .value_parser(["auto", "event", "local"])
            .help(
                "Choose the engine: event (runs everything),\n\
                 local (faster if processes affect each\n\
                 other only through messages) or auto\n\
                 [default: auto]",
            ),
        flag("jobs", "N|auto").value_parser(Jobs::read).help(
            "Run the local engine on this many threads,\n\
             or auto for all cores if there are enough\n\
             ranks [default: 1]",
        ),
        flag("repetition", "REPETITION")
            .value_parser(["auto", "off"])
            .help(
                "Compute iterations that repeat earlier\n\
                 ones (auto), or simulate them (off)\n\
                 [default: off]",
            ),
    ];
    let [machine, mapping, changes, engine, jobs, repetition] = first;
    let of_tariffs = [
        flag("tariff", "FILE").help(
            "Compute the cost and the carbon of the run\n\
             from the dated prices in this file",
        ),
        flag("date", "DATE").value_parser(Date::read).help(
            "Use the prices of this date, such as\n\
                 2026-01-31 [default: the latest]",
        ),
    ];
    [machine]
        .into_iter()
        .chain(of_networks(hardware))
        .chain([devices::argument()])
        .chain([mapping])
        .chain(of_nodes())
        .chain(noise::arguments())
        .chain([changes])
        .chain(of_tariffs)
        .chain([engine, jobs, repetition, fold()])
}

fn fold() -> Arg {
    flag("fold", "FOLD").value_parser(["auto", "off"]).help(
        "Simulate identical processes only once\n\
         (auto), or each of them (off)\n\
         [default: off]",
    )
}

fn of_networks(hardware: Hardware) -> [Arg; 3] {
    let network = move |text: &str| NetworkFlag::read(text, hardware);
    [
        flag("network", "NETWORK").value_parser(network).help(
            "Describe the network between nodes, such as\n\
             loggp:L=2us,o=1us,g=0,G=1ns or\n\
             hockney:latency=1us,bandwidth=1.25GB/s.\n\
             Let messages share links with\n\
             shared:topology=star,latency=1us,\n\
             bandwidth=1GB/s, or with packet. Add\n\
             eager=64KiB to make larger sends wait for\n\
             their receive, or nic=node for one NIC per\n\
             node [default: hockney with 1us, 10GB/s]",
        ),
        flag("intranode", "NETWORK").value_parser(network).help(
            "Describe the network within a node\n\
             [default: same as --network, or else\n\
             hockney with 0.3us and 20GB/s]",
        ),
        flag("collective", "NAME=ALGORITHM")
            .action(ArgAction::Append)
            .help(
                "Choose the algorithm of a collective, such\n\
                 as allreduce=ring. Can be repeated\n\
                 [default: auto, which depends on size and\n\
                 number of processes, as in MPICH]",
            ),
    ]
}

fn of_nodes() -> [Arg; 7] {
    [
        flag("discipline", "DISCIPLINE")
            .value_parser(CpuDiscipline::NAMES)
            .help(
                "Choose how units share a node's CPUs: fcfs,\n\
                 round-robin or processor-sharing\n\
                 [default: fcfs]",
            ),
        flag("quantum", "TIME")
            .value_parser(likely_seconds)
            .help("Set the time slice of round-robin\n[default: 10ms]"),
        flag("wait-policy", "POLICY")
            .value_parser(WaitPolicy::NAMES)
            .help(
                "Let waiting units release or hold their CPU\n\
                 [default: release]",
            ),
        flag("sockets", "N")
            .value_parser(count_of_units)
            .help("Set the number of sockets per node\n[default: 1]"),
        flag("memory-bandwidth", "RATE")
            .value_parser(likely_rate)
            .help(
                "Limit the bandwidth of a memory domain,\n\
                 such as 100GB/s [default: no limit]",
            ),
        flag("core-bandwidth", "RATE")
            .value_parser(likely_rate)
            .help(
                "Limit the memory bandwidth of one CPU\n\
                 [default: no limit]",
            ),
        flag("bind", "BINDING").value_parser(Binding::read).help(
            "Bind units of a node to its CPUs: spread,\n\
             compact, domain, a list such as 0,8-11,\n\
             or with OpenMP places: close:sockets\n\
             [default: spread]",
        ),
    ]
}

/// Parses the value of a flag that takes the name or file of a machine. Shells can complete the
/// names.
#[derive(Debug, Clone)]
pub struct NameOrFile;

impl TypedValueParser for NameOrFile {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Machine::presets().map(PossibleValue::new)))
    }
}

#[cfg(test)]
mod tests;
