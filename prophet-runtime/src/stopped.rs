//! Stand-in: replaced by the file of the same name of the runtime branch.

/// A process cannot go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;
