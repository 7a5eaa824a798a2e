//! Matches messages with receives, and manages operations that a process begins and later waits
//! for.

pub(crate) mod letter;
pub(crate) mod matching;
pub(crate) mod message;
pub(crate) mod requests;
