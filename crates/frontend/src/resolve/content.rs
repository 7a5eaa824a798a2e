//! Handles elements with a diagram of their own, either drawn inside them or called.

use super::Resolver;
use crate::program::{Call, Scope, Step};
use prophet_model::diagnostic::Diagnostic;
use prophet_model::diagnostic::catalogue::element as rules;
use prophet_model::diagnostic::catalogue::xmi::XML_REFERENCE;
use prophet_model::model::{DiagramId, Element, ElementId, NodeKind, StereotypeKind};

/// Maximum nesting depth of content that stays in place. Deeper content becomes a function, because
/// compilers recurse on nested code.
const DEEPEST_IN_PLACE: usize = 16;

impl<'m> Resolver<'m> {
    /// Visits a node with a diagram, either drawn inside the node or called by it.
    pub(super) fn visit_content(
        &mut self,
        id: ElementId,
        element: &'m Element,
        steps: &mut Vec<Step>,
    ) {
        let (NodeKind::Structured(content) | NodeKind::Call(Some(content))) = element.kind else {
            let is_unknown =
                |it: &Diagnostic| it.code == XML_REFERENCE.code && it.element == element.path;
            if self.diagnostics.iter().any(is_unknown) {
                return;
            }
            let message = format!("{} does not call an activity", element.path);
            let help = "set the call's property `behavior` to an activity";
            let rule = &rules::NOTHING_CALLED;
            self.report(rule, element.span, &element.path, message, help);
            return;
        };
        let called = matches!(element.kind, NodeKind::Call(_));
        let own = element.stereotype.as_ref().map(|s| s.kind);
        let on_activity = self
            .model
            .diagram(content)
            .stereotype
            .as_ref()
            .map(|s| s.kind);
        if own == Some(StereotypeKind::LoopPlus) {
            self.repeat(id, element, content, called, steps);
        } else {
            let measured = own == Some(StereotypeKind::ActivityPlus)
                || on_activity == Some(StereotypeKind::ActivityPlus);
            self.perform(id, content, called, measured, steps);
        }
    }

    /// Runs a diagram in place if possible. Otherwise, it becomes a function.
    pub(super) fn perform(
        &mut self,
        id: ElementId,
        content: DiagramId,
        called: bool,
        measured: bool,
        steps: &mut Vec<Step>,
    ) {
        if called {
            let diagram = self.activity(content);
            let element = self.declare(id, measured);
            steps.push(Step::Call(Call {
                element,
                measured,
                diagram,
            }));
            return;
        }
        if measured {
            self.perform_apart(id, content, true, steps);
            return;
        }
        let (locals, inside) = self.content(content);
        if ends_early(&inside) || depth(&inside) > DEEPEST_IN_PLACE {
            let diagram = self.reserve_diagram();
            let element = self.declare(id, false);
            self.program.diagrams[diagram] = self.function(content, locals, inside);
            steps.push(Step::Call(Call {
                element,
                measured: false,
                diagram,
            }));
        } else {
            self.forget(&locals);
            steps.push(Step::Scope(Scope {
                locals,
                steps: inside,
            }));
        }
    }

    pub(super) fn perform_apart(
        &mut self,
        id: ElementId,
        content: DiagramId,
        measured: bool,
        steps: &mut Vec<Step>,
    ) {
        let index = self.reserve_diagram();
        let element = self.declare(id, measured);
        self.program.diagrams[index] = self.diagram(content);
        steps.push(Step::Call(Call {
            element,
            measured,
            diagram: index,
        }));
    }
}

/// Returns `true` if the steps can end their diagram early, which is possible only in a function.
fn ends_early(steps: &[Step]) -> bool {
    steps.iter().any(|step| {
        matches!(step, Step::Return | Step::Dispatch(_))
            || step.blocks().into_iter().any(|block| ends_early(block))
    })
}

fn depth(steps: &[Step]) -> usize {
    let blocks = |step: &Step| {
        step.blocks()
            .into_iter()
            .map(|block| 1 + depth(block))
            .max()
    };
    steps.iter().filter_map(blocks).max().unwrap_or(0)
}
