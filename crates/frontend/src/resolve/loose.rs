//! Visits the elements of a diagram that can't be structured one by one, so that all of their
//! problems are reported together. The steps are never executed.

use super::Resolver;
use super::flows::reached;
use crate::program::{Arm, Branch, Step};
use prophet_model::model::{Diagram, ElementId, Guard};

impl<'m> Resolver<'m> {
    /// Builds the steps of all reachable elements in file order, and checks the guards on their
    /// flows.
    pub(super) fn loose(&mut self, drawn: &'m Diagram) -> Vec<Step> {
        let mut steps = Vec::new();
        if !self.enter(drawn.span, &drawn.path) {
            return steps;
        }
        let reached = reached(self.model, drawn);
        for &id in drawn.elements.iter().filter(|id| reached.contains(id)) {
            self.visit(id, None, &mut steps);
        }
        for flow in drawn
            .flows
            .iter()
            .filter(|flow| reached.contains(&flow.source))
        {
            steps.extend(self.loose_guard(flow.source, flow.guard.as_ref()));
        }
        self.made.depth -= 1;
        steps
    }

    fn loose_guard(&mut self, source: ElementId, guard: Option<&Guard>) -> Option<Step> {
        let Some(Guard::When(code)) = guard else {
            return None;
        };
        let guard = self.condition_expression(code, &self.model.element(source).path)?;
        let needs = self.needs_of(&guard);
        let steps = Vec::new();
        Some(Step::Branch(Branch {
            element: self.declare(source, true),
            arms: vec![Arm { guard, steps }],
            otherwise: None,
            needs,
        }))
    }
}
