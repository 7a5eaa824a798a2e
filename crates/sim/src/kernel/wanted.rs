//! Objects of units' waits, in words.

/// Object of a unit's wait, told when a deadlock is reported.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// A text that follows "waits for".
    pub text: String,
    /// The unit that could end the wait, if there is such a unit; the first thread stands for a
    /// process.
    pub process: Option<u32>,
}
