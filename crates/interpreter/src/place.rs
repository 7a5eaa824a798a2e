//! Places of variables.

use crate::frame::{address, at};
use crate::op::Reg;

#[derive(Debug, Clone, Copy)]
pub(crate) enum ArrayPlace {
    /// At a register.
    Own(Reg),
    /// At an address.
    Global(u32),
    /// At the address that a register holds.
    Outer(Reg),
}

/// A scalar variable that something is assigned to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    /// A register.
    Own(Reg),
    /// An address.
    Global(u32),
    /// The address that a register holds.
    Outer(Reg),
}

/// The address of a variable, as the frame at `base` sees it.
#[inline]
pub(crate) fn place_of(words: &[u64], base: u32, place: Place) -> usize {
    match place {
        Place::Own(reg) => at(base, reg),
        Place::Global(address) => address as usize,
        Place::Outer(reg) => address(words[at(base, reg)]),
    }
}
