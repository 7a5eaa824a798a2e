//! Defines the results of a run: an outcome or a failure.

pub(crate) mod elements;
pub(crate) mod energy;
pub(crate) mod failure;
pub(crate) mod outcome;
