//! Handles messages as data: matching with receives, and operations that are begun now and awaited
//! later.

pub(crate) mod letter;
pub(crate) mod matching;
pub(crate) mod message;
pub(crate) mod requests;
