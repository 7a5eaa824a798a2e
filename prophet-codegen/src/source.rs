//! The text of a model file and places in it.

use crate::diagnostic::Span;

/// A model file: its name for messages and its text in UTF-8.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file's name as the user gave it.
    pub name: String,
    /// The whole text, decoded.
    pub text: String,
}

/// A piece of text from the model with its place.
///
/// `value` is what the author wrote; `span` covers it as the file has it, escapes included.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text {
    /// The text with XML escapes resolved.
    pub value: String,
    /// The escaped text in the file, without quotes.
    pub span: Span,
}

impl Text {
    /// The span in the file of the bytes `start..end` of `value`.
    ///
    /// Walks the raw text, since `&lt;` is four bytes in the file and one in `value`.
    pub fn locate(&self, _source: &Source, _start: usize, _end: usize) -> Span {
        unimplemented!("the reader's session writes this")
    }
}
