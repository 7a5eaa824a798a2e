//! Implements exchanges with each rank in turn, as in MPICH's `MPIR_Alltoall_intra_pairwise` and
//! `MPIR_Reduce_scatter_intra_pairwise`. For each distance, a rank sends to the rank that far after
//! it and receives from the rank that far before it. In an alltoall of a power of two ranks, both
//! are the rank whose number differs in the bits of the distance.

use super::Operation;
use super::step::{Plan, Step, exchange};

pub(super) fn step(plan: &Plan, rank: u32, number: u32) -> Option<Step> {
    let distance = number / 2 + 1;
    if distance >= plan.ranks {
        return None;
    }
    let pairs = plan.operation == Operation::AllToAll && plan.ranks.is_power_of_two();
    let (to, from) = if pairs {
        (rank ^ distance, rank ^ distance)
    } else {
        (plan.behind(rank, distance), plan.before(rank, distance))
    };
    Some(exchange(number, to, from, plan.block(to)))
}
