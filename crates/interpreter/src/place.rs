//! Determines where variables are in a process's memory.

use crate::frame::{address, at};
use crate::op::Reg;

#[derive(Debug, Clone, Copy)]
pub(crate) enum ArrayPlace {
    Own(Reg),
    Global(u32),
    /// At the address in a register.
    Outer(Reg),
}

/// A scalar variable that can be assigned to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    Own(Reg),
    Global(u32),
    /// The address in a register.
    Outer(Reg),
}

/// Returns a variable's address, seen from the frame at `base`.
#[inline]
pub(crate) fn place_of(words: &[u64], base: u32, place: Place) -> usize {
    match place {
        Place::Own(reg) => at(base, reg),
        Place::Global(address) => address as usize,
        Place::Outer(reg) => address(words[at(base, reg)]),
    }
}
