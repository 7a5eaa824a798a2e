//! Ranks of which rank 0 stands for all.

use std::cell::Cell;

use crate::language::symmetry::Symmetry;
use crate::messages::letter::Context;

/// Ranks that do the same, each with partners that are shifted as it is: rank 0 gets from itself
/// what others send it, since they send it when it sends.
#[derive(Debug)]
pub(crate) struct Folded {
    ranks: u32,
    /// Shifts to the partners of the program, once it has any.
    of_program: Cell<Option<Symmetry>>,
    /// Shifts to the partners of the collective that runs.
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

    /// Notes the shifts to partners of the program; returns false if it has others already: the
    /// messages that meet at rank 0 may not meet at the others then.
    pub(crate) fn shift_program(&self, symmetry: Symmetry) -> bool {
        self.of_program.get().is_none_or(|known| known == symmetry) && {
            self.of_program.set(Some(symmetry));
            true
        }
    }

    /// Notes the shifts to partners of the collective that begins or goes on.
    pub(crate) fn shift_collective(&self, symmetry: Symmetry) {
        self.of_collective.set(Some(symmetry));
    }

    /// The rank that sends to rank 0 when that sends to `dest`.
    pub(crate) fn source(&self, context: Context, dest: u32) -> Option<u32> {
        let symmetry = match context {
            Context::Program => self.of_program.get(),
            Context::Collective => self.of_collective.get(),
        };
        Some(symmetry?.inverse(dest, self.ranks))
    }
}
