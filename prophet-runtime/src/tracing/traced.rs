//! Stores the tracer's state of a unit.

use crate::messages::message::{Outgoing, Part};

/// A message that waits for its receive, together with its sender.
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
    /// Time at which the unit got its CPU, if it had to wait for one.
    pub(super) granted_s: f64,
    /// Time at which the unit began to let time pass.
    pub(super) hold_s: f64,
    /// Earliest time at which the unit's next records may end, even if it is later now.
    pub(super) held_s: f64,
    /// The message that the unit is sending while it waits for the receive.
    pub(super) sending: Option<Sending>,
    /// Number of the list of operations that the unit's execution uses, or 0.
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
