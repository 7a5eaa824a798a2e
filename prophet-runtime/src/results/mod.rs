//! How a run ends: its outcome, or why it could not go on.

pub(crate) mod elements;
pub(crate) mod failure;
pub(crate) mod outcome;
