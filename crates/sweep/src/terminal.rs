//! Exchange with a user while a sweep runs: its progress, and Ctrl-C.

pub(crate) mod interrupt;
mod progress;

pub(crate) use progress::{Progress, now};

/// Exit code of a sweep that was interrupted.
pub(crate) const STOPPED: u8 = 3;
