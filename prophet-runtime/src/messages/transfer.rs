//! Messages that have waited for their receives, as they begin to travel.

use super::letter::{Letter, Post, Sender};

/// A message that has met its receive, of rank `dest`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Transfer {
    pub(crate) sender: Sender,
    pub(crate) letter: Letter,
    pub(crate) dest: u32,
    pub(crate) post: Post,
    /// Earliest time at which it can start, because of its receive.
    pub(crate) from_s: f64,
}
