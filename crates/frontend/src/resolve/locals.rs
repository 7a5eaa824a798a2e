//! Finds the diagram variables that steps use.

use std::collections::BTreeSet;

use crate::lang::ir::Variable;
use crate::lang::walk;
use crate::program::{Diagram, DiagramIndex, List, Local, Step};
use prophet_model::model::{
    Code, Diagram as Drawn, DiagramId, Element, Guard, Model, NodeKind, StereotypeKind,
};

/// Returns the names of diagram variables that `steps` use but don't declare.
pub fn used(steps: &[Step], diagrams: &List<DiagramIndex, Diagram>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for step in steps {
        locals_of_step(step, diagrams, &mut names);
    }
    names
}

fn locals_of_step(
    step: &Step,
    diagrams: &List<DiagramIndex, Diagram>,
    names: &mut BTreeSet<String>,
) {
    let mut note = |variable: &Variable, _| {
        if let Variable::Local(name) = variable {
            names.insert(name.clone());
        }
    };
    match step {
        Step::Code(fragment) => walk::statements(&fragment.statements, &mut note),
        Step::Execute(execute) => {
            for value in execute.action.expressions() {
                walk::expression(value, &mut note);
            }
            for variable in execute.action.assigned() {
                note(variable, walk::Access::Write);
            }
        }
        Step::Call(call) => {
            let outer = &diagrams[call.diagram].outer;
            names.extend(outer.iter().map(|outer| outer.name.clone()));
        }
        Step::Region(region) => {
            for expression in region.expressions() {
                walk::expression(expression, &mut note);
            }
            let inside = region.parts.iter().flat_map(|&part| &diagrams[part].outer);
            let around = inside.filter(|outer| Some(&*outer.name) != region.variable());
            names.extend(around.map(|outer| outer.name.clone()));
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

pub(super) fn of_values(locals: &[Local]) -> BTreeSet<String> {
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

/// Returns `true` if the code of a diagram contains the name, or the code of a nested diagram in
/// which the name means the same.
pub(super) fn mentions(model: &Model, diagram: DiagramId, name: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![diagram];
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let drawn = model.diagram(id);
            if texts(model, drawn).any(|text| has_word(text, name)) {
                return true;
            }
            open.extend(
                drawn
                    .elements
                    .iter()
                    .flat_map(|&id| inside(model.element(id))),
            );
        }
    }
    false
}

/// Iterates over the code in a diagram, without nested diagrams.
fn texts<'m>(model: &'m Model, drawn: &'m Drawn) -> impl Iterator<Item = &'m str> {
    let guards = drawn.flows.iter().filter_map(|flow| match &flow.guard {
        Some(Guard::When(code)) => Some(&code.text),
        _ => None,
    });
    let values = drawn
        .locals
        .iter()
        .filter_map(|local| Some(&local.default.as_ref()?.text));
    let elements = drawn.elements.iter().map(|&id| model.element(id));
    let codes = elements.flat_map(|element| {
        let tags = element
            .stereotype
            .iter()
            .flat_map(|stereotype| stereotype.tags.values());
        let conditions = conditions(&element.kind).into_iter().map(|code| &code.text);
        element
            .body
            .iter()
            .map(|body| &body.text)
            .chain(tags)
            .chain(conditions)
    });
    guards
        .chain(values)
        .chain(codes)
        .map(|text| text.value.as_str())
}

fn conditions(kind: &NodeKind) -> Vec<&Code> {
    match kind {
        NodeKind::Loop(node) => node.condition.iter().collect(),
        NodeKind::Conditional(clauses) => clauses
            .iter()
            .filter_map(|clause| clause.condition.as_ref())
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns the diagrams in an element where names mean the same as around the element.
fn inside(element: &Element) -> Vec<DiagramId> {
    match element.kind {
        // An activity that a loop calls can use the loop's variables.
        NodeKind::Call(Some(called)) => {
            let kind = element
                .stereotype
                .as_ref()
                .map(|stereotype| stereotype.kind);
            Vec::from_iter((kind == Some(StereotypeKind::LoopPlus)).then_some(called))
        }
        ref kind => kind.contents(),
    }
}

fn has_word(text: &str, name: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .any(|word| word == name)
}
