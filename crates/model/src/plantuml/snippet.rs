//! Cuts a text into pieces that remember their places.

use std::borrow::Cow;

use crate::source::{Span, Text};

#[derive(Debug, Clone, Copy)]
pub(super) struct Snippet<'s> {
    pub(super) text: &'s str,
    pub(super) at: usize,
}

/// Splits a text into trimmed lines. A line can also end with a carriage return, as in old files.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Snippet<'_>> + Clone {
    let whole = Snippet { text, at: 0 };
    whole.pieces('\n').flat_map(|line| line.pieces('\r'))
}

/// Replaces bare carriage returns with line breaks, and other control characters with spaces.
/// Positions don't change.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let is_control = |it: char| it.is_ascii_control() && !matches!(it, '\t' | '\n');
    let lines = text.split("\r\n");
    if lines.clone().all(|it| !it.contains(is_control)) {
        return Cow::Borrowed(text);
    }
    let plain = |it: &str| it.replace('\r', "\n").replace(is_control, " ");
    Cow::Owned(lines.map(plain).collect::<Vec<_>>().join("\r\n"))
}

impl<'s> Snippet<'s> {
    pub(super) const fn span(self) -> Span {
        Span::new(self.at, self.at + self.text.len())
    }

    pub(super) fn part(self, start: usize, end: usize) -> Self {
        Self {
            text: &self.text[start..end],
            at: self.at + start,
        }
    }

    pub(super) fn from(self, start: usize) -> Self {
        self.part(start, self.text.len())
    }

    pub(super) fn trim(self) -> Self {
        let start = self.text.len() - self.text.trim_start().len();
        self.part(start, start + self.text.trim().len())
    }

    /// Returns the trimmed text after `prefix`; `None` if the text doesn't start with it.
    pub(super) fn after(self, prefix: &str) -> Option<Self> {
        let rest = self.text.strip_prefix(prefix)?;
        Some(self.from(self.text.len() - rest.len()).trim())
    }

    /// Returns the trimmed text after a word, ignoring case; `None` if the text doesn't start with
    /// it.
    pub(super) fn after_word(self, word: &str) -> Option<Self> {
        let begin = self.text.get(..word.len())?;
        begin
            .eq_ignore_ascii_case(word)
            .then(|| self.from(word.len()).trim())
    }

    pub(super) fn before(self, suffix: &str) -> Option<Self> {
        let rest = self.text.strip_suffix(suffix)?;
        Some(self.part(0, rest.len()).trim())
    }

    /// Splits off the letters at the start.
    pub(super) fn word(self) -> (&'s str, Self) {
        let end = self.text.find(|c: char| !c.is_ascii_alphabetic());
        let end = end.unwrap_or(self.text.len());
        (&self.text[..end], self.from(end).trim())
    }

    pub(super) fn pieces(self, separator: char) -> impl Iterator<Item = Self> + Clone {
        let mut start = 0;
        self.text.split(separator).map(move |piece| {
            let snippet = self.part(start, start + piece.len());
            start += piece.len() + separator.len_utf8();
            snippet.trim()
        })
    }

    /// Returns the name in a connector such as `(A)`; `None` if the text isn't a connector.
    pub(super) fn connector(self) -> Option<Self> {
        let (name, rest) = self.parenthesis('(', ')')?;
        let is_name = name.text.chars().count() == 1;
        (is_name && rest.text.is_empty()).then_some(name)
    }

    /// Returns the text in the parentheses at the start, and the text after them; `None` if they
    /// aren't closed.
    pub(super) fn parenthesis(self, open: char, close: char) -> Option<(Self, Self)> {
        if !self.text.starts_with(open) {
            return None;
        }
        let mut depth = 0_usize;
        for (at, c) in self.text.char_indices() {
            if c == open {
                depth += 1;
            } else if c == close {
                depth -= 1;
            }
            if depth == 0 {
                let inside = self.part(open.len_utf8(), at).trim();
                return Some((inside, self.from(at + close.len_utf8()).trim()));
            }
        }
        None
    }

    pub(super) fn ended(self) -> Self {
        self.before(";").unwrap_or(self)
    }

    /// Decodes a condition and joins its lines.
    pub(super) fn condition(self) -> Text {
        let lines: Vec<&str> = self
            .text
            .split('\n')
            .flat_map(|it| it.split("\\n"))
            .collect();
        let lines: Vec<&str> = lines.into_iter().map(str::trim).collect();
        Text::new(decode(&lines.join(" ")), self.span())
    }

    /// Decodes character codes in the text.
    pub(super) fn value(self) -> Text {
        Text::new(decode(self.text), self.span())
    }

    /// Decodes character codes in the text, and removes the indentation that its first line has in
    /// `around` from all lines.
    pub(super) fn dedented(self, around: Self) -> Text {
        let before = &around.text[..self.at - around.at];
        let begin = before.rfind('\n').map_or(0, |at| at + 1);
        let indent = before[begin..].chars().count();
        let line = |line: &'s str| {
            let mut white = line.char_indices().take(indent);
            let start = white.find(|(_, c)| !c.is_whitespace()).map(|(at, _)| at);
            let behind = || {
                line.char_indices()
                    .nth(indent)
                    .map_or(line.len(), |(at, _)| at)
            };
            line[start.unwrap_or_else(behind)..].trim_end()
        };
        let mut lines = self.text.lines();
        let first = lines.next().map(str::trim_end);
        let lines: Vec<&str> = first.into_iter().chain(lines.map(line)).collect();
        Text::new(decode(&lines.join("\n")), self.span())
    }
}

/// Decodes `PlantUML`'s character codes, such as `<U+0041>`.
pub fn decode(text: &str) -> Cow<'_, str> {
    const BEGIN: &str = "<U+";
    if !text.contains(BEGIN) {
        return Cow::Borrowed(text);
    }
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(BEGIN) {
        let (before, code) = rest.split_at(at);
        decoded.push_str(before);
        let digits = code[BEGIN.len()..].split_once('>');
        let number = digits.and_then(|(digits, _)| u32::from_str_radix(digits, 16).ok());
        let Some((c, (_, behind))) = number.and_then(char::from_u32).zip(digits) else {
            decoded.push_str(BEGIN);
            rest = &code[BEGIN.len()..];
            continue;
        };
        decoded.push(c);
        rest = behind;
    }
    decoded.push_str(rest);
    Cow::Owned(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_points_are_characters() {
        assert_eq!(decode("a<U+0041>b<U+3c>"), "aAb<");
        assert_eq!(decode("<U+<U+0041><U+D800><U+"), "<U+A<U+D800><U+");
    }

    #[test]
    fn lines_lose_the_indentation_of_the_first() {
        let text = "  a {\n\u{3000}\u{3000}b\n    c\n d\n\n}";
        let around = Snippet { text, at: 5 };
        let from_b = around.part(12, text.len());
        assert_eq!(from_b.dedented(around).value, "b\n  c\nd\n\n}");
    }

    #[test]
    fn parentheses_are_found_in_pairs() {
        let text = Snippet {
            text: "(f(x) < 3) then (yes)",
            at: 10,
        };
        let (inside, rest) = text.parenthesis('(', ')').unwrap();
        assert_eq!((inside.text, inside.at), ("f(x) < 3", 11));
        assert_eq!(rest.text, "then (yes)");
        let open = Snippet {
            text: "((x)",
            at: 0,
        };
        assert!(open.parenthesis('(', ')').is_none());
    }
}
