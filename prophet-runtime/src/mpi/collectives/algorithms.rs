//! Returns the steps of any algorithm.

use super::step::{Plan, Step};
use super::{
    Algorithm, Operation, binomial, bruck, dissemination, linear, pairwise, rabenseifner,
    recursive_doubling, recursive_halving, ring,
};

/// Returns step `number` of a rank, counted from 0, or `None` if the rank has done its part.
#[inline]
pub(crate) fn step(plan: &Plan, rank: u32, number: u32) -> Option<Step> {
    // The most frequent case in simulations of very many ranks. It is inlined separately.
    if plan.algorithm == Algorithm::RecursiveDoubling && plan.operation == Operation::AllReduce {
        return recursive_doubling::reduce(plan.ranks, rank, number);
    }
    any_step(plan, rank, number)
}

#[inline(never)]
fn any_step(plan: &Plan, rank: u32, number: u32) -> Option<Step> {
    if plan.ranks == 1 {
        return None;
    }
    match plan.algorithm {
        Algorithm::Linear => linear::step(plan, rank, number),
        Algorithm::Binomial => binomial::step(plan, rank, number),
        Algorithm::RecursiveDoubling => recursive_doubling::step(plan, rank, number),
        Algorithm::RecursiveHalving => recursive_halving::step(plan, rank, number),
        Algorithm::Ring => ring::step(plan, rank, number),
        Algorithm::Rabenseifner => rabenseifner::step(plan, rank, number),
        Algorithm::Dissemination => dissemination::step(plan, rank, number),
        Algorithm::Pairwise => pairwise::step(plan, rank, number),
        Algorithm::Bruck => bruck::step(plan, rank, number),
        Algorithm::SimGrid => linear::step_of_simgrid(plan, rank, number),
        Algorithm::Analytic
        | Algorithm::NcclAmpere
        | Algorithm::NcclHopper
        | Algorithm::NcclBlackwell => None,
    }
}
