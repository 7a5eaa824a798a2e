//! Parses loops.
//!
//! A loop becomes a node with a body. If it contains `break` or `backward`, it becomes a merge and
//! a decision with a flow back, as drawn.

use std::mem;

use super::conditions::{ANY, condition_in, turned_around};
use super::parser::{DiagramParser, Frame, Leaving};
use super::texts::{self, label_end};
use crate::plantuml::graph;
use crate::plantuml::part::FormElement;
use crate::plantuml::snippet::Snippet;
use crate::source::{Span, Text};

impl<'s> DiagramParser<'_, 's, '_> {
    pub(super) fn begin_while(&mut self, line: Snippet<'s>, rest: Snippet<'s>) {
        let (condition, rest) = self.condition(line, rest);
        let (guard, turned, rest) = self.compared(condition, rest, true);
        let label = self.arm_label(rest.after("is").unwrap_or(rest));
        let turned = label.map_or(turned, |it| !it.holds);
        let mut node = FormElement::new("loop", line.span());
        if !condition.text.is_empty() {
            node.set("condition", turned_around(guard, turned));
        }
        self.open("while", line, node, FormElement::new("body", line.span()));
        self.turn(turned);
    }

    pub(super) fn end_while(&mut self, line: Snippet<'s>, rest: Snippet<'s>) {
        if self.frames.last().is_some_and(|it| it.word == "while") {
            self.other_label(rest);
        }
        self.end_loop(line, "while");
    }

    pub(super) fn begin_repeat(
        &mut self,
        line: Snippet<'s>,
        rest: Snippet<'s>,
        model: &mut FormElement,
    ) {
        let mut node = FormElement::new("loop", line.span());
        node.set("tested", Text::new("last", line.span()));
        self.open("repeat", line, node, FormElement::new("body", line.span()));
        if !matches!(rest.text, "" | ";") {
            // Here, the label of an action ends with the line.
            match texts::action_begin(rest).filter(|it| label_end(*it).is_none()) {
                Some(label) => self.item(rest, label),
                None => self.statement(rest, model),
            }
        }
    }

    /// Reports `repeat until`, and ends the loop.
    pub(super) fn repeat_until(&mut self, line: Snippet<'s>, condition: Snippet<'s>) {
        let inner = condition_in(condition).map_or(condition, |(inner, _)| inner);
        let help = format!("write `repeat while (!({}))`", inner.text);
        self.report(line.span(), "`repeat until` is not supported", &help);
        if let Some(frame) = self.frames.last_mut().filter(|it| it.word == "repeat") {
            frame.node.set("condition", Text::new(ANY, line.span()));
        }
        self.end_loop(line, "repeat");
    }

    pub(super) fn end_repeat(&mut self, line: Snippet<'s>, rest: Snippet<'s>) {
        let rest = rest.after_word("while").unwrap_or(rest);
        // Without a condition, the loop repeats forever.
        let nothing = (rest, rest);
        let (condition, rest) = match rest.ended().text {
            "" => nothing,
            _ => self.condition(line, rest),
        };
        let (guard, turned, rest) = self.compared(condition, rest.ended(), true);
        // Words before the arrow can label the branch that leaves the loop.
        let rest = rest.after("->").unwrap_or(rest);
        self.turn(turned);
        self.other_label(rest.after("not").unwrap_or(rest));
        if let Some(frame) = self.frames.last_mut().filter(|it| it.word == "repeat")
            && !condition.text.is_empty()
        {
            frame.node.set("condition", turned_around(guard, turned));
            frame.leaving.test = Some(line.span());
        }
        self.end_loop(line, "repeat");
    }

    /// Parses `break`, which leaves the innermost loop.
    pub(super) fn break_loop(&mut self, line: Snippet<'s>) {
        let number = self.next;
        let mut inner = self.frames.iter_mut().rev();
        let found = inner.find(|it| !matches!(it.word, "if" | "switch"));
        let Some(frame) = found.filter(|it| matches!(it.word, "while" | "repeat")) else {
            let help = "a `break` can leave the loop around it, but not a fork or partition";
            return self.report(line.span(), "there is no loop to leave here", help);
        };
        let label = frame
            .leaving
            .label
            .get_or_insert_with(|| format!("@behind {number}"));
        let mut goto = FormElement::new("goto", line.span());
        goto.set("key", Text::new(label.clone(), line.span()));
        self.add(goto);
    }

    /// Parses `backward :label;`. The action runs before the next iteration of the loop.
    pub(super) fn backward(&mut self, line: Snippet<'s>, rest: Snippet<'s>) {
        let is_loop = |it: &Frame<'_>| matches!(it.word, "while" | "repeat");
        if !self.frames.last().is_some_and(is_loop) {
            return self.report(line.span(), "this is outside a loop", "");
        }
        let Some(label) = super::texts::action_begin(rest) else {
            return self.not_understood(line, "write `backward :label;`");
        };
        self.action(line, label);
        if let Some(frame) = self.frames.last_mut() {
            let action = frame.content.children.pop();
            frame.leaving.backward = action.or(frame.leaving.backward.take());
        }
    }

    /// Adds a loop with its body, after the parts that come before it.
    pub(super) fn end_loop(&mut self, line: Snippet<'s>, word: &'static str) {
        let Some(Frame {
            mut node,
            content,
            leaving,
            ..
        }) = self.close(line, &[word])
        else {
            return;
        };
        let mut body = content;
        let (parts, children) = mem::take(&mut body.children)
            .into_iter()
            .partition(|it| matches!(it.role, "setup" | "test"));
        let parts: Vec<FormElement> = parts;
        if leaving.label.is_some() || leaving.backward.is_some() {
            if let Some(part) = parts.first() {
                self.report(
                    part.span,
                    "a loop with `break` or `backward` cannot have this part",
                    "",
                );
            }
            return self.drawn_loop(node, children, leaving, word == "while");
        }
        body.children = children;
        node.children.extend(parts);
        node.children.push(graph::finished(body, self.diagnostics));
        self.content().children.push(node);
    }

    /// Adds a loop in the form of a merge and a decision.
    fn drawn_loop(
        &mut self,
        mut node: FormElement,
        body: Vec<FormElement>,
        leaving: Leaving,
        tested_first: bool,
    ) {
        let span = leaving.test.unwrap_or(node.span);
        let again = format!("@again {}", self.next);
        let guard = node.take("condition");
        node.take("tested");
        node.role = "decision";
        let mut when = FormElement::new("when", span);
        if let Some(guard) = guard {
            when.set("guard", guard);
        }
        let mut statements = vec![jump("label", &again, span)];
        if tested_first {
            when.children = body;
        } else {
            statements.extend(body);
        }
        when.children.extend(leaving.backward);
        when.children.push(jump("goto", &again, span));
        node.children = vec![when, FormElement::new("otherwise", span)];
        statements.push(node);
        statements.extend(leaving.label.map(|it| jump("label", &it, span)));
        self.content().children.extend(statements);
    }
}

fn jump(role: &'static str, label: &str, span: Span) -> FormElement {
    let mut jump = FormElement::new(role, span);
    jump.set("key", Text::new(label, span));
    jump
}
