//! Finds activities that call each other in a cycle. Such a program would run forever, and overflow
//! any stack.

use super::Resolver;
use super::functions::order;
use prophet_model::diagnostic::catalogue::program as rules;
use prophet_model::model::{Diagram, Model};

impl Resolver<'_> {
    pub(super) fn refuse_recursive_activities(&mut self) {
        let diagrams = self.model.diagrams.iter().zip(&self.reached);
        let calls: Vec<Vec<usize>> = diagrams
            .map(|(diagram, reached)| match reached {
                true => diagrams_in(self.model, diagram),
                false => Vec::new(),
            })
            .collect();
        for circle in order(&calls).err().into_iter().flatten() {
            self.made.circular = true;
            let paths: Vec<&str> = circle
                .iter()
                .map(|&index| self.model.diagrams[index].path.as_str())
                .collect();
            let message = format!(
                "activities call each other in a cycle: {}",
                paths.join(" → ")
            );
            let first = &self.model.diagrams[circle[0]];
            let (span, path) = (first.span, first.path.clone());
            let help =
                "to repeat an activity, use a loop+, a LoopNode, or a flow back to a MergeNode";
            self.report(&rules::RECURSIVE_ACTIVITIES, span, &path, message, help);
        }
    }
}

fn diagrams_in(model: &Model, diagram: &Diagram) -> Vec<usize> {
    let elements = diagram.elements.iter();
    elements
        .flat_map(|&id| model.element(id).kind.diagrams())
        .map(|id| id.0)
        .collect()
}
