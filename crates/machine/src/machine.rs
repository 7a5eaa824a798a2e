//! Represents a machine as described by its file, and what follows from the description.

use std::path::PathBuf;
use std::sync::Arc;

use prophet_text::Problem;

use crate::accelerator::Accelerator;
use crate::binding::Binding;
use crate::change::Listed;
use crate::devices::Device;
use crate::groups::{Groups, NodeKind};
use crate::mapping::Mapping;
use crate::memory::Memory;
use crate::network::Network;
use crate::network_flag::NetworkFlag;
use crate::policy::{CpuDiscipline, WaitPolicy};
use crate::power::Power;
use crate::prices::Prices;
use crate::rule::Rule;

/// Number of nodes to draw for a machine of any size.
pub const DRAWN: u32 = 8;

/// A machine, as described by its file.
///
/// ```
/// use prophet_runtime::{Machine, System};
///
/// let gescher = Machine::preset("gescher").expect("there is one of that name");
/// assert_eq!((gescher.nodes, gescher.cpus_per_node), (Some(16), Some(4)));
/// // Two of its nodes, with a process on each CPU.
/// let system = System::on(gescher, 2, 4, 8, 1);
/// assert_eq!(system.machine(), "gescher");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Machine {
    /// Name.
    pub name: String,
    /// Where its numbers come from.
    pub source: String,
    /// Number of nodes; `None` if any number is possible.
    pub nodes: Option<u32>,
    /// Number of CPUs per node; `None` if any number is possible.
    pub cpus_per_node: Option<u32>,
    /// The sockets, memory and caches of a node.
    pub memory: Memory,
    /// Accelerators of each node, numbered in this order.
    pub accelerators: Arc<[Accelerator]>,
    /// How the units of a node share its CPUs.
    pub discipline: CpuDiscipline,
    /// What a waiting unit does with its CPU.
    pub wait_policy: WaitPolicy,
    /// How collectives choose their algorithms.
    pub collectives: Rule,
    /// Prices of operations.
    pub prices: Prices,
    /// The user's file that the machine was read from; `None` for built-in machines.
    pub file: Option<String>,
    /// The files that the machine file refers to.
    pub profiles: Vec<PathBuf>,
    pub network: Option<NetworkFlag>,
    pub intranode: Option<NetworkFlag>,
    pub mapping: Mapping,
    pub binding: Binding,
    /// Speeds and powers of the nodes, if they differ.
    pub groups: Groups,
    /// Power of the nodes; `None` if the file doesn't give it.
    pub power: Option<Power>,
    /// How far measured times deviate from predictions; `None` if the file doesn't list
    /// measurements.
    pub accuracy: Option<Accuracy>,
    /// Models of custom devices; the first model of a device is the default.
    pub devices: Vec<Device>,
    /// Changes of nodes and operations during a run.
    pub changes: Listed,
    /// A contradiction in the file, with file and line; flags can resolve it.
    pub contradiction: Option<Problem>,
    /// Parts of the file that aren't modeled, with file and line.
    pub warnings: Vec<Problem>,
    /// The machine as TOML; empty if there is no such text.
    pub toml: String,
}

/// Neighboring nodes that are alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodesAlike {
    /// Number of nodes.
    pub nodes: u32,
    /// Speed relative to the speed that costs refer to.
    pub speed: f64,
    /// Memory of each node, in bytes; `None` for no limit.
    pub memory_bytes: Option<u64>,
}

impl Machine {
    /// Returns the user's file that the machine was read from; `None` for a built-in machine.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Returns the parts of the machine file that aren't modeled, with file and line.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    /// Returns the network between nodes in the notation of `--network`; empty if the machine
    /// doesn't name a network.
    pub fn network(&self) -> String {
        let network = self.network.as_ref();
        network.map_or_else(String::new, NetworkFlag::to_string)
    }

    /// Lists the kinds of the first `nodes` nodes and their counts, in the order of the nodes.
    pub fn node_kinds(&self, nodes: u32) -> Vec<NodesAlike> {
        let mut kinds = Vec::new();
        let mut left = nodes;
        let grouped = self.groups.iter().map(|it| (it.count, it.kind));
        let plain = (u32::MAX, NodeKind::PLAIN);
        for (count, kind) in grouped.chain([plain]) {
            let nodes = count.min(left);
            left -= nodes;
            if nodes > 0 {
                kinds.push(NodesAlike {
                    nodes,
                    speed: kind.speed,
                    memory_bytes: kind.memory.or(self.memory.size),
                });
            }
        }
        kinds
    }

    /// Returns the bytes per second and the latency in seconds between the first two nodes, without
    /// other messages. If the machine doesn't name a network, these are the values of the default
    /// network.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no route.
    pub fn node_link(&self) -> Result<(f64, f64), Problem> {
        let flag = self.network.as_ref();
        if let Some(fabric) = flag.and_then(|it| it.fabric.as_ref()) {
            return fabric.first_link(self.nodes.unwrap_or(DRAWN));
        }
        Ok(match flag.map_or(Network::DEFAULT, |it| it.network) {
            Network::Hockney {
                latency_s,
                bytes_per_s,
            } => (bytes_per_s, latency_s),
            Network::LogGp {
                l_s,
                o_s,
                gap_per_byte_s,
                ..
            } => (gap_per_byte_s.recip(), 2.0f64.mul_add(o_s, l_s)),
        })
    }
}

/// How long programs of the same kind took, relative to their predictions: 90% of them took between
/// [`low`](Self::low) and [`high`](Self::high) times as long.
///
/// ```
/// use prophet_runtime::Machine;
///
/// let a100 = Machine::preset("a100").expect("there is one of that name");
/// let accuracy = a100.accuracy.expect("its prices were compared with measurements");
/// assert!(accuracy.low < 1.0 && accuracy.high > 1.0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Accuracy {
    /// The 5th percentile of measured over predicted times.
    pub low: f64,
    /// The 95th percentile of measured over predicted times.
    pub high: f64,
    /// What was measured.
    pub source: String,
}
