//! Parses the older syntax of activity diagrams: nodes connected by arrows.
//!
//! This syntax has no symbol for a merge, so flows that meet at an action count as alternatives. A
//! bar is a join, a fork, or both. If the flows into it come from a decision, it is a merge. A node
//! with labeled outgoing arrows is a decision.

mod bars;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use bars::Arrows;

use super::conditions::{ANY, holds, turned_around};
use super::parser::DiagramParser;
use super::texts;
use crate::plantuml::part::FormElement;
use crate::plantuml::snippet::Snippet;
use crate::plantuml::{is_end, label};
use crate::source::{Span, Text};

#[derive(Default)]
pub(super) struct Old<'s> {
    nodes: Vec<FormElement>,
    /// Index of each node, by the label or name that arrows use.
    known: BTreeMap<Cow<'s, str>, usize>,
    flows: Vec<OldFlow>,
    /// The node where an arrow without a start node begins.
    last: Option<usize>,
    ifs: Vec<If>,
}

struct OldFlow {
    from: usize,
    to: usize,
    /// The guard or, if the arrow doesn't come from a decision, its text.
    when: When,
    span: Span,
}

enum When {
    Always,
    Says(Text),
    Guard(Text),
    Else,
}

/// An `if` whose end hasn't been parsed yet.
struct If {
    decision: usize,
    condition: Text,
    is_else: bool,
    span: Span,
}

/// Returns `true` if the lines are in the older syntax, where arrows lead from or to `(*)`.
pub(super) fn is_old(lines: &[Snippet<'_>]) -> bool {
    lines
        .iter()
        .any(|it| it.text.contains("(*") && arrow_at(it.text).is_some())
}

fn arrow_at(line: &str) -> Option<usize> {
    line.find("->")
        .or_else(|| line.find("=>"))
        .or_else(|| line.find(".>"))
}

impl<'s> DiagramParser<'_, 's, '_> {
    pub(super) fn old_block(&mut self, model: &mut FormElement) {
        let mut old = Old::default();
        while let Some(line) = self.line() {
            if is_end(line.text) {
                break;
            }
            self.old_statement(line, &mut old, model);
        }
        let content = self.content();
        content.set("flows", Text::new("listed", content.span));
        content.children.extend(old.finished());
    }

    fn old_statement(&mut self, line: Snippet<'s>, old: &mut Old<'s>, model: &mut FormElement) {
        let line = self.without_comments(line);
        let is_arrow = arrow(line).is_some();
        if line.text.is_empty() || !is_arrow && self.is_aside(line) {
            return;
        }
        let (word, rest) = line.word();
        match word.to_ascii_lowercase().as_str() {
            "title" => self.title(line, rest),
            "legend" => self.legend(line, model),
            "note" | "floating" => self.note(line, model),
            "partition" | "swimlane" => {}
            "if" => self.old_if(line, rest, old),
            "else" => match old.ifs.last_mut() {
                Some(open) => {
                    open.is_else = true;
                    old.last = Some(open.decision);
                }
                None => self.not_understood(line, "there is no `if` before it"),
            },
            "endif" => {
                old.ifs.pop();
            }
            "end" if rest.text.starts_with("if") => {
                old.ifs.pop();
            }
            "end" if rest.text.starts_with("partition") => {}
            _ if line.text == "}" => {}
            _ => self.link(line, old),
        }
    }

    /// Parses an arrow such as `"A" --> [label] "B"`. One of the two nodes can be missing.
    fn link(&mut self, line: Snippet<'s>, old: &mut Old<'s>) {
        let mut rest = line;
        if arrow(rest).is_none() {
            let Some((node, behind)) = self.end_of_arrow(rest, old, true) else {
                return self.not_understood(line, "docs/text.md lists what is supported");
            };
            old.last = Some(node);
            if behind.ended().text.is_empty() {
                return;
            }
            rest = behind;
        }
        let Some(behind) = arrow(rest) else {
            return self.not_understood(line, "write an arrow: `-->`");
        };
        // A hidden arrow only positions nodes. It isn't a flow.
        let drawn = &rest.text[..rest.text.len() - behind.text.len()];
        if drawn.contains("[hidden") {
            let place = self.end_of_arrow(behind, old, false);
            old.last = place.map(|(node, _)| node).or(old.last);
            return;
        }
        let Some(from) = old.last else {
            return self.report(
                line.span(),
                "this arrow has no start",
                "begin with `(*) -->`",
            );
        };
        let (text, behind) = match behind.parenthesis('[', ']') {
            Some((text, behind)) => (Some(text.condition()), behind),
            None => (None, behind),
        };
        let when = old.when(from, text);
        let to = if behind.word().0 == "if" {
            let span = line.span();
            let to = old.add(FormElement::new("decision", span));
            old.flow(from, to, when, span);
            return self.begin_old_if(line, behind.word().1, old, to);
        } else {
            self.end_of_arrow(behind, old, false)
        };
        let Some((to, _)) = to else {
            return self.report(
                line.span(),
                "this arrow has no target",
                "name a node after it",
            );
        };
        old.flow(from, to, when, line.span());
        old.last = Some(to);
    }

    fn old_if(&mut self, line: Snippet<'s>, rest: Snippet<'s>, old: &mut Old<'s>) {
        let decision = old.add(FormElement::new("decision", line.span()));
        if let Some(from) = old.last {
            let when = old.when(from, None);
            old.flow(from, decision, when, line.span());
        }
        self.begin_old_if(line, rest, old, decision);
    }

    /// Parses the start of an `if`, with its condition in quotes or not: `"condition" as NAME
    /// then`.
    fn begin_old_if(
        &mut self,
        line: Snippet<'s>,
        rest: Snippet<'s>,
        old: &mut Old<'s>,
        decision: usize,
    ) {
        let quoted = { rest.after("\"") }.and_then(|it| Some((it, it.text.find('"')?)));
        let condition = match quoted {
            Some((text, end)) => {
                // After `as NAME`, later arrows can start at this decision.
                let name = text.from(end + 1).trim().after("as ").map(Snippet::trim);
                let end_of_name = |it: Snippet<'_>| it.text.find(char::is_whitespace);
                if let Some(name) = name {
                    let name = name.part(0, end_of_name(name).unwrap_or(name.text.len()));
                    old.known.insert(name.text.into(), decision);
                }
                text.part(0, end)
            }
            None => rest.before("then").unwrap_or(rest),
        };
        if quoted.is_none() && condition.text.is_empty() {
            let help = "write the condition in quotes: `if \"condition\" then`";
            self.report(line.span(), "missing condition", help);
        }
        let condition = condition.condition();
        let span = line.span();
        let is_else = false;
        old.ifs.push(If {
            decision,
            condition,
            is_else,
            span,
        });
        old.last = Some(decision);
    }

    /// Parses the node at either end of an arrow: `(*)`, `"label" as name`, `===bar===` or `name`.
    fn end_of_arrow(
        &mut self,
        text: Snippet<'s>,
        old: &mut Old<'s>,
        is_start: bool,
    ) -> Option<(usize, Snippet<'s>)> {
        let span = text.span();
        if text.text.starts_with("(*") {
            let (inside, rest) = text.parenthesis('(', ')')?;
            let node = old.terminal(is_start, Span::new(text.at, inside.span().end + 1));
            return Some((node, rest));
        }
        if text.text.starts_with("==") {
            let name = text.from(text.text.find(|c| c != '=')?);
            let end = name.text.find('=')?;
            let rest = name.from(end);
            let rest = rest
                .from(rest.text.find(|c| c != '=').unwrap_or(rest.text.len()))
                .trim();
            let bar = || FormElement::new("join", span);
            return Some((old.node_of_name(name.part(0, end).text, bar), rest));
        }
        if text.text.starts_with('"') {
            return self.quoted(text, old);
        }
        // A name ends before the next arrow, color or stereotype.
        let ends = text.text.char_indices().filter(|(_, c)| c.is_whitespace());
        let mut ends = ends.map(|(at, _)| at);
        let stops = |at: &usize| {
            let rest = text.from(*at).trim();
            arrow(rest).is_some() || rest.text.starts_with(['#', '<'])
        };
        let end = ends.find(stops).unwrap_or(text.text.len());
        let name = text.part(0, end).trim();
        if !name
            .text
            .starts_with(|c: char| c.is_alphanumeric() || c == '_')
        {
            return None;
        }
        let mut part = FormElement::new("action", name.span());
        part.set("name", name.value());
        let node = old.node_of_name(name.text, || part);
        Some((node, styled(text.from(end).trim())))
    }

    fn quoted(&mut self, text: Snippet<'s>, old: &mut Old<'s>) -> Option<(usize, Snippet<'s>)> {
        let begin = text.from(1);
        let mut end = begin.text.find('"').map(|at| begin.at + at);
        let mut line = text;
        while end.is_none() {
            line = self.line()?;
            if is_end(line.text) {
                self.next -= 1;
                return None;
            }
            end = line.text.find('"').map(|at| line.at + at);
        }
        let end = end?;
        let label = self.whole().part(begin.at, end).trim();
        let mut rest = line.from(end + 1 - line.at).trim();
        // Labels with different indentation refer to the same node.
        let mut name = Cow::Borrowed(label.text);
        if label.text.contains('\n') {
            let lines: Vec<&str> = label.text.lines().map(str::trim).collect();
            name = Cow::Owned(lines.join("\n"));
        }
        if let Some(behind) = rest.after("as ") {
            let end = behind
                .text
                .find(char::is_whitespace)
                .unwrap_or(behind.text.len());
            name = behind.text[..end].into();
            rest = behind.from(end).trim();
        }
        if let Some(&known) = old.known.get(&name) {
            return Some((known, styled(rest)));
        }
        let mut part = FormElement::new("action", Span::new(text.at, end));
        label::read(label, &mut part, self.vocabulary, self.diagnostics);
        texts::call(&mut part);
        Some((old.node_of_name(name, || part), styled(rest)))
    }
}

impl<'s> Old<'s> {
    fn add(&mut self, part: FormElement) -> usize {
        self.nodes.push(part);
        self.nodes.len() - 1
    }

    /// Returns the node with a name. Creates it on first use.
    fn node_of_name(
        &mut self,
        name: impl Into<Cow<'s, str>>,
        make: impl FnOnce() -> FormElement,
    ) -> usize {
        let name = name.into();
        if let Some(&known) = self.known.get(&name) {
            return known;
        }
        let number = self.add(make());
        self.known.insert(name, number);
        number
    }

    /// Returns the initial node, which all arrows from `(*)` share, or a new final node.
    fn terminal(&mut self, is_start: bool, span: Span) -> usize {
        if is_start {
            return self.node_of_name("(*)", || FormElement::new("initial", span));
        }
        self.add(FormElement::new("final", span))
    }

    /// Returns the condition for the flow along an arrow with this text.
    fn when(&self, from: usize, text: Option<Text>) -> When {
        let open = self.ifs.last().filter(|it| it.decision == from);
        let is_first = !self
            .flows
            .iter()
            .any(|it| it.from == from && matches!(it.when, When::Guard(_) | When::Else));
        match (open, text) {
            (Some(open), _) if open.is_else => When::Else,
            (Some(open), text) if is_first => {
                let turned = text
                    .as_ref()
                    .is_some_and(|it| holds(&it.value) == Some(false));
                // Authors who want an empty diamond write the condition on the arrow.
                let condition = match (open.condition.value.as_str(), text) {
                    ("", Some(text)) => text,
                    ("", None) => Text::new(ANY, open.span),
                    _ => open.condition.clone(),
                };
                When::Guard(turned_around(condition, turned))
            }
            (Some(_), Some(text)) => When::Guard(text),
            (_, Some(text)) => When::Says(text),
            (_, None) => When::Always,
        }
    }

    fn flow(&mut self, from: usize, to: usize, when: When, span: Span) {
        self.flows.push(OldFlow {
            from,
            to,
            when,
            span,
        });
    }

    /// Returns the nodes and flows, including the merges, forks and decisions that the arrows
    /// imply.
    fn finished(mut self) -> Vec<FormElement> {
        let mut entries: Vec<usize> = (0..self.nodes.len()).collect();
        let mut exits = entries.clone();
        let merges = self.merging_bars();
        for node in 0..self.nodes.len() {
            let span = self.nodes[node].span;
            let arriving = self.flows.iter().filter(|it| it.to == node).count();
            let (leaving, says) = self.leaving(node);
            if self.nodes[node].role == "join" {
                if arriving < 2 {
                    self.nodes[node].role = "fork";
                } else if leaving > 1 {
                    exits[node] = self.add(FormElement::new("fork", span));
                }
                if merges.contains(&node) {
                    self.nodes[node].role = "merge";
                }
            } else {
                if arriving > 1 {
                    entries[node] = self.add(FormElement::new("merge", span));
                }
                let decides = self.nodes[node].role == "decision";
                if leaving > 1 && says && !decides {
                    exits[node] = self.add(FormElement::new("decision", span));
                }
            }
        }
        self.written(&entries, &exits)
    }

    fn leaving(&self, node: usize) -> (usize, bool) {
        let leaving = self.flows.iter().filter(|it| it.from == node);
        leaving.fold((0, false), |(count, says), it| {
            (count + 1, says || matches!(it.when, When::Says(_)))
        })
    }

    /// Finds the bars where alternatives meet: the flows into them don't come from a fork.
    fn merging_bars(&self) -> BTreeSet<usize> {
        let Some(&start) = self.known.get("(*)") else {
            return BTreeSet::new();
        };
        let ends = self.flows.iter().map(|it| (it.from, it.to));
        let arrows = Arrows::new(self.nodes.len(), ends);
        let is_fork = |node: usize| {
            let (leaving, says) = self.leaving(node);
            leaving > 1 && !says && self.nodes[node].role != "decision"
        };
        let arriving = |node: usize| self.flows.iter().filter(|it| it.to == node).count();
        let bars = (0..self.nodes.len()).filter(|it| self.nodes[*it].role == "join");
        let merges = |bar: &usize| {
            arriving(*bar) > 1 && arrows.parting(start, *bar).is_some_and(|it| !is_fork(it))
        };
        bars.filter(merges).collect()
    }

    fn written(mut self, entries: &[usize], exits: &[usize]) -> Vec<FormElement> {
        let mut all = mem::take(&mut self.nodes);
        for (number, node) in all.iter_mut().enumerate() {
            node.set("key", Text::new(number.to_string(), node.span));
        }
        let mut flows = Vec::new();
        let inner = (0..entries.len()).flat_map(|it| [(entries[it], it), (it, exits[it])]);
        for (from, to) in inner.filter(|(from, to)| from != to) {
            flows.push(flow(from, to, all[from].span));
        }
        for OldFlow {
            from,
            to,
            when,
            span,
        } in self.flows
        {
            let (from, to) = (exits[from], entries[to]);
            let mut part = flow(from, to, span);
            match when {
                When::Guard(guard) => part.set("guard", guard),
                When::Else => part.set("else", Text::new("true", span)),
                When::Says(words) if all[from].role == "decision" => part.set("guard", words),
                When::Says(_) | When::Always => {}
            }
            flows.push(part);
        }
        all.extend(flows);
        all
    }
}

fn flow(from: usize, to: usize, span: Span) -> FormElement {
    let mut flow = FormElement::new("flow", span);
    flow.set("from", Text::new(from.to_string(), span));
    flow.set("to", Text::new(to.to_string(), span));
    flow
}

/// Returns the text after an arrow, such as `-->`, `-right->`, `-[#red]->`, `==>` or `..>`.
fn arrow(text: Snippet<'_>) -> Option<Snippet<'_>> {
    let mut rest = text.text;
    let line = rest
        .chars()
        .next()
        .filter(|it| matches!(it, '-' | '=' | '.'))?;
    loop {
        rest = rest.trim_start_matches(line);
        if let Some(behind) = rest.strip_prefix('>') {
            return Some(text.from(text.text.len() - behind.len()).trim());
        }
        rest = match rest.strip_prefix('[') {
            Some(style) => &style[style.find(']')? + 1..],
            None => rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()),
        };
        if !rest.starts_with([line, '>', '[']) {
            return None;
        }
    }
}

/// Returns the text after the stereotype and color of a node.
fn styled(rest: Snippet<'_>) -> Snippet<'_> {
    let mut rest = rest;
    if rest.text.starts_with("<<")
        && let Some(end) = rest.text.find(">>")
    {
        rest = rest.from(end + 2).trim();
    }
    if rest.text.starts_with('#') {
        let end = rest
            .text
            .find(char::is_whitespace)
            .unwrap_or(rest.text.len());
        rest = rest.from(end).trim();
    }
    rest
}
