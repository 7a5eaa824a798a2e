//! Stores what the tracer knows about each unit.

use crate::messages::message::{Outgoing, Part};

/// A message that, like its sender, is waiting for its receive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sending {
    pub(super) number: u32,
    pub(super) dest: u32,
    pub(super) tag: i64,
    pub(super) bytes: u64,
    pub(super) part: Part,
}

impl Sending {
    #[inline]
    pub(super) const fn new(message: &Outgoing, number: u32) -> Self {
        Self {
            number,
            dest: message.dest,
            tag: message.tag,
            bytes: message.bytes,
            part: message.part,
        }
    }
}

/// What the tracer knows about a unit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Traced {
    pub(super) tid: u32,
    /// When the unit got its CPU, in seconds, if it had to wait for one.
    pub(super) granted_s: f64,
    /// When the unit started to let time pass, in seconds.
    pub(super) hold_s: f64,
    /// The earliest time at which the unit's next records can end, in seconds, even if it is later
    /// now.
    pub(super) held_s: f64,
    /// The message whose receive the unit is waiting for.
    pub(super) sending: Option<Sending>,
    /// The number of the list of operations that the unit's execution uses, or 0.
    pub(super) operations: u32,
}

impl Traced {
    pub(super) const NEW: Self = Self {
        tid: 0,
        granted_s: f64::NAN,
        hold_s: 0.0,
        held_s: f64::NAN,
        sending: None,
        operations: 0,
    };
}
