//! Operations that the machine has to price.

use std::collections::BTreeMap;

use super::needs::needs_of_all;
use crate::lang::ir::Needs;
use crate::program::{ElementIndex, List, Local, Opcode, OpcodeIndex, Program, Step};

/// Lists the operations of a program by name, each with the first element that uses it.
pub(super) fn opcodes(program: &Program) -> List<OpcodeIndex, Opcode> {
    let mut found = BTreeMap::new();
    let mut note = |needs: &Needs, user: Option<ElementIndex>| {
        for name in &needs.opcodes {
            let known = found.entry(name.clone()).or_insert(user);
            *known = known.or(user);
        }
    };
    let of_locals = |locals: &[Local]| {
        let values = locals.iter().filter_map(|it| it.value.as_ref());
        needs_of_all(values, &program.functions)
    };
    for step in program.steps() {
        if let Some(needs) = step.needs() {
            note(needs, step.element());
        }
        if let Step::Scope(scope) = step {
            note(&of_locals(&scope.locals), None);
        }
    }
    for diagram in &program.diagrams {
        note(&of_locals(&diagram.locals), None);
    }
    let globals = program.globals.iter().filter_map(|it| it.value.as_ref());
    note(&needs_of_all(globals, &program.functions), None);
    let opcode = |(name, user)| Opcode { name, user };
    found.into_iter().map(opcode).collect()
}
