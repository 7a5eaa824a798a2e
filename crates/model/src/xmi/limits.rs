//! Limits the resources that a model file can use.

/// Limits for a file, so that an untrusted model cannot fill the memory or the stack.
///
/// The defaults are far above what people draw: a model of 20 MB has some 200,000 elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of the file, and of the data unpacked from an archive, in bytes: 256 MiB.
    pub bytes: usize,
    /// Maximum number of XML elements: 4 million.
    pub elements: usize,
    /// Maximum number of attributes in the whole file: 16 million.
    pub attributes: usize,
    /// Maximum number of files in an archive: 10,000.
    pub entries: usize,
    /// Maximum nesting depth of elements: 128. Larger values count as 128, because the code that
    /// reads elements is recursive.
    pub depth: usize,
}

impl Limits {
    /// The largest supported nesting depth.
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
