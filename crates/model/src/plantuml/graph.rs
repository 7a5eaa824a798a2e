//! Converts content that contains jumps to a graph of nodes and flows.

use std::collections::BTreeMap;

use super::part::FormElement;
use super::problem;
use crate::diagnostic::{Diagnostics, Span};
use crate::path::shorten;
use crate::source::Text;

/// Attribute of a label that is drawn as a connector.
pub(super) const CONNECTOR: &str = "connector";

/// Attribute of a fork whose branches meet in a merge.
pub(super) const MEETS: &str = "meets";

/// The start of a flow whose end isn't known yet.
struct Out {
    key: String,
    guard: Vec<(&'static str, Text)>,
    span: Span,
    /// Whether the flow is an arm or branch without any nodes so far.
    is_bare: bool,
}

struct Graph<'d> {
    nodes: Vec<FormElement>,
    flows: Vec<FormElement>,
    others: Vec<FormElement>,
    /// Known labels, with their places.
    labels: BTreeMap<String, Span>,
    /// Jumps: the flows that lead there, the label to jump to, and whether a connector is drawn.
    jumps: Vec<(Vec<Out>, Text, bool)>,
    number: usize,
    /// Key for the next node, if a label has set it.
    key: Option<String>,
    diagnostics: &'d mut Diagnostics,
}

/// Converts the content to nodes and flows if it contains jumps. Otherwise, returns it unchanged.
pub(super) fn finished(mut content: FormElement, diagnostics: &mut Diagnostics) -> FormElement {
    if !has_jumps(&content) {
        return content;
    }
    let mut graph = Graph {
        nodes: Vec::new(),
        flows: Vec::new(),
        others: Vec::new(),
        labels: BTreeMap::new(),
        jumps: Vec::new(),
        number: 0,
        key: None,
        diagnostics,
    };
    let children = std::mem::take(&mut content.children);
    let first = { children.iter() }.find(|it| !matches!(it.role, "comment" | "local"));
    // A drawn loop can start with a merge. Without an initial node, nothing would start it, because
    // a flow leads back to it.
    let start = first.filter(|it| it.role == "label").map(|it| it.span);
    let start = start.map(|span| graph.node(FormElement::new("initial", span), Vec::new()));
    let from = start.map(|key| out(key, content.span));
    graph.sequence(children, from.into_iter().collect());
    graph.resolve();
    content.set("flows", Text::new("listed", content.span));
    content.children = graph.others;
    content.children.extend(ordered(graph.nodes));
    content.children.extend(graph.flows);
    content
}

/// Sorts the nodes that have an `order`, because nodes with the same path get consecutive ids.
fn ordered(mut nodes: Vec<FormElement>) -> Vec<FormElement> {
    let mut wanted = Vec::new();
    for (at, node) in nodes.iter_mut().enumerate() {
        let order = node
            .take("order")
            .and_then(|it| it.value.parse::<usize>().ok());
        wanted.extend(order.map(|it| (it, at)));
    }
    let slots: Vec<usize> = wanted.iter().map(|(_, at)| *at).collect();
    wanted.sort_unstable();
    let sorted: Vec<FormElement> = wanted.iter().map(|(_, at)| nodes[*at].clone()).collect();
    for (slot, node) in slots.into_iter().zip(sorted) {
        nodes[slot] = node;
    }
    nodes
}

/// Returns `true` if the content, including its arms and branches, contains a jump or continues
/// after an end.
fn has_jumps(content: &FormElement) -> bool {
    let nodes = content.children.iter().map(|it| it.role);
    let mut behind_end = nodes.skip_while(|it| !matches!(*it, "final" | "flow-final"));
    if behind_end.any(|it| it == "initial") {
        return true;
    }
    content.children.iter().any(|it| match it.role {
        "label" | "goto" | "detach" => true,
        "decision" | "fork" if is_implied(it) => true,
        // Only flows can be without a guard.
        "when" if !it.has("guard") => true,
        "fork" if it.has(MEETS) => true,
        "decision" | "fork" | "when" | "otherwise" | "branch" => has_jumps(it),
        _ => false,
    })
}

impl Graph<'_> {
    /// Adds a sequence of statements. Returns the flows that leave the last one.
    fn sequence(&mut self, parts: Vec<FormElement>, mut from: Vec<Out>) -> Vec<Out> {
        let mut is_first = true;
        for mut part in parts {
            let is_other = matches!(part.role, "comment" | "local");
            match part.role {
                _ if is_other => self.others.push(part),
                "goto" => {
                    let label = part.value("key").cloned().unwrap_or_default();
                    let is_drawn = part.has(CONNECTOR);
                    self.jumps
                        .push((std::mem::take(&mut from), label, is_drawn));
                }
                "detach" => {
                    self.detach(part.span, std::mem::take(&mut from), is_first);
                }
                "label" => from = self.label(part, from),
                "decision" | "fork" if is_implied(&part) => {
                    let span = part.span;
                    let ends = self.implied(part, &from);
                    from = self.add_merge_or_join("merge", None, span, ends);
                }
                "decision" | "fork" if part.children.iter().any(is_arm) => {
                    let (arms, others) = part.children.into_iter().partition(is_arm);
                    part.children = others;
                    let is_join = part.role == "fork" && part.take(MEETS).is_none();
                    let kind = if is_join { "join" } else { "merge" };
                    let meet = part.take(kind);
                    let span = part.span;
                    let key = self.node(part, from);
                    let ends = self.arms(&key, arms);
                    from = self.add_merge_or_join(kind, meet, span, ends);
                }
                _ => {
                    let (span, ends) = (part.span, matches!(part.role, "final" | "flow-final"));
                    let key = self.node(part, from);
                    from = if ends {
                        Vec::new()
                    } else {
                        vec![out(key, span)]
                    };
                }
            }
            is_first &= is_other;
        }
        from
    }

    /// Ends flows without a node. An arm without any nodes would be lost, so it gets a node if it
    /// leaves a loop.
    fn detach(&mut self, span: Span, from: Vec<Out>, is_first: bool) {
        let has_bare = from.iter().any(|it| it.is_bare);
        if is_first && (from.is_empty() || has_bare) {
            let message = "`detach` and `kill` need a node before them";
            let help = "write `end`, which ends only this flow, or put an action before it";
            self.diagnostics.push(problem(span, message, help));
        } else if has_bare {
            self.node(FormElement::new("flow-final", span), from);
        }
    }

    /// Adds the arms of a decision or the branches of a fork. Returns the flows that leave them.
    fn arms(&mut self, key: &str, arms: Vec<FormElement>) -> Vec<Out> {
        let mut ends = Vec::new();
        for mut arm in arms {
            let guard = match arm.role {
                "when" => ["guard", "language"]
                    .into_iter()
                    .filter_map(|name| Some((name, arm.take(name)?)))
                    .collect(),
                "otherwise" => vec![("else", Text::new("true", arm.span))],
                _ => Vec::new(),
            };
            let first = Out {
                key: key.to_owned(),
                guard,
                span: arm.span,
                is_bare: true,
            };
            ends.extend(self.sequence(arm.children, vec![first]));
        }
        ends
    }

    /// Adds the arms or branches of a decision or fork that isn't drawn, because the previous
    /// node's outgoing flows imply it.
    fn implied(&mut self, part: FormElement, from: &[Out]) -> Vec<Out> {
        if let [Out { key, guard, .. }] = from
            && guard.is_empty()
        {
            return self.arms(key, part.children);
        }
        let message = "the comment attaches this to the node before it, but there is no such node";
        self.diagnostics
            .push(problem(part.span, message, "remove the comment before it"));
        Vec::new()
    }

    /// Adds a merge or join after a statement if several flows meet there.
    fn add_merge_or_join(
        &mut self,
        kind: &'static str,
        name: Option<Text>,
        span: Span,
        ends: Vec<Out>,
    ) -> Vec<Out> {
        if ends.is_empty() || ends.len() == 1 && name.is_none() {
            return ends;
        }
        let mut meet = FormElement::new(kind, span);
        if let Some(name) = name {
            meet.set("name", name);
        }
        let key = self.node(meet, ends);
        vec![out(key, span)]
    }

    /// Adds a label as a merge, unless a comment makes it a join or the name of the next node.
    fn label(&mut self, mut part: FormElement, from: Vec<Out>) -> Vec<Out> {
        let key = part.take("key").map(|it| it.value).unwrap_or_default();
        let span = part.span;
        if self.labels.insert(key.clone(), span).is_some() {
            let message = format!("duplicate label `{}`", shorten(&key));
            self.diagnostics
                .push(problem(span, message, "give each label its own name"));
            return from;
        }
        part.take(CONNECTOR);
        let role = part.take("role").map(|it| it.value);
        match role.as_deref() {
            None | Some("merge") => part.role = "merge",
            Some("join") => part.role = "join",
            Some("next") => {
                self.key = Some(label_key(&key));
                return from;
            }
            Some(other) => {
                let message = format!("a label cannot be a `{}`", shorten(other));
                self.diagnostics.push(problem(span, message, ""));
            }
        }
        self.key = Some(label_key(&key));
        let key = self.node(part, from);
        vec![out(key, span)]
    }

    /// Adds a node with these incoming flows. Returns its key.
    fn node(&mut self, mut part: FormElement, from: Vec<Out>) -> String {
        let key = self.key.take().unwrap_or_else(|| {
            self.number += 1;
            format!("n{}", self.number)
        });
        part.set("key", Text::new(key.clone(), part.span));
        self.nodes.push(part);
        for out in from {
            self.flow(out, &key);
        }
        key
    }

    fn flow(&mut self, from: Out, to: &str) {
        let mut flow = FormElement::new("flow", from.span);
        flow.set("from", Text::new(from.key, from.span));
        flow.set("to", Text::new(to, from.span));
        for (name, value) in from.guard {
            flow.set(name, value);
        }
        self.flows.push(flow);
    }

    fn resolve(&mut self) {
        for (from, label, is_drawn) in std::mem::take(&mut self.jumps) {
            if self.labels.contains_key(&label.value) {
                let key = label_key(&label.value);
                for out in from {
                    self.flow(out, &key);
                }
            } else if is_drawn {
                // The flow continues in another diagram.
                self.node(FormElement::new("flow-final", label.span), from);
            } else {
                let message = format!("unknown label `{}`", shorten(&label.value));
                let help = "a `goto` needs a label in the same diagram or partition";
                self.diagnostics.push(problem(label.span, message, help));
            }
        }
    }
}

fn is_arm(part: &FormElement) -> bool {
    matches!(part.role, "when" | "otherwise" | "branch")
}

/// Returns `true` for a decision or fork that the previous node's outgoing flows imply.
fn is_implied(part: &FormElement) -> bool {
    part.value("role").is_some_and(|it| it.value == "implied")
}

fn out(key: String, span: Span) -> Out {
    Out {
        key,
        guard: Vec::new(),
        span,
        is_bare: false,
    }
}

/// Returns the key of a label's node. It can't clash with the keys of other nodes.
fn label_key(label: &str) -> String {
    format!("label {label}")
}
