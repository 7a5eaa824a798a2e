//! Lets rank 0 represent all ranks.

use std::cell::Cell;

use crate::language::symmetry::Symmetry;
use crate::messages::letter::Context;

/// Ranks that do the same, with partners shifted accordingly: rank 0 receives from itself what
/// others would send it, because they send when it sends.
#[derive(Debug)]
pub(crate) struct Folded {
    ranks: u32,
    /// Shifts to the program's partners, once it has any.
    of_program: Cell<Option<Symmetry>>,
    /// Shifts to the partners of the current collective.
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

    /// Notes the shifts to the program's partners. Returns `false` if it already has different
    /// ones, because messages that meet at rank 0 might not meet at other ranks.
    pub(crate) fn shift_program(&self, symmetry: Symmetry) -> bool {
        self.of_program.get().is_none_or(|known| known == symmetry) && {
            self.of_program.set(Some(symmetry));
            true
        }
    }

    /// Notes the shifts to partners of the collective that begins or continues.
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
