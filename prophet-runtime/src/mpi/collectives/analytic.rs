//! Computes the closed formulas of `analytic` (R. Thakur, R. Rabenseifner, W. Gropp 2005): the time
//! of the algorithm that `auto` would choose, if all ranks begin at the same time.
//!
//! `lg` is the logarithm to base 2, rounded up. Q is the largest power of two in P. f is 0 if P is
//! a power of two, and 1 otherwise.
//!
//! | algorithm | collective | k | b |
//! |---|---|---|---|
//! | `binomial` | `broadcast`, `reduce` | lg P | n lg P |
//! | | `gather`, `scatter` | lg P | (P-1) n |
//! | `recursive-doubling` | `broadcast` | 2 lg P | 2 n (P-1)/P |
//! | | `allreduce` | lg Q + 2f | n (lg Q + 2f) |
//! | | `allgather` | lg P | (P-1) n |
//! | | `scan` | lg P | n lg P |
//! | `ring` | `broadcast` | lg P + P - 1 | 2 n (P-1)/P |
//! | | `allgather` | P - 1 | (P-1) n |
//! | `rabenseifner` | `reduce` | 2 lg Q + f | 2 n (Q-1)/Q + f n |
//! | | `allreduce` | 2 lg Q + 2f | 2 n (Q-1)/Q + 2f n |
//! | `bruck` | `allgather` | lg P | (P-1) n |
//! | | `alltoall` | lg P | n × the bits that are set in 1 to P - 1 |
//! | `linear`, `pairwise` | `alltoall` | P - 1 | (P-1) n |
//! | `recursive-halving` | `reducescatter` | lg Q + 2f | n (Q-1)/Q + f (n + n/P) |
//! | `pairwise` | `reducescatter` | P - 1 | n (P-1)/P |
//! | `dissemination` | `barrier` | lg P | 0 |

use prophet_machine::network::Network;

use super::step::{Plan, with_bit};
use super::{Algorithm, Operation};

/// Messages one after another: how many there are, and their total size.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Path {
    messages: f64,
    bytes: f64,
}

/// Computes the time of a collective on a network, in seconds, if all its ranks begin at the same
/// time.
///
/// With k messages one after another, and b bytes in total, it is k times the latency plus b
/// divided by the bandwidth with `hockney`. With `loggp`, it is k (L + 2o) + (b - k) G, where b - k
/// is at least 0.
pub(crate) fn seconds(plan: &Plan, network: &Network) -> f64 {
    let Path { messages, bytes } = path(plan);
    match *network {
        Network::Hockney {
            latency_s,
            bytes_per_s,
            ..
        } => messages * latency_s + bytes / bytes_per_s,
        Network::LogGp {
            l_s,
            o_s,
            gap_per_byte_s,
            ..
        } => messages * (l_s + 2.0 * o_s) + (bytes - messages).max(0.0) * gap_per_byte_s,
    }
}

/// Returns the longest path through the algorithm that `auto` would choose.
#[expect(clippy::match_same_arms, reason = "the algorithms in order")]
fn path(plan: &Plan) -> Path {
    let Plan {
        operation,
        ranks,
        bytes,
        ..
    } = *plan;
    #[expect(
        clippy::cast_precision_loss,
        reason = "sizes above 2^53 bytes are rounded"
    )]
    let n = bytes as f64;
    let p = f64::from(ranks);
    let levels = f64::from(ranks.next_power_of_two().ilog2());
    // Ranks beyond a power of two add two messages with the vector: to another rank, and back.
    let rounds = f64::from(ranks.ilog2());
    let fold = if ranks.is_power_of_two() { 0.0 } else { 1.0 };
    let core = f64::from(1_u32 << ranks.ilog2());
    // All but one of the parts that a vector is cut into.
    let others = |parts: f64| n * (parts - 1.0) / parts;
    // The blocks of all other ranks.
    let blocks = (p - 1.0) * n;
    let (messages, bytes) = match (Algorithm::auto(operation, ranks, bytes), operation) {
        (Algorithm::Pairwise, Operation::ReduceScatter) => (p - 1.0, others(p)),
        (Algorithm::Linear | Algorithm::Pairwise, _) => (p - 1.0, blocks),
        (Algorithm::Binomial, Operation::Gather | Operation::Scatter) => (levels, blocks),
        (Algorithm::Binomial, _) => (levels, levels * n),
        (Algorithm::RecursiveDoubling, Operation::Broadcast) => (2.0 * levels, 2.0 * others(p)),
        (Algorithm::RecursiveDoubling, Operation::AllGather) => (levels, blocks),
        (Algorithm::RecursiveDoubling, Operation::Scan) => (levels, levels * n),
        (Algorithm::RecursiveDoubling, _) => {
            let messages = rounds + 2.0 * fold;
            (messages, messages * n)
        }
        (Algorithm::RecursiveHalving, _) => {
            (rounds + 2.0 * fold, others(core) + fold * (n + n / p))
        }
        (Algorithm::Ring, Operation::Broadcast) => (levels + p - 1.0, 2.0 * others(p)),
        (Algorithm::Ring, _) => (p - 1.0, blocks),
        (Algorithm::Rabenseifner, Operation::Reduce) => {
            (2.0 * rounds + fold, 2.0 * others(core) + fold * n)
        }
        (Algorithm::Rabenseifner, _) => (2.0 * (rounds + fold), 2.0 * (others(core) + fold * n)),
        (Algorithm::Bruck, Operation::AllToAll) => {
            let bits = 0..ranks.next_power_of_two().ilog2();
            let sent: f64 = bits.map(|bit| f64::from(with_bit(ranks, bit))).sum();
            (levels, sent * n)
        }
        (Algorithm::Bruck, _) => (levels, blocks),
        (Algorithm::Dissemination, _) => (levels, 0.0),
        (
            Algorithm::Analytic
            | Algorithm::NcclAmpere
            | Algorithm::NcclHopper
            | Algorithm::NcclBlackwell
            | Algorithm::SimGrid,
            _,
        ) => (0.0, 0.0),
    };
    Path { messages, bytes }
}
