//! Implements Rabenseifner's algorithm. The vector is halved and combined again and again until
//! each rank has a part of the result. Then the parts are gathered, as in MPICH's
//! `MPIR_Allreduce_intra_reduce_scatter_allgather` and `MPIR_Reduce_intra_reduce_scatter_gather`.
//!
//! Each time the vector is halved, the distance to the partner doubles. Ranks in excess of a power
//! of two are folded into the odd rank of a pair for an allreduce, and into the even rank for a
//! reduce.

use super::Operation;
use super::fold::{Fold, Role};
use super::step::{Part, Plan, Step, exchange};

pub(super) fn step(plan: &Plan, rank: u32, number: u32) -> Option<Step> {
    match plan.operation {
        Operation::AllReduce => {
            let fold = Fold::to_odd(plan.ranks);
            let halving = 2 * fold.rounds;
            let steps = (2 * halving, Part::Whole);
            fold.steps(rank, number, steps, |place, number| {
                match number.checked_sub(halving) {
                    None => Some(halve(fold, place, number)),
                    Some(number) => join(fold, place, number),
                }
            })
        }
        Operation::Reduce => reduce(plan, rank, number),
        _ => None,
    }
}

/// Returns the part of the vector that a place still has after `halvings` halvings. Each bit of the
/// place, beginning with the lowest, selects the half that it keeps.
fn kept(fold: Fold, place: u32, halvings: u32) -> Part {
    let rounds = fold.rounds;
    let bits = place & ((1 << halvings) - 1);
    // The bits in reverse order, with the lowest bit at the top of `rounds` bits.
    let first = bits.reverse_bits().checked_shr(u32::BITS - rounds);
    Part::Blocks {
        first: first.unwrap_or(0),
        count: 1 << (rounds - halvings),
        of: fold.places(),
    }
}

/// Sends the half that the partner keeps and receives the other one.
fn halve(fold: Fold, place: u32, number: u32) -> Step {
    let round = number / 2;
    let partner = place ^ (1 << round);
    let part = kept(fold, partner, round + 1);
    exchange(number, fold.rank(partner), fold.rank(partner), part)
}

/// Exchanges all parts with each partner, beginning with the last one.
fn join(fold: Fold, place: u32, number: u32) -> Option<Step> {
    let round = fold.rounds.checked_sub(number / 2 + 1)?;
    let partner = place ^ (1 << round);
    let part = kept(fold, place, round + 1);
    Some(exchange(
        number,
        fold.rank(partner),
        fold.rank(partner),
        part,
    ))
}

fn reduce(plan: &Plan, rank: u32, number: u32) -> Option<Step> {
    let fold = Fold::to_even(plan.ranks);
    let root = plan.root;
    // If the root's part was handed to another rank, the root takes place 0 from rank 0 for the
    // second half.
    let root_place = match fold.role(root) {
        Role::Out(_) => None,
        Role::Both(_, place) | Role::Own(place) => Some(place),
    };
    let part = Part::Whole;
    let (place, before) = match fold.role(rank) {
        Role::Out(to) if number == 0 => return Some(Step::Send { to, part }),
        Role::Out(_) if rank == root => {
            let from = fold.rank(0);
            return if number == 1 {
                Some(Step::Receive { from })
            } else {
                collect(fold, 0, root, 0, number - 2)
            };
        }
        Role::Out(_) => return None,
        Role::Both(from, _) if number == 0 => return Some(Step::Receive { from }),
        Role::Both(_, place) => (place, 1),
        Role::Own(place) => (place, 0),
    };
    let number = number - before;
    let halving = 2 * fold.rounds;
    let Some(number) = number.checked_sub(halving) else {
        return Some(halve(fold, place, number));
    };
    match root_place {
        Some(root_place) => collect(fold, root_place, fold.rank(root_place), place, number),
        None if place == 0 => {
            let part = kept(fold, 0, fold.rounds);
            (number == 0).then_some(Step::Send { to: root, part })
        }
        None => collect(fold, 0, root, place, number),
    }
}

/// Gathers the parts at the root's place, beginning with the last partners. `root` is the rank at
/// that place.
fn collect(fold: Fold, root_place: u32, root: u32, place: u32, number: u32) -> Option<Step> {
    let rank = |place: u32| {
        if place == root_place {
            root
        } else {
            fold.rank(place)
        }
    };
    let round = fold.rounds.checked_sub(number + 1)?;
    let partner = place ^ (1 << round);
    match (place ^ root_place) >> round {
        0 => Some(Step::Receive {
            from: rank(partner),
        }),
        // The root is on the side of the partner.
        1 => Some(Step::Send {
            to: rank(partner),
            part: kept(fold, place, round + 1),
        }),
        _ => None,
    }
}
