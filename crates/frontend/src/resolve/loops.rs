//! Resolves loops and conditional nodes: `loop+`, and UML's `LoopNode` and `ConditionalNode`.

use std::collections::BTreeMap;

use super::Resolver;
use super::steps::negate;
use crate::lang::ir::{Expression, Needs, Type, Variable as Name};
use crate::lang::scope::Binding;
use crate::program::{Arm, Branch, Loop, Repeat, Step, While};
use prophet_model::diagnostic::Span;
use prophet_model::diagnostic::catalogue::{flow as flow_rules, program as program_rules};
use prophet_model::model::{Clause, Code, DiagramId, Element, ElementId, LoopNode};
use prophet_model::source::Text;

/// Maximum number of loops that get their own copy of the activity that they call, so that it can
/// use the loop's variable.
const MOST_COPIES: usize = 1000;

impl<'m> Resolver<'m> {
    pub(super) fn repeat(
        &mut self,
        id: ElementId,
        element: &'m Element,
        content: DiagramId,
        called: bool,
        steps: &mut Vec<Step>,
    ) {
        let Some(stereotype) = &element.stereotype else {
            return;
        };
        let iterations = self.tag_value(element, stereotype, "iterations", true);
        let variable = stereotype.tags.get("variable");
        let counter = variable.and_then(|text| self.counter(text, element));
        let mut body = Vec::new();
        let sees_counter = counter
            .as_ref()
            .is_some_and(|name| super::locals::mentions(self.model, content, name));
        if called && sees_counter && !self.made.circular && self.may_copy(element) {
            // This copy of the activity can use the loop's variable, but not the caller's
            // variables.
            let locals = self.hide_locals();
            self.perform_apart(id, content, false, &mut body);
            self.scope.variables.extend(locals);
        } else {
            self.perform(id, content, called, false, &mut body);
        }
        if let Some(name) = &counter {
            self.made.counters.remove(name);
            self.restore(name);
        }
        let repetition = self.repetition(element, stereotype);
        let Some(iterations) = iterations else { return };
        let needs = self.needs_of(&iterations);
        let index = self.declare(id, true);
        let variable = counter.filter(|_| sees_counter);
        steps.push(Step::Repeat(Repeat {
            element: index,
            iterations,
            needs,
            variable,
            repetition,
            body,
        }));
    }

    fn may_copy(&mut self, element: &Element) -> bool {
        self.made.copies += 1;
        if self.made.copies == MOST_COPIES + 1 {
            let message = format!(
                "more than {MOST_COPIES} loops call activities that can use their variables"
            );
            let help = "remove the tag `variable` where it is not needed";
            self.report(
                &program_rules::TOO_DEEP,
                element.span,
                &element.path,
                message,
                help,
            );
        }
        self.made.copies <= MOST_COPIES
    }

    pub(super) fn counter(&mut self, text: &Text, element: &Element) -> Option<String> {
        let name = Text::new(text.value.trim().to_owned(), text.span);
        let mut taken = super::names::Taken::default();
        if !self.accept_name(&name, &element.path, &mut taken) {
            return None;
        }
        if self.is_local(&name.value) {
            let message = format!(
                "{} hides the variable of the same name around this loop",
                name.value
            );
            let rule = &program_rules::HIDDEN_LOCAL;
            self.report(
                rule,
                name.span,
                &element.path,
                message,
                "rename one of them",
            );
            return None;
        }
        let variable = Name::Local(name.value.clone());
        let binding = Binding {
            variable,
            ty: Type::Int,
            writable: false,
        };
        self.scope.variables.insert(name.value.clone(), binding);
        self.made.counters.insert(name.value.clone());
        Some(name.value)
    }

    /// Removes all diagram variables except loop variables from the scope, and returns them.
    fn hide_locals(&mut self) -> BTreeMap<String, Binding> {
        let hidden: BTreeMap<String, Binding> = self
            .scope
            .variables
            .iter()
            .filter(|(name, binding)| {
                matches!(binding.variable, Name::Local(_)) && !self.made.counters.contains(*name)
            })
            .map(|(name, binding)| (name.clone(), binding.clone()))
            .collect();
        for name in hidden.keys() {
            self.restore(name);
        }
        hidden
    }

    pub(super) fn loop_node(
        &mut self,
        id: ElementId,
        element: &'m Element,
        node: &'m LoopNode,
        steps: &mut Vec<Step>,
    ) {
        if let Some(setup) = node.setup {
            self.perform(id, setup, false, false, steps);
        }
        let condition = self.condition(element, node.condition.as_ref(), element.span);
        let index = self.declare(id, true);
        let mut body = Vec::new();
        self.perform(id, node.body, false, false, &mut body);
        let mut test = Vec::new();
        if let Some(inside) = node.test {
            self.perform(id, inside, false, false, &mut test);
        }
        let Some(condition) = condition else {
            // Keeps the steps, because problems in them may depend on the diagrams that they call.
            steps.append(&mut body);
            return steps.append(&mut test);
        };
        let needs = self.needs_of(&condition);
        if node.tested_first && node.test.is_none() {
            steps.push(Step::While(While {
                label: None,
                element: index,
                condition,
                needs,
                body,
            }));
            return;
        }
        let leave = Arm {
            guard: negate(condition, true),
            steps: vec![Step::Break(None)],
        };
        let otherwise = Some(Vec::new());
        test.push(Step::Branch(Branch {
            element: index,
            arms: vec![leave],
            otherwise,
            needs,
        }));
        if node.tested_first {
            test.append(&mut body);
            body = test;
        } else {
            body.append(&mut test);
        }
        steps.push(Step::Loop(Loop {
            label: None,
            element: index,
            body,
        }));
    }

    pub(super) fn conditional(
        &mut self,
        id: ElementId,
        element: &'m Element,
        clauses: &'m [Clause],
        steps: &mut Vec<Step>,
    ) {
        let mut needs = Needs::default();
        let mut arms = Vec::new();
        for clause in clauses {
            let guard = self.condition(element, clause.condition.as_ref(), clause.span);
            let mut inside = Vec::new();
            self.perform(id, clause.body, false, false, &mut inside);
            if let Some(guard) = guard {
                needs.merge(&self.needs_of(&guard));
                arms.push(Arm {
                    guard,
                    steps: inside,
                });
            }
        }
        if arms.is_empty() {
            return;
        }
        let index = self.declare(id, needs.fallible || needs.stream);
        let otherwise = Some(Vec::new());
        steps.push(Step::Branch(Branch {
            element: index,
            arms,
            otherwise,
            needs,
        }));
    }

    fn condition(
        &mut self,
        element: &Element,
        code: Option<&Code>,
        span: Span,
    ) -> Option<Expression> {
        if let Some(code) = code {
            return self.condition_expression(code, &element.path);
        }
        let message = format!("{} needs a condition", element.path);
        let help =
            "write the condition in the body of the OpaqueAction whose output is the decider";
        self.report(
            &flow_rules::NO_CONDITION,
            span,
            &element.path,
            message,
            help,
        );
        None
    }
}
