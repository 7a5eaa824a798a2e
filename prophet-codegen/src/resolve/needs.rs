//! What pieces of code need, over the functions that they call.

use std::collections::BTreeSet;

use super::Resolver;
use crate::lang::ir::{Expression, Needs, Statement};
use crate::program::{Function, Local, Program, Step};

impl Resolver<'_> {
    /// Gives each function the needs of those it calls. There is no recursion.
    pub(super) fn close_needs(&mut self) {
        for index in 0..self.program.functions.len() {
            let needs = self.closed(self.program.functions[index].needs.clone());
            self.program.functions[index].needs = needs;
        }
    }

    /// What `expression` needs, calls included.
    pub(super) fn needs_of(&self, expression: &Expression) -> Needs {
        self.closed(expression.needs())
    }

    /// What `statements` need, calls included.
    pub(super) fn needs_of_statements(&self, statements: &[Statement]) -> Needs {
        self.closed(Needs::of(statements))
    }

    fn closed(&self, needs: Needs) -> Needs {
        close(needs, &self.program.functions)
    }
}

/// What `expression` needs, over the functions that it calls.
pub fn needs_with_calls(expression: &Expression, functions: &[Function]) -> Needs {
    close(expression.needs(), functions)
}

fn close(mut needs: Needs, functions: &[Function]) -> Needs {
    let mut open: Vec<usize> = needs.calls.iter().copied().collect();
    while let Some(index) = open.pop() {
        let Some(function) = functions.get(index) else {
            continue;
        };
        open.extend(function.needs.calls.difference(&needs.calls));
        needs.merge(&function.needs);
    }
    needs
}

/// Which diagrams use globals or parameters, in their own steps or in a diagram that they call.
pub fn diagrams_with_globals(program: &Program) -> Vec<bool> {
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); program.diagrams.len()];
    let mut open = Vec::new();
    for (index, diagram) in program.diagrams.iter().enumerate() {
        let mut needs = Needs::default();
        let mut callees = Vec::new();
        add_locals(&diagram.locals, &program.functions, &mut needs);
        add_steps(&diagram.steps, &program.functions, &mut needs, &mut callees);
        for callee in callees {
            callers[callee].push(index);
        }
        if needs.globals {
            open.push(index);
        }
    }
    let mut with = vec![false; program.diagrams.len()];
    while let Some(index) = open.pop() {
        if !std::mem::replace(&mut with[index], true) {
            open.extend(&callers[index]);
        }
    }
    with
}

fn add_locals(locals: &[Local], functions: &[Function], needs: &mut Needs) {
    for value in locals.iter().filter_map(|local| local.value.as_ref()) {
        needs.merge(&needs_with_calls(value, functions));
    }
}

fn add_steps(steps: &[Step], functions: &[Function], needs: &mut Needs, callees: &mut Vec<usize>) {
    for step in steps {
        match step {
            Step::Code(fragment) => needs.merge(&fragment.needs),
            Step::Execute(execute) => needs.merge(&execute.needs),
            Step::Branch(branch) => needs.merge(&branch.needs),
            Step::Repeat(repeat) => needs.merge(&repeat.needs),
            Step::While(one) => needs.merge(&one.needs),
            Step::Scope(scope) => add_locals(&scope.locals, functions, needs),
            Step::Call(call) => callees.push(call.diagram),
            Step::Region(region) => {
                needs.merge(&region.needs);
                callees.extend(&region.parts);
            }
            _ => {}
        }
        for block in step.blocks() {
            add_steps(block, functions, needs, callees);
        }
    }
}

/// The functions that the program calls, directly or not.
pub(super) fn called_functions(program: &Program) -> BTreeSet<usize> {
    let mut needs = Needs::default();
    for value in program
        .globals
        .iter()
        .filter_map(|global| global.value.as_ref())
    {
        needs.merge(&needs_with_calls(value, &program.functions));
    }
    for diagram in &program.diagrams {
        add_locals(&diagram.locals, &program.functions, &mut needs);
        add_steps(
            &diagram.steps,
            &program.functions,
            &mut needs,
            &mut Vec::new(),
        );
    }
    needs.calls
}
