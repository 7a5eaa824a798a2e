//! Describes operations that a machine has no prices for.

use std::fmt;

use prophet_machine::machine::Machine;

use super::Site;
use crate::language::place::ModelPlace;

/// The operations of a model that the machine has no prices for. Found before the run starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoPrices {
    /// The name of the machine.
    pub machine: String,
    /// The file of the machine, if it isn't built in.
    pub file: Option<String>,
    /// The operations, in the order of their indices in the model.
    pub missing: Vec<NoPrice>,
}

/// An operation that the machine has no price for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoPrice {
    /// The name of the operation.
    pub opcode: String,
    /// Text that suggests a similar operation with a price. Empty if there is none.
    pub suggestion: String,
    /// The first element that uses the operation, if known.
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
        let alike = |a: &NoPrice, b: &NoPrice| {
            a.element == b.element && a.suggestion.is_empty() && b.suggestion.is_empty()
        };
        for missing in self.missing.chunk_by(alike) {
            let opcodes = missing
                .iter()
                .map(|it| format!("`{}`", it.opcode.escape_debug()));
            write!(f, "\n  {}", opcodes.collect::<Vec<_>>().join(", "))?;
            let NoPrice {
                element,
                suggestion,
                ..
            } = &missing[0];
            if let Some(element) = element {
                write!(f, ", which {element} uses")?;
            }
            f.write_str(suggestion)?;
            let place = element.as_ref().and_then(|it| it.place.as_ref());
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
        let first = self.missing.first().map_or("FLOP", |it| &*it.opcode);
        write!(
            f,
            "\n  add a price for each to the machine file, such as:\n    [operations]\n    \
             unit = \"us\"\n    {} = 0.001",
            first.escape_debug()
        )
    }
}
