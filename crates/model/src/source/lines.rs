//! Finds the line and column of a byte in a text.

use std::ops::Range;

use super::Source;

/// An index of lines and characters in a text.
///
/// Finding a place is fast even if lines are megabytes long, because the number of characters
/// before each block of bytes is known.
#[derive(Debug)]
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
    /// For each multiple of [`BLOCK`] bytes, the number of characters that start before it.
    characters: Vec<usize>,
    /// For each file except the first, the index of its first line.
    files: Vec<usize>,
}

const BLOCK: usize = 1024;

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let returns = |at: usize| bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
        let ends = (0..bytes.len()).filter(|&at| bytes[at] == b'\n' || returns(at));
        let starts = std::iter::once(0).chain(ends.map(|end| end + 1));
        let mut count = 0;
        let blocks = text.as_bytes().chunks(BLOCK).map(|block| {
            let before = count;
            count += count_characters(block);
            before
        });
        Self {
            text,
            starts: starts.collect(),
            characters: blocks.collect(),
            files: Vec::new(),
        }
    }

    /// Indexes the lines of a model's files. In each file, line numbers start at 1.
    pub fn of(source: &'a Source) -> Self {
        let mut lines = Self::new(&source.text);
        let starts = source.files.iter().map(|it| lines.line(it.start));
        lines.files = starts.collect();
        lines
    }

    /// Returns the line and column of the byte at `offset`, both counted from 1. Columns are
    /// counted in characters.
    pub fn place(&self, offset: usize) -> (usize, usize) {
        let line = self.line(offset);
        let files = self.files.partition_point(|&first| first <= line);
        let first = files.checked_sub(1).map_or(0, |it| self.files[it]);
        let start = self.starts.get(line).copied().unwrap_or_default();
        let column = self.characters_before(offset) - self.characters_before(start);
        (line - first + 1, column + 1)
    }

    /// Returns the byte range of the line that contains the byte at `offset`, without its line
    /// break.
    pub fn range(&self, offset: usize) -> Range<usize> {
        let line = self.line(offset);
        let start = self.starts.get(line).copied().unwrap_or_default();
        let end = self
            .starts
            .get(line + 1)
            .map_or(self.text.len(), |next| next - 1);
        let text = self.text.get(start..end).unwrap_or_default();
        start..start + text.strip_suffix('\r').unwrap_or(text).len()
    }

    /// Returns the index, counted from 0, of the line with the byte at `offset`.
    fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    fn characters_before(&self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        let block = offset / BLOCK;
        let rest = self.text.as_bytes().get(block * BLOCK..offset);
        let before = self.characters.get(block).copied();
        // If the length is a multiple of the block size, no block starts at the end.
        before.map_or_else(
            || count_characters(self.text.as_bytes()),
            |before| before + rest.map_or(0, count_characters),
        )
    }
}

fn count_characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&b| b & 0xC0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_and_characters_from_one() {
        let lines = Lines::new("ab\r\nöx\n");
        let places = [0, 2, 4, 6, 8, 99].map(|offset| lines.place(offset));
        assert_eq!(places, [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1), (3, 1)]);
        assert_eq!(lines.range(1), 0..2);
        assert_eq!(lines.range(6), 4..7);
        assert_eq!(lines.range(99), 8..8);
    }

    #[test]
    fn agrees_with_counting_across_blocks() {
        for text in ["é\n".repeat(3000), "x".repeat(2 * BLOCK), "öx".repeat(4000)] {
            let lines = Lines::new(&text);
            for (offset, _) in text.char_indices().step_by(97).chain([(text.len(), ' ')]) {
                let before = &text[..offset];
                let line = before.matches('\n').count() + 1;
                let last = before.rsplit('\n').next().unwrap_or_default();
                assert_eq!(lines.place(offset), (line, last.chars().count() + 1));
            }
        }
    }

    #[test]
    fn an_empty_text_has_one_line() {
        assert_eq!(Lines::new("").place(0), (1, 1));
        assert_eq!(Lines::new("").range(0), 0..0);
    }
}
