//! Computes closed formulas for P ranks that start at the same time, with P = 2 to 33 and three
//! sizes.
//!
//! T(m) is the time of a message of m bytes: latency + m / bandwidth with `hockney`, L + 2o +
//! (m-1)G with `loggp`. s(m) is when a rank can send or receive its next message: immediately with
//! `hockney`, after max(o, g + (m-1)G) with `loggp`. With g <= o, an interface delays a message
//! beyond T only if a much shorter one follows it: exchanges of m and then m' bytes take T(m) +
//! max(T(m'), s(m)).
//!
//! Sources: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication
//! Operations in MPICH", IJHPCA 19 (2005), sections 4.1 (allgather), 4.2 (broadcast), 4.3
//! (alltoall), 4.4 (reduce-scatter) and 4.5 (reduce, allreduce), with sums of T for alpha + m beta;
//! D. Hensgen, R. Finkel, U. Manber 1988 (dissemination); P. Patarasuk, X. Yuan 2009 (ring
//! allreduce). Linear formulas follow from the definitions.

use prophet_runtime::{Engine, Network};

use crate::collectives::{Case, HOCKNEY, LOGGP, all, ends};

struct Times {
    network: Network,
}

impl Times {
    /// Returns T: from the start of a message's send to the end of its receive.
    fn message_s(&self, bytes: f64) -> f64 {
        match self.network {
            Network::Hockney {
                latency_s,
                bytes_per_s,
            } => latency_s + bytes / bytes_per_s,
            Network::LogGp {
                l_s,
                o_s,
                gap_per_byte_s,
                ..
            } => l_s + 2.0 * o_s + (bytes - 1.0).max(0.0) * gap_per_byte_s,
        }
    }

    /// Returns s: from one message to the next at the same rank.
    fn next_s(&self, bytes: f64) -> f64 {
        match self.network {
            Network::Hockney { .. } => 0.0,
            Network::LogGp {
                o_s,
                g_s,
                gap_per_byte_s,
                ..
            } => o_s.max(g_s + (bytes - 1.0).max(0.0) * gap_per_byte_s),
        }
    }
}

/// Returns the size of each message in Bruck's alltoall. It contains the blocks whose numbers have
/// the bit.
fn bruck(case: Case, levels: u32) -> Vec<f64> {
    let has = |block: u32, bit: u32| block >> bit & 1 == 1;
    let blocks = |bit| (0..case.ranks).filter(move |block| has(*block, bit));
    let sent = (0..levels).map(|bit| u32::try_from(blocks(bit).count()).expect("few ranks"));
    sent.map(|blocks| f64::from(blocks) * f64::from(case.bytes))
        .collect()
}

/// Returns when the last rank ends, or `None` if there is no closed form.
#[expect(clippy::match_same_arms, reason = "the collectives in order")]
fn formula(case: Case) -> Option<f64> {
    let times = Times {
        network: case.network,
    };
    let t = |bytes: f64| times.message_s(bytes);
    let [n, p] = [case.bytes, case.ranks].map(f64::from);
    let others = p - 1.0;
    let whole = case.ranks.is_power_of_two();
    let divides = case.bytes.is_multiple_of(case.ranks);
    let rounds = case.ranks.ilog2();
    let levels = case.ranks.next_power_of_two().ilog2();
    let log = f64::from(levels);
    // The time of exchanges with these numbers of bytes, one after another.
    let exchanges = |sizes: &[f64]| {
        let later = sizes
            .windows(2)
            .map(|pair| t(pair[1]).max(times.next_s(pair[0])));
        sizes.first().map_or(0.0, |first| t(*first)) + later.sum::<f64>()
    };
    let power = |k: u32| f64::from(1 << k);
    let mut doubled: Vec<f64> = (0..rounds).map(|k| n * power(k)).collect();
    let halved: Vec<f64> = (1..=rounds).map(|k| n / power(k)).collect();
    // Each message is passed on by ranks that have received the one before.
    let doubling: f64 = doubled.iter().copied().map(t).sum();
    let halving: f64 = halved.iter().copied().map(t).sum();
    let fan = |bytes: f64| t(bytes) + (p - 2.0) * times.next_s(bytes);
    let seconds = match (case.name, case.algorithm) {
        ("broadcast" | "reduce" | "gather" | "scatter", "linear") => fan(n),
        ("allreduce", "linear") => 2.0 * fan(n),
        ("barrier", "linear") => 2.0 * fan(0.0),
        ("allreduce", "simgrid") if whole => fan(n) + log * t(n),
        ("reducescatter", "simgrid") if divides => fan(n) + fan(n / p),
        ("allgather" | "alltoall", "linear") => t(n) + 2.0 * (p - 2.0) * times.next_s(n),
        // Larger messages arrive before the first one is taken.
        ("scan", "simgrid") if n <= 8.0 => t(n) + 2.0 * (p - 2.0) * times.next_s(n),
        ("reducescatter", "linear") if divides => t(n / p) + 2.0 * (p - 2.0) * times.next_s(n / p),
        ("broadcast" | "reduce", "binomial") if whole => log * t(n),
        ("allreduce", "binomial") if whole => 2.0 * log * t(n),
        ("barrier", "binomial") if whole => 2.0 * log * t(0.0),
        ("gather" | "scatter", "binomial") | ("allgather", "recursive-doubling") if whole => {
            doubling
        }
        ("barrier", "recursive-doubling") if whole => log * t(0.0),
        ("allreduce" | "scan", "recursive-doubling") if whole => log * t(n),
        ("broadcast", "recursive-doubling") if whole && divides => 2.0 * halving,
        ("broadcast", "ring") if whole && divides => halving + others * t(n / p),
        ("reducescatter", "recursive-halving") if whole && divides => exchanges(&halved),
        ("allreduce" | "reduce", "rabenseifner") if whole && divides => {
            exchanges(&halved) + halving
        }
        ("reducescatter", "ring" | "pairwise") if divides => others * t(n / p),
        ("allreduce", "ring") if divides => 2.0 * others * t(n / p),
        ("allgather", "ring") | ("alltoall", "pairwise") | ("scan", "linear") => others * t(n),
        ("allgather", "bruck") => {
            let rest = p - power(rounds);
            doubled.extend((rest > 0.0).then_some(rest * n));
            exchanges(&doubled)
        }
        ("alltoall", "bruck") => exchanges(&bruck(case, levels)),
        ("barrier", "dissemination") => log * t(0.0),
        _ => return None,
    };
    Some(seconds)
}

#[test]
fn collectives_take_what_their_formulas_say() {
    for (name, algorithm) in all() {
        let mut compared = 0;
        for ranks in 2..=33 {
            for (bytes, network) in [8, 96 * ranks, 4096 * ranks]
                .into_iter()
                .flat_map(|bytes| [(bytes, LOGGP), (bytes, HOCKNEY)])
            {
                let case = Case {
                    name,
                    algorithm,
                    ranks,
                    root: ranks / 3,
                    bytes,
                    network,
                };
                let Some(expected_s) = formula(case) else {
                    continue;
                };
                let found_s = ends(case, Engine::Event).into_iter().fold(0.0, f64::max);
                let error = (found_s - expected_s).abs() / expected_s;
                assert!(error < 1e-9, "{case:?}: {found_s} s, not {expected_s} s");
                compared += 1;
            }
        }
        // There is a formula for all powers of two: 2, 4, 8, 16, and 32.
        assert!(
            compared >= 5 * 2 * 2,
            "{name} by {algorithm}: {compared} cases"
        );
    }
}
