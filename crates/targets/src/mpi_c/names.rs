//! Chooses the names of a program's parts in C.

use crate::family::{Forms, Names};
use prophet_codegen::target::rust::ident::{constant_case, snake_case};
use prophet_frontend::program::Program;

/// Names in `main.c` that no part of a model can have.
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

pub(super) fn of(program: &Program) -> Names {
    let forms = Forms {
        reserved: TAKEN.to_vec(),
        constant: constant_case,
        diagram: |name| snake_case(name, "diagram"),
        has_members: true,
    };
    Names::new(program, forms, |it| program.elements[it].in_run)
}
