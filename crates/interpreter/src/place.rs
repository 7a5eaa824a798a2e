//! Determines where variables are in a process's memory.

use crate::frame::{address, at};
use crate::op::Reg;

#[derive(Debug, Clone, Copy)]
pub(crate) enum ArrayPlace {
    Own(Reg),
    Global(u32),
    /// At the address that a register holds.
    Outer(Reg),
}

/// A scalar variable that code can assign to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    Own(Reg),
    Global(u32),
    /// The address that a register holds.
    Outer(Reg),
}

/// Returns the address of a variable relative to the frame at `base`.
#[inline]
pub(crate) fn place_of(words: &[u64], base: u32, place: Place) -> usize {
    match place {
        Place::Own(reg) => at(base, reg),
        Place::Global(address) => address as usize,
        Place::Outer(reg) => address(words[at(base, reg)]),
    }
}
