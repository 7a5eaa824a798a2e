//! Matches messages with receives, and manages operations that a process begins now and waits for
//! later.

pub(crate) mod letter;
pub(crate) mod matching;
pub(crate) mod message;
pub(crate) mod requests;
