//! The machine as described: what each of its files can say, and what follows from it.

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

/// Number of nodes that are drawn of a machine that may have any.
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
    /// Source of its numbers.
    pub source: String,
    /// Number of nodes; `None` if it may have any number.
    pub nodes: Option<u32>,
    /// Number of CPUs of each node; `None` if it may have any number.
    pub cpus_per_node: Option<u32>,
    /// The sockets, the memory and the caches of a node.
    pub memory: Memory,
    /// Accelerators of each node; they have numbers in this order.
    pub accelerators: Arc<[Accelerator]>,
    /// Discipline by which the units of a node share its CPUs.
    pub discipline: CpuDiscipline,
    /// Use of the CPU by a unit that waits for others.
    pub wait_policy: WaitPolicy,
    /// Rule by which collectives choose their algorithms.
    pub collectives: Rule,
    /// Prices of operations.
    pub prices: Prices,
    /// The user's file that the machine was read from; `None` for presets.
    pub file: Option<String>,
    /// The files that its file names.
    pub profiles: Vec<PathBuf>,
    pub network: Option<NetworkFlag>,
    pub intranode: Option<NetworkFlag>,
    pub mapping: Mapping,
    pub binding: Binding,
    /// Speeds and powers of the nodes, if they differ.
    pub groups: Groups,
    /// Power of the nodes; `None` if its file names none.
    pub power: Option<Power>,
    /// How far measured times lie from predictions; `None` if its file names no measurements.
    pub accuracy: Option<Accuracy>,
    /// Models of devices of your own; the first of a device is used unless another is chosen.
    pub devices: Vec<Device>,
    /// Changes of nodes and operations during a run.
    pub changes: Listed,
    /// Contradiction in its file, with file and line; flags may resolve it.
    pub contradiction: Option<Problem>,
    /// Parts of its file that the machine does not have, with file and line.
    pub warnings: Vec<Problem>,
    /// Text of the machine in TOML; empty without such a text.
    pub toml: String,
}

/// Neighboring nodes of a machine that are alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodesAlike {
    /// Number of nodes.
    pub nodes: u32,
    /// A multiple of the speed for which costs hold.
    pub speed: f64,
    /// Memory of each, in bytes; `None` for no limit.
    pub memory_bytes: Option<u64>,
}

impl Machine {
    /// File of the user that the machine was read from; `None` for one that comes with the library.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Parts of the machine's file that the machine does not have, with file and line.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    /// Network between nodes, in the form of `--network`; empty if the machine names no network.
    pub fn network(&self) -> String {
        let network = self.network.as_ref();
        network.map_or_else(String::new, NetworkFlag::to_string)
    }

    /// Lists the kinds of its first nodes, with their numbers, in the order of the nodes.
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

    /// Bytes a second and seconds of latency between its first two nodes, when no other message is
    /// on the way; the default network's, if the machine names none.
    ///
    /// # Errors
    ///
    /// A message that there is no route.
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

/// What programs of the same kind took, as multiples of their predictions: 90 % of them took
/// between [`low`](Self::low) and [`high`](Self::high) times as long.
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
    /// Their 95th percentile.
    pub high: f64,
    /// What was measured.
    pub source: String,
}
