//! Communicators: one for each expression that a `comm` has. No such expression depends on what
//! the program does, so that all can be made before it begins.

use prophet_frontend::lang::ir::Expression;
use prophet_frontend::program::{ElementIndex, Program};

/// A communicator's expression, and the first element that has it.
#[derive(Debug)]
pub(super) struct Comm<'p> {
    pub(super) element: ElementIndex,
    pub(super) value: &'p Expression,
    /// The name of its variable.
    pub(super) name: String,
}

/// All communicators, in order of text; `name` gives the variable of one by its element.
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
