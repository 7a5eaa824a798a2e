//! Control flow: the kinds of problems.

use super::super::Rule;

/// The rules of this stage, by code.
pub(super) const RULES: &[&Rule] = &[];
