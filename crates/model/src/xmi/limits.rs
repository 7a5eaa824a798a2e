//! Limits the resources that reading a model file can use.

/// Limits for a model file, so that an untrusted file can't exhaust the memory or the stack.
///
/// The defaults are far above what people draw: a 20 MB model has some 200,000 elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of the file, and of the data unpacked from an archive, in bytes. Default: 256
    /// MiB.
    pub bytes: usize,
    /// Maximum number of XML elements. Default: 4 million.
    pub elements: usize,
    /// Maximum number of attributes in the whole file. Default: 16 million.
    pub attributes: usize,
    /// Maximum number of files in an archive. Default: 10,000.
    pub entries: usize,
    /// Maximum nesting depth of elements. Default: 128. Larger values count as 128, because the
    /// code that reads elements is recursive.
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
