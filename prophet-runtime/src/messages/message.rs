//! Messages as their senders and receivers describe them.

use super::matching::{Context, Envelope};
use crate::language::model::Value;

/// What a message is to the execution of an element that sends or receives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// All of it.
    Whole,
    /// One of several things that it does.
    Some,
    /// One of the messages of a collective.
    OfCollective,
}

impl Part {
    /// What a blocking operation of a context is.
    #[inline]
    pub(crate) const fn of(context: Context) -> Self {
        match context {
            Context::Program => Self::Whole,
            Context::Collective => Self::OfCollective,
        }
    }
}

/// A message as its sender describes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outgoing {
    pub(crate) dest: u32,
    pub(crate) context: Context,
    /// The element that sends it, by index.
    pub(crate) element: u32,
    pub(crate) tag: i64,
    pub(crate) bytes: u64,
    /// The sender's own price in seconds, if it has one.
    pub(crate) cost_s: Option<f64>,
    /// What it is to the execution of the element that sends it.
    pub(crate) part: Part,
    /// The value that it carries, if it carries one.
    pub(crate) value: Option<Value>,
}

/// A message as its receiver describes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Incoming {
    pub(crate) envelope: Envelope,
    /// The most bytes that it takes.
    pub(crate) bytes_max: u64,
    /// The receiver's own price in seconds, if it has one.
    pub(crate) cost_s: Option<f64>,
}

/// Which element has begun a receive, by index, and its number among the requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Begun {
    pub(crate) element: u32,
    pub(crate) number: u64,
}
