//! Defines the results of a run: its outcome, or its failure.

pub(crate) mod elements;
pub(crate) mod energy;
pub(crate) mod failure;
pub(crate) mod outcome;
