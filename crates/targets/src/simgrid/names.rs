//! Chooses the names of a program's parts in C++.

use crate::family::{Forms, Names};
use prophet_codegen::target::c::identifier;
use prophet_frontend::program::Program;

/// Names in the generated code that no part of a model can have.
const RESERVED: &[&str] = &[
    "prophet",
    "std",
    "unit",
    "globals",
    "parameters",
    "program",
    "stream",
    "cost_s",
    "part",
    "Globals",
    "Parameters",
    "INITIAL",
    "NAN",
    "initialize",
    "main",
];

pub(super) fn of(program: &Program) -> Names {
    let forms = Forms {
        reserved: RESERVED.to_vec(),
        constant: |name, instead| identifier(name, instead),
        diagram: |name| format!("run {name}"),
        has_members: true,
    };
    Names::new(program, forms, |it| program.elements[it].in_run)
}
