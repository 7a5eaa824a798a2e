//! Lets rank 0 represent all ranks.

use std::cell::Cell;

use crate::language::symmetry::Symmetry;
use crate::messages::letter::Context;

/// Ranks that all do the same, with shifted partners. Because the others send whenever rank 0
/// sends, rank 0 receives from itself what they would send it.
#[derive(Debug)]
pub(crate) struct Folded {
    ranks: u32,
    /// Shifts that lead to the partners in the program's messages, once it has sent any.
    of_program: Cell<Option<Symmetry>>,
    /// Shifts that lead to the partners in the current collective.
    of_collective: Cell<Option<Symmetry>>,
}

impl Folded {
    pub(crate) const fn new(ranks: u32) -> Self {
        Self {
            ranks,
            of_program: Cell::new(None),
            of_collective: Cell::new(None),
        }
    }

    pub(crate) const fn ranks(&self) -> u32 {
        self.ranks
    }

    /// Notes the shifts that lead to the partners in the program's messages. Returns `false` if
    /// different shifts are already known, because messages that meet at rank 0 might not meet at
    /// other ranks.
    pub(crate) fn shift_program(&self, symmetry: Symmetry) -> bool {
        self.of_program.get().is_none_or(|known| known == symmetry) && {
            self.of_program.set(Some(symmetry));
            true
        }
    }

    /// Notes the shifts that lead to the partners in the current collective.
    pub(crate) fn shift_collective(&self, symmetry: Symmetry) {
        self.of_collective.set(Some(symmetry));
    }

    /// Returns the rank that sends to rank 0 when rank 0 sends to `dest`.
    pub(crate) fn source(&self, context: Context, dest: u32) -> Option<u32> {
        let symmetry = match context {
            Context::Program => self.of_program.get(),
            Context::Collective => self.of_collective.get(),
        };
        Some(symmetry?.inverse(dest, self.ranks))
    }
}
