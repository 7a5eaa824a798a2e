//! Names, types and calls: the kinds of problems.

use super::super::Rule;
use super::{error, warning};

pub const UNKNOWN_TYPE: Rule = error(
    "PM0601",
    "A type is missing, or none that the cost language knows.",
);
pub const SAME_NAME: Rule = error(
    "PM0602",
    "Two names differ in nothing, or only in case or punctuation.",
);
pub const HIDDEN_LOCAL: Rule = error(
    "PM0603",
    "A local variable has the name of one in a diagram around it.",
);
pub const NOT_CONSTANT: Rule = error(
    "PM0604",
    "The default of a model parameter is not a constant.",
);
pub const RECURSIVE_FUNCTIONS: Rule =
    error("PM0605", "Cost functions call each other in a circle.");
pub const RECURSIVE_ACTIVITIES: Rule = error("PM0606", "Activities call each other in a circle.");
pub const BAD_TABLE: Rule = error("PM0607", "A table of `interpolate` cannot be read.");
pub const ARRAY_HERE: Rule = error("PM0608", "An array stands where only a single value can.");
pub const NOT_A_NAME: Rule = error(
    "PM0609",
    "The name of a variable or function is not one that expressions can use.",
);

pub const TOO_DEEP: Rule = error(
    "PM0612",
    "Diagrams are nested too deep or copied too often, or calls lead to too many others.",
);

pub const LEFT_OUT: Rule = warning(
    "PM0614",
    "An attribute has a name or a type that the cost language does not know, and is left out.",
);

/// The rules of this stage, by code.
pub(super) const RULES: &[&Rule] = &[
    &UNKNOWN_TYPE,
    &SAME_NAME,
    &HIDDEN_LOCAL,
    &NOT_CONSTANT,
    &RECURSIVE_FUNCTIONS,
    &RECURSIVE_ACTIVITIES,
    &BAD_TABLE,
    &ARRAY_HERE,
    &NOT_A_NAME,
    &TOO_DEEP,
    &LEFT_OUT,
];
