//! Functions of diagrams, and what their values need.

use prophet_codegen::program::{Local, Program};
use prophet_codegen::resolve::needs_with_calls;

/// A function of a diagram.
#[derive(Debug, serde::Serialize)]
pub(super) struct Function {
    /// Comment above it.
    pub(super) comment: String,
    /// Head of the function, without `;`.
    pub(super) head: String,
    /// Lines between the braces.
    pub(super) body: String,
}

/// Stream that draws the random numbers of an element, by its constant.
pub(super) fn stream_of(constant: &str) -> String {
    format!("prophet_stream_of(&{constant})")
}

/// True if the first values of variables can fail or draw.
pub(super) fn can_fail(locals: &[Local], program: &Program) -> bool {
    let values = locals.iter().filter_map(|local| local.value.as_ref());
    values
        .map(|value| needs_with_calls(value, &program.functions))
        .any(|needs| needs.fallible || needs.stream)
}
