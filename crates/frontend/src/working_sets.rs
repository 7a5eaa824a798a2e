//! Determines the working sets of each run, as far as they are known before it.

use std::cell::Cell;
use std::collections::BTreeSet;

use crate::index::ListPlace as _;
use crate::lang::constant::{Constant, Known, cast, value};
use crate::lang::ir::{Expression, Statement, System, Variable};
use crate::lang::walk::{self, Access};
use crate::program::{
    Action, Branch, Construct, DiagramIndex, ElementIndex, Execute, FunctionIndex, GlobalIndex,
    List, Program, Step, all_steps,
};

/// Maximum number of function calls in an expression, and maximum nesting depth of blocks and
/// calls.
const CALLS_MAX: u32 = 200;
const STEPS_MAX: usize = 1_000_000;

/// Returns the elements that are certain to run, with the sizes of their working sets in bytes.
/// Only sizes that follow from the parameters, and from system names with the same value in all
/// processes, are included.
pub fn working_sets(
    program: &Program,
    parameters: &[Constant],
    system: &dyn Fn(System) -> Option<i64>,
) -> Vec<(ElementIndex, i64)> {
    let mut values = KnownValues {
        program,
        parameters,
        system,
        globals: List::default(),
        calls: Cell::new(0),
    };
    let changing = changing(program);
    for (index, global) in program.globals.entries() {
        let first = match (&global.value, &global.ty) {
            (Some(first), _) => values.of(first),
            (None, ty) => cast(Constant::Int(0), ty),
        };
        values
            .globals
            .push(first.filter(|_| !changing.contains(&index)));
    }
    let mut found = Vec::new();
    values.executions(&mut |execute| {
        if let Action::Compute(compute) = &execute.action
            && let Some(Constant::Int(bytes)) =
                compute.working_set.as_ref().and_then(|it| values.of(it))
        {
            found.push((execute.element, bytes));
        }
    });
    found
}

/// Returns the globals that a run may assign to.
fn changing(program: &Program) -> BTreeSet<GlobalIndex> {
    let mut changing = BTreeSet::new();
    let mut note = |variable: &Variable, access| {
        if let (Variable::Global(index), Access::Write) = (variable, access) {
            changing.insert(*index);
        }
    };
    for function in &program.functions {
        walk::statements(&function.body, &mut note);
    }
    for step in program.steps() {
        match step {
            Step::Code(fragment) => walk::statements(&fragment.statements, &mut note),
            Step::Execute(execute) => {
                { execute.action.assigned() }.for_each(|it| note(it, Access::Write));
            }
            _ => {}
        }
    }
    changing
}

struct KnownValues<'p> {
    program: &'p Program,
    parameters: &'p [Constant],
    system: &'p dyn Fn(System) -> Option<i64>,
    globals: List<GlobalIndex, Option<Constant>>,
    /// Number of function calls in the current expression so far.
    calls: Cell<u32>,
}

impl KnownValues<'_> {
    fn of(&self, expression: &Expression) -> Option<Constant> {
        self.calls.set(0);
        value(expression, self)
    }

    /// Visits all executions that are certain to happen if the run ends.
    fn executions(&self, visit: &mut dyn FnMut(&Execute)) {
        let program = self.program;
        let Some(main) = program.diagrams.iter().next() else {
            return;
        };
        let mut open = vec![main.steps.iter()];
        for _ in 0..STEPS_MAX {
            let Some(steps) = open.last_mut() else {
                return;
            };
            let Some(step) = steps.next() else {
                open.pop();
                continue;
            };
            match self.inside(step) {
                Inside::Certain(blocks) if open.len() < CALLS_MAX as usize => {
                    open.extend(blocks.into_iter().rev().map(|it| it.iter()));
                }
                Inside::Unknown if !jumps(step) => {}
                // The steps after this one may not be reached.
                Inside::Certain(_) | Inside::Unknown => return,
            }
            if let Step::Execute(execute) = step {
                visit(execute);
            }
        }
    }

    fn inside<'s>(&'s self, step: &'s Step) -> Inside<'s> {
        let of_diagram = |index: DiagramIndex| &*self.program.diagrams[index].steps;
        let known = |condition| self.of(condition).map(Constant::holds);
        match step {
            Step::Code(_) | Step::Execute(_) | Step::Pass(_) => Inside::Certain(Vec::new()),
            Step::Call(call) => Inside::Certain(vec![of_diagram(call.diagram)]),
            Step::Region(region) => match region.construct {
                Construct::Parallel(_) | Construct::ParallelSections(_) | Construct::Fork => {
                    Inside::Certain(region.parts.iter().map(|it| of_diagram(*it)).collect())
                }
                _ => Inside::Unknown,
            },
            Step::Scope(scope) => Inside::Certain(vec![&scope.steps]),
            Step::Labeled(_, steps) => Inside::Certain(vec![steps]),
            Step::Loop(one) => Inside::Certain(vec![&one.body]),
            Step::Branch(branch) => self.arm(branch),
            Step::Repeat(repeat) => match self.of(&repeat.iterations) {
                Some(Constant::Int(1..)) => Inside::Certain(vec![&repeat.body]),
                _ => Inside::Unknown,
            },
            Step::While(one) if known(&one.condition) == Some(true) => {
                Inside::Certain(vec![&one.body])
            }
            _ => Inside::Unknown,
        }
    }

    fn arm<'s>(&self, branch: &'s Branch) -> Inside<'s> {
        for arm in &branch.arms {
            match self.of(&arm.guard).map(Constant::holds) {
                Some(true) => return Inside::Certain(vec![&arm.steps]),
                Some(false) => {}
                None => return Inside::Unknown,
            }
        }
        Inside::Certain(branch.otherwise.iter().map(|it| &**it).collect())
    }
}

enum Inside<'s> {
    Certain(Vec<&'s [Step]>),
    /// The step contains blocks that may be skipped.
    Unknown,
}

/// Returns `true` if a step can continue anywhere but at the next step.
fn jumps(step: &Step) -> bool {
    let is_jump = |it: &Step| {
        matches!(
            it,
            Step::Break(_) | Step::Continue(_) | Step::Return | Step::Goto(..)
        )
    };
    is_jump(step) || { step.blocks().into_iter() }.any(|block| all_steps(block).any(is_jump))
}

impl Known for KnownValues<'_> {
    fn variable(&self, variable: &Variable) -> Option<Constant> {
        match variable {
            Variable::Parameter(index) => self.parameters.get(index.number()).copied(),
            Variable::Global(index) => self.globals.get(*index).copied().flatten(),
            Variable::System(name) => (self.system)(*name).map(Constant::Int),
            Variable::Local(_) | Variable::Own(_) => None,
        }
    }

    fn call(&self, function: FunctionIndex, arguments: &[Constant]) -> Option<Constant> {
        self.calls.set(self.calls.get() + 1);
        let function = &self.program.functions[function];
        let [Statement::Return(result)] = &function.body[..] else {
            return None;
        };
        let names = function.signature.arguments.iter().map(|it| &*it.0);
        let called = Called {
            caller: self,
            arguments: names.zip(arguments.iter().copied()).collect(),
        };
        (self.calls.get() <= CALLS_MAX)
            .then(|| value(result, &called))
            .flatten()
    }
}

struct Called<'p> {
    caller: &'p KnownValues<'p>,
    arguments: Vec<(&'p str, Constant)>,
}

impl Known for Called<'_> {
    fn variable(&self, variable: &Variable) -> Option<Constant> {
        let Variable::Own(name) = variable else {
            return self.caller.variable(variable);
        };
        let mut arguments = self.arguments.iter();
        arguments.find(|it| it.0 == name).map(|it| it.1)
    }

    fn call(&self, function: FunctionIndex, arguments: &[Constant]) -> Option<Constant> {
        self.caller.call(function, arguments)
    }
}

#[cfg(test)]
mod tests;
