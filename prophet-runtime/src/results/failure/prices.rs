//! Describes operations that a machine doesn't price.

use std::fmt;

use prophet_machine::machine::Machine;

use super::Site;
use crate::language::place::ModelPlace;

/// Operations of a model that the machine doesn't price, found before the run starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoPrices {
    /// The machine's name.
    pub machine: String,
    /// The machine's file, if the user gave one.
    pub file: Option<String>,
    /// The operations, in the order of the model.
    pub missing: Vec<NoPrice>,
}

/// An operation that a machine doesn't price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoPrice {
    /// Name of the operation.
    pub opcode: String,
    /// Suggestion of a similar operation that the machine prices; may be empty.
    pub suggestion: String,
    /// The first element that uses it, if known.
    pub element: Option<Site>,
}

impl fmt::Display for NoPrices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the machine `{}`", self.machine.escape_debug())?;
        if let Some(file) = &self.file {
            write!(f, " ({})", prophet_text::plain::line(file))?;
        }
        f.write_str(match self.missing.len() {
            1 => " does not price an operation of the model:",
            _ => " does not price operations of the model:",
        })?;
        for missing in &self.missing {
            write!(f, "\n  `{}`", missing.opcode.escape_debug())?;
            if let Some(element) = &missing.element {
                write!(f, ", which {element} uses")?;
            }
            f.write_str(&missing.suggestion)?;
            let place = missing.element.as_ref().and_then(|it| it.place.as_ref());
            ModelPlace::below(place, "  ", f)?;
        }
        let others = Machine::that_have(|machine| {
            let mut missing = self.missing.iter();
            missing.all(|it| machine.prices.get(&it.opcode).is_some())
        });
        if !others.is_empty() {
            write!(
                f,
                "\n  choose another machine with --machine ({others}), or"
            )?;
        }
        f.write_str("\n  add the seconds of each to [operations] in the machine's file")
    }
}
