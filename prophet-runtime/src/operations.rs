//! Implements the operations that processes and threads wait for: messages, requests, collectives,
//! and parallel regions.

pub(crate) mod collective;
mod messages;
mod requests;
pub(crate) mod threads;
