//! Implements operations that processes do together and wait for: messages, requests, collectives,
//! regions of threads.

pub(crate) mod collective;
mod messages;
mod requests;
pub(crate) mod threads;
