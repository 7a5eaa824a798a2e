//! Generates collectives for random programs: all kinds, with any algorithm, of any processes.

use prophet_runtime::{Algorithms, AllGather, AllReduce, AllToAll, Barrier, Broadcast, ByMachine};
use prophet_runtime::{Gather, Int, ProcessCtx, Reduce, ReduceScatter, Scan, Scatter, Stopped};
use proptest::prelude::*;

/// A collective that all processes call. Each one takes part with the processes of its color.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// The index of the collective, modulo their number.
    operation: usize,
    /// The index of the way to split the processes.
    split: usize,
    /// The root, modulo the number of ranks.
    root: u32,
    bytes: u32,
    /// The price. Each process pays a different multiple of it.
    cost_s: Option<f64>,
}

/// Number of ways to split the processes. The first one doesn't split them.
const SPLITS: u32 = 5;
/// The lowest index of these elements.
const FIRST: u32 = 16;
/// Number of indices that these elements can need.
pub(crate) const ELEMENTS: u32 = FIRST + 10 * SPLITS;

/// Defines an element for each way to split the processes.
macro_rules! elements {
    ($($constant:ident: $name:ident = $number:expr;)*) => {$(
        const $constant: [$name; SPLITS as usize] = {
            let first = FIRST + $number * SPLITS;
            [
                $name::new(first, stringify!($name), 100 + first as i64),
                $name::new(first + 1, stringify!($name), 101 + first as i64),
                $name::new(first + 2, stringify!($name), 102 + first as i64),
                $name::new(first + 3, stringify!($name), 103 + first as i64),
                $name::new(first + 4, stringify!($name), 104 + first as i64),
            ]
        };
    )*};
}

elements! {
    BROADCAST: Broadcast = 0;
    REDUCE: Reduce = 1;
    GATHER: Gather = 2;
    SCATTER: Scatter = 3;
    ALL_REDUCE: AllReduce = 4;
    ALL_GATHER: AllGather = 5;
    ALL_TO_ALL: AllToAll = 6;
    REDUCE_SCATTER: ReduceScatter = 7;
    SCAN: Scan = 8;
    BARRIER: Barrier = 9;
}

pub(crate) fn call(cost: impl Strategy<Value = Option<f64>>) -> impl Strategy<Value = Call> {
    let bytes = prop_oneof![0..20_u32, 0..5000_u32, 10_000..800_000_u32];
    let what = (0..10_usize, 0..SPLITS as usize, 0..64_u32, bytes, cost);
    what.prop_map(|(operation, split, root, bytes, cost_s)| Call {
        operation,
        split,
        root,
        bytes,
        cost_s,
    })
}

/// Generates algorithms for some of the collectives.
pub(crate) fn algorithms() -> impl Strategy<Value = Algorithms> {
    let names = [
        "allgather=linear allgather=recursive-doubling allgather=ring allgather=bruck",
        "allreduce=linear allreduce=binomial allreduce=ring allreduce=rabenseifner",
        "alltoall=linear alltoall=pairwise alltoall=bruck",
        "barrier=linear barrier=binomial barrier=recursive-doubling",
        "broadcast=linear broadcast=recursive-doubling broadcast=ring",
        "gather=linear scatter=linear",
        "reduce=linear reduce=rabenseifner reduce=analytic",
        "reducescatter=linear reducescatter=recursive-halving reducescatter=ring",
        "scan=linear alltoall=analytic scatter=analytic allreduce=analytic",
        "allgather=nccl-ampere allreduce=nccl-hopper broadcast=nccl-blackwell",
    ];
    let choices: Vec<&str> = names.iter().flat_map(|names| names.split(' ')).collect();
    prop::collection::vec(prop::sample::select(choices), 0..6).prop_map(|choices| {
        let mut algorithms = Algorithms::default();
        for choice in choices {
            algorithms.choose(choice).expect("they fit");
        }
        algorithms
    })
}

fn color(split: usize, ctx: &ProcessCtx<'_>) -> Int {
    let columns = 1 + (ctx.num_processes() & 3);
    match split {
        0 => Int(0),
        // Rows and columns of a grid, neighborhoods of different sizes, and nodes.
        1 => Int(ctx.pid().0 / columns.0),
        2 => Int(ctx.pid().0 % columns.0),
        3 => Int(i64::from(ctx.pid().0.checked_ilog2().unwrap_or(0))),
        _ => ctx.nid(),
    }
}

pub(crate) async fn join(ctx: &ProcessCtx<'_>, call: &Call) -> Result<(), Stopped> {
    let split = call.split;
    let comm = |ctx: &ProcessCtx<'_>| color(split, ctx);
    let root = i64::from(call.root) % ranks(ctx, split);
    let bytes = i64::from(call.bytes);
    macro_rules! by {
        ($price:expr) => {
            match call.operation {
                0 => BROADCAST[split].execute(ctx, root, bytes, $price),
                1 => REDUCE[split].execute(ctx, root, bytes, $price),
                2 => GATHER[split].execute(ctx, root, bytes, $price),
                3 => SCATTER[split].execute(ctx, root, bytes, $price),
                4 => ALL_REDUCE[split].execute(ctx, bytes, $price),
                5 => ALL_GATHER[split].execute(ctx, bytes, $price),
                6 => ALL_TO_ALL[split].execute(ctx, bytes, $price),
                7 => REDUCE_SCATTER[split].execute(ctx, bytes, $price),
                8 => SCAN[split].execute(ctx, bytes, $price),
                _ => BARRIER[split].execute(ctx, $price),
            }
        };
    }
    let collective = match call.cost_s {
        Some(cost_s) => by!(cost_s * ctx.pid().real()),
        None => by!(ByMachine),
    };
    if split == 0 {
        return collective.await;
    }
    collective.comm(comm).await
}

/// Returns the number of processes that have the same color as this one. `color` depends only on
/// pid and nid.
fn ranks(ctx: &ProcessCtx<'_>, split: usize) -> i64 {
    let (pid, processes) = (ctx.pid().0, ctx.num_processes().0);
    let columns = 1 + (processes & 3);
    match split {
        0 => processes,
        1 => columns.min(processes - pid / columns * columns),
        2 => (processes - pid % columns + columns - 1) / columns,
        3 if pid < 2 => processes.min(2),
        3 => {
            let first = 1 << pid.ilog2();
            first.min(processes - first)
        }
        // How many processes a node has depends on the mapping. The first node has at least one.
        _ => 1,
    }
}
