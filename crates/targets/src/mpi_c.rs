//! Writes a skeleton of the real program in C, with MPI and OpenMP.
//!
//! `main.c` contains a function for each diagram. For each element, it calls a support library that
//! makes the real MPI call, or computes for as long as the cost says, and measures the time. OpenMP
//! pragmas in `main.c` create the threads. The support library is the same for all models
//! (`templates/mpi-c`).

mod comm;
mod contexts;
mod execute;
mod files;
mod handler;
mod names;
mod parts;
mod region;

pub use parts::FLAGS;

use crate::family;
use prophet_codegen::diagnostic::catalogue::target::NOT_IN_TARGET;
use prophet_codegen::diagnostic::{Diagnostic, Diagnostics};
use prophet_codegen::target::{Files, Input, Target};
use prophet_frontend::lang::ir::Type;
use prophet_frontend::program::action::{Action, Completion, Receive};
use prophet_frontend::program::{Execute, Local, Program, Step};

/// The target that writes the skeleton.
#[derive(Debug, Clone, Copy)]
pub struct MpiC;

impl Target for MpiC {
    fn name(&self) -> &'static str {
        "mpi-c"
    }

    fn about(&self) -> &'static str {
        "the program's skeleton in C with MPI and OpenMP"
    }

    fn check(&self, input: &Input<'_>, problems: &mut Diagnostics) {
        let program = input.program;
        family::refuse_signals(program, self.name(), problems);
        family::refuse_flows(self.name(), program, problems);
        for diagram in &program.diagrams {
            check_locals(&diagram.locals, &diagram.path, program, problems);
            check_steps(&diagram.steps, &diagram.path, program, problems);
        }
    }

    fn files(&self, input: &Input<'_>) -> Files {
        files::render(input)
    }
}

/// Maximum number of array values in a diagram, because arrays are on the stack.
const ARRAY_VALUES_MAX: usize = 16_384;

/// Reports what C and MPI can't express in `steps`.
fn check_steps(steps: &[Step], path: &str, program: &Program, problems: &mut Diagnostics) {
    for step in steps {
        match step {
            Step::Execute(execute) => check_receive(execute, program, problems),
            Step::Scope(scope) => check_locals(&scope.locals, path, program, problems),
            _ => {}
        }
        for block in step.blocks() {
            check_steps(block, path, program, problems);
        }
    }
}

/// Reports a nonblocking receive that doesn't say how large its buffer must be.
fn check_receive(execute: &Execute, program: &Program, problems: &mut Diagnostics) {
    let Action::Receive(Receive {
        completion: Completion::Awaited(_),
        limit: None,
        ..
    }) = &execute.action
    else {
        return;
    };
    let element = &program.elements[execute.element];
    let message = format!(
        "{} has no size, but MPI_Irecv needs a buffer size",
        element.path
    );
    problems.push(
        Diagnostic::new(&NOT_IN_TARGET, element.span, message)
            .element(&element.path)
            .help("add a `size`: the largest number of bytes that it receives"),
    );
}

fn check_locals(locals: &[Local], path: &str, program: &Program, problems: &mut Diagnostics) {
    let values: usize = locals
        .iter()
        .filter_map(|local| match local.ty {
            Type::Array(_, length) => Some(length),
            _ => None,
        })
        .fold(0, usize::saturating_add);
    if values <= ARRAY_VALUES_MAX {
        return;
    }
    let inside = |path_of: &str| path_of.starts_with(path);
    let first = program.elements.iter().find(|it| inside(&it.path));
    let span = first.or(program.elements.iter().next()).map(|it| it.span);
    let message = format!(
        "the arrays of {path} have {values} values, but only {ARRAY_VALUES_MAX} fit on a thread's \
         stack"
    );
    problems.push(
        Diagnostic::new(&NOT_IN_TARGET, span.unwrap_or_default(), message)
            .element(path)
            .help("make the arrays smaller, or use global variables"),
    );
}
