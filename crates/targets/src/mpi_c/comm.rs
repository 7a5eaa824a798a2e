//! Creates a communicator for each expression in a `comm` tag. Nothing that happens during the run
//! changes these expressions, so all communicators are created before it starts.

use prophet_frontend::lang::ir::Expression;
use prophet_frontend::program::{ElementIndex, Program};

#[derive(Debug)]
pub(super) struct Comm<'p> {
    pub(super) element: ElementIndex,
    pub(super) value: &'p Expression,
    pub(super) name: String,
}

/// Lists all communicators in text order. `name` returns the variable for the communicator of an
/// element.
pub(super) fn all(
    program: &Program,
    mut name: impl FnMut(ElementIndex) -> String,
) -> Vec<Comm<'_>> {
    let mut comms: Vec<Comm<'_>> = Vec::new();
    for execute in program.executions() {
        let Some(value) = execute.action.comm() else {
            continue;
        };
        if !comms.iter().any(|known| known.value == value) {
            let element = execute.element;
            comms.push(Comm {
                element,
                value,
                name: name(element),
            });
        }
    }
    comms
}
