//! Determines which diagrams are inlined where they're executed, and which become functions because
//! several elements execute them.

use std::collections::BTreeSet;

use prophet_codegen::navigator::{Item, Navigator, Position, children};
use prophet_frontend::lang::ir::{Expression, Variable};
use prophet_frontend::lang::walk::{self, Access};
use prophet_frontend::program::{Diagram, DiagramIndex, List, Local, Program, Step, all_steps};

#[derive(Debug)]
pub(super) struct Shared {
    /// Whether several elements execute each diagram.
    pub(super) several: List<DiagramIndex, bool>,
    /// Diagrams that several elements execute, each after the diagrams that it executes. The main
    /// diagram is last.
    pub(super) order: Vec<DiagramIndex>,
    pub(super) executes: List<DiagramIndex, bool>,
    /// Diagram variables that are read.
    pub(super) mentioned: BTreeSet<String>,
}

impl Shared {
    pub(super) fn new(program: &Program) -> Self {
        let inner: ExecutedBy = program.diagrams.iter().map(executed).collect();
        let mut times = program.diagrams.with(0_usize);
        for &index in inner.iter().flatten() {
            times[index] += 1;
        }
        let several: List<DiagramIndex, bool> = times.iter().map(|&times| times > 1).collect();
        let order = inner_first(&inner);
        let mut executes = program.diagrams.with(false);
        for &index in &order {
            executes[index] = has_elements(&program.diagrams[index].steps)
                || inner[index].iter().any(|&it| executes[it] || several[it]);
        }
        let order = order
            .into_iter()
            .filter(|&it| it == DiagramIndex::MAIN || several[it]);
        Self {
            order: order.collect(),
            several,
            executes,
            mentioned: mentioned(program),
        }
    }
}

type ExecutedBy = List<DiagramIndex, Vec<DiagramIndex>>;

fn executed(diagram: &Diagram) -> Vec<DiagramIndex> {
    let mut found = Vec::new();
    for step in all_steps(&diagram.steps) {
        match step {
            Step::Call(call) => found.push(call.diagram),
            Step::Region(region) => found.extend(&region.parts),
            _ => {}
        }
    }
    found
}

/// Collects the diagram variables that are read.
fn mentioned(program: &Program) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut note = |variable: &Variable, access: Access| {
        if let (Variable::Local(name), Access::Read) = (variable, access) {
            names.insert(name.clone());
        }
    };
    for diagram in &program.diagrams {
        let mut locals: Vec<&Local> = diagram.locals.iter().collect();
        for step in all_steps(&diagram.steps) {
            match step {
                Step::Code(code) => walk::statements(&code.statements, &mut note),
                Step::Scope(scope) => locals.extend(&scope.locals),
                _ => {}
            }
            for value in expressions(step) {
                walk::expression(value, &mut note);
            }
        }
        for value in locals.into_iter().filter_map(|it| it.value.as_ref()) {
            walk::expression(value, &mut note);
        }
    }
    names
}

/// Returns the expressions of a step, without nested steps.
fn expressions(step: &Step) -> Vec<&Expression> {
    match step {
        Step::Execute(execute) => execute.action.expressions().collect(),
        Step::Region(region) => region.expressions().collect(),
        Step::Branch(branch) => branch.arms.iter().map(|it| &it.guard).collect(),
        Step::Repeat(repeat) => vec![&repeat.iterations],
        Step::While(one) => vec![&one.condition],
        _ => Vec::new(),
    }
}

fn has_elements(steps: &[Step]) -> bool {
    all_steps(steps).any(|step| matches!(step, Step::Execute(_) | Step::Region(_)))
}

/// Lists the diagrams that the main diagram executes, directly or indirectly, each after the
/// diagrams that it executes.
fn inner_first(inner: &ExecutedBy) -> Vec<DiagramIndex> {
    let mut order = Vec::new();
    let mut seen = inner.with(false);
    let mut open: Vec<(DiagramIndex, usize)> = Vec::new();
    if !inner.is_empty() {
        seen[DiagramIndex::MAIN] = true;
        open.push((DiagramIndex::MAIN, 0));
    }
    while let Some((index, next)) = open.last_mut() {
        let Some(&child) = inner[*index].get(*next) else {
            order.push(*index);
            open.pop();
            continue;
        };
        *next += 1;
        if !std::mem::replace(&mut seen[child], true) {
            open.push((child, 0));
        }
    }
    order
}

#[derive(Debug)]
pub(super) struct Inlining<'p> {
    program: &'p Program,
    shared: &'p Shared,
    position: Position<'p>,
}

impl<'p> Inlining<'p> {
    pub(super) fn new(program: &'p Program, shared: &'p Shared) -> Self {
        Self {
            program,
            shared,
            position: Position::default(),
        }
    }
}

impl<'p> Navigator<'p> for Inlining<'p> {
    fn program(&self) -> &'p Program {
        self.program
    }

    fn position(&mut self) -> &mut Position<'p> {
        &mut self.position
    }

    fn children(&self, item: Item<'p>) -> Vec<Item<'p>> {
        let diagram = |&index: &DiagramIndex| Item::Diagram(index, &self.program.diagrams[index]);
        match item {
            Item::Program(_) => {
                let declared = children(item).into_iter();
                let declared = declared.filter(|item| !matches!(item, Item::Diagram(..)));
                declared
                    .chain(self.shared.order.iter().map(diagram))
                    .collect()
            }
            Item::Step(Step::Call(call)) if self.shared.several[call.diagram] => Vec::new(),
            Item::Step(Step::Call(call)) => vec![diagram(&call.diagram)],
            Item::Step(Step::Region(region)) => region.parts.iter().map(diagram).collect(),
            other => children(other),
        }
    }
}
