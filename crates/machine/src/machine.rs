//! Represents a machine as its file describes it.

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

/// Number of nodes to draw for a machine that can have any number of nodes.
pub const DRAWN: u32 = 8;

/// A machine, as its file describes it.
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
    pub name: String,
    /// Where the machine's numbers come from, as its file states it.
    pub source: String,
    /// Number of nodes; `None` if a system can have any number.
    pub nodes: Option<u32>,
    /// `None` if a system can have any number.
    pub cpus_per_node: Option<u32>,
    pub memory: Memory,
    /// The accelerators of each node, which are numbered in this order.
    pub accelerators: Arc<[Accelerator]>,
    /// How the units of a node share its CPUs.
    pub discipline: CpuDiscipline,
    pub wait_policy: WaitPolicy,
    pub collectives: Rule,
    pub prices: Prices,
    /// The user's file; `None` for a built-in machine.
    pub file: Option<String>,
    /// Paths of the other files that the machine file refers to.
    pub profiles: Vec<PathBuf>,
    pub network: Option<NetworkFlag>,
    pub intranode: Option<NetworkFlag>,
    pub mapping: Mapping,
    pub binding: Binding,
    /// Groups of nodes, if nodes differ in speed, power, accelerators or memory.
    pub groups: Groups,
    /// The power of the nodes; `None` if the file doesn't specify it.
    pub power: Option<Power>,
    /// How far measured times deviate from predictions; `None` if the file doesn't specify it.
    pub accuracy: Option<Accuracy>,
    /// The models of custom devices; the first model of each device is its default.
    pub devices: Vec<Device>,
    /// Changes to nodes and operations during a run.
    pub changes: Listed,
    /// A contradiction in the file that flags can resolve, with file and line.
    pub contradiction: Option<Problem>,
    /// Warnings about parts of the file that aren't modeled, with file and line.
    pub warnings: Vec<Problem>,
    /// The machine as TOML; empty for a machine from a platform file.
    pub toml: String,
}

/// Neighboring nodes that have the same speed and memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodesAlike {
    pub nodes: u32,
    /// The speed of the CPUs, relative to the speed that costs refer to.
    pub speed: f64,
    /// The memory size of each node, in bytes; `None` for no limit.
    pub memory_bytes: Option<u64>,
}

impl Machine {
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Returns warnings about parts of the machine file that aren't modeled, with file and line.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    /// Returns the network between nodes in the notation of `--network`; empty if the machine file
    /// doesn't specify a network.
    pub fn network(&self) -> String {
        let network = self.network.as_ref();
        network.map_or_else(String::new, NetworkFlag::to_string)
    }

    /// Divides the first `nodes` nodes into runs of neighbors that are alike.
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

    /// Returns the bandwidth (in bytes per second) and the latency (in seconds) between the first
    /// two nodes when there are no other messages. If the machine file doesn't specify a network,
    /// these are the values of the default network.
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

/// How long similar programs took, relative to their predictions: 90% of them took between
/// [`low`](Self::low) and [`high`](Self::high) times as long as predicted.
///
/// ```
/// use prophet_runtime::Machine;
///
/// let a100 = Machine::preset("a100").expect("there is one of that name");
/// let accuracy = a100.accuracy.expect("its prices were compared with measurements");
/// assert!(accuracy.low < 1.0 && accuracy.high > 1.0);
/// // The measured programs ran on at most 64 nodes, so nothing is known about more.
/// let [near, far] = [64, 256].map(|nodes| accuracy.bounds(nodes));
/// assert_eq!(near.map(|it| (100.0 * it).round()), [88.0, 122.0]);
/// assert_eq!(far.map(|it| (100.0 * it).round()), [84.0, 128.0]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Accuracy {
    /// The 5th percentile of the ratio of measured time to predicted time.
    pub low: f64,
    /// The 95th percentile of the ratio of measured time to predicted time.
    pub high: f64,
    /// The largest number of nodes that was measured, if it is known.
    pub nodes: Option<u32>,
    /// What was measured.
    pub source: String,
}

/// How much further apart the logarithms of the bounds are each time the number of nodes doubles.
/// The errors of 1,440 iterations on 2, 4 and 8 A100 grew at this rate.
const WIDER: f64 = 1.14;

impl Accuracy {
    /// Returns the bounds for a run on this number of nodes. Beyond the measured nodes, they are
    /// further apart.
    pub fn bounds(&self, nodes: u32) -> [f64; 2] {
        let bounds = [self.low, self.high];
        let Some(most) = self.nodes.filter(|it| *it < nodes) else {
            return bounds;
        };
        let wider = WIDER.powf((f64::from(nodes) / f64::from(most)).log2());
        let middle = (self.low * self.high).sqrt();
        bounds.map(|it| middle * (it / middle).powf(wider))
    }
}
