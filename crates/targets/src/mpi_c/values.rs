//! Values that messages carry.

use prophet_frontend::program::Program;
use prophet_frontend::program::action::Assigned;

/// True if messages of a program carry values, or receives want some.
pub(super) fn carries_values(program: &Program) -> bool {
    let wants = |it: &Assigned| it.part.is_value();
    let mut actions = program.executions().map(|it| &it.action);
    actions.any(|it| it.sent().is_some() || it.results().iter().any(wants))
}
