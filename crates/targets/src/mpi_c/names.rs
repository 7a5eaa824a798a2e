//! The C name of everything that a program names.

use crate::family::{Forms, Names};
use prophet_codegen::target::rust::ident::{constant_case, snake_case};
use prophet_frontend::program::Program;

/// Names of `main.c` that a model cannot have.
const TAKEN: &[&str] = &[
    "ELEMENTS",
    "MODEL",
    "NAN",
    "OPERATIONS",
    "PARAMETERS",
    "REQUESTS",
    "argc",
    "argv",
    "globals",
    "main",
    "parameters",
    "process",
    "start",
    "stream",
];

/// The C names of a program; empty for elements that are not in the run.
pub(super) fn of(program: &Program) -> Names {
    let forms = Forms {
        reserved: TAKEN.to_vec(),
        constant: constant_case,
        diagram: |name| snake_case(name, "diagram"),
        has_members: true,
    };
    Names::new(program, forms, |it| program.elements[it].in_run)
}
