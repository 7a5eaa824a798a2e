//! Flags that describe the machine and the layout of the program on it.

use clap::{Arg, ArgAction, ArgMatches};

use super::{collective, count_of_units, devices};
use crate::language::hardware::Hardware;
use crate::language::quantity::{bytes_per_second, one_line, quoted, seconds};
use crate::machine::changes;
use crate::machine::described::Machine;
use crate::machine::mapping::{Mapping, MappingError};
use crate::machine::network::NetworkFlag;
use crate::machine::policy::{CpuDiscipline, WaitPolicy};
use crate::machine::system::System;

/// Reason why there is no system.
#[derive(Debug)]
pub(super) enum Problem {
    /// A flag is wrong.
    Flag(String),
    /// A file is wrong.
    Input(String),
    /// The list of machines is requested.
    List(String),
}

impl From<String> for Problem {
    fn from(message: String) -> Self {
        Self::Flag(message)
    }
}

impl From<MappingError> for Problem {
    fn from(error: MappingError) -> Self {
        match error {
            MappingError::Flag(problem) => Self::Flag(problem),
            MappingError::File(problem) => Self::Input(problem),
        }
    }
}

/// Builds the system that the flags describe; the machine provides the rest.
pub(super) fn system(matches: &ArgMatches, hardware: Hardware) -> Result<System, Problem> {
    let machine = match matches.get_one::<String>("machine") {
        Some(name) => machine(name, hardware)?,
        None => None,
    };
    let [nodes, cpus_per_node, processes, threads] = sizes(matches, machine.as_ref())?;
    let mapping = mapping(matches, machine.as_ref(), processes, nodes)?;
    let of_machine = machine.as_ref().and_then(|it| it.contradiction.clone());
    let mut system = match machine {
        Some(machine) => System::on(machine, nodes, cpus_per_node, processes, threads),
        None => System::new(nodes, cpus_per_node, processes, threads),
    };
    set_networks(&mut system, matches)?;
    devices::choose(&mut system, matches, hardware)?;
    set_memory(&mut system, matches);
    set_cpus(&mut system, matches)?;
    let collectives = matches.get_many::<String>("collective");
    system.algorithms = collective::algorithms(collectives.into_iter().flatten())?;
    system.seed = matches
        .get_one::<u64>("seed")
        .copied()
        .unwrap_or(System::DEFAULT_SEED);
    system.mapping = mapping.unwrap_or(system.mapping);
    if let Some(path) = matches.get_one::<String>("changes") {
        system.follow_changes(path).map_err(Problem::Input)?;
    }
    let contradiction = system.contradiction();
    match (
        contradiction.or_else(|| changes::contradiction(&system)),
        of_machine,
    ) {
        (None, _) => Ok(system),
        // The flags have not resolved the problem in the file.
        (Some(problem), Some(located)) if located.ends_with(&problem) => {
            Err(Problem::Input(located))
        }
        (Some(problem), _) => Err(Problem::Flag(problem)),
    }
}

/// Finds the machine of a name or of a file; `None` is the default one.
fn machine(name: &str, hardware: Hardware) -> Result<Option<Machine>, Problem> {
    match name {
        "list" => Err(Problem::List(Machine::list())),
        "default" => Ok(None),
        _ => match Machine::preset(name) {
            Some(machine) => Ok(Some(machine)),
            None if is_file(name) => {
                let machine = Machine::read_with(name, hardware);
                machine.map(Some).map_err(Problem::Input)
            }
            None => Err(Problem::Flag(Machine::unknown(&one_line(name)))),
        },
    }
}

/// True if a name that is not a machine's is meant as a file's.
fn is_file(name: &str) -> bool {
    let lower = name.to_lowercase();
    let ends = [".toml", ".xml"].iter().any(|end| lower.ends_with(end));
    let looks = name.contains(['/', '\\']) || ends;
    looks || std::path::Path::new(name).is_file()
}

/// Numbers of nodes, CPUs of a node, processes and threads.
fn sizes(matches: &ArgMatches, machine: Option<&Machine>) -> Result<[u32; 4], Problem> {
    let number = |id| matches.get_one::<u32>(id).copied();
    let of_machine = |id, what: &str, has: Option<u32>| match (number(id), has) {
        (Some(wanted), Some(has)) if wanted > has => {
            let name = machine.map_or("", |machine| &machine.name);
            let problem = format!("--{id} {wanted}: the machine `{name}` has {has} {what}");
            Err(Problem::Flag(problem))
        }
        (wanted, has) => Ok(wanted.or(has).unwrap_or(1)),
    };
    let nodes = of_machine("nodes", "nodes", machine.and_then(|machine| machine.nodes))?;
    let cpus = machine.and_then(|machine| machine.cpus_per_node);
    let cpus_per_node = of_machine("cpus-per-node", "CPUs a node", cpus)?;
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
        return Err(Problem::Flag(format!(
            "{processes} processes with {threads} threads each are {units} units, but at most \
             {most} can run"
        )));
    }
    Ok([nodes, cpus_per_node, processes, threads])
}

/// Computes the node of each process, if a flag or the machine specifies more than blocks.
fn mapping(
    matches: &ArgMatches,
    machine: Option<&Machine>,
    processes: u32,
    nodes: u32,
) -> Result<Option<Vec<u32>>, Problem> {
    if let Some(text) = matches.get_one::<String>("mapping") {
        let nodes = Mapping::parse(text).and_then(|mapping| mapping.nodes_of(processes, nodes));
        return nodes.map(Some).map_err(|error| match error {
            MappingError::Flag(problem) => Problem::Flag(format!(
                "invalid value '{}' for '--mapping': {problem}",
                quoted(text)
            )),
            MappingError::File(problem) => Problem::Input(problem),
        });
    }
    let Some(machine) = machine else {
        return Ok(None);
    };
    let nodes = machine.mapping.clone().nodes_of(processes, nodes);
    nodes.map(Some).map_err(|error| {
        let name = &machine.name;
        Problem::Flag(format!("of the machine `{name}`, {error}; give --mapping"))
    })
}

/// Sets the networks that flags name. One between nodes also applies within them, unless the
/// machine has one of its own there.
fn set_networks(system: &mut System, matches: &ArgMatches) -> Result<(), Problem> {
    let flag = |id| matches.get_one::<NetworkFlag>(id).cloned();
    let base = system.base.as_ref();
    let within = base.and_then(|base| base.intranode.clone());
    let within = flag("intranode").or(flag("network").and(within));
    Ok(system.set_networks(flag("network"), within)?)
}

fn set_memory(system: &mut System, matches: &ArgMatches) {
    let bandwidth = |id| matches.get_one::<f64>(id).copied();
    let memory = &mut system.memory;
    let sockets = matches.get_one::<u32>("sockets").copied();
    memory.sockets = sockets.unwrap_or(memory.sockets);
    memory.bandwidth = bandwidth("memory-bandwidth").or(memory.bandwidth);
    memory.core_bandwidth = bandwidth("core-bandwidth").or(memory.core_bandwidth);
}

fn set_cpus(system: &mut System, matches: &ArgMatches) -> Result<(), Problem> {
    let text = |id| matches.get_one::<String>(id);
    let quantum_s = matches.get_one::<f64>("quantum").copied();
    let of_machine_s = match system.discipline {
        CpuDiscipline::RoundRobin { quantum_s } => quantum_s,
        CpuDiscipline::Fcfs | CpuDiscipline::ProcessorSharing => CpuDiscipline::DEFAULT_QUANTUM_S,
    };
    let name = text("discipline").map_or(system.discipline.name(), String::as_str);
    let discipline = CpuDiscipline::of_name(name, quantum_s.unwrap_or(of_machine_s));
    system.discipline = discipline.unwrap_or(system.discipline);
    if quantum_s.is_some() && !matches!(system.discipline, CpuDiscipline::RoundRobin { .. }) {
        let problem = "--quantum needs --discipline round-robin";
        return Err(Problem::Flag(problem.to_owned()));
    }
    let policy = text("wait-policy").and_then(|name| WaitPolicy::of_name(name));
    system.wait_policy = policy.unwrap_or(system.wait_policy);
    Ok(())
}

pub(super) fn flag(id: &'static str, name: &'static str) -> Arg {
    Arg::new(id)
        .long(id)
        .value_name(name)
        .help_heading("Machine")
        .hide_possible_values(true)
}

/// Builds the flags of the machine. Lines are broken by hand: finding the terminal's width takes
/// one more dependency.
pub(super) fn arguments(hardware: Hardware) -> impl Iterator<Item = Arg> {
    let first = [
        flag("machine", "FILE|NAME")
            .num_args(0..=1)
            .default_missing_value("list")
            .help(
                "A machine by its name or file; without\n\
                 either, lists them [default: default]",
            ),
        flag("mapping", "MAPPING").help(
            "Processes to nodes: block, cyclic,\n\
             a list such as 0,0,1,1, or a file\n\
             with such a list [default: block]",
        ),
        flag("changes", "FILE").help(
            "Changes of links, nodes and operations in\n\
             the order of time, as JSON Lines; `-`\n\
             follows them as they come through a pipe",
        ),
        flag("engine", "ENGINE")
            .value_parser(["auto", "event", "local"])
            .help(
                "The simulation engine: event runs all,\n\
                 local is fast when only messages order\n\
                 the processes, auto chooses\n\
                 [default: auto]",
            ),
        flag("repetition", "REPETITION")
            .value_parser(["auto", "off"])
            .help(
                "Iterations that repeat earlier ones: auto\n\
                 computes them, off simulates them\n\
                 [default: off]",
            ),
    ];
    let [machine, mapping, changes, engine, repetition] = first;
    [machine]
        .into_iter()
        .chain(of_networks(hardware))
        .chain([devices::argument()])
        .chain([mapping])
        .chain(of_nodes())
        .chain([changes])
        .chain([engine, repetition])
}

fn of_networks(hardware: Hardware) -> [Arg; 3] {
    let network = move |text: &str| NetworkFlag::read(text, hardware);
    [
        flag("network", "NETWORK").value_parser(network).help(
            "The network between nodes, such as\n\
             loggp:L=2us,o=1us,g=0,G=1ns or\n\
             hockney:latency=1us,bandwidth=1.25GB/s\n\
             or, with links that messages share,\n\
             shared:topology=star,latency=1us,\n\
             bandwidth=1GB/s; packet is like it;\n\
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
                "Algorithm of a collective, such as\n\
                 allreduce=ring; may be given several\n\
                 times [default: auto, by size and\n\
                 processes as in MPICH]",
            ),
    ]
}

fn of_nodes() -> [Arg; 6] {
    [
        flag("discipline", "DISCIPLINE")
            .value_parser(CpuDiscipline::NAMES)
            .help(
                "Sharing of a node's CPUs among units:\n\
                 fcfs, round-robin, processor-sharing\n\
                 [default: fcfs]",
            ),
        flag("quantum", "TIME")
            .value_parser(seconds)
            .help("A turn of round-robin [default: 10ms]"),
        flag("wait-policy", "POLICY")
            .value_parser(WaitPolicy::NAMES)
            .help(
                "Use of a CPU by waiting units:\n\
                 release, hold [default: release]",
            ),
        flag("sockets", "N")
            .value_parser(count_of_units)
            .help("Sockets of each node [default: 1]"),
        flag("memory-bandwidth", "RATE")
            .value_parser(bytes_per_second)
            .help(
                "Memory bandwidth of a socket, such as\n\
                 100GB/s [default: no limit]",
            ),
        flag("core-bandwidth", "RATE")
            .value_parser(bytes_per_second)
            .help("Memory bandwidth of one CPU\n[default: no limit]"),
    ]
}

#[cfg(test)]
mod tests;
