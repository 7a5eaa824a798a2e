//! Which variables of diagrams the steps use.

use std::collections::BTreeSet;

use crate::lang::ir::Variable;
use crate::lang::walk;
use crate::model::{DiagramId, Element, Guard, Model, NodeKind};
use crate::program::{Diagram, Local, Step};

/// The names of the locals that `steps` use and do not declare.
pub fn used(steps: &[Step], diagrams: &[Diagram]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for step in steps {
        of_step(step, diagrams, &mut names);
    }
    names
}

fn of_step(step: &Step, diagrams: &[Diagram], names: &mut BTreeSet<String>) {
    let mut note = |variable: &Variable, _| {
        if let Variable::Local(name) = variable {
            names.insert(name.clone());
        }
    };
    match step {
        Step::Code(fragment) => walk::statements(&fragment.statements, &mut note),
        Step::Execute(execute) => {
            let values = execute
                .arguments
                .iter()
                .filter_map(|argument| argument.value.as_ref());
            for value in values.chain(&execute.price) {
                walk::expression(value, &mut note);
            }
        }
        Step::Call(call) => {
            let outer = &diagrams[call.diagram].outer;
            names.extend(outer.iter().map(|outer| outer.name.clone()));
        }
        Step::Branch(branch) => {
            for arm in &branch.arms {
                walk::expression(&arm.guard, &mut note);
            }
        }
        Step::Repeat(repeat) => walk::expression(&repeat.iterations, &mut note),
        Step::While(one) => walk::expression(&one.condition, &mut note),
        _ => {}
    }
    let mut inside = BTreeSet::new();
    for block in step.blocks() {
        inside.append(&mut used(block, diagrams));
    }
    match step {
        Step::Scope(scope) => {
            inside.extend(of_values(&scope.locals));
            for local in &scope.locals {
                inside.remove(&local.name);
            }
        }
        Step::Repeat(repeat) => {
            if let Some(name) = &repeat.variable {
                inside.remove(name);
            }
        }
        _ => {}
    }
    names.append(&mut inside);
}

/// The locals that the first values of `locals` use.
fn of_values(locals: &[Local]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for value in locals.iter().filter_map(|local| local.value.as_ref()) {
        walk::expression(value, &mut |variable, _| {
            if let Variable::Local(name) = variable {
                names.insert(name.clone());
            }
        });
    }
    names
}

/// Whether the text of a diagram, or of one drawn inside it, has the name in it.
pub(super) fn mentions(model: &Model, diagram: DiagramId, name: &str) -> bool {
    let drawn = model.diagram(diagram);
    let in_guards = drawn.flows.iter().any(|flow| match &flow.guard {
        Some(Guard::When(code)) => has_word(&code.text.value, name),
        _ => false,
    });
    let in_values = drawn
        .locals
        .iter()
        .filter_map(|local| local.default.as_ref())
        .any(|code| has_word(&code.text.value, name));
    in_guards
        || in_values
        || drawn
            .elements
            .iter()
            .any(|&id| element_mentions(model, model.element(id), name))
}

fn element_mentions(model: &Model, element: &Element, name: &str) -> bool {
    let in_body = element
        .body
        .as_ref()
        .is_some_and(|code| has_word(&code.text.value, name));
    let in_tags = element
        .stereotype
        .as_ref()
        .is_some_and(|s| s.tags.values().any(|text| has_word(&text.value, name)));
    let condition = |code: Option<&crate::model::Code>| {
        code.is_some_and(|code| has_word(&code.text.value, name))
    };
    in_body
        || in_tags
        || match &element.kind {
            NodeKind::Structured(inside) => mentions(model, *inside, name),
            // A loop around a call passes its variable on.
            NodeKind::Call(Some(inside)) => {
                let loops = element
                    .stereotype
                    .as_ref()
                    .is_some_and(|s| s.kind == crate::model::StereotypeKind::LoopPlus);
                loops && mentions(model, *inside, name)
            }
            NodeKind::Loop(node) => {
                let parts = [node.setup, node.test, Some(node.body)];
                condition(node.condition.as_ref())
                    || parts
                        .into_iter()
                        .flatten()
                        .any(|part| mentions(model, part, name))
            }
            NodeKind::Conditional(clauses) => clauses.iter().any(|clause| {
                condition(clause.condition.as_ref()) || mentions(model, clause.body, name)
            }),
            _ => false,
        }
}

fn has_word(text: &str, name: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .any(|word| word == name)
}
