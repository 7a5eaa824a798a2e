//! Assignment of a value to a flag or a parameter.

use std::sync::Arc;

use prophet_result::flag_name;

use super::{Configuration, NetworkKey, machine};
use crate::command::cli::flag;
use crate::language::model::{Model, Value};
use crate::language::quantity::{ParseError, bytes_per_second, quoted, seconds};
use crate::machine::algorithms::Algorithms;
use crate::machine::binding::Binding;
use crate::machine::described::Machine;
use crate::machine::network::NetworkFlag;
use crate::machine::noise::{Choice, Noise};
use crate::machine::policy::{CpuDiscipline, WaitPolicy};
use crate::simulation::choice::Engine;
use prophet_text::did_you_mean;

/// Flags that may be assigned.
const FLAGS: [&str; 19] = [
    "bind",
    "changes",
    "core-bandwidth",
    "cpus-per-node",
    "discipline",
    "engine",
    "intranode",
    "machine",
    "mapping",
    "memory-bandwidth",
    "network",
    "nodes",
    "processes",
    "quantum",
    "repetition",
    "seed",
    "sockets",
    "threads",
    "wait-policy",
];

/// Assignment of a value to a flag of a run or to a parameter of its model.
#[derive(Debug, Clone)]
pub struct Assignment(Assigned);

/// Flag or parameter, with its value.
#[derive(Debug, Clone)]
enum Assigned {
    Machine(Option<Arc<Machine>>),
    Nodes(u32),
    CpusPerNode(u32),
    Processes(u32),
    Threads(u32),
    Seed(u64),
    Network(NetworkFlag),
    Intranode(NetworkFlag),
    NetworkKey(NetworkKey),
    Collective(String),
    DeviceModel(String),
    Mapping(String),
    Discipline(String),
    Quantum(f64),
    WaitPolicy(String),
    Sockets(u32),
    MemoryBandwidth(f64),
    CoreBandwidth(f64),
    Bind(Binding),
    Noise(Choice),
    SlowNode(String),
    Changes(String),
    Engine(Engine),
    Repetition(bool),
    Operation(String, f64),
    Parameter(usize, Value),
}

impl Assignment {
    /// True if a name is a flag without a key, and not a parameter.
    pub fn is_flag(name: &str) -> bool {
        FLAGS.contains(&name)
    }

    /// Reads the value of the flag or parameter of a name, which may be
    ///
    /// - a flag without its hyphens, such as `nodes` or `network`,
    /// - `network.KEY` or `intranode.KEY`, a key of that network, such as `network.latency`,
    /// - `collective.NAME`, whose value is an algorithm, or `model.DEVICE`, whose value is a model,
    /// - `noise.WHAT`, whose value is a distribution, or `slow-node.NODE`, whose value is a factor,
    /// - `operations.NAME`, the price of an operation that the model uses, such as 0.5ns,
    /// - a parameter by its flag or its name in the model, or `set.NAME`.
    ///
    /// ```
    /// use prophet_runtime::{Assignment, Model, Parameter, Value};
    ///
    /// const MODEL: Model = Model::new("Lapw0", &[Parameter::new("NAT", Value::Int(32))], 12);
    /// assert!(Assignment::read(&MODEL, "collective.allreduce", "ring").is_ok());
    /// let error = Assignment::read(&MODEL, "nodse", "4").unwrap_err();
    /// assert_eq!(
    ///     error,
    ///     "the model Lapw0 has no parameter `nodse`, and no run has such a flag; \
    ///      did you mean `nodes`?"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// A message about the name or the value.
    pub fn read(model: &Model, name: &str, text: &str) -> Result<Self, String> {
        let wrong = |problem: &ParseError| {
            let (name, text) = (quoted(name), quoted(text));
            format!("invalid value '{text}' for '{name}': {problem}")
        };
        if let Some(assigned) = of_flag(model, name, text) {
            return assigned.map(Self).map_err(|error| wrong(&error));
        }
        let index = parameter(model, name).ok_or_else(|| unknown(model, name))?;
        let value = model.parameters[index].default.parse(text);
        let value = value.map_err(|error| wrong(&error))?;
        Ok(Self(Assigned::Parameter(index, value)))
    }
}

impl Configuration {
    /// Assigns a value, replacing any earlier value.
    pub fn assign(&mut self, assignment: &Assignment) {
        match assignment.0.clone() {
            Assigned::Machine(machine) => self.machine = machine,
            Assigned::Nodes(nodes) => self.nodes = Some(nodes),
            Assigned::CpusPerNode(cpus) => self.cpus_per_node = Some(cpus),
            Assigned::Processes(processes) => self.processes = Some(processes),
            Assigned::Threads(threads) => self.threads = Some(threads),
            Assigned::Seed(seed) => self.seed = Some(seed),
            Assigned::Network(network) => self.network = Some(network),
            Assigned::Intranode(network) => self.intranode = Some(network),
            Assigned::NetworkKey(key) => self.network_keys.push(key),
            Assigned::Collective(choice) => self.collectives.push(choice),
            Assigned::DeviceModel(choice) => self.models.push(choice),
            Assigned::Mapping(mapping) => self.mapping = Some(mapping),
            Assigned::Discipline(name) => self.discipline = Some(name),
            Assigned::Quantum(quantum_s) => self.quantum_s = Some(quantum_s),
            Assigned::WaitPolicy(name) => self.wait_policy = Some(name),
            Assigned::Sockets(sockets) => self.sockets = Some(sockets),
            Assigned::MemoryBandwidth(rate) => self.memory_bandwidth = Some(rate),
            Assigned::CoreBandwidth(rate) => self.core_bandwidth = Some(rate),
            Assigned::Bind(binding) => self.binding = Some(binding),
            Assigned::Noise(choice) => self.noise.set(&choice),
            // What cannot be read was refused before.
            Assigned::SlowNode(choice) => self.noise.slow_down(&choice).unwrap_or_default(),
            Assigned::Changes(path) => self.changes = Some(path),
            Assigned::Engine(engine) => self.method.engine = engine,
            Assigned::Repetition(repetition) => self.method.repetition = repetition,
            Assigned::Operation(name, price_s) => self.prices.set(&name, price_s),
            Assigned::Parameter(index, value) => self.parameters[index] = Some(value),
        }
    }
}

/// Reads the value of a flag; `None` if there is no such flag.
fn of_flag(model: &Model, name: &str, text: &str) -> Option<Result<Assigned, ParseError>> {
    if let Some((flag, key)) = name.split_once('.') {
        return if flag == "operations" {
            Some(price(model, key, text))
        } else {
            of_part(flag, key, text)
        };
    }
    let count = || flag::count_of_units(text);
    let rate = || bytes_per_second(text);
    let network = || NetworkFlag::read(text, model.hardware);
    Some(match name {
        "machine" => machine(text, model.hardware)
            .map(|it| Assigned::Machine(it.map(Arc::new)))
            .map_err(|problem| ParseError::new(problem.into_text())),
        "nodes" => count().map(Assigned::Nodes),
        "cpus-per-node" => count().map(Assigned::CpusPerNode),
        "processes" => count().map(Assigned::Processes),
        "threads" => count().map(Assigned::Threads),
        "seed" => flag::seed(text).map(Assigned::Seed),
        "network" => network().map(Assigned::Network),
        "intranode" => network().map(Assigned::Intranode),
        "mapping" => Ok(Assigned::Mapping(text.to_owned())),
        "discipline" => one_of(text, &CpuDiscipline::NAMES).map(Assigned::Discipline),
        "quantum" => seconds(text).map(Assigned::Quantum),
        "wait-policy" => one_of(text, &WaitPolicy::NAMES).map(Assigned::WaitPolicy),
        "sockets" => count().map(Assigned::Sockets),
        "memory-bandwidth" => rate().map(Assigned::MemoryBandwidth),
        "core-bandwidth" => rate().map(Assigned::CoreBandwidth),
        "bind" => Binding::read(text).map(Assigned::Bind),
        "changes" => Ok(Assigned::Changes(text.to_owned())),
        "engine" => one_of(text, &["auto", "event", "local"])
            .map(|name| Assigned::Engine(Engine::of_name(&name).unwrap_or_default())),
        "repetition" => {
            one_of(text, &["auto", "off"]).map(|name| Assigned::Repetition(name == "auto"))
        }
        _ => return None,
    })
}

/// Reads the value of a part of a flag; `None` if the flag has no parts.
fn of_part(flag: &str, key: &str, text: &str) -> Option<Result<Assigned, ParseError>> {
    let within = flag == "intranode";
    let (key, text) = (key.to_owned(), text.to_owned());
    Some(match flag {
        "network" | "intranode" => Ok(Assigned::NetworkKey(NetworkKey { within, key, text })),
        "collective" => {
            let choice = format!("{key}={text}");
            let known = Algorithms::default().choose(&choice);
            known.map(|()| Assigned::Collective(choice))
        }
        "noise" => {
            let choice = Choice::read(&format!("{key}={text}"));
            choice.map(Assigned::Noise)
        }
        "slow-node" => {
            let choice = format!("{key}={text}");
            let known = Noise::default().slow_down(&choice);
            known.map(|()| Assigned::SlowNode(choice))
        }
        "model" => Ok(Assigned::DeviceModel(format!("{key}={text}"))),
        _ => return None,
    })
}

/// Reads the price of an operation of the model.
fn price(model: &Model, name: &str, text: &str) -> Result<Assigned, ParseError> {
    let mut names = model.opcodes.iter().map(|it| it.name);
    if !names.clone().any(|it| it == name) {
        let near = did_you_mean(name, &mut names);
        let message = format!("the model {} has no operation `{name}`{near}", model.name);
        return Err(ParseError::new(message));
    }
    seconds(text).map(|price_s| Assigned::Operation(name.to_owned(), price_s))
}

/// Finds a parameter by its name, or by its flag.
fn parameter(model: &Model, name: &str) -> Option<usize> {
    let mut names = model.parameters.iter().map(|parameter| parameter.name);
    if let Some(name) = name.strip_prefix("set.") {
        return names.position(|known| known == name);
    }
    let by_name = names.clone().position(|known| known == name);
    by_name.or_else(|| names.position(|known| flag_name(known) == name))
}

/// Reads one of some names.
fn one_of(text: &str, names: &[&str]) -> Result<String, ParseError> {
    if names.contains(&text) {
        return Ok(text.to_owned());
    }
    let near = did_you_mean(text, names.iter().copied());
    let message = format!("it is one of {}{near}", names.join(", "));
    Err(ParseError::new(message))
}

/// Message about a name that is neither a flag's nor a parameter's.
fn unknown(model: &Model, name: &str) -> String {
    let flags = FLAGS.iter().map(|flag| (*flag).to_owned());
    let parameters = model.parameters.iter().map(|it| flag_name(it.name));
    let known: Vec<String> = parameters.chain(flags).collect();
    let names = model.parameters.iter().map(|it| it.name);
    let near = did_you_mean(name, known.iter().map(String::as_str).chain(names));
    format!(
        "the model {} has no parameter `{}`, and no run has such a flag{near}",
        model.name,
        quoted(name)
    )
}
