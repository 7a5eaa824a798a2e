//! Finds algorithms in which all ranks do the same, except that partners are shifted by the rank.

use super::step::Plan;
use super::{Algorithm, Operation};
use crate::language::symmetry::Symmetry;

/// Returns the shifts that lead to a call's partners, if all ranks do the same. In each step, all
/// ranks must send the same amount, and each must receive from the rank that the inverse shift
/// leads to.
pub(crate) fn symmetry(plan: &Plan) -> Option<Symmetry> {
    // Whether all parts of a vector have the same size.
    let is_even = plan.operation.has_blocks() || plan.bytes.is_multiple_of(plan.ranks.into());
    let ring = is_even.then_some(Symmetry::Ring);
    let cube = plan.ranks.is_power_of_two().then_some(Symmetry::Cube);
    match (plan.algorithm, plan.operation) {
        (
            Algorithm::Analytic
            | Algorithm::NcclAmpere
            | Algorithm::NcclHopper
            | Algorithm::NcclBlackwell
            | Algorithm::Dissemination,
            _,
        ) => Some(Symmetry::Ring),
        (_, Operation::Broadcast | Operation::Gather | Operation::Scatter | Operation::Reduce)
        | (Algorithm::Linear | Algorithm::Binomial | Algorithm::SimGrid, _) => None,
        (Algorithm::RecursiveDoubling, _) => cube,
        (Algorithm::RecursiveHalving | Algorithm::Rabenseifner, _) => cube.filter(|_| is_even),
        (Algorithm::Pairwise, Operation::AllToAll) => cube.or(ring),
        (Algorithm::Pairwise | Algorithm::Ring | Algorithm::Bruck, _) => ring,
    }
}
