//! Determines where variables are in the memory of a process.

use crate::frame::{address, at};
use crate::op::Reg;

#[derive(Debug, Clone, Copy)]
pub(crate) enum ArrayPlace {
    Own(Reg),
    Global(u32),
    /// At an address in a register.
    Outer(Reg),
}

/// A scalar variable that code can assign to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    Own(Reg),
    Global(u32),
    /// At an address in a register.
    Outer(Reg),
}

/// Returns the address of a variable. `base` is the address of the frame.
#[inline]
pub(crate) fn place_of(words: &[u64], base: u32, place: Place) -> usize {
    match place {
        Place::Own(reg) => at(base, reg),
        Place::Global(address) => address as usize,
        Place::Outer(reg) => address(words[at(base, reg)]),
    }
}
