//! Messages as data: their matching with receives, and operations that are begun and awaited later.

pub(crate) mod letter;
pub(crate) mod matching;
pub(crate) mod message;
pub(crate) mod requests;
