//! Describes the machine of a run, and which processes run on which nodes.

use std::fmt::Write;
use std::sync::Arc;

use prophet_text::{Problem, counted};

use crate::accelerator::{self, Accelerator};
use crate::algorithms::Algorithms;
use crate::binding::{Binding, Parts};
use crate::change::Listed;
use crate::devices::Device;
use crate::fabric::Fabric;
use crate::groups::Groups;
use crate::machine::Accuracy;
use crate::machine::Machine;
use crate::mapping::{block, cyclic};
use crate::memory::Memory;
use crate::network::Network;
use crate::network_flag::NetworkFlag;
use crate::noise::Noise;
use crate::policy::{CpuDiscipline, WaitPolicy};
use crate::power::{Law, Power};
use crate::prices::Prices;
use crate::protocol::{Nic, Protocol};
use crate::quantity::{ParseError, one_line};
use crate::saturation::{QUEUE_MAX, Saturation};
use crate::shortage::Shortage;
use crate::source::Source;
use crate::tariff::Tariff;
use crate::value::Value;

/// The machine of a run, and the processes on its nodes.
///
/// ```
/// use prophet_runtime::System;
///
/// let system = System::new(2, 2, 4, 1);
/// assert_eq!(system.mapping, [0, 0, 1, 1]);
/// assert_eq!(system.machine(), "default");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct System {
    pub nodes: u32,
    pub cpus_per_node: u32,
    pub processes: u32,
    /// Threads per process.
    pub threads: u32,
    /// The network that prices messages between nodes. If messages share links, it prices only the
    /// work of sender and receiver.
    pub network: Network,
    /// The links that messages between nodes share; `None` if messages don't share links.
    pub fabric: Option<Arc<Fabric>>,
    /// Warnings about values of flags that probably lack a unit, as sentences.
    pub doubts: Vec<String>,
    /// The network within a node.
    pub intranode: Network,
    /// The sockets, memory and caches of a node.
    pub memory: Memory,
    /// Kinds of accelerators, such as GPUs. A node's accelerators are numbered in this order.
    pub accelerators: Arc<[Accelerator]>,
    /// How the units of a node are bound to its CPUs.
    pub binding: Binding,
    pub algorithms: Algorithms,
    /// Groups of nodes that differ in speed, power, accelerators or memory.
    pub groups: Groups,
    /// `None` if the machine file doesn't specify power.
    pub power: Option<Power>,
    /// Prices of energy and nodes, and carbon emissions; `None` without a tariff.
    pub tariff: Option<Tariff>,
    /// How units share the CPUs of a node.
    pub discipline: CpuDiscipline,
    /// What a waiting unit does with its CPU.
    pub wait_policy: WaitPolicy,
    pub protocol: Protocol,
    pub prices: Prices,
    /// The models of custom devices; the first model of each device is its default.
    pub devices: Vec<Device>,
    /// Noise of costs and messages, and slow nodes.
    pub noise: Noise,
    /// Changes that the machine file lists.
    pub listed: Listed,
    /// Where further changes are read from during the run, if anywhere.
    pub source: Option<Source>,
    /// The node of each process, by pid.
    pub mapping: Vec<u32>,
    /// Seed of all random streams.
    pub seed: u64,
    /// Values of the model's parameters, by index.
    pub parameters: Vec<Value>,
    /// The machine that the system was created from; `None` for the default machine.
    pub base: Option<Box<Machine>>,
}

impl System {
    /// Maximum number of nodes, and of processes times threads: 134,217,728.
    pub const UNITS_MAX: u32 = crate::mapping::UNITS_MAX;
    pub const DEFAULT_SEED: u64 = 1;

    /// Returns `true` if process `n` runs alone on node `n`, for every `n`.
    #[inline]
    pub fn has_one_process_a_node(&self) -> bool {
        self.nodes == self.processes && (0..).zip(&self.mapping).all(|(pid, nid)| pid == *nid)
    }

    /// Returns the largest number of processes on a node, times the threads of a process.
    pub fn most_units_of_a_node(&self) -> u64 {
        let mut counts = vec![0_u64; self.nodes as usize];
        for nid in &self.mapping {
            if let Some(count) = counts.get_mut(*nid as usize) {
                *count += 1;
            }
        }
        let most = counts.into_iter().max().unwrap_or(0);
        most * u64::from(self.threads)
    }

    /// Creates a system of this size on the default machine, with processes mapped in blocks, and
    /// without parameters.
    pub fn new(nodes: u32, cpus_per_node: u32, processes: u32, threads: u32) -> Self {
        Self {
            nodes,
            cpus_per_node,
            processes,
            threads,
            network: Network::DEFAULT,
            fabric: None,
            intranode: Network::DEFAULT_INTRANODE,
            memory: Memory::default(),
            accelerators: Arc::default(),
            binding: Binding::default(),
            groups: Groups::default(),
            power: None,
            tariff: None,
            algorithms: Algorithms::default(),
            discipline: CpuDiscipline::default(),
            wait_policy: WaitPolicy::default(),
            protocol: Protocol::default(),
            prices: Prices::default(),
            devices: Vec::new(),
            noise: Noise::default(),
            listed: Listed::default(),
            source: None,
            mapping: block(processes, nodes),
            seed: Self::DEFAULT_SEED,
            parameters: Vec::new(),
            base: None,
            doubts: Vec::new(),
        }
    }

    /// Creates a system on a part of a machine. It uses the machine's mapping if that fits.
    ///
    /// Nodes keep all their sockets, memory domains and caches, and units can be bound to any CPU
    /// that a node has in the machine.
    pub fn on(
        machine: Machine,
        nodes: u32,
        cpus_per_node: u32,
        processes: u32,
        threads: u32,
    ) -> Self {
        let mut system = Self::new(nodes, cpus_per_node, processes, threads);
        // Files with contradictory networks are rejected when they are read.
        let _ = system.set_networks(machine.network.clone(), machine.intranode.clone());
        system.memory = machine.memory.clone();
        if machine.cpus_per_node.is_none() {
            system.memory.sockets = machine.memory.sockets.min(cpus_per_node);
        }
        system.accelerators = machine.accelerators.clone();
        system.binding = machine.binding.clone();
        system.groups = machine.groups.clone();
        system.power = machine.power;
        system.discipline = machine.discipline;
        system.wait_policy = machine.wait_policy;
        system.algorithms = Algorithms::by(machine.collectives);
        system.prices = machine.prices.clone();
        system.devices.clone_from(&machine.devices);
        system.listed = machine.changes.clone();
        if let Ok(mapping) = machine.mapping.clone().nodes_of(processes, nodes) {
            system.mapping = mapping;
        }
        system.base = Some(Box::new(machine));
        system
    }

    /// Returns `true` if the systems are equal, whatever machines they were created from.
    pub fn is_like(&self, other: &Self) -> bool {
        let without = |system: &Self| Self {
            base: None,
            ..system.clone()
        };
        without(self) == without(other)
    }

    /// Returns the system as it was created, without any later changes.
    fn unchanged(&self) -> Self {
        let (nodes, cpus) = (self.nodes, self.cpus_per_node);
        let (processes, threads) = (self.processes, self.threads);
        match &self.base {
            None => Self::new(nodes, cpus, processes, threads),
            Some(base) => Self::on((**base).clone(), nodes, cpus, processes, threads),
        }
    }

    /// Sets the network between nodes, in the notation of `--network`.
    ///
    /// ```
    /// use prophet_runtime::System;
    ///
    /// let mut system = System::new(16, 1, 16, 1);
    /// system.choose_network("shared:topology=torus,dimensions=4x4,latency=1us,bandwidth=1GB/s")?;
    /// let network = "shared:topology=torus,dimensions=4x4,latency=1us,bandwidth=1GB/s";
    /// assert!(system.machine().contains(network));
    /// # Ok::<(), prophet_runtime::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the text is invalid.
    pub fn choose_network(&mut self, text: &str) -> Result<(), ParseError> {
        let network: NetworkFlag = text.parse()?;
        let within = self.intranode_flag();
        self.set_networks(Some(network), Some(within))
    }

    /// Reads changes to links, nodes and operations from a file of JSON lines, which must be sorted
    /// by time. `-` is the standard input.
    ///
    /// Each line is read when the run needs it, so another program can write to a pipe during the
    /// run.
    ///
    /// ```
    /// use prophet_runtime::System;
    ///
    /// let error = System::new(2, 1, 2, 1).follow_changes("none.jsonl").unwrap_err();
    /// assert!(error.message.starts_with("cannot read none.jsonl: "));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the file doesn't exist.
    pub fn follow_changes(&mut self, path: &str) -> Result<(), Problem> {
        let source = Source(path.to_owned());
        source.check()?;
        self.source = Some(source);
        Ok(())
    }

    /// Returns the network within a node in the form of its flag.
    pub fn intranode_flag(&self) -> NetworkFlag {
        NetworkFlag {
            eager_bytes: self.protocol.intranode_eager_bytes,
            ..NetworkFlag::without_options(self.intranode)
        }
    }

    /// Sets the networks from flags. If `intranode` is `None`, `network` is used within nodes too,
    /// unless messages share its links.
    ///
    /// # Errors
    ///
    /// Returns an error if the network within nodes has shared links or specifies network
    /// interfaces.
    pub fn set_networks(
        &mut self,
        network: Option<NetworkFlag>,
        intranode: Option<NetworkFlag>,
    ) -> Result<(), ParseError> {
        if intranode
            .as_ref()
            .is_some_and(|within| within.nic.is_some())
        {
            let message = "`nic=` applies to messages between nodes: use it with --network";
            return Err(ParseError::new(message));
        }
        // Links between nodes don't connect processes on the same node.
        let within = intranode.or_else(|| network.clone().filter(|it| it.fabric.is_none()));
        if within
            .as_ref()
            .is_some_and(|within| within.fabric.is_some())
        {
            let message = "messages within a node do not share links; use `hockney` or `loggp`";
            return Err(ParseError::new(message));
        }
        if let Some(between) = network {
            self.network = between.network;
            self.fabric = between.fabric;
            self.protocol.eager_bytes = between.eager_bytes;
            let (nic, nics) = between.nic.unwrap_or((Nic::Rank, 1));
            self.protocol.nic = nic;
            self.protocol.nics = nics;
        }
        if let Some(within) = within {
            self.intranode = within.network;
            self.protocol.intranode_eager_bytes = within.eager_bytes;
        }
        Ok(())
    }

    /// Returns warnings about parts of the machine file that aren't modeled or look wrong, with
    /// file and line, and about flags that look wrong.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        let of_file = self.base.iter().flat_map(|base| &base.warnings);
        of_file
            .map(ToString::to_string)
            .chain(self.doubts.iter().cloned())
    }

    /// Formats the network between nodes as the value of `--network`, without options.
    pub fn network_text(&self) -> String {
        match &self.fabric {
            None => self.network.to_string(),
            Some(fabric) => fabric.to_string(),
        }
    }

    /// Formats the network between nodes, or within nodes if `within` is `true`, as the value of
    /// its flag.
    pub fn network_value(&self, within: bool) -> String {
        if within {
            return self.intranode_flag().to_string();
        }
        let flag = NetworkFlag {
            fabric: self.fabric.clone(),
            eager_bytes: self.protocol.eager_bytes,
            nic: Some((self.protocol.nic, self.protocol.nics)),
            ..NetworkFlag::without_options(self.network)
        };
        flag.to_string()
    }

    fn network_flags(&self) -> String {
        let (between, within) = (self.network_value(false), self.network_value(true));
        format!("--network {between} --intranode {within}")
    }

    /// Formats the machine in one line: its name, and the flags that change it. The default machine
    /// without such flags is `default`.
    ///
    /// ```
    /// use prophet_runtime::{Network, System};
    ///
    /// let mut system = System::new(2, 1, 2, 1);
    /// system.intranode = Network::DEFAULT;
    /// assert_eq!(
    ///     system.machine(),
    ///     "--network hockney:latency=1us,bandwidth=10GB/s \
    ///      --intranode hockney:latency=1us,bandwidth=10GB/s"
    /// );
    /// ```
    pub fn machine(&self) -> String {
        let base = self.unchanged();
        let networks = |system: &Self| {
            let fabric = system.fabric.clone();
            (system.network, fabric, system.intranode, system.protocol)
        };
        let name = self.base.as_ref().map(|base| base.name.clone());
        let mut parts: Vec<String> = name.into_iter().collect();
        if networks(self) != networks(&base) {
            parts.push(self.network_flags());
        }
        if self.memory != base.memory {
            parts.push(self.memory.to_string());
        }
        if self.binding != base.binding {
            parts.push(format!("--bind {}", self.binding));
        }
        if self.discipline != base.discipline {
            parts.push(format!("--discipline {}", self.discipline));
        }
        if self.wait_policy != base.wait_policy {
            parts.push(format!("--wait-policy {}", self.wait_policy));
        }
        if self.algorithms != base.algorithms {
            parts.push(self.algorithms.flags(&base.algorithms));
        }
        if self.prices != base.prices && self.prices == Prices::default() {
            parts.push("--model CPU=fixed".to_owned());
        }
        let chosen = self.devices.iter().filter(|it| !base.devices.contains(it));
        parts.extend(chosen.map(|device| format!("--model {device}")));
        if !self.noise.is_none() {
            parts.push(self.noise.to_string());
        }
        if self.mapping != base.mapping {
            parts.push(format!("--mapping {}", self.mapping_text()));
        }
        if let Some(source) = &self.source {
            parts.push(format!("--changes {}", one_line(&source.0)));
        }
        if parts.is_empty() {
            parts.push("default".to_owned());
        }
        parts.join(" ")
    }

    /// Returns a message about the first contradiction or invalid value in the system; `None` if
    /// the system is valid.
    pub fn contradiction(&self) -> Option<String> {
        let is_positive = |value: f64| value > 0.0 && value.is_finite();
        let not_yet = |what: &str, instead: &str| {
            let discipline = self.discipline.name();
            Some(format!(
                "{what} is not supported with the discipline {discipline} yet; use {instead}"
            ))
        };
        let of_node = self.contradiction_of_memory();
        if let Some(problem) = of_node.or_else(|| accelerator::problem(&self.accelerators)) {
            return Some(problem);
        }
        if let CpuDiscipline::RoundRobin { quantum_s } = self.discipline {
            if !is_positive(quantum_s) {
                return Some(format!("expected a quantum above 0, found {quantum_s} s"));
            }
            if self.wait_policy == WaitPolicy::Hold {
                return not_yet("the wait policy hold", "release or fcfs");
            }
        }
        if self.memory.is_limited() && self.discipline != CpuDiscipline::Fcfs {
            return not_yet("a memory bandwidth", "fcfs");
        }
        let of_noise = self.noise.contradiction(self.nodes);
        of_noise.or_else(|| self.contradiction_of_fabric())
    }

    /// Describes a contradiction or an invalid value in the parts of a node or in the binding, if
    /// there is one.
    fn contradiction_of_memory(&self) -> Option<String> {
        let parts = self.parts();
        let Memory {
            sockets,
            bandwidth,
            core_bandwidth,
            ..
        } = self.memory;
        if sockets > parts.cpus {
            let cpus = counted(u64::from(parts.cpus), "CPU", "CPUs");
            return Some(format!("a node has {sockets} sockets, but only {cpus}"));
        }
        if sockets == 0 {
            return Some("a node needs at least one socket".to_owned());
        }
        for (whose, value) in [("", bandwidth), (" of a core", core_bandwidth)] {
            if let Some(value) = value.filter(|value| !(*value > 0.0 && value.is_finite())) {
                return Some(format!("the memory bandwidth{whose} is {value} B/s"));
            }
        }
        if self.memory.saturation == Saturation::Queueing {
            if bandwidth.is_none() || core_bandwidth.is_none() {
                let message = "queueing needs the memory bandwidth of a domain and of one CPU";
                return Some(message.to_owned());
            }
            if parts.cpus.div_ceil(parts.domains) > QUEUE_MAX {
                return Some(format!(
                    "queueing supports at most {QUEUE_MAX} CPUs per domain"
                ));
            }
        }
        let mut nearer = None;
        for cache in self.memory.caches.iter() {
            let problem = cache.problem(nearer, None);
            if problem.is_some() {
                return problem;
            }
            nearer = Some(cache);
        }
        self.binding.contradiction(parts.cpus, self.units_most())
    }

    /// Returns how many parts a node has, including CPUs that the run doesn't use.
    pub fn parts(&self) -> Parts {
        let of_machine = self.base.as_ref().and_then(|base| base.cpus_per_node);
        let cpus = of_machine.unwrap_or(0).max(self.cpus_per_node).max(1);
        let last = self.memory.caches.last();
        let caches = last.and_then(|cache| cpus.checked_div(cache.cpus));
        Parts {
            cpus,
            sockets: self.memory.sockets.clamp(1, cpus),
            domains: self.memory.domains().min(cpus),
            last_caches: caches.unwrap_or(cpus).max(1),
        }
    }

    /// Returns the maximum number of units on a node if each process has `NUM_THREADS` threads.
    fn units_most(&self) -> u64 {
        if self.binding == Binding::default() {
            0
        } else {
            self.most_units_of_a_node()
        }
    }

    /// Explains why messages can't share links in this system; `None` if they can.
    fn contradiction_of_fabric(&self) -> Option<String> {
        let fabric = self.fabric.as_ref()?;
        if let Some((operation, formula)) = self.algorithms.formula() {
            let (kind, formula) = (operation.kind(), formula.name());
            return Some(format!(
                "a formula cannot account for shared links: choose an algorithm other than \
                 {kind}={formula}"
            ));
        }
        fabric.platform(self.nodes).err().map(String::from)
    }

    /// Returns a node's name: from its group, from its host, or else its number.
    pub fn node_name(&self, nid: u32) -> String {
        let host = self.fabric.as_ref().and_then(|it| it.host(nid));
        let name = host.map(str::to_owned).or_else(|| self.groups.name(nid));
        name.unwrap_or_else(|| nid.to_string())
    }

    /// Returns the factor by which costs are multiplied on a node, from the node's speed and the
    /// noise.
    #[inline]
    pub fn cost_factor(&self, nid: u32) -> f64 {
        self.noise.node_factor(nid) / self.groups.kind(nid).speed
    }

    /// Returns, for each process, how many processes with lower numbers run on the same node, and
    /// for each node, how many processes it runs.
    #[inline]
    pub fn places(&self) -> (Vec<u32>, Vec<u32>) {
        let mut processes = vec![0; self.nodes as usize];
        let place = |nid: &u32| {
            let count: &mut u32 = &mut processes[*nid as usize];
            *count += 1;
            *count - 1
        };
        (self.mapping.iter().map(place).collect(), processes)
    }

    /// Returns the first node that has less memory than `bytes` bytes for each of its processes;
    /// `None` if all nodes have enough.
    pub fn shortage(&self, bytes: u64) -> Option<Shortage> {
        let (_, processes) = self.places();
        let mut nodes = (0..).zip(processes);
        nodes.find_map(|(node, processes)| self.shortage_of(node, processes, bytes))
    }

    /// Returns the shortage on a node with this many processes, each of which needs `bytes` bytes;
    /// `None` if the node has enough memory.
    pub fn shortage_of(&self, node: u32, processes: u32, bytes: u64) -> Option<Shortage> {
        let size = self.groups.kind(node).memory.or(self.memory.size)?;
        let shortage = Shortage {
            node,
            processes,
            bytes,
            size,
        };
        (shortage.needed() > u128::from(size)).then_some(shortage)
    }

    /// Returns `true` if the memory of any node is limited.
    pub fn has_memory_sizes(&self) -> bool {
        let mut groups = self.groups.iter();
        self.memory.size.is_some() || groups.any(|it| it.kind.memory.is_some())
    }

    /// Returns the accelerators of a node, with the indices of their kinds.
    #[inline]
    pub fn accelerators_of(&self, nid: u32) -> impl Iterator<Item = (usize, &Accelerator)> {
        self.groups.kind(nid).accelerators.of(&self.accelerators)
    }

    /// Returns the accelerator with this number on a node, with the index of its kind; `None` if
    /// the node has no such accelerator.
    #[inline]
    pub fn accelerator(&self, (nid, number): (u32, u32)) -> Option<(usize, &Accelerator)> {
        let mut rest = number;
        self.accelerators_of(nid).find(|(_, it)| {
            let is_here = rest < it.count;
            rest = rest.saturating_sub(it.count);
            is_here
        })
    }

    /// Returns how far measured times deviate from predictions with the machine file's prices;
    /// `None` if that is unknown.
    pub fn accuracy(&self) -> Option<&Accuracy> {
        self.base.as_ref()?.accuracy.as_ref()
    }

    /// Returns the law of a node's power; `None` if the machine file doesn't specify power.
    pub fn power_of(&self, nid: u32) -> Option<Law> {
        let node = self.power.as_ref()?.node;
        Some(
            self.groups
                .kind(nid)
                .power
                .unwrap_or(node)
                .law(self.parts().cpus),
        )
    }

    /// Returns `true` if the machine changes during a run.
    pub fn changes(&self) -> bool {
        let of_links = self.fabric.as_ref().map(|fabric| &fabric.changes);
        let mut listed = of_links.into_iter().chain([&self.listed]);
        self.source.is_some() || listed.any(|listed| !listed.is_empty())
    }

    /// Returns `true` if the speeds of nodes can change during a run.
    pub fn changes_nodes(&self) -> bool {
        let may = self.source.is_some() || self.listed.has_nodes();
        may && self.why_steady().is_none()
    }

    /// Explains why the speeds of nodes can't change; `None` if they can.
    pub fn why_steady(&self) -> Option<String> {
        let what = "a change to a node's speed";
        if let CpuDiscipline::RoundRobin { .. } = self.discipline {
            return Some(format!(
                "{what} is not supported with the discipline round-robin yet; use fcfs or \
                 processor-sharing"
            ));
        }
        self.memory.is_limited().then(|| {
            format!("{what} is not supported with a memory bandwidth yet; remove one of the two")
        })
    }

    /// Formats the mapping as its flag. A long list is shortened.
    fn mapping_text(&self) -> String {
        const SHOWN: usize = 32;
        if self.mapping == cyclic(self.processes, self.nodes) {
            return "cyclic".to_owned();
        }
        if self.mapping == block(self.processes, self.nodes) {
            return "block".to_owned();
        }
        let shown: Vec<String> = self
            .mapping
            .iter()
            .take(SHOWN)
            .map(u32::to_string)
            .collect();
        let mut text = shown.join(",");
        if self.mapping.len() > SHOWN {
            // Writing to a string can't fail.
            let _ = write!(text, ",… ({} entries)", self.mapping.len());
        }
        text
    }
}

impl Default for System {
    /// One node with one CPU, and one process with one thread.
    fn default() -> Self {
        Self::new(1, 1, 1, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_machine_is_the_documented_one() {
        let system = System::default();
        assert_eq!(
            system.network.to_string(),
            "hockney:latency=1us,bandwidth=10GB/s"
        );
        assert_eq!(
            system.intranode.to_string(),
            "hockney:latency=300ns,bandwidth=20GB/s"
        );
        assert_eq!(system.machine(), "default");
    }

    #[test]
    fn mappings_are_part_of_the_machine() {
        let mut system = System::new(2, 1, 4, 1);
        system.mapping = vec![0, 1, 0, 1];
        assert_eq!(system.machine(), "--mapping cyclic");
        system.mapping = vec![1, 1, 0, 0];
        assert_eq!(system.machine(), "--mapping 1,1,0,0");

        let mut system = System::new(2, 1, 100, 1);
        system.mapping = vec![1; 100];
        assert!(
            system.machine().ends_with(",1,1,1,… (100 entries)"),
            "{}",
            system.machine()
        );
    }
}
