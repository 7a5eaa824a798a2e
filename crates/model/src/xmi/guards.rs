//! Treatment of guards in other languages.

/// Treatment of guards, conditions and first values in languages that are not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guards {
    /// An error.
    Strict,
    /// A text that begins with the language and a colon, as no expression does: words, for which
    /// `--assume` chooses a meaning.
    Words,
}
