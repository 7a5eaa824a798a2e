//! Builds the text from lines, each with its depth and the comments before it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use prophet_codegen::model::{DiagramId, Model};

use super::escape;
use crate::xml::write::activity_keys;

#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub(super) at: usize,
    depth: usize,
}

pub(super) struct LineWriter<'m> {
    pub(super) model: &'m Model,
    pub(super) keys: BTreeMap<DiagramId, String>,
    pub(super) text: String,
    depth: usize,
    pub(super) deepest: usize,
}

impl<'m> LineWriter<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        Self {
            model,
            keys: activity_keys(model),
            text: String::new(),
            depth: 0,
            deepest: 0,
        }
    }

    pub(super) fn carry(&mut self, name: &str, value: &str) {
        self.line(&format!("'@ {name} = {}", escape::inline(value)));
    }

    pub(super) const fn next_line(&self) -> Line {
        Line {
            at: self.text.len(),
            depth: self.depth,
        }
    }

    /// Inserts comments with the original positions before these lines, which are in text order.
    pub(super) fn carry_at(&mut self, lines: &[(Line, usize)], name: &str) {
        let before = std::mem::take(&mut self.text);
        let mut copied = 0;
        for (line, value) in lines {
            self.text.push_str(&before[copied..line.at]);
            copied = line.at;
            let indent = "  ".repeat(line.depth);
            let _ = writeln!(self.text, "{indent}'@ {name} = {value}");
        }
        self.text.push_str(&before[copied..]);
    }

    pub(super) fn inside(&mut self, write: impl FnOnce(&mut Self)) {
        self.begin();
        write(self);
        self.end();
    }

    pub(super) fn begin(&mut self) {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
    }

    pub(super) const fn end(&mut self) {
        self.depth -= 1;
    }

    pub(super) fn indent(&self) -> String {
        "  ".repeat(self.depth)
    }

    pub(super) fn line(&mut self, line: &str) {
        if !line.is_empty() {
            self.text.push_str(&self.indent());
        }
        self.text.push_str(line);
        self.text.push('\n');
    }
}
