//! Represents the text of a model file, and places in the text.

pub mod escape;
pub mod files;
pub mod lines;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use escape::Pieces;
pub use files::Source;

/// A range of bytes in the text of a model file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
}

impl Span {
    /// Creates the span from `start` up to, but not including, `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A piece of text from a model file, and its place.
///
/// `value` is the text as its author wrote it. `span` is the text in the file, where characters can
/// be escaped.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text {
    /// The text, with XML escapes resolved.
    pub value: String,
    /// Place of the escaped text in the file, without quotes.
    ///
    /// If the file omits the text because UML defines a default, the span is the tag that would
    /// contain it.
    pub span: Span,
    /// Where the parts of a composed text come from, in order. Empty if the text itself is in the
    /// file.
    pub origins: Vec<Origin>,
}

/// Where a part of a composed text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// Offset of the part's first byte in the text.
    pub start: usize,
    /// Offset after the part's last byte in the text.
    pub end: usize,
    /// Place of the part in the file.
    pub span: Span,
}

impl Origin {
    fn locate(&self, start: usize, end: usize) -> Span {
        if self.span.end - self.span.start != self.end - self.start {
            return self.span;
        }
        let at = |byte: usize| self.span.start + byte.clamp(self.start, self.end) - self.start;
        Span::new(at(start), at(end))
    }
}

impl Text {
    /// Creates a text that is at `span` in the file.
    pub fn new(value: impl Into<String>, span: Span) -> Self {
        let (value, origins) = (value.into(), Vec::new());
        Self {
            value,
            span,
            origins,
        }
    }

    /// Appends words that aren't in the file.
    pub fn push_str(&mut self, words: &str) {
        self.value.push_str(words);
    }

    /// Appends another text. Its parts keep their places.
    pub fn push(&mut self, text: &Self) {
        let base = self.value.len();
        self.value.push_str(&text.value);
        let whole = Origin {
            start: 0,
            end: text.value.len(),
            span: text.span,
        };
        let origins = match text.origins.as_slice() {
            [] => &[whole],
            origins => origins,
        };
        self.origins.extend(origins.iter().map(|it| Origin {
            start: base + it.start,
            end: base + it.end,
            ..*it
        }));
    }

    /// Returns the place in the file of the bytes `start..end` of `value`.
    ///
    /// This scans the raw text, because `&lt;` is four bytes in the file and one byte in `value`.
    /// Offsets after the end of `value` count as its end. If the raw text doesn't match `value`,
    /// the result is the whole span.
    pub fn locate(&self, source: &Source, start: usize, end: usize) -> Span {
        if !self.origins.is_empty() {
            return self.locate_origins(start, end);
        }
        let Some(raw) = source.text.get(self.span.range()) else {
            return self.span;
        };
        let base = self.span.start;
        if raw == self.value {
            let start = start.min(raw.len());
            return Span::new(base + start, base + end.clamp(start, raw.len()));
        }
        let mut values = self.value.chars();
        let (mut offset, mut first, mut last) = (0, raw.len(), 0);
        for piece in Pieces::new(raw) {
            let Some(value) = values.next() else {
                return self.span;
            };
            if value != piece.value && !(value.is_whitespace() && piece.value.is_whitespace()) {
                return self.span;
            }
            let next = offset + value.len_utf8();
            if next > start && offset <= start {
                first = piece.start;
            }
            if offset < end {
                last = piece.end;
            }
            offset = next;
        }
        if values.next().is_some() {
            return self.span;
        }
        Span::new(base + first, base + last.max(first))
    }

    fn locate_origins(&self, start: usize, end: usize) -> Span {
        let has = |it: &&Origin| it.start < end.max(start + 1) && start < it.end;
        let mut spans = self
            .origins
            .iter()
            .filter(has)
            .map(|it| it.locate(start, end));
        match (spans.next(), spans.next_back()) {
            (None, _) => self.span,
            (Some(only), None) => only,
            (Some(first), Some(last)) => Span::new(first.start, last.end.max(first.end)),
        }
    }

    /// Removes white space at both ends of the text.
    #[must_use]
    pub fn trimmed(self, source: &Source) -> Self {
        let start = self.value.len() - self.value.trim_start().len();
        let length = self.value.trim().len();
        self.slice(source, start, start + length)
    }

    /// Returns the bytes `start..end` of the text. Both offsets must be at character boundaries.
    #[must_use]
    pub fn slice(self, source: &Source, start: usize, end: usize) -> Self {
        if (start, end) == (0, self.value.len()) {
            return self;
        }
        Self {
            span: self.locate(source, start, end),
            value: self.value.get(start..end).unwrap_or_default().to_owned(),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Finds `part` in the decoded text of `raw`, and returns the raw text for it.
    fn located(raw: &str, part: &str) -> String {
        let source = Source::new("m.uml", format!("<a>{raw}</a>"));
        let text = Text::new(escape::text(raw).into_owned(), Span::new(3, 3 + raw.len()));
        let start = text.value.find(part).expect("the value has the part");
        let span = text.locate(&source, start, start + part.len());
        source.text[span.range()].to_owned()
    }

    #[test]
    fn finds_text_without_escapes() {
        assert_eq!(located("x + y", "y"), "y");
    }

    #[test]
    fn finds_text_between_escapes() {
        assert_eq!(located("a &lt; b &amp;&amp; c", "< b &"), "&lt; b &amp;");
        assert_eq!(located("a &#60; b", "b"), "b");
        assert_eq!(located("é &lt; ü", "ü"), "ü");
    }

    #[test]
    fn finds_text_in_character_data() {
        let raw = "x<![CDATA[ < y ]]><!-- z -->+ z";
        assert_eq!(located(raw, "< y"), "< y");
        assert_eq!(located(raw, "z"), "z");
        assert_eq!(located("a\r\nb &#xD;&#xA;c", "c"), "c");
    }

    #[test]
    fn gives_the_end_for_an_empty_range_behind_the_value() {
        let source = Source::new(String::new(), "a&lt;".to_owned());
        let text = Text::new("a<".to_owned(), Span::new(0, 5));
        assert_eq!(text.locate(&source, 2, 2), Span::new(5, 5));
        assert_eq!(text.locate(&source, 9, 99), Span::new(5, 5));
        assert_eq!(text.locate(&source, 1, 1), Span::new(1, 1));
    }

    #[test]
    fn gives_the_whole_span_for_a_value_that_the_file_leaves_out() {
        let source = Source::new(String::new(), "<value/>".to_owned());
        let text = Text::new("0".to_owned(), Span::new(0, 8));
        assert_eq!(text.locate(&source, 0, 1), Span::new(0, 8));
    }

    #[test]
    fn trims_value_and_span() {
        let source = Source::new(String::new(), "&#32; x &lt; \n".to_owned());
        let text = Text::new("  x < \n".to_owned(), Span::new(0, source.text.len()));
        let trimmed = text.trimmed(&source);
        assert_eq!(trimmed.value, "x <");
        assert_eq!(&source.text[trimmed.span.range()], "x &lt;");
    }
}
