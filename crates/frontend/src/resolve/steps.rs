//! Turns structured control flow into steps.

use super::flows::DiagramGraph;
use super::flows::GraphFork;
use super::{Resolver, regions};
use crate::flow::{self, Statement};
use crate::lang::ir::{Expression, ExpressionKind, Needs, Type, UnaryOp};
use crate::program::{
    Arm, Branch, Dispatch, DispatchState, Label, ListPlace, Loop, Pass, Step, While,
};
use prophet_map::Map;
use prophet_model::model::{ElementId, NodeKind};

/// A structured graph that is being converted, with the new labels.
pub(super) struct Conversion<'m> {
    pub(super) drawn: DiagramGraph<'m>,
    pub(super) labels: Map<flow::Label, Label>,
}

impl<'m> Resolver<'m> {
    pub(super) fn steps(
        &mut self,
        block: flow::Block,
        conversion: &mut Conversion<'m>,
    ) -> Vec<Step> {
        let mut steps = Vec::new();
        for statement in block {
            self.step(statement, conversion, &mut steps);
        }
        steps
    }

    fn step(
        &mut self,
        statement: Statement,
        conversion: &mut Conversion<'m>,
        steps: &mut Vec<Step>,
    ) {
        let step = match statement {
            Statement::Visit(node) => {
                if let Some(flows) = conversion.drawn.passes.remove(&node) {
                    return steps.extend(self.pass(flows));
                }
                let fork = conversion.drawn.forks.remove(&node);
                return self.visit(conversion.drawn.elements[node], fork, steps);
            }
            Statement::Branch {
                node,
                arms,
                otherwise,
            } => self.branch(node, arms, otherwise, conversion),
            Statement::Loop {
                label,
                header,
                body,
            } => Step::Loop(Loop {
                label: label.map(|label| self.label(label, conversion)),
                element: self.declare(conversion.drawn.elements[header], true),
                body: self.steps(body, conversion),
            }),
            Statement::While {
                label,
                header,
                node,
                negated,
                body,
            } => {
                let label = label.map(|label| self.label(label, conversion));
                let element = self.declare(conversion.drawn.elements[header], true);
                let condition = self
                    .resolve_guard(node, 0, conversion)
                    .map(|c| negate(c, negated));
                let body = self.steps(body, conversion);
                let Some(condition) = condition else { return };
                let needs = self.needs_of(&condition);
                Step::While(While {
                    label,
                    element,
                    condition,
                    needs,
                    body,
                })
            }
            Statement::Labeled { label, body } => {
                let label = self.label(label, conversion);
                Step::Labeled(label, self.steps(body, conversion))
            }
            Statement::Break(label) => Step::Break(label.map(|l| self.label(l, conversion))),
            Statement::Continue(label) => Step::Continue(label.map(|l| self.label(l, conversion))),
            Statement::Return => Step::Return,
            Statement::Dispatch {
                label,
                entry,
                states,
            } => self.dispatch(label, entry, states, conversion),
            Statement::Goto { label, state } => {
                let label = self.label(label, conversion);
                Step::Goto(label, DispatchState::new(state.number()))
            }
        };
        steps.push(step);
    }

    fn pass(&self, flows: Vec<usize>) -> Option<Step> {
        let element = *self.made.flows.last()?;
        Some(Step::Pass(Pass { element, flows }))
    }

    /// Returns the program's label for a label of a structured graph. A diagram can contain several
    /// graphs, so labels are renumbered to be unique in the diagram.
    fn label(&mut self, label: flow::Label, conversion: &mut Conversion<'m>) -> Label {
        *conversion.labels.get_or_insert_with(label, || {
            self.made.next_label += 1;
            Label::new(self.made.next_label - 1)
        })
    }

    fn dispatch(
        &mut self,
        label: flow::Label,
        entry: flow::Node,
        states: Vec<(flow::Node, flow::Block)>,
        conversion: &mut Conversion<'m>,
    ) -> Step {
        let label = self.label(label, conversion);
        let element = self.declare(conversion.drawn.elements[entry], true);
        let states = states.into_iter().map(|(state, block)| {
            let steps = self.steps(block, conversion);
            (DispatchState::new(state.number()), steps)
        });
        Step::Dispatch(Dispatch {
            label,
            element,
            entry: DispatchState::new(entry.number()),
            states: states.collect(),
        })
    }

    fn branch(
        &mut self,
        node: flow::Node,
        arms: Vec<flow::Block>,
        otherwise: Option<flow::Block>,
        conversion: &mut Conversion<'m>,
    ) -> Step {
        let mut needs = Needs::default();
        let mut guarded = Vec::new();
        for (arm, block) in arms.into_iter().enumerate() {
            let guard = self.resolve_guard(node, arm, conversion);
            let steps = self.steps(block, conversion);
            if let Some(guard) = guard {
                needs.merge(&self.needs_of(&guard));
                guarded.push(Arm { guard, steps });
            }
        }
        let mut otherwise = otherwise.map(|block| self.steps(block, conversion));
        if let ([only], Some(instead)) = (&mut guarded[..], &mut otherwise)
            && only.steps.is_empty()
            && !instead.is_empty()
        {
            only.guard = negate(only.guard.clone(), true);
            std::mem::swap(&mut only.steps, instead);
        }
        let stops = otherwise.is_none() || needs.fallible || needs.stream;
        let element = self.declare(conversion.drawn.elements[node], stops);
        Step::Branch(Branch {
            element,
            arms: guarded,
            otherwise,
            needs,
        })
    }

    fn resolve_guard(
        &mut self,
        node: flow::Node,
        arm: usize,
        conversion: &Conversion<'m>,
    ) -> Option<Expression> {
        let code = *conversion.drawn.guards.get(&node)?.get(arm)?;
        let path = &self.model.element(conversion.drawn.elements[node]).path;
        self.condition_expression(code, path)
    }

    pub(super) fn visit(
        &mut self,
        id: ElementId,
        fork: Option<GraphFork<'m>>,
        steps: &mut Vec<Step>,
    ) {
        if let Some(fork) = fork {
            return steps.push(self.fork(id, fork));
        }
        let element = self.model.element(id);
        steps.extend(self.code(id));
        let word = self.word_of(element);
        if word.is_some_and(|word| regions::is_region(word.stereotype, &element.kind)) {
            return self.region(id, element, steps);
        }
        match &element.kind {
            NodeKind::Structured(_) | NodeKind::Call(_) => self.visit_content(id, element, steps),
            NodeKind::Loop(node) => self.loop_node(id, element, node, steps),
            NodeKind::Conditional(clauses) => self.conditional(id, element, clauses, steps),
            _ => {
                if let Some(word) = word {
                    steps.extend(self.execute(id, &word));
                }
            }
        }
    }
}

/// Returns `condition`, negated if `negated` is set.
pub(super) fn negate(condition: Expression, negated: bool) -> Expression {
    if !negated {
        return condition;
    }
    if let ExpressionKind::Unary(UnaryOp::Not, inside) = condition.kind {
        return *inside;
    }
    Expression {
        kind: ExpressionKind::Unary(UnaryOp::Not, Box::new(condition)),
        ty: Type::Bool,
    }
}
