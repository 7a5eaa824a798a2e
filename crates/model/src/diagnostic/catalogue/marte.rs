//! Annotations of MARTE: the kinds of problems.

use super::super::Rule;
use super::{error, warning};

/// A value that is not understood.
pub static BAD_VALUE: Rule = error("PM1101", "A value of MARTE's VSL is not understood.");
/// A variable whose value nobody says.
pub static NO_VALUE: Rule = warning(
    "PM1102",
    "A variable of MARTE is used in a cost, and has no value: each run gives one.",
);
/// Probabilities that say no choice.
pub static BAD_CHOICE: Rule = error(
    "PM1103",
    "The probabilities of MARTE on the outflows of a node make no choice.",
);
/// A demand with several values, or on an element without a price.
pub static UNCLEAR_STEP: Rule = error("PM1104", "It is unclear what a step of MARTE costs.");
/// A workload whose arrivals are not understood.
pub static BAD_WORKLOAD: Rule = error("PM1105", "A workload of MARTE cannot be simulated.");
/// A tag that could matter.
pub static UNREAD_TAG: Rule = warning("PM1106", "A tag of MARTE is not read.");
/// A stereotype that could matter.
pub static UNREAD_STEREOTYPE: Rule = warning(
    "PM1107",
    "A stereotype of MARTE, or of a profile built on it, is not read.",
);
/// A value that stands for another.
pub static TAKEN: Rule = warning(
    "PM1108",
    "A value of MARTE is taken for what it is not quite.",
);
/// Something that the command line says.
pub static FLAG: Rule = warning(
    "PM1109",
    "A workload or host of MARTE says what is said by a flag of the command line.",
);

/// The rules of this stage, by code.
pub(super) const RULES: &[&Rule] = &[
    &BAD_VALUE,
    &NO_VALUE,
    &BAD_CHOICE,
    &UNCLEAR_STEP,
    &BAD_WORKLOAD,
    &UNREAD_TAG,
    &UNREAD_STEREOTYPE,
    &TAKEN,
    &FLAG,
];
