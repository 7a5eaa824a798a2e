//! Messages as data: which one a receive gets, and what is begun and waited for later.

pub(crate) mod matching;
pub(crate) mod message;
pub(crate) mod requests;
