//! Describes messages as their senders and receivers see them.

use prophet_machine::value::Value;

use super::letter::{Context, Envelope};

/// The role of a message in the execution of the element that sends or receives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Whole,
    Some,
    OfCollective,
}

impl Part {
    /// Returns the role of a message in a blocking operation, which can be part of a collective.
    #[inline]
    pub(crate) const fn of(context: Context) -> Self {
        match context {
            Context::Program => Self::Whole,
            Context::Collective => Self::OfCollective,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Outgoing {
    pub(crate) dest: u32,
    pub(crate) context: Context,
    pub(crate) element: u32,
    pub(crate) tag: i64,
    pub(crate) bytes: u64,
    /// The price in seconds, if the sender sets one.
    pub(crate) cost_s: Option<f64>,
    pub(crate) part: Part,
    pub(crate) value: Option<Value>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Incoming {
    pub(crate) envelope: Envelope,
    pub(crate) bytes_max: u64,
    /// The price in seconds, if the receiver sets one.
    pub(crate) cost_s: Option<f64>,
}

/// A receive: the index of the element that began it, and its number among the requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Begun {
    pub(crate) element: u32,
    pub(crate) number: u64,
}
