//! Stores the parser's state while it reads a diagram: the lines and the open statements.

use std::mem;

use crate::diagnostic::catalogue::xmi as rules;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::path::shorten;
use crate::plantuml::part::FormElement;
use crate::plantuml::snippet::Snippet;
use crate::plantuml::{Block, problem};
use crate::source::Text;
use crate::vocabulary::Vocabulary;

/// Tag in a comment before an arm that sets the language of the arm's condition.
pub const ARM_LANGUAGE: &str = "arm_language";

/// How a loop can be left or repeated, except by its test.
#[derive(Default)]
pub(super) struct Leaving {
    /// Label after the loop; `None` if no `break` leads there.
    pub(super) label: Option<String>,
    /// The action that runs before each further iteration.
    pub(super) backward: Option<FormElement>,
    /// Place of the test if it comes after the body.
    pub(super) test: Option<Span>,
}

/// A statement with content that is still open.
pub(super) struct Frame<'s> {
    pub(super) word: &'static str,
    pub(super) line: Snippet<'s>,
    pub(super) node: FormElement,
    pub(super) content: FormElement,
    /// The value that a `switch` compares.
    pub(super) subject: Option<Snippet<'s>>,
    /// Whether the label `(no)` negates the statement's last condition.
    pub(super) turned: bool,
    pub(super) leaving: Leaving,
}

pub(in crate::plantuml) struct DiagramParser<'b, 's, 'd> {
    pub(super) block: &'b Block<'s>,
    pub(super) next: usize,
    pub(super) frames: Vec<Frame<'s>>,
    /// Number of open blocks of sequence diagrams, which have been reported.
    pub(super) foreign_blocks: usize,
    /// Tags for the next statement, from comments before it.
    pub(super) carried: Vec<(Snippet<'s>, &'s str, Text)>,
    pub(super) vocabulary: &'d Vocabulary,
    pub(super) diagnostics: &'d mut Diagnostics,
}

impl<'b, 's, 'd> DiagramParser<'b, 's, 'd> {
    pub(in crate::plantuml) fn new(
        block: &'b Block<'s>,
        vocabulary: &'d Vocabulary,
        diagnostics: &'d mut Diagnostics,
    ) -> Self {
        Self {
            vocabulary,
            block,
            next: 0,
            frames: Vec::new(),
            foreign_blocks: 0,
            carried: Vec::new(),
            diagnostics,
        }
    }

    pub(super) fn line(&mut self) -> Option<Snippet<'s>> {
        let line = self.block.lines.get(self.next).copied();
        self.next += 1;
        line
    }

    pub(super) fn report(&mut self, at: Span, message: impl Into<String>, help: &str) {
        self.diagnostics.push(problem(at, message, help));
    }

    /// Warns about text that probably means something else than its author intended.
    pub(super) fn doubt(&mut self, at: Span, message: String, help: &str) {
        let doubt = Diagnostic::new(&rules::DOUBTFUL_TEXT, at, message);
        self.diagnostics.push(doubt.help(help));
    }

    /// Returns the content of the innermost statement.
    pub(super) fn content(&mut self) -> &mut FormElement {
        &mut self.frames.last_mut().expect("the diagram is open").content
    }

    pub(super) fn add(&mut self, part: FormElement) {
        let part = self.complete(part);
        self.content().children.push(part);
    }

    pub(super) fn leaf(&mut self, role: &'static str, line: Snippet<'s>) {
        self.add(FormElement::new(role, line.span()));
    }

    pub(super) fn open(
        &mut self,
        word: &'static str,
        line: Snippet<'s>,
        node: FormElement,
        content: FormElement,
    ) {
        let mut node = self.complete(node);
        let mut content = content;
        if let Some(language) = node.take(ARM_LANGUAGE) {
            content.set("language", language);
        }
        self.frames.push(Frame {
            word,
            line,
            node,
            content,
            subject: None,
            turned: false,
            leaving: Leaving::default(),
        });
    }

    /// Ends the innermost statement if it started with one of these words. Otherwise, reports the
    /// line.
    pub(super) fn close(&mut self, line: Snippet<'s>, words: &[&str]) -> Option<Frame<'s>> {
        let open = self.frames.last().map(|it| it.word).unwrap_or_default();
        if words.contains(&open) {
            return self.frames.pop();
        }
        let message = format!("`{}` does not close anything here", shorten(line.text));
        let help = match open {
            "@startuml" => format!("no `{}` is open: delete this line", words.join("` or `")),
            open => format!("`{open}` is open"),
        };
        self.report(line.span(), message, &help);
        None
    }

    /// Returns `true` if the innermost statement started with this word. Otherwise, reports the
    /// line.
    pub(super) fn inside(&mut self, line: Snippet<'s>, word: &str) -> bool {
        let open = self.frames.last().map(|it| it.word).unwrap_or_default();
        if open != word {
            let message = format!("`{}` is outside any `{word}`", shorten(line.text));
            self.report(line.span(), message, "");
        }
        open == word
    }

    /// Starts the next arm or branch of the innermost statement.
    pub(super) fn next_content(&mut self, next: FormElement) {
        let mut carried = self.complete(next);
        if let Some(language) = carried.take(ARM_LANGUAGE) {
            carried.set("language", language);
        }
        if let Some(frame) = self.frames.last_mut() {
            let content = mem::replace(&mut frame.content, carried);
            frame.node.children.push(content);
        }
    }

    pub(super) fn not_understood(&mut self, line: Snippet<'s>, help: &str) {
        let message = format!("`{}` is not understood", shorten(line.text));
        self.report(line.span(), message, help);
    }
}
