//! Decisions, loops and forks.

use std::mem;

use super::{Frame, Parser};
use crate::plantuml::graph::{self, CONNECTOR};
use crate::plantuml::part::Part;
use crate::plantuml::snippet::Snippet;
use crate::source::Text;

/// Condition in place of one that is missing, which has been reported.
const ANY: &str = "true";

impl<'s> Parser<'_, 's, '_> {
    /// Reads the condition of a statement; gives what follows it, too.
    pub(super) fn condition(
        &mut self,
        line: Snippet<'s>,
        rest: Snippet<'s>,
    ) -> (Snippet<'s>, Snippet<'s>) {
        rest.parenthesis('(', ')').unwrap_or_else(|| {
            let help = "write the condition in parentheses, which close in the same line";
            self.report(line.span(), "there is no condition", help);
            (line.part(0, 0), line.part(0, 0))
        })
    }

    /// Reads the label of an arm: `(yes)`, `(no)`, or another text, which has no meaning.
    pub(super) fn arm_label(&mut self, rest: Snippet<'s>) -> Option<Label<'s>> {
        if rest.text.is_empty() {
            return None;
        }
        let Some((text, behind)) = rest.parenthesis('(', ')') else {
            self.report(rest.span(), "this is not understood here", "");
            return None;
        };
        if !behind.text.is_empty() {
            self.report(behind.span(), "this is not understood here", "");
        }
        let holds = holds(text.text)?;
        Some(Label { text, holds })
    }

    /// Reads the label of the arm that is taken if the condition does not do what the innermost
    /// statement says of it.
    fn other_label(&mut self, rest: Snippet<'s>) {
        let turned = self.frames.last().is_some_and(|it| it.turned);
        let label = self.arm_label(rest);
        if let Some(label) = label.filter(|it| it.holds != turned) {
            let message = format!("the arm `{}` turns its condition around", label.text.text);
            let help = if turned {
                "the arm before it has the same label"
            } else {
                "the arm before it is taken if the condition holds, unless its label is `(no)`"
            };
            self.report(label.text.span(), message, help);
        }
    }

    /// Reads `(condition) then (yes)` as an arm, and whether `(no)` turns it around.
    pub(super) fn when(&mut self, line: Snippet<'s>, rest: Snippet<'s>) -> (Part, bool) {
        let Some((condition, rest)) = rest.parenthesis('(', ')') else {
            self.condition(line, rest);
            return (arm(line, Text::new(ANY, line.span())), false);
        };
        let mut turned = false;
        if let Some(label) = rest.after("then") {
            turned = self.arm_label(label).is_some_and(|it| !it.holds);
        } else {
            let help = "write `if (condition) then`";
            self.report(line.span(), "there is no `then` behind the condition", help);
        }
        (arm(line, turned_around(condition.value(), turned)), turned)
    }

    /// Notes whether `(no)` turned the condition of the innermost statement around.
    fn turn(&mut self, turned: bool) {
        if let Some(frame) = self.frames.last_mut() {
            frame.turned = turned;
        }
    }

    pub(super) fn begin_if(&mut self, line: Snippet<'s>, rest: Snippet<'s>) {
        let (arm, turned) = self.when(line, rest);
        let node = Part::new("decision", line.span());
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
            self.next_content(Part::new("otherwise", line.span()));
        }
    }

    pub(super) fn end_if(&mut self, line: Snippet<'s>) {
        if let Some(frame) = self.close(line, &["if"]) {
            self.end_decision(frame, line);
        }
    }

    /// Adds a decision whose arms are complete. Without `else`, the flow goes on behind it.
    pub(super) fn end_decision(&mut self, frame: Frame<'s>, line: Snippet<'s>) {
        let mut node = frame.node;
        let is_open = frame.content.role != "otherwise";
        node.children.push(frame.content);
        let complete = node.take("otherwise").is_some();
        // Text has no decision with `else` alone.
        let has_else = node
            .children
            .last()
            .is_some_and(|it| it.role == "otherwise");
        node.children.retain(|it| {
            let is_empty = it.role == "when" && it.children.is_empty() && !it.has("guard");
            !(has_else && is_empty)
        });
        let is_choose = node.value("role").is_some_and(|it| it.value == "choose");
        if is_choose {
            return self.choose(node);
        }
        for arm in &mut node.children {
            if arm.role == "when" && !arm.has("guard") {
                self.report(arm.span, "there is no condition", "write it in `if (…)`");
                arm.set("guard", Text::new(ANY, arm.span));
            }
        }
        if is_open && !complete {
            node.children.push(Part::new("otherwise", line.span()));
        }
        self.content().children.push(node);
    }

    /// Adds a UML `ConditionalNode`.
    pub(super) fn choose(&mut self, mut node: Part) {
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
            let case = mem::replace(arm, Part::new("case", arm.span));
            *arm = graph::finished(case, self.diagnostics);
        }
        self.content().children.push(node);
    }

    pub(super) fn begin_switch(&mut self, line: Snippet<'s>, rest: Snippet<'s>) {
        let (subject, rest) = self.condition(line, rest);
        self.arm_label(rest);
        let node = Part::new("decision", line.span());
        self.open("switch", line, node, Part::new("", line.span()));
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
        let subject = subject.map(|it| it.value().value).unwrap_or_default();
        let guard = format!("({subject}) == ({})", value.value().value);
        self.next_content(arm(line, Text::new(guard, value.span())));
    }

    pub(super) fn end_switch(&mut self, line: Snippet<'s>) {
        let Some(mut frame) = self.close(line, &["switch"]) else {
            return;
        };
        // What stands before the first case, which must be nothing.
        let first = frame.node.children.iter().position(|it| it.role.is_empty());
        let before = first.map(|at| frame.node.children.remove(at));
        let stray = before.and_then(|it| it.children.into_iter().next());
        if let Some(stray) = stray {
            self.report(stray.span, "this stands before the first `case`", "");
        }
        if frame.content.role.is_empty() {
            return self.report(line.span(), "there is no `case`", "");
        }
        self.end_decision(frame, line);
    }

    pub(super) fn begin_while(&mut self, line: Snippet<'s>, rest: Snippet<'s>) {
        let (condition, rest) = self.condition(line, rest);
        let label = self.arm_label(rest.after("is").unwrap_or(rest));
        let turned = label.is_some_and(|it| !it.holds);
        let mut node = Part::new("loop", line.span());
        if !condition.text.is_empty() {
            node.set("condition", turned_around(condition.value(), turned));
        }
        self.open("while", line, node, Part::new("body", line.span()));
        self.turn(turned);
    }

    pub(super) fn end_while(&mut self, line: Snippet<'s>, rest: Snippet<'s>) {
        if self.frames.last().is_some_and(|it| it.word == "while") {
            self.other_label(rest);
        }
        self.end_loop(line, "while");
    }

    pub(super) fn begin_repeat(&mut self, line: Snippet<'s>, rest: Snippet<'s>, model: &mut Part) {
        let mut node = Part::new("loop", line.span());
        node.set("tested", Text::new("last", line.span()));
        self.open("repeat", line, node, Part::new("body", line.span()));
        if !rest.text.is_empty() {
            self.statement(rest, model);
        }
    }

    pub(super) fn end_repeat(&mut self, line: Snippet<'s>, rest: Snippet<'s>) {
        let rest = rest.after("while").unwrap_or(rest);
        let (condition, rest) = self.condition(line, rest);
        let (again, leave) = match rest.after("is") {
            Some(label) => {
                let behind = label.parenthesis('(', ')').map(|(_, behind)| behind);
                let leave = behind.unwrap_or_else(|| label.from(label.text.len()));
                (label.part(0, leave.at - label.at).trim(), leave)
            }
            None => (rest.part(0, 0), rest),
        };
        let again = self.arm_label(again);
        let leave = leave.after("not").unwrap_or(leave);
        let turned = again.is_some_and(|it| !it.holds);
        self.turn(turned);
        self.other_label(leave);
        if let Some(frame) = self.frames.last_mut().filter(|it| it.word == "repeat")
            && !condition.text.is_empty()
        {
            let condition = turned_around(condition.value(), turned);
            frame.node.set("condition", condition);
        }
        self.end_loop(line, "repeat");
    }

    /// Adds a loop with its body, and with parts of it that come before.
    pub(super) fn end_loop(&mut self, line: Snippet<'s>, word: &'static str) {
        let Some(Frame {
            mut node, content, ..
        }) = self.close(line, &[word])
        else {
            return;
        };
        let mut body = content;
        let (parts, children) = mem::take(&mut body.children)
            .into_iter()
            .partition(|it| matches!(it.role, "setup" | "test"));
        body.children = children;
        let parts: Vec<Part> = parts;
        node.children.extend(parts);
        node.children.push(graph::finished(body, self.diagnostics));
        self.content().children.push(node);
    }

    /// Reads a connector, `(A)`: a label, or, before `detach` and without a role, a jump to it.
    pub(super) fn connector(&mut self, line: Snippet<'s>) {
        if let Some(name) = connector(line) {
            let mut part = Part::new("label", line.span());
            part.set("key", name.value());
            part.set(CONNECTOR, name.value());
            self.add(part);
        }
    }

    /// Reads an end of the flow without a node; a connector before it, or a comment, says where it
    /// goes on.
    pub(super) fn detach(&mut self, line: Snippet<'s>) {
        let mut part = self.complete(Part::new("detach", line.span()));
        let last = self.content().children.last_mut();
        let is_jump = |it: &&mut Part| it.has(CONNECTOR) && !it.has("role");
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
        let node = Part::new("fork", line.span());
        self.open(word, line, node, Part::new("branch", line.span()));
    }

    pub(super) fn fork_again(&mut self, line: Snippet<'s>, word: &str) {
        if self.inside(line, word) {
            self.next_content(Part::new("branch", line.span()));
        }
    }

    pub(super) fn end_fork(&mut self, line: Snippet<'s>, word: &str) {
        if let Some(frame) = self.close(line, &[word]) {
            let mut node = frame.node;
            node.children.push(frame.content);
            self.content().children.push(node);
        }
    }
}

/// A label that says whether the condition holds.
#[derive(Clone, Copy)]
pub(super) struct Label<'s> {
    text: Snippet<'s>,
    holds: bool,
}

/// True for a label as `yes`, false for one as `no`.
pub(in crate::plantuml) fn holds(label: &str) -> Option<bool> {
    match label.to_ascii_lowercase().as_str() {
        "yes" | "true" => Some(true),
        "no" | "false" => Some(false),
        _ => None,
    }
}

/// A condition, which `(no)` at its arm turns around.
fn turned_around(condition: Text, turned: bool) -> Text {
    if turned && !condition.value.is_empty() {
        return Text::new(format!("!({})", condition.value), condition.span);
    }
    condition
}

/// The name of a connector.
pub(super) fn connector(line: Snippet<'_>) -> Option<Snippet<'_>> {
    let (name, rest) = line.parenthesis('(', ')')?;
    let is_name = name.text.len() == 1 && name.text.chars().all(|c| c.is_ascii_alphanumeric());
    (is_name && rest.text.is_empty()).then_some(name)
}

fn arm(line: Snippet<'_>, guard: Text) -> Part {
    let mut arm = Part::new("when", line.span());
    if !guard.value.is_empty() {
        arm.set("guard", guard);
    }
    arm
}
