//! Lists the operations that the machine must have prices for, and the devices that it must
//! simulate.

use std::collections::BTreeMap;

use super::needs::needs_of_all;
use crate::lang::ir::Needs;
use crate::program::{Device, DeviceIndex, ElementIndex, List, Local, Opcode, OpcodeIndex};
use crate::program::{Program, Step};

/// Lists the program's operations by name, with the first element that uses each of them.
pub(super) fn opcodes(program: &Program) -> List<OpcodeIndex, Opcode> {
    let found = used(program, |needs| needs.opcodes.iter().cloned().collect());
    let opcode = |(name, user)| Opcode { name, user };
    found.into_iter().map(opcode).collect()
}

/// Lists the ways in which the program uses devices, each with the first element that uses the
/// device in this way.
pub(super) fn devices(program: &Program) -> List<DeviceIndex, Device> {
    let found = used(program, |needs| needs.devices.iter().cloned().collect());
    let device = |(usage, user)| Device { usage, user };
    found.into_iter().map(device).collect()
}

fn used<T: Ord>(
    program: &Program,
    of: impl Fn(&Needs) -> Vec<T>,
) -> BTreeMap<T, Option<ElementIndex>> {
    let mut found: BTreeMap<T, Option<ElementIndex>> = BTreeMap::new();
    let mut note = |needs: &Needs, user: Option<ElementIndex>| {
        for need in of(needs) {
            let known = found.entry(need).or_insert(user);
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
    found
}
