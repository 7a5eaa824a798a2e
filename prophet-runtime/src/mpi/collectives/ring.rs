//! Implements ring algorithms, in which each rank sends blocks to the next.
//!
//! An allgather is MPICH's `MPIR_Allgather_intra_ring`. In a reducescatter, each block is combined
//! on its way to the rank that it belongs to. An allreduce does the same and then gathers the parts
//! of the vector (P. Patarasuk, X. Yuan 2009). A broadcast scatters the vector on a binomial tree
//! and gathers its parts in this way (MPICH's `scatter_ring_allgather`).

use super::Operation;
use super::binomial::Node;
use super::step::{Plan, Step, exchange};

pub(super) fn step(plan: &Plan, rank: u32, number: u32) -> Option<Step> {
    let turns = 2 * (plan.ranks - 1);
    match plan.operation {
        Operation::AllGather => turn(plan, rank, number, rank),
        // A rank combines its own block last, so it begins with the one before.
        Operation::ReduceScatter => turn(plan, rank, number, plan.before(rank, 1)),
        Operation::AllReduce => match number.checked_sub(turns) {
            None => turn(plan, rank, number, rank),
            // The last block that the rank has combined is the one after its own.
            Some(number) => turn(plan, rank, number, plan.behind(rank, 1)),
        },
        Operation::Broadcast => {
            let node = Node::new(plan, plan.root, rank);
            match number.checked_sub(node.steps()) {
                None => node.down(number, |first, count| plan.blocks(first, count)),
                Some(number) => turn(plan, rank, number, plan.before(rank, plan.root)),
            }
        }
        _ => None,
    }
}

/// Returns a step in which a rank passes on a block: in the first turn the block `first`, and in
/// each later turn the block before. There are as many turns as there are other ranks.
fn turn(plan: &Plan, rank: u32, number: u32, first: u32) -> Option<Step> {
    let turn = number / 2;
    (turn < plan.ranks - 1).then(|| {
        let part = plan.block(plan.before(first, turn));
        exchange(number, plan.behind(rank, 1), plan.before(rank, 1), part)
    })
}
