//! Parses actions, partitions, titles, legends and notes.

use std::mem;

use super::parser::DiagramParser;
use crate::path::shorten;
use crate::plantuml::part::FormElement;
use crate::plantuml::snippet::Snippet;
use crate::plantuml::{declarations, graph, is_end, label};
use crate::source::Text;

const SHAPES: &[&str] = &[
    "input",
    "output",
    "procedure",
    "load",
    "save",
    "continuous",
    "task",
];

impl<'s> DiagramParser<'_, 's, '_> {
    pub(super) fn partition(&mut self, line: Snippet<'s>, rest: Snippet<'s>) {
        self.begin_block("partition", line, rest.before("{").unwrap_or(rest));
    }

    pub(super) fn group(&mut self, line: Snippet<'s>, name: Snippet<'s>) {
        self.begin_block("group", line, name.before("{").unwrap_or(name));
    }

    /// Starts a node with content. Its text can be in quotes and have a color.
    pub(super) fn begin_block(&mut self, word: &'static str, line: Snippet<'s>, text: Snippet<'s>) {
        let mut text = text;
        if text.text.starts_with('#') {
            text = text
                .from(text.text.find(' ').unwrap_or(text.text.len()))
                .trim();
        }
        // A color can follow text in quotes.
        if text.text.starts_with('"')
            && let Some(at) = text.text.rfind(" #")
        {
            text = text.part(0, at).trim();
        }
        let quoted = text.after("\"").and_then(|it| it.before("\""));
        let mut node = FormElement::new("block", line.span());
        label::read(
            quoted.unwrap_or(text),
            &mut node,
            self.vocabulary,
            self.diagnostics,
        );
        self.open(word, line, FormElement::new("", line.span()), node);
        // Comments before the block describe it, so they become part of its content.
        if let Some(frame) = self.frames.last_mut() {
            let node = mem::replace(&mut frame.node, FormElement::new("", line.span()));
            frame.content.absorb(node);
        }
    }

    pub(super) fn end_block(&mut self, line: Snippet<'s>, word: &str) {
        if let Some(frame) = self.close(line, &[word]) {
            let mut block = frame.content;
            match block.take("role").map(|it| it.value).as_deref() {
                None => {}
                Some("setup") => block.role = "setup",
                Some("test") => block.role = "test",
                Some(other) => {
                    let message = format!("a partition cannot be a `{}`", shorten(other));
                    self.report(block.span, message, "");
                }
            }
            let block = graph::finished(block, self.diagnostics);
            self.content().children.push(block);
        }
    }

    /// Parses an action. Its label ends with a `;`, which can be on a later line.
    pub(super) fn action(&mut self, line: Snippet<'s>, rest: Snippet<'s>) {
        let mut last = rest;
        let end = loop {
            if let Some(end) = label_end(last) {
                break end;
            }
            match self.line() {
                Some(end) if is_end(end.text) => {
                    self.next -= 1;
                    let help = "close the label with `;` at the end of a line";
                    return self.report(line.span(), "the label of an action is not closed", help);
                }
                Some(line) => last = line,
                None => return,
            }
        };
        let text = self.whole().part(rest.at, end.text.span().end);
        let mut part = FormElement::new("action", line.span());
        if let Some(shape) = end.stereotype.filter(|it| !self.is_shape(*it)) {
            label::read(shape, &mut part, self.vocabulary, self.diagnostics);
        }
        label::read(text, &mut part, self.vocabulary, self.diagnostics);
        let mut part = self.complete(part);
        match part.take("role").map(|it| it.value).as_deref() {
            None => call(&mut part),
            Some("action") => {}
            Some("other") => part.role = "other",
            Some("decision") => part.role = "decision",
            Some("merge") => part.role = "merge",
            Some("fork") => part.role = "fork",
            Some("join") => part.role = "join",
            Some("choose") => part.role = "choose",
            Some(other) => {
                let message = format!("an action cannot be a `{}`", shorten(other));
                self.report(part.span, message, "");
            }
        }
        self.content().children.push(part);
    }

    /// Parses an action written as a list item: `- label`.
    pub(super) fn item(&mut self, line: Snippet<'s>, text: Snippet<'s>) {
        let mut part = FormElement::new("action", line.span());
        label::read(text.trim(), &mut part, self.vocabulary, self.diagnostics);
        call(&mut part);
        self.add(part);
    }

    /// Returns `true` if a stereotype only sets the shape or color of an action.
    fn is_shape(&self, stereotype: Snippet<'s>) -> bool {
        let name = stereotype.after("<<").and_then(|it| it.before(">>"));
        let name = name.map(|it| it.text).unwrap_or_default();
        name.starts_with('#')
            || SHAPES.contains(&name) && self.vocabulary.kind_named(name).is_none()
    }

    pub(super) fn title(&mut self, line: Snippet<'s>, rest: Snippet<'s>) {
        let text = if rest.text.is_empty() {
            self.lines_until(line, "title")
        } else {
            rest
        };
        let (Some(frame), diagnostics) = (self.frames.first_mut(), &mut *self.diagnostics) else {
            return;
        };
        if frame.content.has("name") {
            let help = "give a diagram only one title";
            return self.report(line.span(), "the diagram already has a title", help);
        }
        let begin = Text::new("", text.span());
        frame.content.set("name", begin);
        label::read(text, &mut frame.content, self.vocabulary, diagnostics);
        let carried = self.complete(FormElement::new("", text.span()));
        if let Some(frame) = self.frames.first_mut() {
            frame.content.absorb(carried);
        }
    }

    /// Parses a legend. If it contains no declarations, it is only a remark.
    pub(super) fn legend(&mut self, line: Snippet<'s>, model: &mut FormElement) {
        let text = self.lines_until(line, "legend");
        if !declarations::declares(text) {
            return;
        }
        if let Some(frame) = self.frames.first_mut() {
            declarations::read(text, model, &mut frame.content, self.diagnostics);
        }
    }

    /// Parses a note. It contains either code, or a comment on the previous statement.
    pub(super) fn note(&mut self, line: Snippet<'s>, model: &mut FormElement) {
        let text = match line.text.find(':') {
            Some(at) => line.from(at + 1).trim(),
            None => self.lines_until(line, "note"),
        };
        let end = text.text.find('\n').unwrap_or(text.text.len());
        let (first, behind) = (text.part(0, end).trim(), text.from(end).trim());
        match first.word() {
            ("program", rest) if rest.text.is_empty() => {
                if let Some(frame) = self.frames.first_mut() {
                    declarations::read(behind, model, &mut frame.content, self.diagnostics);
                }
            }
            ("code", language) if matches!(language.text, "" | "Rust" | "C") => {
                self.code(line, language, behind);
            }
            _ => {
                let comment = FormElement::leaf("comment", text.dedented(self.whole()));
                self.comment(comment);
            }
        }
    }

    /// Adds a comment to the previous statement. At the start of an arm or branch, the comment
    /// belongs to the decision or fork.
    fn comment(&mut self, comment: FormElement) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let is_arm = matches!(frame.content.role, "when" | "otherwise" | "branch" | "");
        let mut before = frame.content.children.iter_mut().rev();
        let owner = match before.find(|it| is_statement(it)) {
            Some(owner) => owner,
            None if is_arm => &mut frame.node,
            None => &mut frame.content,
        };
        owner.children.push(comment);
    }

    pub(super) fn code(&mut self, line: Snippet<'s>, language: Snippet<'s>, text: Snippet<'s>) {
        let mut code = FormElement::leaf("code", text.dedented(self.whole()));
        if !language.text.is_empty() {
            code.set("language", language.value());
        }
        let action = self.content().children.last_mut();
        if let Some(action) = action.filter(|it| it.role == "action") {
            action.children.push(code);
        } else {
            let help = "put the note after the action that the code belongs to";
            self.report(line.span(), "there is no action before this code", help);
        }
    }

    pub(super) const fn whole(&self) -> Snippet<'s> {
        Snippet {
            text: self.block.source,
            at: 0,
        }
    }

    /// Returns the text from a line to the `end` of its statement.
    pub(super) fn lines_until(&mut self, begin: Snippet<'s>, word: &str) -> Snippet<'s> {
        let start = begin.at + begin.text.len();
        let whole = self.whole();
        while let Some(line) = self.line() {
            if is_end(line.text) {
                self.next -= 1;
                break;
            }
            let end = line.after("end").is_some_and(|it| it.text == word);
            if end {
                return whole.part(start, line.at).trim();
            }
        }
        self.report(begin.span(), format!("`{word}` is not closed"), "");
        begin.part(0, 0)
    }
}

/// Returns the label of the action that starts here, without its color (`#pink:label`); `None` if
/// no action starts here.
pub(in super::super) fn action_begin(line: Snippet<'_>) -> Option<Snippet<'_>> {
    if line.text.starts_with('#') {
        let at = line.text.find(':')?;
        return Some(line.from(at + 1));
    }
    line.text.starts_with(':').then(|| line.from(1))
}

/// Returns the statement after a color, as in `#pink:if (condition) then` or `#pink:(A)`; `None`
/// for other lines.
pub(super) fn colored(line: Snippet<'_>) -> Option<Snippet<'_>> {
    let label = action_begin(line).filter(|_| line.text.starts_with('#'))?;
    let (word, rest) = label.word();
    let is_statement = match word {
        "" => label.ended().connector().is_some(),
        "if" | "elseif" | "while" | "switch" | "repeat" | "repeatwhile" => {
            rest.text.starts_with('(') || rest.text.starts_with("while")
        }
        _ => false,
    };
    is_statement.then_some(label)
}

/// The end of a label: its text on the last line, and the stereotype after it.
pub(in super::super) struct LabelEnd<'s> {
    pub(in super::super) text: Snippet<'s>,
    stereotype: Option<Snippet<'s>>,
}

pub(in super::super) fn label_end(line: Snippet<'_>) -> Option<LabelEnd<'_>> {
    if let Some(at) = line.text.rfind(';') {
        let behind = line.from(at + 1).trim();
        if behind.text.starts_with("<<") && behind.text.ends_with(">>") {
            let text = line.part(0, at);
            let stereotype = Some(behind);
            return Some(LabelEnd { text, stereotype });
        }
    }
    ends_label(line.text).then(|| LabelEnd {
        text: line.part(0, line.text.len() - 1),
        stereotype: None,
    })
}

/// Returns `true` if the last character of a line ends a label. That is `;` or the side of another
/// shape, unless it is part of markup (`>>`, `<b>`, `]]`) or of a table row (`| a |`).
fn ends_label(line: &str) -> bool {
    let Some(last) = line.chars().last() else {
        return false;
    };
    let before = &line[..line.len() - last.len_utf8()];
    match last {
        ';' | '\\' => true,
        '/' | '<' | '}' => !before.ends_with(['/', '|', '<', '>', '}', ']']),
        ']' => !before.ends_with(['/', '|', '}', ']']),
        '|' => !before.contains('|'),
        '>' => {
            let tag = before.rfind('<').map(|at| &before[at + 1..]);
            let is_tag = tag.is_some_and(|it| {
                it.starts_with(['/', '&', '$']) || it.starts_with(|c: char| c.is_alphabetic())
            });
            !is_tag && !before.ends_with('>')
        }
        _ => false,
    }
}

/// Turns an action into a call if it names an activity, or has the stereotype `activity+`.
pub(super) fn call(part: &mut FormElement) {
    let stereotype = part.value("stereotype");
    if !part.has("activity") && stereotype.is_none_or(|it| it.value != "activity+") {
        return;
    }
    part.role = "call";
    if !part.has("activity")
        && let Some(name) = part.value("name").cloned()
    {
        part.set("activity", name);
    }
}

fn is_statement(part: &FormElement) -> bool {
    !matches!(part.role, "comment" | "local" | "label" | "goto" | "detach")
}
