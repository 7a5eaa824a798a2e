//! Implements dissemination (D. Hensgen, R. Finkel, U. Manber 1988), as in MPICH's
//! `MPIR_Barrier_intra_dissemination`. In round r, each rank sends to the rank 2^r after it and
//! receives from the rank 2^r before it.

use super::step::{Part, Plan, Step, exchange};

pub(super) fn step(plan: &Plan, rank: u32, number: u32) -> Option<Step> {
    let distance = 1_u32.checked_shl(number / 2)?;
    (distance < plan.ranks).then(|| {
        let (to, from) = (plan.behind(rank, distance), plan.before(rank, distance));
        exchange(number, to, from, Part::Whole)
    })
}
