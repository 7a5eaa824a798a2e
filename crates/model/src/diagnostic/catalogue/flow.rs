//! Control flow: the kinds of problems.

use super::super::Rule;
use super::{error, warning};

pub const NO_START: Rule = error(
    "PM0301",
    "A diagram has no node to start from: every node has an incoming flow.",
);
pub const SEVERAL_STARTS: Rule = warning(
    "PM0302",
    "A diagram has several nodes to start from, which run concurrently.",
);
pub const IMPLICIT_FORK: Rule = error(
    "PM0303",
    "Several flows leave a node that neither chooses between them nor forks.",
);
pub const IMPLICIT_JOIN: Rule = error(
    "PM0304",
    "Several flows enter a node that is not a merge: UML waits there for all of them.",
);
pub const MISSING_GUARD: Rule = error("PM0305", "A flow out of a decision has no guard.");
pub const SEVERAL_ELSE: Rule = error("PM0306", "A decision has more than one `else`.");
pub const FLOW_OUT_OF_FINAL: Rule = error("PM0307", "A flow leaves a final node.");
pub const UNSUPPORTED_NODE: Rule = error(
    "PM0310",
    "A node is of a kind that has no meaning for a performance model.",
);
pub const NO_CONDITION: Rule = error(
    "PM0311",
    "A loop or clause has no test: no action decides about it.",
);
pub const TANGLED_BRANCHES: Rule = error(
    "PM0312",
    "The branches of a fork meet in a node that does not wait for them.",
);
pub const STARVING_JOIN: Rule = error("PM0313", "A join waits for a flow that does not come.");
pub const ABORTED_BRANCH: Rule = error(
    "PM0314",
    "A branch of a fork ends the diagram, in which other branches still run.",
);
pub const GUARDED_FORK: Rule = error("PM0315", "A flow out of a fork has a guard.");
pub const OUTSIDE_SECTIONS: Rule = error(
    "PM0316",
    "Something in a `parallelsections` is in none of its sections.",
);
pub const UNASKED_TEST: Rule = error(
    "PM0317",
    "A loop whose iterations are counted has a test that does something.",
);
pub const IGNORED_TEST: Rule = warning(
    "PM0318",
    "A loop whose iterations are counted has a test, which is not evaluated.",
);
pub const DOUBTFUL_JOIN: Rule = warning(
    "PM0319",
    "A join may wait for a flow that does not come: nothing behind it runs then.",
);

/// The rules of this stage, by code.
pub(super) const RULES: &[&Rule] = &[
    &NO_START,
    &SEVERAL_STARTS,
    &IMPLICIT_FORK,
    &IMPLICIT_JOIN,
    &MISSING_GUARD,
    &SEVERAL_ELSE,
    &FLOW_OUT_OF_FINAL,
    &UNSUPPORTED_NODE,
    &NO_CONDITION,
    &TANGLED_BRANCHES,
    &STARVING_JOIN,
    &ABORTED_BRANCH,
    &GUARDED_FORK,
    &OUTSIDE_SECTIONS,
    &UNASKED_TEST,
    &IGNORED_TEST,
    &DOUBTFUL_JOIN,
];
