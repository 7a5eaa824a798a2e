//! Names of the events that send messages.

use std::fmt;

/// Name of the event that sends a message.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sent(pub(super) (u32, u32));

impl fmt::Display for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self((pid, number)) = self;
        write!(f, "m{pid}-{number}")
    }
}
