//! Communicators: one for each expression that a `comm` has. No such expression depends on what
//! the program does, so that all can be made before it begins.

use prophet_codegen::lang::ir::Expression;
use prophet_codegen::program::{ElementIndex, Execute, Program, Step};

/// A communicator's expression, and the first element that has it.
#[derive(Debug)]
pub(super) struct Comm<'p> {
    pub(super) element: ElementIndex,
    pub(super) value: &'p Expression,
    /// The name of its variable.
    pub(super) name: String,
}

/// The communicator of an element; none is that of all processes.
pub(super) fn of(execute: &Execute) -> Option<&Expression> {
    let argument = execute.arguments.iter().find(|it| it.tag == "comm")?;
    argument.value.as_ref()
}

/// All communicators, in order of text; `name` gives the variable of one by its element.
pub(super) fn all(
    program: &Program,
    mut name: impl FnMut(ElementIndex) -> String,
) -> Vec<Comm<'_>> {
    let mut comms = Vec::new();
    for diagram in &program.diagrams {
        add(&diagram.steps, &mut name, &mut comms);
    }
    comms
}

fn add<'p>(
    steps: &'p [Step],
    name: &mut dyn FnMut(ElementIndex) -> String,
    comms: &mut Vec<Comm<'p>>,
) {
    for step in steps {
        if let Step::Execute(execute) = step
            && let Some(value) = of(execute)
            && !comms.iter().any(|known| known.value == value)
        {
            let element = execute.element;
            comms.push(Comm {
                element,
                value,
                name: name(element),
            });
        }
        for block in step.blocks() {
            add(block, name, comms);
        }
    }
}
