//! Checks that the machine has prices for all operations of a model.

use prophet_machine::system::System;

use crate::language::element::Element;
use crate::language::model::Model;
use crate::language::opcode::Opcode;
use crate::results::failure::{Cause, Failure, NoPrice, NoPrices, Site};
use prophet_text::did_you_mean;

pub(super) fn check(model: &Model, system: &System) -> Result<(), Failure> {
    let is_missing = |it: &&Opcode| system.prices.get(it.name).is_none();
    let missing = model.opcodes.iter().filter(is_missing);
    let missing: Vec<NoPrice> = missing.map(|it| no_price(it, system)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let base = system.base.as_ref();
    Err(Failure {
        time_s: 0.0,
        process: None,
        thread: None,
        element: None,
        cause: Box::new(Cause::NoPrices(NoPrices {
            machine: base.map_or_else(|| "default".to_owned(), |it| it.name.clone()),
            file: base.and_then(|it| it.file.clone()),
            missing,
        })),
    })
}

fn no_price(opcode: &Opcode, system: &System) -> NoPrice {
    let known = system.prices.iter().map(|(name, _)| name);
    let site = |(kind, element): (_, Element)| Site {
        name: element.name.to_owned(),
        id: element.id,
        kind,
        place: None,
    };
    NoPrice {
        opcode: opcode.name.to_owned(),
        suggestion: did_you_mean(opcode.name, known),
        element: opcode.user.map(site),
    }
}
