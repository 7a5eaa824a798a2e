//! Implements Bruck's algorithms (J. Bruck et al. 1997), as in MPICH's `MPIR_*_intra_brucks`.
//!
//! In round r of an allgather, each rank sends blocks to the rank 2^r before it: its own and those
//! after it, as many as that rank still needs. In round r of an alltoall, each rank sends blocks to
//! the rank 2^r after it: those whose remaining distance has bit r set.

use super::Operation;
use super::step::{Part, Plan, Step, exchange};

pub(super) fn step(plan: &Plan, rank: u32, number: u32) -> Option<Step> {
    let round = number / 2;
    let distance = 1_u32.checked_shl(round)?;
    if distance >= plan.ranks {
        return None;
    }
    let (on, back) = (plan.behind(rank, distance), plan.before(rank, distance));
    if plan.operation == Operation::AllToAll {
        return Some(exchange(number, on, back, Part::Bit(round)));
    }
    let part = plan.blocks(rank, distance.min(plan.ranks - distance));
    Some(exchange(number, back, on, part))
}
