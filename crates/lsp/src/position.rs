//! Converts positions in a text to the protocol's: lines and UTF-16 code units, both counted from
//! 0.

use std::ops::Range;

use prophet_model::source::Span;
use serde_json::{Value, json};

#[derive(Debug)]
pub(crate) struct Positions<'t> {
    text: &'t str,
    /// The offset of the first byte of each line.
    starts: Vec<usize>,
}

impl<'t> Positions<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(end, _)| end + 1));
        Self {
            text,
            starts: starts.collect(),
        }
    }

    /// Returns the byte at a position. A position beyond the end of a line or of the text means
    /// that end.
    pub(crate) fn offset(&self, position: &Value) -> usize {
        let number = |name: &str| {
            let number = position[name].as_u64().unwrap_or(0);
            usize::try_from(number).unwrap_or(usize::MAX)
        };
        let line = number("line");
        let Some(&start) = self.starts.get(line) else {
            return self.text.len();
        };
        let mut units = number("character");
        let mut offset = start;
        for character in self.text[start..].chars() {
            if units < character.len_utf16() || character == '\n' || character == '\r' {
                break;
            }
            units -= character.len_utf16();
            offset += character.len_utf8();
        }
        offset
    }

    fn position(&self, offset: usize) -> Value {
        let offset = self.text.floor_char_boundary(offset.min(self.text.len()));
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let before = &self.text[self.starts[line]..offset];
        let character = before.chars().map(char::len_utf16).sum::<usize>();
        json!({ "line": line, "character": character })
    }

    pub(crate) fn range(&self, bytes: Range<usize>) -> Value {
        json!({ "start": self.position(bytes.start), "end": self.position(bytes.end) })
    }

    /// Converts a span to a range that ends with the span's first line, so that underlines stay
    /// short.
    pub(crate) fn first_line(&self, span: Span) -> Value {
        let start = self
            .text
            .floor_char_boundary(span.start.min(self.text.len()));
        let end = self
            .text
            .floor_char_boundary(span.end.clamp(start, self.text.len()));
        let part = &self.text[start..end];
        let length = part.find(['\n', '\r']).unwrap_or(part.len());
        self.range(start..start + length)
    }

    /// Returns the bytes of a line, without its line ending. Lines are counted from 1.
    pub(crate) fn line(&self, number: usize) -> Range<usize> {
        let index = number.saturating_sub(1).min(self.starts.len() - 1);
        let start = self.starts[index];
        let end = self.starts.get(index + 1).copied();
        let text = &self.text[start..end.unwrap_or(self.text.len())];
        start..start + text.trim_end_matches(['\n', '\r']).len()
    }
}

/// Returns the word around a byte. Words consist of letters, digits and `_`. Like stereotypes, they
/// can end with `+`.
pub(crate) fn word_at(text: &str, offset: usize) -> Range<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let offset = text.floor_char_boundary(offset.min(text.len()));
    let before = text[..offset].trim_end_matches(is_part).len();
    let behind = text[offset..].trim_start_matches(is_part);
    before..text.len() - behind.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_utf_16_units() {
        let positions = Positions::new("a\u{1f600}b\r\nü c\n");
        let at = |line: u32, character: u32| {
            positions.offset(&json!({ "line": line, "character": character }))
        };
        assert_eq!(
            [at(0, 0), at(0, 1), at(0, 3), at(0, 4), at(0, 99)],
            [0, 1, 5, 6, 6]
        );
        assert_eq!([at(1, 1), at(2, 0), at(9, 9)], [10, 13, 13]);
        let range = positions.range(5..10);
        let expected = json!({
            "start": { "line": 0, "character": 3 }, "end": { "line": 1, "character": 1 },
        });
        assert_eq!(range, expected);
        assert_eq!(positions.line(2), 8..12);
        assert_eq!(
            positions.first_line(Span::new(5, 12))["end"]["character"],
            4
        );
    }

    #[test]
    fn words_are_around_a_byte() {
        assert_eq!(word_at("a + foo_1;", 6), 4..9);
        assert_eq!(word_at("a + b", 2), 2..2);
    }
}
