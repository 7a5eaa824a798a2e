//! Lets rank 0 represent all ranks.

use std::cell::Cell;

use crate::language::symmetry::Symmetry;
use crate::messages::letter::Context;

/// Ranks that all do the same, with shifted partners. Whenever rank 0 sends, the others send too,
/// so rank 0 receives its own messages in place of theirs.
#[derive(Debug)]
pub(crate) struct Folded {
    ranks: u32,
    /// The shifts that lead to the partners in the program's own messages, once it has sent any.
    of_program: Cell<Option<Symmetry>>,
    /// The shifts that lead to the partners in the current collective.
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

    /// Records the shifts that lead to the partners in the program's own messages. Returns `false`
    /// if others are already recorded: messages that meet at rank 0 might then not meet at other
    /// ranks.
    pub(crate) fn shift_program(&self, symmetry: Symmetry) -> bool {
        self.of_program.get().is_none_or(|known| known == symmetry) && {
            self.of_program.set(Some(symmetry));
            true
        }
    }

    /// Records the shifts that lead to the partners in the current collective.
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
