//! How much a model file may ask for.

/// Limits for a file, so that a stranger's model cannot fill the memory or the stack.
///
/// The defaults are far above what people draw: a model of 20 MB has some 200,000 elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many bytes the file may have, and what is unpacked of an archive: 256 MiB.
    pub bytes: usize,
    /// How many XML elements it may have: 4 million.
    pub elements: usize,
    /// How many attributes all of them may have together: 16 million.
    pub attributes: usize,
    /// How many files an archive may hold: 10,000.
    pub entries: usize,
    /// How deep elements may nest: 128. Larger values count as 128, since what reads elements
    /// recurses on their depth.
    pub depth: usize,
}

impl Limits {
    /// The deepest nesting that is ever read.
    pub const DEPTH_MAX: usize = 128;
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 256 << 20,
            elements: 4_000_000,
            attributes: 16_000_000,
            entries: 10_000,
            depth: Self::DEPTH_MAX,
        }
    }
}
