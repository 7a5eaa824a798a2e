//! Limits the resources for reading a model file.

/// Limits that keep an untrusted model file from exhausting the memory or the stack.
///
/// The defaults are far above what people draw: a model of 20 MB has about 200,000 elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of a file, and of the data extracted from an archive, in bytes. Default: 256
    /// MiB.
    pub bytes: usize,
    /// Maximum number of XML elements. Default: 4 million.
    pub elements: usize,
    /// Maximum number of attributes in a file. Default: 16 million.
    pub attributes: usize,
    /// Maximum number of files in an archive. Default: 10,000.
    pub entries: usize,
    /// Maximum nesting depth of elements. Default: 128. Higher values count as 128, because reading
    /// elements is recursive.
    pub depth: usize,
}

impl Limits {
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
