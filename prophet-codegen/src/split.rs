//! Splits long diagrams, so that no async function awaits more than 50 times. Compile time grows
//! faster than the square of the number of awaits: 3,000 awaits take 538 s.

use std::collections::BTreeSet;

use prophet_frontend::lang::ir::Type;
use prophet_frontend::program::{
    Branch, Call, Diagram, DiagramIndex, Dispatch, ElementIndex, Label, List, Local, Loop, Outer,
    Program, Repeat, Scope, Step, While,
};

/// Maximum number of awaits in a generated function.
pub const MOST_AWAITS: usize = 50;

/// Moves long parts of `program` into diagrams of their own. For each diagram of the result, also
/// returns the original diagram.
pub fn split(program: &Program) -> (Program, List<DiagramIndex, DiagramIndex>) {
    let mut program = program.clone();
    let mut origins: List<DiagramIndex, DiagramIndex> =
        program.diagrams.entries().map(|(index, _)| index).collect();
    let indices: Vec<DiagramIndex> = program.diagrams.entries().map(|(index, _)| index).collect();
    for index in indices {
        let steps = std::mem::take(&mut program.diagrams[index].steps);
        if awaits(&steps) <= MOST_AWAITS {
            program.diagrams[index].steps = steps;
            continue;
        }
        let diagram = &program.diagrams[index];
        let mut visible = diagram.outer.clone();
        visible.extend(diagram.locals.iter().map(outer));
        let name = diagram.name.clone();
        let path = diagram.path.clone();
        let mut splitter = Splitter {
            diagrams: &mut program.diagrams,
            name,
            path,
            parts: 0,
        };
        let steps = splitter.shorten(steps, &mut visible);
        program.diagrams[index].steps = steps;
        while origins.len() < program.diagrams.len() {
            origins.push(index);
        }
    }
    (program, origins)
}

fn awaits(steps: &[Step]) -> usize {
    steps
        .iter()
        .map(|step| {
            let own = usize::from(matches!(
                step,
                Step::Execute(_) | Step::Call(_) | Step::Region(_)
            ));
            own + step
                .blocks()
                .into_iter()
                .map(|block| awaits(block))
                .sum::<usize>()
        })
        .sum()
}

struct Splitter<'d> {
    diagrams: &'d mut List<DiagramIndex, Diagram>,
    name: String,
    path: String,
    parts: usize,
}

impl Splitter<'_> {
    /// Shortens `steps` to at most [`MOST_AWAITS`] awaits, if jumps allow that.
    fn shorten(&mut self, steps: Vec<Step>, visible: &mut Vec<Outer>) -> Vec<Step> {
        let mut steps: Vec<Step> = steps
            .into_iter()
            .map(|step| self.shorten_inside(step, visible))
            .collect();
        while awaits(&steps) > MOST_AWAITS {
            let before = awaits(&steps);
            steps = self.group(steps, visible);
            if awaits(&steps) >= before {
                break;
            }
        }
        steps
    }

    fn shorten_inside(&mut self, step: Step, visible: &mut Vec<Outer>) -> Step {
        if step
            .blocks()
            .into_iter()
            .map(|block| awaits(block))
            .sum::<usize>()
            <= MOST_AWAITS
        {
            return step;
        }
        match step {
            Step::Scope(Scope { locals, steps }) => {
                let around = visible.len();
                visible.extend(locals.iter().map(outer));
                let steps = self.shorten(steps, visible);
                visible.truncate(around);
                Step::Scope(Scope { locals, steps })
            }
            Step::Branch(branch) => {
                let arms = branch.arms.into_iter().map(|mut arm| {
                    arm.steps = self.shorten(arm.steps, visible);
                    arm
                });
                let arms = arms.collect();
                let otherwise = branch.otherwise.map(|steps| self.shorten(steps, visible));
                Step::Branch(Branch {
                    arms,
                    otherwise,
                    ..branch
                })
            }
            Step::Repeat(repeat) => {
                let around = visible.len();
                visible.extend(repeat.variable.iter().map(|name| Outer {
                    name: name.clone(),
                    ty: Type::Int,
                    counter: true,
                }));
                let body = self.shorten(repeat.body, visible);
                visible.truncate(around);
                Step::Repeat(Repeat { body, ..repeat })
            }
            Step::While(one) => {
                let body = self.shorten(one.body, visible);
                Step::While(While { body, ..one })
            }
            Step::Loop(one) => {
                let body = self.shorten(one.body, visible);
                Step::Loop(Loop { body, ..one })
            }
            Step::Labeled(label, steps) => Step::Labeled(label, self.shorten(steps, visible)),
            Step::Dispatch(dispatch) => {
                let states = dispatch
                    .states
                    .into_iter()
                    .map(|(state, steps)| (state, self.shorten(steps, visible)))
                    .collect();
                Step::Dispatch(Dispatch { states, ..dispatch })
            }
            other => other,
        }
    }

    /// Moves steps into diagrams of their own, unless a jump leaves them.
    fn group(&mut self, steps: Vec<Step>, visible: &[Outer]) -> Vec<Step> {
        let mut grouped = Vec::new();
        let mut run: Vec<Step> = Vec::new();
        for step in steps {
            let free = stays_inside(&step, &mut Vec::new(), false);
            let full = awaits(&run) + awaits(std::slice::from_ref(&step)) > MOST_AWAITS;
            if !free || full {
                self.close(&mut run, &mut grouped, visible);
            }
            if free {
                run.push(step);
            } else {
                grouped.push(step);
            }
        }
        self.close(&mut run, &mut grouped, visible);
        grouped
    }

    fn close(&mut self, run: &mut Vec<Step>, grouped: &mut Vec<Step>, visible: &[Outer]) {
        if awaits(run) < 2 {
            grouped.append(run);
            return;
        }
        self.parts += 1;
        let steps = std::mem::take(run);
        let used: BTreeSet<String> = prophet_frontend::resolve::used_locals(&steps, self.diagrams);
        let outer: Vec<Outer> = visible
            .iter()
            .filter(|outer| used.contains(&outer.name))
            .cloned()
            .collect();
        let element = first_element(&steps);
        let element = element.unwrap_or_else(|| unreachable!("a part awaits something"));
        let diagram = self.diagrams.push(Diagram {
            name: format!("{} part {}", self.name, self.parts),
            path: self.path.clone(),
            comment: None,
            outer,
            locals: Vec::new(),
            steps,
        });
        grouped.push(Step::Call(Call {
            element,
            measured: false,
            diagram,
        }));
    }
}

fn outer(local: &Local) -> Outer {
    Outer {
        name: local.name.clone(),
        ty: local.ty.clone(),
        counter: false,
    }
}

/// Returns an element in `steps`, so that the call of a separate diagram with these steps can be
/// attributed to it.
fn first_element(steps: &[Step]) -> Option<ElementIndex> {
    steps.iter().find_map(|step| match step {
        Step::Execute(execute) => Some(execute.element),
        Step::Call(call) => Some(call.element),
        Step::Region(region) => Some(region.element),
        Step::Branch(branch) => Some(branch.element),
        Step::Repeat(repeat) => Some(repeat.element),
        Step::While(one) => Some(one.element),
        Step::Loop(one) => Some(one.element),
        Step::Dispatch(dispatch) => Some(dispatch.element),
        Step::Scope(scope) => first_element(&scope.steps),
        Step::Labeled(_, steps) => first_element(steps),
        _ => None,
    })
}

/// Returns `true` if no jump leaves `step`. `labels` are the labels around it, and `in_loop` says
/// whether it is inside a loop.
fn stays_inside(step: &Step, labels: &mut Vec<Label>, in_loop: bool) -> bool {
    match step {
        Step::Return => return false,
        Step::Break(None) | Step::Continue(None) => return in_loop,
        Step::Break(Some(label)) | Step::Continue(Some(label)) | Step::Goto(label, _) => {
            return labels.contains(label);
        }
        _ => {}
    }
    let own = match step {
        Step::While(one) => one.label,
        Step::Loop(one) => one.label,
        Step::Labeled(label, _) => Some(*label),
        Step::Dispatch(dispatch) => Some(dispatch.label),
        _ => None,
    };
    labels.extend(own);
    let in_loop = in_loop || step.is_loop();
    let inside = step
        .blocks()
        .into_iter()
        .all(|block| block.iter().all(|step| stays_inside(step, labels, in_loop)));
    labels.truncate(labels.len() - usize::from(own.is_some()));
    inside
}
