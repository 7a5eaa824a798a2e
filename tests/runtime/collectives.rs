//! Tests the time of each collective with each algorithm: against closed formulas, where there are
//! any, and to the last bit against a simple replay of MPICH's algorithms, which shares no code
//! with the runtime.

mod closed;
mod nccl;
mod replay;

use prophet_runtime::{AllGather, AllReduce, AllToAll, Barrier, Broadcast, ByMachine, Engine};
use prophet_runtime::{Gather, Model, Network, Outcome, ProcessCtx, Reduce, ReduceScatter, Scan};
use prophet_runtime::{Scatter, Simulation, Stopped, System};

const MODEL: Model = Model::new("Collectives", &[], 10);

const ALGORITHMS: [(&str, &[&str]); 10] = [
    (
        "broadcast",
        &["linear", "binomial", "recursive-doubling", "ring"],
    ),
    ("reduce", &["linear", "binomial", "rabenseifner"]),
    ("gather", &["linear", "binomial"]),
    ("scatter", &["linear", "binomial"]),
    (
        "allreduce",
        &[
            "linear",
            "binomial",
            "recursive-doubling",
            "ring",
            "rabenseifner",
            "simgrid",
        ],
    ),
    (
        "allgather",
        &["linear", "recursive-doubling", "ring", "bruck"],
    ),
    ("alltoall", &["linear", "pairwise", "bruck"]),
    (
        "reducescatter",
        &["linear", "recursive-halving", "ring", "pairwise", "simgrid"],
    ),
    ("scan", &["linear", "recursive-doubling", "simgrid"]),
    (
        "barrier",
        &["linear", "binomial", "recursive-doubling", "dissemination"],
    ),
];

/// L = 2 us, o = 1 us, g = 0.8 us, G = 1 ns: g <= o.
const LOGGP: Network = Network::LogGp {
    l_s: 2e-6,
    o_s: 1e-6,
    g_s: 0.8e-6,
    gap_per_byte_s: 1e-9,
};

const HOCKNEY: Network = Network::Hockney {
    latency_s: 1.5e-6,
    bytes_per_s: 1e9,
};

/// A collective of all processes, which start at the same time.
#[derive(Debug, Clone, Copy)]
struct Case {
    name: &'static str,
    algorithm: &'static str,
    ranks: u32,
    root: u32,
    bytes: u32,
    network: Network,
}

async fn collective(ctx: &ProcessCtx<'_>, case: Case) -> Result<(), Stopped> {
    let (root, bytes) = (i64::from(case.root), i64::from(case.bytes));
    macro_rules! call {
        ($name:ident $(, $argument:expr)*) => {{
            const ELEMENT: $name = $name::new(0, stringify!($name), 1);
            ELEMENT.execute(ctx, $($argument,)* ByMachine).await
        }};
    }
    match case.name {
        "broadcast" => call!(Broadcast, root, bytes),
        "reduce" => call!(Reduce, root, bytes),
        "gather" => call!(Gather, root, bytes),
        "scatter" => call!(Scatter, root, bytes),
        "allreduce" => call!(AllReduce, bytes),
        "allgather" => call!(AllGather, bytes),
        "alltoall" => call!(AllToAll, bytes),
        "reducescatter" => call!(ReduceScatter, bytes),
        "scan" => call!(Scan, bytes),
        _ => call!(Barrier),
    }
}

/// Returns when each process ends in an engine. Each process has its own node.
fn ends(case: Case, engine: Engine) -> Vec<f64> {
    let mut system = System::new(case.ranks, 1, case.ranks, 1);
    system.network = case.network;
    let choice = format!("{}={}", case.name, case.algorithm);
    system.algorithms.choose(&choice).expect("they fit");
    let simulation = Simulation::new(&MODEL, system).with_engine(engine);
    let outcome: Outcome = simulation
        .run(async |ctx| collective(ctx, case).await)
        .unwrap_or_else(|failure| panic!("{case:?}: {failure}"));
    crate::ends(&outcome)
}

fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    let algorithms = ALGORITHMS.iter();
    algorithms.flat_map(|(name, all)| all.iter().map(|algorithm| (*name, *algorithm)))
}
