//! What units wait for, in words.

/// What a unit waits for, told when a deadlock is reported.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    /// A text that follows "waits for".
    pub(crate) text: String,
    /// The unit that could end the wait, if one could: that of a process is its first thread.
    pub(crate) process: Option<u32>,
}
