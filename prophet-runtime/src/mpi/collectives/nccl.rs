//! Computes the times of NCCL's collectives. The algorithm is the one that NCCL's own model
//! chooses, but its time is computed with measured prices where these exist.
//!
//! Given the size of a call, NCCL computes the time of each of its algorithms with each of its
//! protocols, and chooses the fastest combination (NCCL 2.30, `src/graph/tuning.cc`:
//! `ncclTopoTuneModel`, `ncclTopoGetAlgoTime`). The prices of rings and `NVLink` SHARP were
//! measured on Ampere and Hopper. All other prices are NCCL's own. The bandwidths come from the
//! machine: the bandwidth of a GPU within its node, and of each network interface. The limits of
//! channels aren't modeled, because ordinary nodes don't reach them. Neither are networks
//! that reduce data (`CollNet`), and the algorithm for one GPU per node (`PAT`).

use prophet_machine::algorithm::Algorithm;
use prophet_machine::network::Network;
use prophet_machine::protocol::{Nic, Protocol};

use super::Operation;
use super::step::Plan;

/// Values for a generation of GPUs, and for the CPUs in NVIDIA's nodes with these GPUs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Generation {
    /// Maximum bandwidth of the protocol `LL` on one node, two nodes, and more nodes, in bytes per
    /// second.
    ll: [f64; 3],
    /// Time that a CPU takes to post a message, in seconds.
    post_s: f64,
    /// Whether the trees of `NVLink` SHARP, like other trees, don't reach the modeled bandwidth at
    /// medium sizes.
    corrected: bool,
    /// The prices that NCCL assumes when it chooses. `measured` contains the actual prices of its
    /// choice.
    assumed: Prices,
    measured: Prices,
}

/// Prices of rings and `NVLink` SHARP. Arrays have a value for each protocol.
#[derive(Debug, Clone, Copy)]
struct Prices {
    /// Time before the first step of a ring, in seconds.
    base_s: [f64; 3],
    /// Time of a step of a ring over `NVLink`, in seconds.
    near_s: [f64; 3],
    /// Factor for `base_s` and `near_s` with `LL` on one node, from [`MANY`] bytes per rank on,
    /// because such calls use more channels.
    many: f64,
    /// The fraction of the bandwidth that `LL128` reaches.
    ll128: f64,
    /// Time in which `Simple` copies a rank's own part, as a fraction of the time to send that
    /// part.
    copy: f64,
    /// The fraction of the bandwidth that `NVLink` SHARP reaches, or 0 without it.
    nvls: f64,
}

const MANY: u64 = 4096;

/// The prices that NCCL assumes for all generations, without `NVLink` SHARP.
const ASSUMED: Prices = Prices {
    base_s: [6.6e-6, 14e-6, 8.4e-6],
    near_s: [0.6e-6, 1.9e-6, 3.4e-6],
    many: 1.0,
    ll128: 0.92,
    copy: 0.0,
    nvls: 0.0,
};
const ASSUMED_HOPPER: Prices = Prices {
    nvls: 0.85,
    ..ASSUMED
};
const ASSUMED_BLACKWELL: Prices = Prices {
    nvls: 0.74,
    ..ASSUMED
};

/// GPUs with AMD CPUs, as in the DGX A100.
const AMPERE: Generation = Generation {
    ll: [87.7e9, 22.5e9, 19e9],
    post_s: 2e-6,
    corrected: false,
    assumed: ASSUMED,
    // Fitted to every third of 378 times with NCCL 2.27 on 2, 4, and 8 GPUs, as published by
    // ai-dynamo/aiconfigurator.
    measured: Prices {
        base_s: [8.5e-6, 15e-6, 25e-6],
        near_s: [0.91e-6, 2.1e-6, 6.8e-6],
        many: 1.2,
        ll128: 0.74,
        copy: 0.5,
        nvls: 0.0,
    },
};
/// GPUs with Intel CPUs, as in the DGX H100 and B200.
const HOPPER: Generation = Generation {
    ll: [141e9, 39e9, 20.4e9],
    post_s: 1e-6,
    corrected: false,
    assumed: ASSUMED_HOPPER,
    // Fitted to every third of 756 times with NCCL 2.29 from the same source.
    measured: Prices {
        base_s: [5e-6, 12e-6, 18e-6],
        near_s: [0.78e-6, 1.6e-6, 1.3e-6],
        many: 1.1,
        ll128: 0.92,
        copy: 0.5,
        nvls: 0.61,
    },
};
const BLACKWELL: Generation = Generation {
    ll: [282e9, 39e9, 20.4e9],
    post_s: 1e-6,
    corrected: true,
    assumed: ASSUMED_BLACKWELL,
    measured: ASSUMED_BLACKWELL,
};

impl Generation {
    /// Returns the generation that an algorithm is for, or `None` if it isn't one of NCCL's.
    pub(crate) fn of(algorithm: Algorithm) -> Option<Self> {
        match algorithm {
            Algorithm::NcclAmpere => Some(AMPERE),
            Algorithm::NcclHopper => Some(HOPPER),
            Algorithm::NcclBlackwell => Some(BLACKWELL),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Ring,
    Tree,
    /// `NVLink` SHARP, where the node's switches combine and copy data.
    Nvls,
    /// `NVLink` SHARP, with trees between nodes.
    NvlsTree,
}

/// The protocols in the order of the tables: a flag of 4 bytes for every 4 bytes, a flag of 8 bytes
/// for every 120 bytes, or no flags.
const PROTOCOLS: [usize; 3] = [LL, LL128, SIMPLE];
const LL: usize = 0;
const LL128: usize = 1;
const SIMPLE: usize = 2;

/// Time before the first step of a tree, in seconds, by protocol.
const TREE_BASE_S: [f64; 3] = [6.8e-6, 14e-6, 8.4e-6];
/// Time of a step of a tree over `NVLink`, in seconds, by protocol.
const TREE_NEAR_S: [f64; 3] = [0.6e-6, 1.25e-6, 4e-6];
const NVLS_NEAR_S: f64 = 25e-6;
/// Time of a step of a ring between nodes, in seconds, by protocol.
const RING_FAR_S: [f64; 3] = [2.7e-6, 4e-6, 14e-6];
const TREE_FAR_S: [f64; 3] = [5e-6, 8.5e-6, 14e-6];
const NVLS_TREE_FAR_S: f64 = 20.9e-6;

/// Number of channels. Their parts delay the start of a ring on several nodes.
const CHANNELS: u64 = 16;

/// The fraction of the bandwidth that trees reach, in tenths, for each power of two from 64 bytes
/// on.
#[rustfmt::skip]
const TREE_TENTHS: [[u8; 24]; 3] = [
    [10, 10, 10, 10, 9, 8, 7, 7, 7, 7, 6, 5, 4, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10],
    [10, 10, 10, 10, 10, 9, 8, 8, 8, 7, 6, 6, 6, 6, 6, 6, 8, 9, 9, 9, 9, 10, 10, 10],
    [9, 9, 9, 9, 9, 9, 9, 8, 7, 6, 6, 5, 5, 5, 5, 6, 7, 8, 7, 7, 8, 9, 9, 9],
];

struct Call {
    generation: Generation,
    operation: Operation,
    /// The size of the data as NCCL counts it, in bytes. For an all-gather, it is the size for all
    /// ranks together.
    bytes: u64,
    ranks: u32,
    nodes: u32,
    /// The bandwidth of a GPU within its node, in bytes per second.
    within: f64,
    /// The bandwidth of all network interfaces that a node uses, in bytes per second.
    between: f64,
}

/// Computes the time of a collective of GPUs on these nodes, in seconds, if all ranks begin at the
/// same time. The GPUs of a node share its interfaces if the protocol says so.
pub(crate) fn seconds(
    generation: Generation,
    plan: &Plan,
    nodes: u32,
    [within, between]: [&Network; 2],
    protocol: Protocol,
) -> f64 {
    if plan.ranks < 2 {
        return 0.0;
    }
    let is_gather = plan.operation == Operation::AllGather;
    let blocks = if is_gather { plan.ranks } else { 1 };
    let near = f64::from(plan.ranks) / f64::from(nodes);
    let interfaces = match protocol.nic {
        Nic::Rank => near,
        Nic::Node | Nic::Affinity => near.min(protocol.nics.into()),
    };
    let call = Call {
        generation,
        operation: plan.operation,
        bytes: plan.bytes.saturating_mul(blocks.into()),
        ranks: plan.ranks,
        nodes,
        within: bytes_per_s(within),
        between: interfaces * bytes_per_s(between),
    };
    let ways = [Way::Ring, Way::Tree, Way::Nvls, Way::NvlsTree].into_iter();
    let choices = ways.flat_map(|way| PROTOCOLS.map(|protocol| (way, protocol)));
    let assumed_s = |(way, protocol)| call.seconds(way, protocol, &generation.assumed);
    let chosen = choices
        .filter(|it| call.is_supported(it.0, it.1))
        .min_by(|a, b| assumed_s(*a).total_cmp(&assumed_s(*b)));
    let (way, protocol) = chosen.unwrap_or((Way::Ring, SIMPLE));
    call.seconds(way, protocol, &generation.measured)
}

fn bytes_per_s(network: &Network) -> f64 {
    match *network {
        Network::Hockney { bytes_per_s, .. } => bytes_per_s,
        Network::LogGp { gap_per_byte_s, .. } => 1.0 / gap_per_byte_s,
    }
}

impl Call {
    /// Returns `true` if NCCL supports this algorithm with a protocol.
    fn is_supported(&self, way: Way, protocol: usize) -> bool {
        let is_reduced = self.operation == Operation::AllReduce;
        let is_one = self.nodes == 1;
        let has_nvls = self.generation.assumed.nvls > 0.0 && protocol == SIMPLE;
        match way {
            Way::Ring => true,
            Way::Tree => is_reduced,
            Way::Nvls => has_nvls && is_one && self.turns().is_some(),
            Way::NvlsTree => has_nvls && !is_one && !self.is_alone() && is_reduced,
        }
    }

    /// Returns `true` if each node has only one GPU.
    fn is_alone(&self) -> bool {
        self.ranks == self.nodes
    }

    fn seconds(&self, way: Way, protocol: usize, prices: &Prices) -> f64 {
        let is_copied = way == Way::Ring && protocol == SIMPLE && self.turns().is_some();
        let copy = if is_copied { prices.copy } else { 0.0 };
        let copy_s = copy * self.bytes() / f64::from(self.ranks) / self.within;
        self.latency_s(way, protocol, prices)
            + self.bytes() / self.speed(way, protocol, prices)
            + copy_s
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "sizes above 2^53 bytes are rounded"
    )]
    fn bytes(&self) -> f64 {
        self.bytes as f64
    }

    /// Returns how often the data go around a ring, or `None` if they flow along it in pieces.
    fn turns(&self) -> Option<f64> {
        match self.operation {
            Operation::AllReduce => Some(2.0),
            Operation::AllGather | Operation::ReduceScatter => Some(1.0),
            _ => None,
        }
    }

    /// Returns the number of steps of a ring. The number of parts that cross each link is the same.
    fn steps(&self) -> f64 {
        let of_all = |turns| turns * f64::from(self.ranks - 1);
        self.turns().map_or(self.ranks.into(), of_all)
    }

    fn latency_s(&self, way: Way, protocol: usize, prices: &Prices) -> f64 {
        let levels = f64::from(self.nodes.ilog2());
        let near = f64::from(self.ranks / self.nodes - 1);
        match way {
            Way::Ring => {
                let all_s = prices.base_s[protocol] + self.ring_steps_s(protocol, prices);
                let is_many = self.bytes / u64::from(self.ranks) >= MANY;
                if protocol == LL && self.nodes == 1 && is_many {
                    prices.many * all_s
                } else {
                    all_s
                }
            }
            Way::Tree => {
                let steps_s = near * TREE_NEAR_S[protocol] + levels * TREE_FAR_S[protocol];
                TREE_BASE_S[protocol] + 2.0 * steps_s
            }
            Way::Nvls => NVLS_NEAR_S,
            Way::NvlsTree => NVLS_NEAR_S + 2.0 * levels * NVLS_TREE_FAR_S,
        }
    }

    /// Returns the time of all steps of a ring, in seconds. In a broadcast or a reduction, the data
    /// flow in pieces.
    fn ring_steps_s(&self, protocol: usize, prices: &Prices) -> f64 {
        let is_one = self.nodes == 1;
        let Some(turns) = self.turns() else {
            return if is_one { prices.near_s } else { RING_FAR_S }[protocol];
        };
        let messages = if protocol == SIMPLE { 3.0 } else { 1.0 };
        let post_s = if is_one {
            0.0
        } else {
            messages * self.generation.post_s
        };
        let near_s = prices.near_s[protocol].max(post_s);
        // If each node has only one GPU, no steps between nodes are hidden.
        let far_s = if self.is_alone() {
            TREE_FAR_S
        } else {
            RING_FAR_S
        }[protocol];
        let far = turns * f64::from(self.nodes - 1);
        let all_s = (self.steps() - far) * near_s + far * far_s;
        let parts = CHANNELS * u64::from(self.ranks);
        let is_slow = protocol == SIMPLE && !is_one && turns > 1.0 && self.bytes / parts >= 64;
        if is_slow {
            // The time before the first step is longer too.
            return 1.4 * all_s + 0.4 * prices.base_s[protocol];
        }
        all_s
    }

    /// Returns the bandwidth that a call reaches, in bytes per second.
    fn speed(&self, way: Way, protocol: usize, prices: &Prices) -> f64 {
        let ranks = f64::from(self.ranks);
        let near = ranks / f64::from(self.nodes);
        let others = |of: f64| (of - 1.0) / of;
        let bus = match self.nodes {
            1 => self.within,
            _ => self.within.min(self.between),
        };
        let ll = self.generation.ll[(self.nodes.min(3) - 1) as usize];
        let part = ranks / self.steps();
        match way {
            Way::Ring => {
                let all = match protocol {
                    LL => ll.min(bus / 2.0),
                    LL128 => prices.ll128 * bus,
                    _ => bus,
                };
                all * part
            }
            Way::Tree => {
                let tree = 0.92 * bus;
                let all = match protocol {
                    LL => ll.min(tree / 3.8),
                    LL128 if self.nodes == 1 => tree * 7.0 / 9.0,
                    LL128 => tree * 120.0 / 128.0,
                    _ => tree,
                };
                all / 2.0 * self.correction(protocol, 23)
            }
            Way::Nvls | Way::NvlsTree => {
                let one = self.within * prices.nvls * others(near);
                match (way, self.operation) {
                    (Way::Nvls, Operation::AllReduce) => 2.0 * one * part,
                    (Way::Nvls, _) => one * others(near),
                    _ => self.nvls_tree(2.0 * one) * part,
                }
            }
        }
    }

    /// Returns the bandwidth of a tree, in bytes per second. Its nodes combine data at the rate
    /// `within`.
    fn nvls_tree(&self, within: f64) -> f64 {
        let twice = if self.nodes == 2 { 2.0 } else { 1.0 };
        let all = within.min(twice * self.between);
        if self.generation.corrected {
            return all * self.correction(SIMPLE, 24);
        }
        all
    }

    /// Returns the fraction of its bandwidth that a tree reaches at this size, from the first
    /// `numbers` entries of the table.
    fn correction(&self, protocol: usize, numbers: usize) -> f64 {
        let power = (self.bytes >> 6).checked_ilog2();
        let tenths = power.and_then(|it| TREE_TENTHS[protocol][..numbers].get(it as usize));
        f64::from(*tenths.unwrap_or(&10)) / 10.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WITHIN: f64 = 360e9;
    const BETWEEN: f64 = 45e9;

    fn time_s(algorithm: Algorithm, operation: Operation, ranks: u32, nodes: u32, n: u64) -> f64 {
        let plan = Plan {
            operation,
            algorithm,
            ranks,
            root: 0,
            bytes: n,
        };
        let network = |bytes_per_s| Network::Hockney {
            latency_s: 1.0,
            bytes_per_s,
        };
        let generation = Generation::of(algorithm).expect("it is NCCL's");
        seconds(
            generation,
            &plan,
            nodes,
            [&network(WITHIN), &network(BETWEEN)],
            Protocol::default(),
        )
    }

    fn assert_close(time_s: f64, expected_s: f64) {
        let error = (time_s / expected_s - 1.0).abs();
        assert!(error < 1e-9, "{time_s} for {expected_s}");
    }

    use Algorithm as A;
    use Operation as O;

    #[test]
    fn a_node_combines_by_the_fastest_algorithm_of_each_size() {
        let one_s = |algorithm, n| time_s(algorithm, O::AllReduce, 8, 1, n);
        // 8 bytes: a ring with LL and 14 steps. Half of 360 GB/s is more than LL reaches on Hopper.
        let bus = 141e9 * 8.0 / 14.0;
        assert_close(one_s(A::NcclHopper, 8), 5e-6 + 14.0 * 0.78e-6 + 8.0 / bus);
        // 32 KiB: more channels.
        let n = f64::from(32 << 10);
        let ring_s = 1.1 * (5e-6 + 14.0 * 0.78e-6) + n / bus;
        assert_close(one_s(A::NcclHopper, 32 << 10), ring_s);
        // 4 MiB: `NVLink` SHARP. Ampere doesn't have it, and uses a ring with LL128.
        let n = f64::from(4 << 20);
        assert_close(one_s(A::NcclHopper, 4 << 20), 25e-6 + n / (0.61 * WITHIN));
        assert_close(
            one_s(A::NcclBlackwell, 4 << 20),
            25e-6 + n / (0.74 * WITHIN),
        );
        let ring_s = 15e-6 + 14.0 * 2.1e-6 + n / (0.74 * WITHIN * 8.0 / 14.0);
        assert_close(one_s(A::NcclAmpere, 4 << 20), ring_s);
        // 1 GiB: on Ampere, a ring without flags, where ranks copy their own parts.
        let n = f64::from(1 << 30);
        let simple_s = 25e-6 + 14.0 * 6.8e-6 + (n * 14.0 / 8.0 + 0.5 * n / 8.0) / WITHIN;
        assert_close(one_s(A::NcclAmpere, 1 << 30), simple_s);
    }

    #[test]
    fn nodes_combine_in_trees_and_rings() {
        let many_s = |algorithm, n| time_s(algorithm, O::AllReduce, 256, 32, n);
        // 64 bytes: a tree with LL, the 7 other GPUs of a node, and 5 levels.
        let ll = 2.0 / 19e9;
        let steps_s = 2.0 * (7.0 * 0.6e-6 + 5.0 * 5e-6);
        assert_close(many_s(A::NcclAmpere, 64), 6.8e-6 + steps_s + 64.0 * ll);
        // 4 GiB: a ring of 32 nodes starts slowly, so a tree is chosen. 64 GiB: the ring.
        let n = 4.0 * f64::from(1 << 30);
        let tree_s = 8.4e-6 + 2.0 * (7.0 * 4e-6 + 5.0 * 14e-6) + n / (0.92 * WITHIN / 2.0);
        assert_close(many_s(A::NcclAmpere, 1 << 32), tree_s);
        let n = 16.0 * n;
        let steps_s = (510.0 - 62.0) * 6.8e-6 + 62.0 * 14e-6;
        let bytes = n * 510.0 / 256.0 + 0.5 * n / 256.0;
        let ring_s = 1.4 * (25e-6 + steps_s) + bytes / WITHIN;
        assert_close(many_s(A::NcclAmpere, 1 << 36), ring_s);
        // Two Hopper nodes: NVLink SHARP and a tree that uses the network in both directions.
        let n = f64::from(1 << 30);
        let bus = (2.0 * WITHIN * 0.61 * 7.0 / 8.0).min(2.0 * 8.0 * BETWEEN);
        let sharp_s = 25e-6 + 2.0 * 20.9e-6 + n / (bus * 16.0 / 30.0);
        assert_close(time_s(A::NcclHopper, O::AllReduce, 16, 2, 1 << 30), sharp_s);
    }

    #[test]
    fn others_go_around_a_ring() {
        // An all-gather has n bytes from each rank. NVLink SHARP is slower if all ranks fill their
        // links.
        let block: u64 = 1 << 27;
        let n = 8.0 * f64::from(1 << 27);
        let ring_s = 18e-6 + 7.0 * 1.3e-6 + (n * 7.0 / 8.0 + 0.5 * n / 8.0) / WITHIN;
        assert_close(time_s(A::NcclHopper, O::AllGather, 8, 1, block), ring_s);
        let scatter_s = time_s(A::NcclHopper, O::ReduceScatter, 8, 1, 8 * block);
        assert_close(scatter_s, ring_s);
        let spread_s = 18e-6 + 14e-6 + n / WITHIN;
        assert_close(
            time_s(A::NcclHopper, O::Broadcast, 64, 8, 8 * block),
            spread_s,
        );
        // Nodes with only one GPU each.
        let copied_s = 0.5 * n / 4.0 / WITHIN;
        let alone_s = 18e-6 + 3.0 * 14e-6 + n / (BETWEEN * 4.0 / 3.0) + copied_s;
        let found_s = time_s(A::NcclHopper, O::ReduceScatter, 4, 4, 8 * block);
        assert_close(found_s, alone_s);
    }

    #[test]
    fn more_bytes_never_take_less_than_their_share() {
        for operation in [O::AllReduce, O::AllGather, O::ReduceScatter, O::Reduce] {
            for (ranks, nodes) in [
                (2, 1),
                (8, 1),
                (2, 2),
                (16, 2),
                (12, 3),
                (1024, 128),
                (1, 1),
            ] {
                for algorithm in [A::NcclAmpere, A::NcclHopper, A::NcclBlackwell] {
                    let mut sizes = (0..40).map(|power| 1_u64 << power).chain([0, u64::MAX]);
                    let is_time = |n| {
                        let time_s = time_s(algorithm, operation, ranks, nodes, n);
                        time_s.is_finite() && (time_s > 0.0) == (ranks > 1)
                    };
                    assert!(sizes.all(is_time), "{algorithm:?} {operation:?} {ranks}");
                }
            }
        }
    }
}
