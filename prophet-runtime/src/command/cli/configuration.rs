//! Stores the flags of a run, and builds the system from them.

use std::sync::Arc;

use clap::ArgMatches;
use prophet_machine::binding::Binding;
use prophet_machine::changes;
use prophet_machine::hardware::Hardware;
use prophet_machine::machine::Machine;
use prophet_machine::mapping::{Mapping, MappingError};
use prophet_machine::network_flag::NetworkFlag;
use prophet_machine::noise::Noise;
use prophet_machine::policy::{CpuDiscipline, WaitPolicy};
use prophet_machine::prices::Prices;
use prophet_machine::saturation::Saturation;
use prophet_machine::system::System;
use prophet_machine::tariff::{Date, Tariff};
use prophet_machine::value::Value;
use prophet_text::Problem;

use super::flag::invalid;
use super::machine::machine;
use super::mistake::Mistake;
use super::parameters::{ParameterFlags, complete};
use super::published::Published;
use super::{devices, noise};
use crate::language::model::{Model, Parameter};
use crate::simulation::choice::{Engine, Method};

mod assignment;
mod network_key;

pub use assignment::Assignment;
use network_key::NetworkKey;
use prophet_machine::algorithms::Algorithms;

/// Flags that need other flags, with examples of their values.
const NEEDS: [(&str, &str, &str); 3] = [
    ("trace-filter", "trace", "run.arrow"),
    ("date", "tariff", "tariff.toml"),
    ("kept", "expect", "'predicted_time_s < 2'"),
];

/// The configuration of a run: the machine, the layout of processes on it, and the model's
/// parameters.
///
/// You can read it from flags once, and then [assign](Self::assign) the values that vary, as a
/// sweep does at each point.
///
/// ```
/// use prophet_runtime::{Assignment, Configuration, Model, Parameter, Value};
///
/// const MODEL: Model = Model::new("Lapw0", &[Parameter::new("NAT", Value::Int(32))], 12);
/// let mut configuration = Configuration::read(&MODEL, &["--cpus-per-node", "4"])?;
/// for (name, text) in [("nodes", "8"), ("nat", "64"), ("network.latency", "5us")] {
///     configuration.assign(&Assignment::read(&MODEL, name, text)?);
/// }
/// let system = configuration.system()?;
/// assert_eq!((system.nodes, system.processes), (8, 32));
/// assert_eq!(system.parameters, [Value::Int(64)]);
/// assert!(system.machine().contains("latency=5us,bandwidth=10GB/s"));
/// # Ok::<(), prophet_text::Problem>(())
/// ```
#[derive(Debug, Clone)]
pub struct Configuration {
    hardware: Hardware,
    /// The machine, or `None` for the default machine.
    machine: Option<Arc<Machine>>,
    nodes: Option<u32>,
    cpus_per_node: Option<u32>,
    processes: Option<u32>,
    threads: Option<u32>,
    seed: Option<u64>,
    mapping: Option<String>,
    network: Option<NetworkFlag>,
    intranode: Option<NetworkFlag>,
    /// Values for single keys of the networks, such as a latency.
    network_keys: Vec<NetworkKey>,
    /// The choices of algorithms, as the flag gives them.
    collectives: Vec<String>,
    /// The choices of device models, as the flag gives them.
    models: Vec<String>,
    discipline: Option<String>,
    quantum_s: Option<f64>,
    wait_policy: Option<String>,
    sockets: Option<u32>,
    memory_bandwidth: Option<f64>,
    core_bandwidth: Option<f64>,
    binding: Option<Binding>,
    /// The user's prices of operations. They override the machine's.
    prices: Prices,
    noise: Noise,
    changes: Option<String>,
    tariff: Option<Tariff>,
    /// The model's parameters. Their values are in `parameters`.
    declared: &'static [Parameter],
    parameters: Vec<Option<Value>>,
    /// The language model that sets those parameters that no flag sets.
    published: Option<Arc<Published>>,
    method: Method,
}

impl Configuration {
    /// Reads the flags, including the values of the model's parameters.
    pub(super) fn given(
        model: &Model,
        parameters: &ParameterFlags,
        matches: &ArgMatches,
    ) -> Result<Self, Mistake> {
        if let Some((flag, other, value)) = NEEDS
            .into_iter()
            .find(|(flag, other, _)| matches.contains_id(flag) && !matches.contains_id(other))
        {
            let problem = format!("--{flag} needs --{other}, such as `--{other} {value}`");
            return Err(Mistake::Flag(problem));
        }
        let read = Self::of(matches, model.hardware)?;
        let published = matches.get_one::<String>("config");
        let published = published.map(|name| Published::named(name)).transpose()?;
        let given = Self {
            declared: model.parameters,
            parameters: parameters.given(model, matches)?,
            published: published.map(Arc::new),
            ..read
        };
        given.values().map_err(Mistake::Input)?;
        Ok(given)
    }

    /// Reads the flags, except for the model's parameters.
    fn of(matches: &ArgMatches, hardware: Hardware) -> Result<Self, Mistake> {
        let number = |id| matches.get_one::<u32>(id).copied();
        let text = |id| matches.get_one::<String>(id).cloned();
        let real = |id| matches.get_one::<f64>(id).copied();
        let network = |id| matches.get_one::<NetworkFlag>(id).cloned();
        let texts = |id| {
            let all = matches.get_many::<String>(id);
            all.into_iter().flatten().cloned().collect::<Vec<_>>()
        };
        let named = matches.get_one::<String>("machine");
        let machine = named.map_or(Ok(None), |name| machine(name, hardware))?;
        let mut noise = Noise::default();
        noise::set(&mut noise, matches)?;
        let date = matches.get_one::<Date>("date").copied();
        let tariff = text("tariff").map(|path| Tariff::read(&path, date));
        let engine = text("engine").and_then(|name| Engine::of_name(&name));
        Ok(Self {
            hardware,
            machine: machine.map(Arc::new),
            nodes: number("nodes"),
            cpus_per_node: number("cpus-per-node"),
            processes: number("processes"),
            threads: number("threads"),
            seed: matches.get_one::<u64>("seed").copied(),
            mapping: text("mapping"),
            network: network("network"),
            intranode: network("intranode"),
            network_keys: Vec::new(),
            collectives: texts("collective"),
            models: texts("model"),
            discipline: text("discipline"),
            quantum_s: real("quantum"),
            wait_policy: text("wait-policy"),
            sockets: number("sockets"),
            memory_bandwidth: real("memory-bandwidth"),
            core_bandwidth: real("core-bandwidth"),
            binding: matches.get_one::<Binding>("bind").cloned(),
            prices: Prices::default(),
            noise,
            changes: text("changes"),
            tariff: tariff.transpose().map_err(Mistake::Input)?,
            declared: &[],
            parameters: Vec::new(),
            published: None,
            method: Method {
                engine: engine.unwrap_or(Engine::Auto),
                repetition: text("repetition").is_some_and(|text| text == "auto"),
                folding: text("fold").is_some_and(|text| text == "auto"),
                jobs: matches.get_one("jobs").copied().unwrap_or_default(),
            },
        })
    }

    /// Returns the values of the parameters that a flag or a language model sets.
    fn values(&self) -> Result<Vec<Option<Value>>, Problem> {
        let mut values = self.parameters.clone();
        if let Some(published) = &self.published {
            published.fill(self.declared, &mut values)?;
        }
        Ok(values)
    }

    /// Returns a warning for each entry in the `config.json` of `--config` that the model's
    /// parameters can't express.
    pub fn warnings(&self) -> &[String] {
        self.published.as_ref().map_or(&[], |it| &it.warnings)
    }

    /// Sets the seed of the random numbers.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = Some(seed);
    }

    /// Returns the machine that `--machine` selects, or `None` for the default machine.
    pub fn machine(&self) -> Option<&Machine> {
        self.machine.as_deref()
    }

    /// Returns `true` if outcomes include an energy, because the machine describes its power, or a
    /// cost, because of `--tariff`.
    pub fn has_energy(&self) -> bool {
        let has_power = |machine: &Machine| machine.power.is_some();
        self.tariff.is_some() || self.machine().is_some_and(has_power)
    }

    /// Returns the networks from `--network` and `--intranode`, in the notation of these flags, or
    /// `None` for a flag that isn't set.
    pub fn networks(&self) -> [Option<String>; 2] {
        [&self.network, &self.intranode].map(|it| it.as_ref().map(ToString::to_string))
    }

    /// Checks that each parameter has a value, either from the model or from a flag.
    ///
    /// # Errors
    ///
    /// Returns an error that names the first parameter without a value, and the flag that sets it.
    pub fn check_parameters(&self) -> Result<(), Problem> {
        complete(self.declared, &self.values()?)?;
        Ok(())
    }

    pub(crate) const fn method(&self) -> Method {
        self.method
    }

    /// Builds the system that the configuration describes.
    ///
    /// # Errors
    ///
    /// Returns an error if flags contradict each other or a file is invalid.
    pub fn system(&self) -> Result<System, Problem> {
        Ok(self.described()?)
    }

    /// Builds the system, with defaults from the machine. The error says which kind of mistake it
    /// is.
    pub(super) fn described(&self) -> Result<System, Mistake> {
        let machine = self.machine.as_deref();
        let [nodes, cpus_per_node, processes, threads] = self.sizes(machine)?;
        let mapping = self.mapping(machine, processes, nodes)?;
        let mut system = match machine {
            Some(machine) => System::on(machine.clone(), nodes, cpus_per_node, processes, threads),
            None => System::new(nodes, cpus_per_node, processes, threads),
        };
        self.set_networks(&mut system)?;
        for (name, price_s) in self.prices.iter() {
            system.prices.set(name, price_s);
        }
        devices::choose(&mut system, &self.models, self.hardware)?;
        self.set_memory(&mut system);
        self.set_cpus(&mut system)?;
        system.noise.clone_from(&self.noise);
        choose(&mut system.algorithms, &self.collectives)?;
        system.seed = self.seed.unwrap_or(System::DEFAULT_SEED);
        system.mapping = mapping.unwrap_or(system.mapping);
        system.parameters = complete(self.declared, &self.values().map_err(Mistake::Input)?)?;
        if let Some(path) = &self.changes {
            system.follow_changes(path).map_err(Mistake::Input)?;
        }
        system.tariff.clone_from(&self.tariff);
        let is_of_energy = self.tariff.as_ref().is_some_and(Tariff::needs_energy);
        if is_of_energy && system.power.is_none() {
            let problem = "the tariff depends on the energy of the run, but the machine does not \
                           declare its power: add a `[power]` table to the machine file";
            return Err(Mistake::Flag(problem.to_owned()));
        }
        let contradiction = system.contradiction();
        let of_machine = machine.and_then(|it| it.contradiction.clone());
        match (
            contradiction.or_else(|| changes::contradiction(&system)),
            of_machine,
        ) {
            (None, _) => match changes::wrong_line(&system) {
                Some(wrong) => Err(Mistake::Input(wrong)),
                None => Ok(system),
            },
            // The flags don't change the problem that is in the file.
            (Some(problem), Some(located)) if located.message == problem => {
                Err(Mistake::Input(located))
            }
            (Some(problem), _) => Err(Mistake::Flag(problem)),
        }
    }

    /// Returns the numbers of nodes, CPUs per node, processes, and threads.
    fn sizes(&self, machine: Option<&Machine>) -> Result<[u32; 4], Mistake> {
        let of_machine = |id, what: &str, wanted: Option<u32>, has: Option<u32>| match (wanted, has)
        {
            (Some(wanted), Some(has)) if wanted > has => {
                let name = machine.map_or("", |machine| &machine.name);
                let problem = format!("--{id} {wanted}: the machine `{name}` has {has} {what}");
                Err(Mistake::Flag(problem))
            }
            (wanted, has) => Ok(wanted.or(has).unwrap_or(1)),
        };
        let has = machine.and_then(|machine| machine.nodes);
        let nodes = of_machine("nodes", "nodes", self.nodes, has)?;
        let has = machine.and_then(|machine| machine.cpus_per_node);
        let cpus_per_node = of_machine("cpus-per-node", "CPUs per node", self.cpus_per_node, has)?;
        let threads = self.threads.unwrap_or(1);
        let most = System::UNITS_MAX;
        let processes = match self.processes {
            Some(processes) => processes,
            None => nodes
                .checked_mul(cpus_per_node)
                .filter(|&cpus| cpus <= most)
                .ok_or_else(|| {
                    let cpus = u64::from(nodes) * u64::from(cpus_per_node);
                    format!(
                        "{cpus} processes, one per CPU, are too many (at most {most} can run); \
                         choose a number with --processes"
                    )
                })?,
        };
        let units = u64::from(processes) * u64::from(threads);
        if units > u64::from(most) {
            return Err(Mistake::Flag(format!(
                "{processes} processes with {threads} threads each make {units} threads, but at \
                 most {most} can run"
            )));
        }
        Ok([nodes, cpus_per_node, processes, threads])
    }

    /// Computes the node of each process. Returns `None` for the default mapping in blocks.
    fn mapping(
        &self,
        machine: Option<&Machine>,
        processes: u32,
        nodes: u32,
    ) -> Result<Option<Vec<u32>>, Mistake> {
        if let Some(text) = &self.mapping {
            let nodes = Mapping::parse(text).and_then(|mapping| mapping.nodes_of(processes, nodes));
            return nodes.map(Some).map_err(|error| match error {
                MappingError::Flag(problem) => Mistake::Flag(invalid("--mapping", text, problem)),
                MappingError::File(problem) => Mistake::Input(problem.into()),
            });
        }
        let Some(machine) = machine else {
            return Ok(None);
        };
        let nodes = machine.mapping.clone().nodes_of(processes, nodes);
        nodes.map(Some).map_err(|error| {
            let name = &machine.name;
            Mistake::Flag(format!("machine `{name}`: {error}; pass --mapping"))
        })
    }

    /// Sets the networks from the flags. A network between nodes is also used within nodes, unless
    /// the machine has its own network there.
    fn set_networks(&self, system: &mut System) -> Result<(), Mistake> {
        let base = system.base.as_ref();
        let within = base.and_then(|base| base.intranode.clone());
        let within = self.intranode.clone().or(self.network.as_ref().and(within));
        let flags = [("network", &self.network), ("intranode", &self.intranode)];
        for (name, flag) in flags {
            let doubts = flag.iter().flat_map(|flag| &flag.doubts);
            let named = doubts.map(|doubt| format!("--{name}: {doubt}"));
            system.doubts.extend(named);
        }
        let set = system.set_networks(self.network.clone(), within);
        set.map_err(|error| error.to_string())?;
        for key in &self.network_keys {
            key.set(system, self.hardware)?;
        }
        Ok(())
    }

    fn set_memory(&self, system: &mut System) {
        let memory = &mut system.memory;
        if let Some(sockets) = self.sockets {
            memory.sockets = sockets;
            memory.domains = None;
        }
        let rates = self.memory_bandwidth.or(self.core_bandwidth);
        if rates.is_some() && matches!(memory.saturation, Saturation::Measured(_)) {
            // The measured curve applies only to the machine's own bandwidths.
            memory.saturation = Saturation::default();
        }
        memory.bandwidth = self.memory_bandwidth.or(memory.bandwidth);
        memory.core_bandwidth = self.core_bandwidth.or(memory.core_bandwidth);
        if let Some(binding) = &self.binding {
            system.binding.clone_from(binding);
        }
    }

    fn set_cpus(&self, system: &mut System) -> Result<(), Mistake> {
        let of_machine_s = match system.discipline {
            CpuDiscipline::RoundRobin { quantum_s } => quantum_s,
            CpuDiscipline::Fcfs | CpuDiscipline::ProcessorSharing => {
                CpuDiscipline::DEFAULT_QUANTUM_S
            }
        };
        let discipline = self.discipline.as_deref();
        let name = discipline.unwrap_or_else(|| system.discipline.name());
        let discipline = CpuDiscipline::of_name(name, self.quantum_s.unwrap_or(of_machine_s));
        system.discipline = discipline.unwrap_or(system.discipline);
        let is_round_robin = matches!(system.discipline, CpuDiscipline::RoundRobin { .. });
        if self.quantum_s.is_some() && !is_round_robin {
            let problem = "--quantum needs --discipline round-robin";
            return Err(Mistake::Flag(problem.to_owned()));
        }
        let policy = self.wait_policy.as_deref().and_then(WaitPolicy::of_name);
        system.wait_policy = policy.unwrap_or(system.wait_policy);
        Ok(())
    }
}

/// Applies the choices from the flag. If there are several for a collective, the last one counts.
fn choose(algorithms: &mut Algorithms, choices: &[String]) -> Result<(), String> {
    for choice in choices {
        let chosen = algorithms.choose(choice);
        chosen.map_err(|problem| invalid("--collective", choice, problem))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
