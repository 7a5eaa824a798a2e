//! Implements exchanges of half the vector with partners at half the distance each time, as in
//! MPICH's `MPIR_Reduce_scatter_intra_recursive_halving`.
//!
//! Ranks in excess of a power of two are folded. A rank that takes part for another one handles the
//! blocks of both, and finally sends the other rank's block back.

use super::fold::{Fold, Role};
use super::step::{Plan, Step, exchange};

pub(super) fn step(plan: &Plan, rank: u32, number: u32) -> Option<Step> {
    let fold = Fold::to_odd(plan.ranks);
    let steps = 2 * fold.rounds;
    let back = match fold.role(rank) {
        Role::Both(other, _) => plan.block(other),
        Role::Out(_) | Role::Own(_) => plan.block(rank),
    };
    // The first block of the ranks that a place stands for.
    let start = |place: u32| place + place.min(fold.pairs);
    fold.steps(rank, number, (steps, back), |place, number| {
        let half = fold.places().checked_shr(number / 2 + 1)?;
        (half > 0).then(|| {
            let partner = place ^ half;
            let first = partner & !(half - 1);
            let (first, end) = (start(first), start(first + half));
            let part = plan.blocks(first, end - first);
            exchange(number, fold.rank(partner), fold.rank(partner), part)
        })
    })
}
