//! Comments, and statements that style a drawing.

use std::mem;

use super::Parser;
use crate::plantuml::part::Part;
use crate::plantuml::snippet::Snippet;
use crate::plantuml::{declarations, is_end, label};
use crate::xmi::path::shorten;

/// Begin of a comment that says what a drawing has no place for.
const CARRIED: &str = "'@";

/// Statements that only style a drawing.
const STYLES: &[&str] = &[
    "skinparam",
    "scale",
    "hide",
    "show",
    "header",
    "footer",
    "caption",
    "mainframe",
    "center",
    "left",
    "right",
];

impl<'s> Parser<'_, 's, '_> {
    /// Reads comments, and what styles a drawing; true for such a line.
    pub(super) fn is_aside(&mut self, line: Snippet<'s>) -> bool {
        if let Some(carried) = line.after(CARRIED) {
            self.carry(line, carried);
            return true;
        }
        if line.text.starts_with('\'') {
            return true;
        }
        if line.text.starts_with("/'") {
            let mut last = line;
            while !last.text.ends_with("'/") {
                let Some(line) = self.line() else { break };
                last = line;
            }
            return true;
        }
        let is_lane = line.text.len() > 1 && line.text.starts_with('|') && line.text.ends_with('|');
        let is_pragma = ["!pragma", "!theme"]
            .iter()
            .any(|it| line.text.starts_with(it));
        is_lane || is_pragma || self.is_arrow(line) || self.is_style(line)
    }

    /// Reads an arrow, which may be colored, but has no text.
    pub(super) fn is_arrow(&mut self, line: Snippet<'s>) -> bool {
        let Some(end) = line.text.find("->") else {
            return false;
        };
        let style = &line.text[..end];
        if !(style.is_empty() || style.starts_with("-[") && style.ends_with(']')) {
            return false;
        }
        let text = line.from(end + 2).trim();
        let text = text.before(";").unwrap_or(text);
        if !text.text.is_empty() {
            let help = "write a condition in `if (…)`, and a remark as a note";
            self.report(text.span(), "the text of an arrow is not read", help);
        }
        true
    }

    /// Reads a statement that only styles a drawing.
    pub(super) fn is_style(&mut self, line: Snippet<'s>) -> bool {
        let (word, rest) = line.word();
        if line.text == "<style>" {
            return self.skip(line, |it| it == "</style>");
        }
        if !STYLES.contains(&word) {
            return false;
        }
        if rest.text.ends_with('{') {
            return self.skip(line, |it| it == "}");
        }
        let is_long = matches!(word, "header" | "footer" | "caption") && rest.text.is_empty();
        if is_long {
            return self.skip(line, |it| it.starts_with("end"));
        }
        true
    }

    /// Skips lines up to the last one of a statement.
    pub(super) fn skip(&mut self, begin: Snippet<'s>, is_last: impl Fn(&str) -> bool) -> bool {
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
        self.report(begin.span(), "this statement does not end", "");
        true
    }

    /// Reads a comment that says what a drawing has no place for.
    pub(super) fn carry(&mut self, line: Snippet<'s>, carried: Snippet<'s>) {
        if declarations::is_local(carried) {
            let local = declarations::local(carried, self.diagnostics);
            self.content().children.extend(local);
            return;
        }
        let Some((name, value)) = label::tag(carried) else {
            let help = "such a comment is `'@ tag = value`";
            let message = format!("`{}` is no tag", shorten(carried.text));
            return self.report(line.span(), message, help);
        };
        if name == "part" {
            self.content().set("name", value);
            return;
        }
        self.carried.push((line, name, value));
    }

    /// Adds to a part what comments say about it.
    pub(super) fn complete(&mut self, mut part: Part) -> Part {
        for (line, name, value) in mem::take(&mut self.carried) {
            match name {
                "comment" => part.children.push(Part::leaf("comment", value)),
                "name" => part.set("name", value),
                _ => label::set(&mut part, name, value, line.span(), self.diagnostics),
            }
        }
        part
    }
}
