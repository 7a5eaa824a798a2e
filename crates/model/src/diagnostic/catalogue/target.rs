//! Targets: the kinds of problems.

use super::super::Rule;
use super::error;

/// A feature of the program that the target's language or library lacks.
pub const NOT_IN_TARGET: Rule = error(
    "PM1001",
    "A target cannot express a part of the model that others can.",
);

/// The program of a target in a crate of the user's own failed.
pub const NO_ANSWER: Rule = error("PM1002", "The program of a target ended without an answer.");

/// The rules of this stage, by code.
pub(super) const RULES: &[&Rule] = &[&NOT_IN_TARGET, &NO_ANSWER];
