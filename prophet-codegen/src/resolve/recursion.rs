//! Activities that call each other in a circle: a program that never ends, and never fits a stack.

use super::Resolver;
use super::functions::cycle;
use crate::diagnostic::catalogue::program as rules;
use crate::model::{Model, NodeKind};

impl Resolver<'_> {
    /// Reports a circle of calls between activities; whether there is one.
    pub(super) fn refuse_recursive_activities(&mut self) -> bool {
        let calls: Vec<Vec<usize>> = (0..self.model.diagrams.len())
            .map(|index| diagrams_in(self.model, index))
            .collect();
        let Some(cycle) = cycle(&calls) else {
            return false;
        };
        let paths: Vec<&str> = cycle
            .iter()
            .map(|&index| self.model.diagrams[index].path.as_str())
            .collect();
        let message = format!(
            "activities call each other in a circle: {}",
            paths.join(" → ")
        );
        let first = &self.model.diagrams[cycle[0]];
        let (span, path) = (first.span, first.path.clone());
        let help = "repeat with a loop+, a LoopNode, or a flow back to a MergeNode";
        self.report(&rules::RECURSIVE_ACTIVITIES, span, &path, message, help);
        true
    }
}

/// The diagrams that the elements of a diagram call or contain.
fn diagrams_in(model: &Model, index: usize) -> Vec<usize> {
    let elements = model.diagrams[index].elements.iter();
    elements
        .flat_map(|&id| match &model.element(id).kind {
            NodeKind::Call(Some(inside)) => vec![inside.0],
            kind => contents_of(kind),
        })
        .collect()
}

/// The diagrams that are the content of a node, and no activities.
pub(super) fn contents_of(kind: &NodeKind) -> Vec<usize> {
    match kind {
        NodeKind::Structured(inside) => vec![inside.0],
        NodeKind::Loop(node) => {
            let parts = [node.setup, node.test, Some(node.body)];
            parts.into_iter().flatten().map(|part| part.0).collect()
        }
        NodeKind::Conditional(clauses) => clauses.iter().map(|clause| clause.body.0).collect(),
        _ => Vec::new(),
    }
}
