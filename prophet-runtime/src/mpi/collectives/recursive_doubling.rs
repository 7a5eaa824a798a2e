//! Implements exchanges with partners at doubling distances, as in MPICH's
//! `MPIR_*_intra_recursive_doubling`.
//!
//! In an allreduce or barrier, ranks exchange the vector, and those in excess of a power of two are
//! folded. A scan skips partners that don't exist. In an allgather, ranks exchange all blocks that
//! they have. If a partner doesn't exist, ranks that already have its blocks pass them on. A
//! broadcast scatters the vector on a binomial tree and then gathers its parts in this way (MPICH's
//! `scatter_recursive_doubling_allgather`).

use super::Operation;
use super::binomial::Node;
use super::fold::Fold;
use super::step::{Part, Plan, Step, exchange};

pub(super) fn step(plan: &Plan, rank: u32, number: u32) -> Option<Step> {
    match plan.operation {
        Operation::AllReduce | Operation::Barrier => reduce(plan.ranks, rank, number),
        Operation::Scan => scan(plan.ranks, rank, number),
        Operation::AllGather => gather(plan, 0, rank, number),
        Operation::Broadcast => {
            let node = Node::new(plan, plan.root, rank);
            match number.checked_sub(node.steps()) {
                None => node.down(number, |first, count| plan.blocks(first, count)),
                Some(number) => gather(plan, plan.root, plan.before(rank, plan.root), number),
            }
        }
        _ => None,
    }
}

/// Exchanges the whole vector with each partner.
#[inline]
pub(super) fn reduce(ranks: u32, rank: u32, number: u32) -> Option<Step> {
    let fold = Fold::to_odd(ranks);
    let steps = 2 * fold.rounds;
    fold.steps(rank, number, (steps, Part::Whole), |place, number| {
        let partner = fold.rank(place ^ (1_u32.checked_shl(number / 2)?));
        (number < steps).then(|| exchange(number, partner, partner, Part::Whole))
    })
}

fn scan(ranks: u32, rank: u32, number: u32) -> Option<Step> {
    let rounds = ranks.next_power_of_two().ilog2();
    let partners = (0..rounds).map(|round| rank ^ (1 << round));
    let partner = partners
        .filter(|partner| *partner < ranks)
        .nth(number as usize / 2)?;
    Some(exchange(number, partner, partner, Part::Whole))
}

/// Gathers blocks. `place` is this rank's number, counted from `root`.
fn gather(plan: &Plan, root: u32, place: u32, number: u32) -> Option<Step> {
    let step = if plan.ranks.is_power_of_two() {
        let distance = 1_u32.checked_shl(number / 2)?;
        (distance < plan.ranks).then(|| {
            let part = plan.blocks(place & !(distance - 1), distance);
            exchange(number, place ^ distance, place ^ distance, part)
        })
    } else {
        gather_of_any(plan, place, number)
    }?;
    Some(match step {
        Step::Send { to, part } => Step::Send {
            to: plan.behind(to, root),
            part,
        },
        Step::Receive { from } => Step::Receive {
            from: plan.behind(from, root),
        },
    })
}

/// Like [`gather`], for a number of ranks that isn't a power of two.
fn gather_of_any(plan: &Plan, place: u32, number: u32) -> Option<Step> {
    let mut before = 0;
    let mut distance = 1;
    while distance < plan.ranks {
        let tree = place & !(distance - 1);
        let partner = place ^ distance;
        if partner < plan.ranks {
            if number - before < 2 {
                let count = distance.min(plan.ranks - tree);
                let part = plan.blocks(tree, count);
                return Some(exchange(number - before, partner, partner, part));
            }
            before += 2;
        }
        // If the partners' tree after this one isn't full, its blocks are passed on.
        let next = tree + distance;
        let lower = place & distance == 0;
        if lower && next < plan.ranks && plan.ranks < next + distance {
            let have = plan.ranks - next;
            let part = plan.blocks(next, have);
            let mut apart = distance / 2;
            while apart > 0 {
                let group = place & !(2 * apart - 1);
                if let Some(step) = hand_on(place, apart, group + have, part) {
                    if number == before {
                        return Some(step);
                    }
                    before += 1;
                }
                apart /= 2;
            }
        }
        distance *= 2;
    }
    None
}

/// Returns a step between a place and its partner, which is `apart` places away. Places below `end`
/// have the blocks, and the others need them.
fn hand_on(place: u32, apart: u32, end: u32, part: Part) -> Option<Step> {
    let partner = place ^ apart;
    if place < end && end <= partner {
        return Some(Step::Send { to: partner, part });
    }
    (partner < end && end <= place).then_some(Step::Receive { from: partner })
}
