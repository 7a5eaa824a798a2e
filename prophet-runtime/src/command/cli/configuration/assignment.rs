//! Assigns a value to a flag or a parameter.

use std::fmt;
use std::sync::Arc;

use prophet_machine::algorithms::Algorithms;
use prophet_machine::binding::Binding;
use prophet_machine::network_flag::NetworkFlag;
use prophet_machine::noise::{Choice, Noise};
use prophet_machine::policy::{CpuDiscipline, WaitPolicy};
use prophet_machine::quantity::{ParseError, bytes_per_second, quoted, seconds};
use prophet_result::flag_name;
use prophet_text::{Problem, did_you_mean};

use super::{Configuration, NetworkKey, machine};
use crate::command::cli::flag::{self, invalid};
use crate::language::model::Model;
use crate::simulation::choice::Engine;

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

/// A value for a flag of a run or for a parameter of its model. [`Configuration::assign`] sets it.
#[derive(Clone)]
pub struct Assignment(Arc<dyn Fn(&mut Configuration) + Send + Sync>);

fn assignment<T: Clone + Send + Sync + 'static>(
    value: Result<T, ParseError>,
    assign: fn(&mut Configuration, T),
) -> Result<Assignment, ParseError> {
    value.map(|value| Assignment(Arc::new(move |it| assign(it, value.clone()))))
}

impl fmt::Debug for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assignment").finish_non_exhaustive()
    }
}

impl Assignment {
    /// Returns `true` if `name` is a flag without a key, rather than a parameter.
    pub fn is_flag(name: &str) -> bool {
        FLAGS.contains(&name)
    }

    /// Parses the value of a flag or parameter. `name` can be
    ///
    /// - a flag without its hyphens, such as `nodes` or `network`,
    /// - `network.KEY` or `intranode.KEY` for a key of that network, such as `network.latency`,
    /// - `collective.NAME`, with an algorithm as its value, or `model.DEVICE`, with a hardware
    ///   model,
    /// - `noise.WHAT`, with a distribution as the value, or `slow-node.NODE`, with a factor,
    /// - `operations.NAME` for the price of an operation that the model uses, such as 0.5ns,
    /// - a parameter, by its flag, its name in the model, or as `set.NAME`.
    ///
    /// ```
    /// use prophet_runtime::{Assignment, Model, Parameter, Value};
    ///
    /// const MODEL: Model = Model::new("Lapw0", &[Parameter::new("NAT", Value::Int(32))], 12);
    /// assert!(Assignment::read(&MODEL, "collective.allreduce", "ring").is_ok());
    /// let error = Assignment::read(&MODEL, "nodse", "4").unwrap_err();
    /// assert_eq!(
    ///     error,
    ///     "the model Lapw0 has no parameter `nodse`, and `run` has no such flag; \
    ///      did you mean `nodes`?"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the name is unknown or the value is invalid.
    pub fn read(model: &Model, name: &str, text: &str) -> Result<Self, Problem> {
        let wrong = |problem: ParseError| invalid(&quoted(name), text, problem).into();
        let index = match of_flag(model, name, text) {
            Some(assignment) => return assignment.map_err(wrong),
            None => parameter(model, name).ok_or_else(|| unknown(model, name))?,
        };
        let value = model.parameters[index].default.parse(text);
        let assignment = assignment(value.map(|value| (index, value)), |it, (index, value)| {
            it.parameters[index] = Some(value);
        });
        assignment.map_err(wrong)
    }
}

impl Configuration {
    /// Sets a value, which replaces any earlier one.
    pub fn assign(&mut self, assignment: &Assignment) {
        (assignment.0)(self);
    }
}

/// Parses a value for a flag, or returns `None` if there is no such flag.
fn of_flag(model: &Model, name: &str, text: &str) -> Option<Result<Assignment, ParseError>> {
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
    let any_text = || Ok(text.to_owned());
    Some(match name {
        "machine" => {
            let machine = machine(text, model.hardware).map(|it| it.map(Arc::new));
            let machine = machine.map_err(|mistake| ParseError::new(Problem::from(mistake)));
            assignment(machine, |it, machine| it.machine = machine)
        }
        "nodes" => assignment(count(), |it, nodes| it.nodes = Some(nodes)),
        "cpus-per-node" => assignment(count(), |it, cpus| it.cpus_per_node = Some(cpus)),
        "processes" => assignment(count(), |it, processes| it.processes = Some(processes)),
        "threads" => assignment(count(), |it, threads| it.threads = Some(threads)),
        "seed" => assignment(flag::seed(text), |it, seed| it.seed = Some(seed)),
        "network" => assignment(network(), |it, network| it.network = Some(network)),
        "intranode" => assignment(network(), |it, network| it.intranode = Some(network)),
        "mapping" => assignment(any_text(), |it, mapping| it.mapping = Some(mapping)),
        "discipline" => {
            let name = one_of(text, &CpuDiscipline::NAMES);
            assignment(name, |it, name| it.discipline = Some(name))
        }
        "quantum" => assignment(seconds(text), |it, quantum_s| {
            it.quantum_s = Some(quantum_s);
        }),
        "wait-policy" => {
            let name = one_of(text, &WaitPolicy::NAMES);
            assignment(name, |it, name| it.wait_policy = Some(name))
        }
        "sockets" => assignment(count(), |it, sockets| it.sockets = Some(sockets)),
        "memory-bandwidth" => assignment(rate(), |it, rate| it.memory_bandwidth = Some(rate)),
        "core-bandwidth" => assignment(rate(), |it, rate| it.core_bandwidth = Some(rate)),
        "bind" => assignment(Binding::read(text), |it, bind| it.binding = Some(bind)),
        "changes" => assignment(any_text(), |it, path| it.changes = Some(path)),
        "engine" => assignment(one_of(text, &["auto", "event", "local"]), |it, name| {
            it.method.engine = Engine::of_name(&name).unwrap_or_default();
        }),
        "repetition" => assignment(one_of(text, &["auto", "off"]), |it, name| {
            it.method.repetition = name == "auto";
        }),
        _ => return None,
    })
}

/// Parses a value for a key of a flag, or returns `None` if the flag has no keys.
fn of_part(flag: &str, key: &str, text: &str) -> Option<Result<Assignment, ParseError>> {
    let choice = format!("{key}={text}");
    Some(match flag {
        "network" | "intranode" => {
            let (key, text) = (key.to_owned(), text.to_owned());
            let within = flag == "intranode";
            let key = NetworkKey { within, key, text };
            assignment(Ok(key), |it, key| it.network_keys.push(key))
        }
        "collective" => {
            let known = Algorithms::default().choose(&choice);
            assignment(known.map(|()| choice), |it, choice| {
                it.collectives.push(choice);
            })
        }
        "noise" => assignment(Choice::read(&choice), |it, choice| it.noise.set(&choice)),
        "slow-node" => {
            let known = Noise::default().slow_down(&choice);
            // Invalid choices have been rejected above.
            assignment(known.map(|()| choice), |it, choice| {
                it.noise.slow_down(&choice).unwrap_or_default();
            })
        }
        "model" => assignment(Ok(choice), |it, choice| it.models.push(choice)),
        _ => return None,
    })
}

fn price(model: &Model, name: &str, text: &str) -> Result<Assignment, ParseError> {
    let mut names = model.opcodes.iter().map(|it| it.name);
    if !names.clone().any(|it| it == name) {
        let near = did_you_mean(name, &mut names);
        let message = format!("the model {} has no operation `{name}`{near}", model.name);
        return Err(ParseError::new(message));
    }
    let price = seconds(text).map(|price_s| (name.to_owned(), price_s));
    assignment(price, |it, (name, price_s)| it.prices.set(&name, price_s))
}

fn parameter(model: &Model, name: &str) -> Option<usize> {
    let mut names = model.parameters.iter().map(|parameter| parameter.name);
    if let Some(name) = name.strip_prefix("set.") {
        return names.position(|known| known == name);
    }
    let by_name = names.clone().position(|known| known == name);
    by_name.or_else(|| names.position(|known| flag_name(known) == name))
}

fn one_of(text: &str, names: &[&str]) -> Result<String, ParseError> {
    if names.contains(&text) {
        return Ok(text.to_owned());
    }
    let near = did_you_mean(text, names.iter().copied());
    let message = format!("expected one of {}{near}", names.join(", "));
    Err(ParseError::new(message))
}

/// Returns the message about a name that is neither a flag nor a parameter.
fn unknown(model: &Model, name: &str) -> String {
    let flags = FLAGS.iter().map(|flag| (*flag).to_owned());
    let parameters = model.parameters.iter().map(|it| flag_name(it.name));
    let known: Vec<String> = parameters.chain(flags).collect();
    let names = model.parameters.iter().map(|it| it.name);
    let near = did_you_mean(name, known.iter().map(String::as_str).chain(names));
    format!(
        "the model {} has no parameter `{}`, and `run` has no such flag{near}",
        model.name,
        quoted(name)
    )
}
