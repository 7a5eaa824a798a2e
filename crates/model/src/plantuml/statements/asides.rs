//! Parses comments and style statements.

use std::mem;

use super::parser::DiagramParser;
use crate::path::shorten;
use crate::plantuml::part::FormElement;
use crate::plantuml::snippet::Snippet;
use crate::plantuml::words::STYLES;
use crate::plantuml::{declarations, is_end, label};

/// Start of a comment with information that a drawing can't show.
const CARRIED: &str = "'@";

/// Preprocessor lines that only affect the drawing's style.
const PRAGMAS: &[&str] = &["!pragma", "!theme", "!startsub", "!endsub"];

impl<'s> DiagramParser<'_, 's, '_> {
    /// Removes `/' … '/` comments from both ends of a line. A comment can end on a later line.
    pub(super) fn without_comments(&mut self, line: Snippet<'s>) -> Snippet<'s> {
        let mut rest = line;
        while let Some(mut inside) = rest.after("/'") {
            rest = loop {
                if let Some(end) = inside.text.find("'/") {
                    break inside.from(end + 2).trim();
                }
                match self.line() {
                    Some(next) if !is_end(next.text) => inside = next,
                    _ => {
                        self.next -= 1;
                        self.report(
                            line.span(),
                            "this comment is not closed",
                            "close it with `'/`",
                        );
                        return line.part(0, 0);
                    }
                }
            };
        }
        let comment = rest.text.rfind("/'").filter(|_| rest.text.ends_with("'/"));
        comment.map_or(rest, |at| rest.part(0, at).trim())
    }

    /// Skips comments and style statements. Returns `true` if the line is one of them.
    pub(super) fn is_aside(&mut self, line: Snippet<'s>) -> bool {
        if let Some(carried) = line.after(CARRIED) {
            self.carry(line, carried);
            return true;
        }
        if line.text.starts_with('\'') {
            return true;
        }
        let is_lane = line.text.len() > 1 && line.text.starts_with('|');
        let is_pragma = PRAGMAS.iter().any(|it| line.text.starts_with(it));
        is_lane || is_pragma || self.is_arrow(line) || self.is_style(line)
    }

    /// Skips an arrow with its color and text. Returns `false` for other lines.
    pub(super) fn is_arrow(&mut self, line: Snippet<'s>) -> bool {
        let Some(end) = line.text.find("->") else {
            return false;
        };
        let style = line.text[..end].trim_end_matches('-');
        if !(style.is_empty() || style.starts_with("-[") && style.ends_with(']')) {
            return false;
        }
        let text = line.from(end + 2).trim();
        if text.text.is_empty() || text.text.ends_with(';') {
            return true;
        }
        // The text ends with a `;`. It can span several lines, but not contain another statement.
        let rest = self.block.lines.get(self.next..).unwrap_or_default();
        let last = rest
            .iter()
            .position(|it| it.text.ends_with(';') || is_end(it.text));
        match last.filter(|at| {
            rest[..=*at]
                .iter()
                .all(|it| !it.text.starts_with([':', '@']))
        }) {
            Some(at) => self.next += at + 1,
            None => self.report(
                line.span(),
                "the text of an arrow is not closed",
                "close it with `;`",
            ),
        }
        true
    }

    /// Skips a statement that only affects the drawing's style. Returns `false` for other
    /// statements.
    pub(super) fn is_style(&mut self, line: Snippet<'s>) -> bool {
        let (word, rest) = line.word();
        if line.text == "<style>" {
            return self.skip(line, |it| it == "</style>");
        }
        if !STYLES.contains(&word) {
            return false;
        }
        if rest.text.ends_with('{') {
            return self.skip_braces(line);
        }
        let last = line.text.split_whitespace().next_back();
        if matches!(last, Some("header" | "footer" | "caption")) {
            return self.skip(line, |it| it.starts_with("end"));
        }
        true
    }

    /// Skips lines up to the one that closes the brace at the end of this line.
    fn skip_braces(&mut self, begin: Snippet<'s>) -> bool {
        let mut depth = 1_usize;
        self.skip(begin, move |line| {
            depth += line.matches('{').count();
            depth = depth.saturating_sub(line.matches('}').count());
            depth == 0
        })
    }

    /// Skips lines up to the last line of a statement.
    pub(super) fn skip(
        &mut self,
        begin: Snippet<'s>,
        mut is_last: impl FnMut(&str) -> bool,
    ) -> bool {
        loop {
            match self.line() {
                Some(line) if is_last(line.text) => return true,
                Some(line) if is_end(line.text) => {
                    self.next -= 1;
                    break;
                }
                Some(_) => {}
                None => break,
            }
        }
        self.report(begin.span(), "this statement is not closed", "");
        true
    }

    /// Reads a comment with information that a drawing can't show.
    pub(super) fn carry(&mut self, line: Snippet<'s>, carried: Snippet<'s>) {
        if declarations::is_local(carried) {
            let local = declarations::local(carried, self.diagnostics);
            self.content().children.extend(local);
            return;
        }
        let Some((name, value)) = label::tag(carried) else {
            let help = "write such a comment as `'@ tag = value`";
            let message = format!("`{}` is not a tag", shorten(carried.text));
            return self.report(line.span(), message, help);
        };
        if name == "part" {
            self.content().set("name", value);
            return;
        }
        self.carried.push((line, name, value));
    }

    /// Adds the information in comments before a part to the part.
    pub(super) fn complete(&mut self, mut part: FormElement) -> FormElement {
        for (line, name, value) in mem::take(&mut self.carried) {
            match name {
                "comment" => part.children.push(FormElement::leaf("comment", value)),
                "name" => part.set("name", value),
                _ => label::set(&mut part, name, value, line.span(), self.diagnostics),
            }
        }
        part
    }
}
