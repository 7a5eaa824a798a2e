//! Represents sets of elements, defined by UML types and stereotypes.

use prophet_model::model::{Element, NodeKind, StereotypeKind};
use prophet_model::vocabulary::OWN_MAX;

pub(super) const NODES: [&str; 13] = [
    "InitialNode",
    "ActivityFinalNode",
    "FlowFinalNode",
    "DecisionNode",
    "MergeNode",
    "ForkNode",
    "JoinNode",
    "Action",
    "CallBehaviorAction",
    "StructuredActivityNode",
    "LoopNode",
    "ConditionalNode",
    "Unsupported",
];

/// Number of stereotypes: the profile's stereotypes, as many as users can add, and one for elements
/// without a stereotype.
const STEREOTYPES: usize = 1 + StereotypeKind::ALL.len() + OWN_MAX;

/// A set of elements. For each UML type and each stereotype, it says whether such elements belong
/// to the set.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Set([[bool; STEREOTYPES]; NODES.len()]);

impl Set {
    pub(super) const ANY: Self = Self([[true; STEREOTYPES]; NODES.len()]);

    pub(super) const NONE: Self = Self([[false; STEREOTYPES]; NODES.len()]);

    /// Creates the set of elements that have one of these UML types and one of these stereotypes.
    /// Number 0 is for elements without a stereotype.
    pub(super) fn new(nodes: &[usize], stereotypes: &[usize]) -> Self {
        let mut set = Self::NONE;
        for &node in nodes {
            for &stereotype in stereotypes {
                set.0[node][stereotype] = true;
            }
        }
        set
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (row, others) in self.0.iter_mut().zip(&other.0) {
            for (has, other) in row.iter_mut().zip(others) {
                *has |= other;
            }
        }
    }

    pub(super) fn has_kind(&self, kind: StereotypeKind) -> bool {
        self.0.iter().any(|row| row[1 + kind.number()])
    }

    pub(super) fn has(&self, element: &Element) -> bool {
        let stereotype = element.stereotype.as_ref();
        self.0[node(&element.kind)][stereotype.map_or(0, |it| 1 + it.kind.number())]
    }
}

fn node(kind: &NodeKind) -> usize {
    match kind {
        NodeKind::Initial => 0,
        NodeKind::ActivityFinal => 1,
        NodeKind::FlowFinal => 2,
        NodeKind::Decision => 3,
        NodeKind::Merge => 4,
        NodeKind::Fork => 5,
        NodeKind::Join => 6,
        NodeKind::Action => 7,
        NodeKind::Call(_) => 8,
        NodeKind::Structured(_) => 9,
        NodeKind::Loop(_) => 10,
        NodeKind::Conditional(_) => 11,
        NodeKind::Unsupported(_) => 12,
    }
}

/// Returns a node's UML type as rules and messages spell it.
pub(super) fn node_name(kind: &NodeKind) -> &str {
    match kind {
        NodeKind::Unsupported(name) => name,
        other => NODES[node(other)],
    }
}
