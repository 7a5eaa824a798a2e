//! Implements linear algorithms, which send messages directly, in the order of ranks, as a program
//! without a library of collectives would.
//!
//! The root sends to all ranks, or receives from all ranks, one after another. An allreduce or
//! barrier goes to rank 0 and back. In an allgather, alltoall, or reducescatter, each rank first
//! sends to all others and then receives from all others. A scan goes from rank to rank.

use super::Operation;
use super::binomial::Node;
use super::step::{Part, Plan, Step};

pub(super) fn step(plan: &Plan, rank: u32, number: u32) -> Option<Step> {
    let Plan { root, .. } = *plan;
    match plan.operation {
        Operation::Broadcast => from_root(plan, root, rank, number, |_| Part::Whole),
        Operation::Scatter => from_root(plan, root, rank, number, |to| plan.block(to)),
        Operation::Reduce => to_root(plan, root, rank, number, Part::Whole),
        Operation::Gather => to_root(plan, root, rank, number, plan.block(rank)),
        Operation::AllReduce | Operation::Barrier => {
            let gathering = if rank == 0 { plan.ranks - 1 } else { 1 };
            match number.checked_sub(gathering) {
                None => to_root(plan, 0, rank, number, Part::Whole),
                Some(number) => from_root(plan, 0, rank, number, |_| Part::Whole),
            }
        }
        Operation::AllGather => with_each(plan, rank, number, |_| plan.block(rank)),
        Operation::AllToAll | Operation::ReduceScatter => {
            with_each(plan, rank, number, |to| plan.block(to))
        }
        Operation::Scan => along(plan, rank, number),
    }
}

/// Returns a step as `SimGrid`'s default selector would choose it
/// (`src/smpi/colls/smpi_default_selector.cpp`). The whole vector goes to rank 0, and the result
/// goes down a binomial tree or block by block. In a scan, each rank sends to all higher ranks.
pub(super) fn step_of_simgrid(plan: &Plan, rank: u32, number: u32) -> Option<Step> {
    let part = Part::Whole;
    if plan.operation == Operation::Scan {
        let sent = plan.ranks - 1 - rank;
        return match number.checked_sub(sent) {
            None => Some(Step::Send {
                to: rank + 1 + number,
                part,
            }),
            Some(from) => (from < rank).then_some(Step::Receive { from }),
        };
    }
    let gathering = if rank == 0 { plan.ranks - 1 } else { 1 };
    match number.checked_sub(gathering) {
        None => to_root(plan, 0, rank, number, part),
        Some(number) if plan.operation == Operation::AllReduce => {
            Node::new(plan, 0, rank).down(number, |_, _| part)
        }
        Some(number) => from_root(plan, 0, rank, number, |to| plan.block(to)),
    }
}

/// Returns the rank with this number when all ranks but `one` are counted.
fn other(plan: &Plan, one: u32, number: u32) -> Option<u32> {
    let rank = if number < one { number } else { number + 1 };
    (number < plan.ranks - 1).then_some(rank)
}

fn from_root(
    plan: &Plan,
    root: u32,
    rank: u32,
    number: u32,
    part: impl Fn(u32) -> Part,
) -> Option<Step> {
    if rank != root {
        return (number == 0).then_some(Step::Receive { from: root });
    }
    let to = other(plan, root, number)?;
    Some(Step::Send { to, part: part(to) })
}

fn to_root(plan: &Plan, root: u32, rank: u32, number: u32, part: Part) -> Option<Step> {
    if rank != root {
        return (number == 0).then_some(Step::Send { to: root, part });
    }
    let from = other(plan, root, number)?;
    Some(Step::Receive { from })
}

fn with_each(plan: &Plan, rank: u32, number: u32, part: impl Fn(u32) -> Part) -> Option<Step> {
    match number.checked_sub(plan.ranks - 1) {
        None => {
            let to = other(plan, rank, number)?;
            Some(Step::Send { to, part: part(to) })
        }
        Some(number) => {
            let from = other(plan, rank, number)?;
            Some(Step::Receive { from })
        }
    }
}

/// Returns a step of a chain, in which each rank sends to the next.
fn along(plan: &Plan, rank: u32, number: u32) -> Option<Step> {
    let part = Part::Whole;
    match (rank.checked_sub(1), number) {
        (Some(from), 0) => Some(Step::Receive { from }),
        (None, 0) | (Some(_), 1) if rank + 1 < plan.ranks => {
            let to = rank + 1;
            Some(Step::Send { to, part })
        }
        _ => None,
    }
}
