//! Parses decisions, connectors and forks.

use std::mem;

use super::conditions::{arm, equal};
use super::parser::{DiagramParser, Frame};
use crate::plantuml::graph::{self, CONNECTOR};
use crate::plantuml::part::FormElement;
use crate::plantuml::snippet::Snippet;
use crate::source::Text;

/// Value in the comment before a decision that has no flow except its `else`.
pub const ONLY_ELSE: &str = "only";

impl<'s> DiagramParser<'_, 's, '_> {
    pub(super) fn begin_if(&mut self, line: Snippet<'s>, rest: Snippet<'s>) {
        let (arm, turned) = self.when(line, rest);
        let node = FormElement::new("decision", line.span());
        self.open("if", line, node, arm);
        self.turn(turned);
    }

    pub(super) fn else_if(&mut self, line: Snippet<'s>, rest: Snippet<'s>) {
        if self.inside(line, "if") {
            let (arm, turned) = self.when(line, rest);
            self.next_content(arm);
            self.turn(turned);
        }
    }

    pub(super) fn begin_else(&mut self, line: Snippet<'s>, rest: Snippet<'s>) {
        if self.inside(line, "if") {
            self.other_label(rest);
            self.next_content(FormElement::new("otherwise", line.span()));
        }
    }

    pub(super) fn end_if(&mut self, line: Snippet<'s>) {
        if let Some(frame) = self.close(line, &["if"]) {
            self.end_decision(frame, line);
        }
    }

    /// Adds a decision after its last arm. An `if` without an `else` lets the flow continue. A
    /// `switch` has only the arms that are drawn.
    pub(super) fn end_decision(&mut self, frame: Frame<'s>, line: Snippet<'s>) {
        let mut node = frame.node;
        let is_open = frame.content.role != "otherwise";
        node.children.push(frame.content);
        let otherwise = node.take("otherwise");
        let complete = otherwise.is_some() || frame.word == "switch";
        // The text must contain an `if` arm, so a comment says that the decision has only an
        // `else`.
        if otherwise.is_some_and(|it| it.value == ONLY_ELSE) {
            node.children.retain(|it| it.role != "when");
        }
        let is_choose = node.value("role").is_some_and(|it| it.value == "choose");
        if is_choose {
            return self.choose(node);
        }
        if is_open && !complete {
            node.children
                .push(FormElement::new("otherwise", line.span()));
        }
        self.content().children.push(node);
    }

    pub(super) fn choose(&mut self, mut node: FormElement) {
        node.take("role");
        node.role = "choose";
        for arm in &mut node.children {
            if !matches!(arm.role, "when" | "otherwise") {
                continue;
            }
            arm.role = "case";
            if let Some(condition) = arm.take("guard") {
                arm.set("condition", condition);
            }
            let case = mem::replace(arm, FormElement::new("case", arm.span));
            *arm = graph::finished(case, self.diagnostics);
        }
        self.content().children.push(node);
    }

    pub(super) fn begin_switch(&mut self, line: Snippet<'s>, rest: Snippet<'s>) {
        let (subject, rest) = self.condition(line, rest);
        self.arm_label(rest);
        let node = FormElement::new("decision", line.span());
        self.open("switch", line, node, FormElement::new("", line.span()));
        if let Some(frame) = self.frames.last_mut() {
            frame.subject = Some(subject);
        }
    }

    pub(super) fn case(&mut self, line: Snippet<'s>, rest: Snippet<'s>) {
        if !self.inside(line, "switch") {
            return;
        }
        let (value, rest) = self.condition(line, rest);
        self.arm_label(rest);
        let subject = self.frames.last().and_then(|it| it.subject);
        let guard = subject.map(|it| equal(it, value)).unwrap_or_default();
        self.next_content(arm(line, guard));
    }

    pub(super) fn end_switch(&mut self, line: Snippet<'s>) {
        let Some(mut frame) = self.close(line, &["switch"]) else {
            return;
        };
        // No statement is allowed before the first case.
        let first = frame.node.children.iter().position(|it| it.role.is_empty());
        let before = first.map(|at| frame.node.children.remove(at));
        let stray = before.and_then(|it| it.children.into_iter().next());
        if let Some(stray) = stray {
            self.report(stray.span, "this comes before the first `case`", "");
        }
        if frame.content.role.is_empty() {
            return self.report(line.span(), "missing `case`", "");
        }
        self.end_decision(frame, line);
    }

    /// Parses a connector such as `(A)`. It is a label or, if it is before `detach` and has no
    /// role, a jump to that label.
    pub(super) fn connector(&mut self, line: Snippet<'s>) {
        if let Some(name) = line.connector() {
            let mut part = FormElement::new("label", line.span());
            part.set("key", name.value());
            part.set(CONNECTOR, name.value());
            self.add(part);
        }
    }

    /// Parses the end of a flow without a node. A connector or comment before it can say where the
    /// flow continues.
    pub(super) fn detach(&mut self, line: Snippet<'s>) {
        let mut part = self.complete(FormElement::new("detach", line.span()));
        let last = self.content().children.last_mut();
        let is_jump = |it: &&mut FormElement| it.has(CONNECTOR) && !it.has("role");
        if let Some(connector) = last.filter(is_jump) {
            connector.role = "goto";
            return;
        }
        if let Some(label) = part.take("goto") {
            part.role = "goto";
            part.set("key", label);
        }
        self.content().children.push(part);
    }

    pub(super) fn begin_fork(&mut self, line: Snippet<'s>, word: &'static str) {
        let node = FormElement::new("fork", line.span());
        self.open(word, line, node, FormElement::new("branch", line.span()));
    }

    pub(super) fn fork_again(&mut self, line: Snippet<'s>, word: &str) {
        if self.inside(line, word) {
            self.next_content(FormElement::new("branch", line.span()));
        }
    }

    /// Ends a fork whose branches meet in a merge.
    pub(super) fn end_merge(&mut self, line: Snippet<'s>) {
        let word = self.frames.last().map_or("fork", |it| it.word);
        let word = if word == "split" { word } else { "fork" };
        let how = line.from(
            line.text
                .to_ascii_lowercase()
                .find("merge")
                .unwrap_or_default(),
        );
        self.end_fork(line, word, how.ended());
    }

    /// Ends a fork whose branches meet in a join or, if `how` says so, in a merge.
    pub(super) fn end_fork(&mut self, line: Snippet<'s>, word: &str, how: Snippet<'s>) {
        if let Some(frame) = self.close(line, &[word]) {
            let mut node = frame.node;
            node.children.push(frame.content);
            if matches!(how.text.to_ascii_lowercase().as_str(), "merge" | "{or}") {
                node.set(graph::MEETS, Text::new("merge", how.span()));
            }
            self.content().children.push(node);
        }
    }
}
