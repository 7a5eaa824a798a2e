//! Messages as described by their senders and receivers.

use prophet_machine::value::Value;

use super::letter::{Context, Envelope};

/// Part that a message has in the execution of an element that sends or receives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Whole,
    /// One of several parts of the execution.
    Some,
    /// One of the messages of a collective.
    OfCollective,
}

impl Part {
    /// Part of a blocking operation of a context.
    #[inline]
    pub(crate) const fn of(context: Context) -> Self {
        match context {
            Context::Program => Self::Whole,
            Context::Collective => Self::OfCollective,
        }
    }
}

/// A message as described by its sender.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outgoing {
    pub(crate) dest: u32,
    pub(crate) context: Context,
    /// Element that sends it, by index.
    pub(crate) element: u32,
    pub(crate) tag: i64,
    pub(crate) bytes: u64,
    /// Price given by the sender, if any, in seconds.
    pub(crate) cost_s: Option<f64>,
    /// Part in the execution of the element that sends it.
    pub(crate) part: Part,
    /// Value that it carries, if any.
    pub(crate) value: Option<Value>,
}

/// A message as described by its receiver.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Incoming {
    pub(crate) envelope: Envelope,
    /// Maximum number of bytes that it takes.
    pub(crate) bytes_max: u64,
    /// Price given by the receiver, if any, in seconds.
    pub(crate) cost_s: Option<f64>,
}

/// Element that has begun a receive, by index, and the receive's number among the requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Begun {
    pub(crate) element: u32,
    pub(crate) number: u64,
}
