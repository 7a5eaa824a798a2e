//! Values that messages carry.

use prophet_codegen::program::Program;
use prophet_codegen::program::action::Assigned;

/// True if messages of a program carry values, or receives want some.
pub(super) fn carries_values(program: &Program) -> bool {
    let wants = |it: &Assigned| it.part.is_value();
    let mut actions = program.executions().map(|it| &it.action);
    actions.any(|it| it.sent().is_some() || it.results().iter().any(wants))
}
