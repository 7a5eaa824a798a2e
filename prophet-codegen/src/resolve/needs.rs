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

/// The functions that the program calls, directly or not.
pub(super) fn called_functions(program: &Program) -> BTreeSet<usize> {
    let mut called = BTreeSet::new();
    for value in program
        .globals
        .iter()
        .filter_map(|global| global.value.as_ref())
    {
        called.append(&mut value.needs().calls);
    }
    for diagram in &program.diagrams {
        of_locals(&diagram.locals, &mut called);
        of_steps(&diagram.steps, &mut called);
    }
    let direct: Vec<usize> = called.iter().copied().collect();
    for index in direct {
        called.extend(&program.functions[index].needs.calls);
    }
    called
}

fn of_locals(locals: &[Local], called: &mut BTreeSet<usize>) {
    for value in locals.iter().filter_map(|local| local.value.as_ref()) {
        called.append(&mut value.needs().calls);
    }
}

fn of_steps(steps: &[Step], called: &mut BTreeSet<usize>) {
    for step in steps {
        match step {
            Step::Code(fragment) => called.extend(&fragment.needs.calls),
            Step::Execute(execute) => called.extend(&execute.needs.calls),
            Step::Branch(branch) => called.extend(&branch.needs.calls),
            Step::Repeat(repeat) => called.extend(&repeat.needs.calls),
            Step::While(one) => called.extend(&one.needs.calls),
            Step::Scope(scope) => of_locals(&scope.locals, called),
            _ => {}
        }
        for block in step.blocks() {
            of_steps(block, called);
        }
    }
}
