//! Control flow: the kinds of problems.

use super::super::Rule;
use super::{error, warning};

pub(crate) const NO_START: Rule = error(
    "PM0301",
    "A diagram has no node to start from: every node has an incoming flow.",
);
pub(crate) const SEVERAL_STARTS: Rule = error(
    "PM0302",
    "A diagram has several nodes to start from, which would run concurrently.",
);
pub(crate) const IMPLICIT_FORK: Rule = error(
    "PM0303",
    "Several flows leave a node that is no decision: UML forks there.",
);
pub(crate) const IMPLICIT_JOIN: Rule = error(
    "PM0304",
    "Several flows enter a node that is no merge: UML waits there for all of them.",
);
pub(crate) const MISSING_GUARD: Rule = error("PM0305", "A flow out of a decision has no guard.");
pub(crate) const SEVERAL_ELSE: Rule = error("PM0306", "A decision has more than one `else`.");
pub(crate) const FLOW_OUT_OF_FINAL: Rule = error("PM0307", "A flow leaves a final node.");
pub(crate) const UNREACHED: Rule = warning("PM0308", "No flow reaches a node.");
pub(crate) const FORK_TO_COME: Rule = error("PM0309", "Fork and join nodes are not supported yet.");
pub(crate) const UNSUPPORTED_NODE: Rule = error(
    "PM0310",
    "A node is of a kind that has no meaning for a performance model.",
);
pub(crate) const NO_CONDITION: Rule = error(
    "PM0311",
    "A loop or clause has no test: no action decides about it.",
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
    &UNREACHED,
    &FORK_TO_COME,
    &UNSUPPORTED_NODE,
    &NO_CONDITION,
];
