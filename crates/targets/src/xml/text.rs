//! Writes XML text: indented elements with attributes.
//!
//! `quick-xml`, which reads our files, isn't used for writing: it writes forbidden and invisible
//! characters unchanged, so each text would have to be cleaned first.

use std::fmt::Write as _;

#[derive(Debug, Default)]
pub(super) struct Text {
    written: String,
    open: Vec<&'static str>,
    deepest: usize,
    /// Whether the start tag of the innermost element is still open.
    in_tag: bool,
}

impl Text {
    pub(super) fn new(begin: &str) -> Self {
        Self {
            written: begin.to_owned(),
            ..Self::default()
        }
    }

    pub(super) fn open(&mut self, name: &'static str) {
        self.end_tag();
        self.indent();
        self.written.push('<');
        self.written.push_str(name);
        self.open.push(name);
        self.deepest = self.deepest.max(self.open.len());
        self.in_tag = true;
    }

    pub(super) fn attribute(&mut self, name: &str, value: &str) {
        self.written.push(' ');
        self.written.push_str(name);
        self.written.push_str("=\"");
        for c in value.chars() {
            match c {
                '"' => self.written.push_str("&quot;"),
                '\n' => self.written.push_str("&#10;"),
                '\t' => self.written.push_str("&#9;"),
                c => self.character(c),
            }
        }
        self.written.push('"');
    }

    pub(super) fn close(&mut self) {
        let Some(name) = self.open.pop() else { return };
        if std::mem::take(&mut self.in_tag) {
            self.written.push_str("/>\n");
            return;
        }
        self.indent();
        self.end(name);
    }

    /// Adds an element with attributes and exactly this text.
    pub(super) fn leaf(&mut self, name: &'static str, attributes: &[(&str, &str)], text: &str) {
        self.open(name);
        for (name, value) in attributes {
            self.attribute(name, value);
        }
        self.in_tag = false;
        self.written.push('>');
        for c in text.chars() {
            self.character(c);
        }
        self.open.pop();
        self.end(name);
    }

    pub(super) fn depth(&self) -> usize {
        self.deepest
    }

    pub(super) fn finish(self) -> String {
        self.written
    }

    fn end(&mut self, name: &str) {
        self.written.push_str("</");
        self.written.push_str(name);
        self.written.push_str(">\n");
    }

    fn end_tag(&mut self) {
        if std::mem::take(&mut self.in_tag) {
            self.written.push_str(">\n");
        }
    }

    fn indent(&mut self) {
        self.written
            .extend(std::iter::repeat_n("  ", self.open.len()));
    }

    fn character(&mut self, c: char) {
        match c {
            '&' => self.written.push_str("&amp;"),
            '<' => self.written.push_str("&lt;"),
            '>' => self.written.push_str("&gt;"),
            '\r' => self.written.push_str("&#13;"),
            '\n' | '\t' => self.written.push(c),
            c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => self.written.push('\u{fffd}'),
            // A terminal or an editor would hide the character.
            c if prophet_text::plain::is_hidden(c) => {
                let _ = write!(self.written, "&#x{:X};", u32::from(c));
            }
            c => self.written.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_hide_what_is_there_are_written_as_references() {
        let mut text = Text::new("");
        text.leaf("a", &[("b", "\u{202e}c\n")], "\u{85}d<\u{1b}");
        let expected = "<a b=\"&#x202E;c&#10;\">&#x85;d&lt;\u{fffd}</a>\n";
        assert_eq!(text.finish(), expected);
    }
}
