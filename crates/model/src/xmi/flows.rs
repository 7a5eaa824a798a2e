//! Reads edges with their ends and guards, and decides which of them are flows.

use std::collections::BTreeSet;

use super::reader::Reader;
use super::tree::NodeId;
use super::values::{c_code, without_brackets};
use super::vocabulary::Context;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{model as rules, xmi as reading};
use crate::model::{Code, ElementId, Flow, Guard, NodeKind};
use crate::path;
use prophet_map::Map;

/// For each edge, the node that lists it. Needed if an edge doesn't name its ends.
type Backlinks = Map<NodeId, NodeId>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    pub(super) element: ElementId,
    /// Whether the edge ends at a pin of the element.
    pub(super) is_pin: bool,
}

#[derive(Debug)]
pub(super) struct Edge {
    pub(super) node: NodeId,
    pub(super) source: End,
    pub(super) target: End,
    pub(super) is_object: bool,
    pub(super) flow: Flow,
}

impl Reader<'_, '_> {
    /// Reads all edges, and turns them into flows.
    pub(super) fn connect(&mut self) {
        let mut backlinks = None;
        let mut edges = Vec::new();
        for node in std::mem::take(&mut self.edges) {
            edges.extend(self.edge(node, &mut backlinks));
        }
        self.leave_out_interruptions(&mut edges);
        self.leave_out_handlers(&edges);
        self.choose_by_probability(&mut edges);
        self.take_names_for_guards(&mut edges);
        self.link(edges);
    }

    /// Turns edges into flows of the diagrams that contain them.
    pub(super) fn link(&mut self, mut edges: Vec<Edge>) {
        self.take_file_pins(&edges);
        edges.retain(|edge| !self.is_of_pins(edge));
        self.lift(&mut edges);
        edges.retain(|edge| self.is_in_one_diagram(edge));
        self.pass_objects(&mut edges);
        let ends = |edge: &Edge| (edge.flow.source, edge.flow.target);
        let control = edges.iter().filter(|edge| !edge.is_object);
        let mut drawn: BTreeSet<_> = control.map(ends).collect();
        let mut plain = BTreeSet::new();
        for edge in edges {
            // Data edges parallel to a control edge, and second edges between the same nodes, add
            // nothing.
            let is_repeated = if edge.is_object {
                !drawn.insert(ends(&edge))
            } else {
                edge.flow.guard.is_none() && !plain.insert(ends(&edge))
            };
            let is_within = edge.is_object && edge.flow.source == edge.flow.target;
            if is_repeated || is_within {
                let reason = if edge.is_object {
                    "only carries data along a control flow"
                } else {
                    "repeats another edge"
                };
                self.dropped.insert(edge.node, reason);
            } else {
                let diagram = self.elements[edge.flow.source.0].diagram;
                self.diagrams[diagram.0].flows.push(edge.flow);
            }
        }
    }

    /// Reads an edge. Returns `None` after reporting a problem, or if one of its ends wasn't read.
    fn edge(&mut self, node: NodeId, backlinks: &mut Option<[Backlinks; 2]>) -> Option<Edge> {
        let path = self.path_of(node);
        self.check_vocabulary(node, Context::Edge, &path);
        let source = self.end(node, "source", &path, backlinks);
        let target = self.end(node, "target", &path, backlinks);
        let (source, target) = (source?, target?);
        let is_decided = matches!(
            self.elements[source.element.0].kind,
            NodeKind::Decision | NodeKind::Unsupported(_)
        );
        let guard = self.guard(node, &path, is_decided);
        Some(Edge {
            node,
            source,
            target,
            is_object: self.tree.kind(node) == "ObjectFlow",
            flow: Flow {
                source: source.element,
                target: target.element,
                guard,
                span: self.tree.span(node),
            },
        })
    }

    /// Returns the path of the element that contains a node.
    fn path_of(&self, node: NodeId) -> String {
        let mut around = self.tree.ancestors(node).skip(1);
        let found = around.find_map(|it| {
            let diagram = self.activities.get(&it).map(|id| &self.diagrams[id.0].path);
            let element = || self.element_of.get(&it).map(|id| &self.elements[id.0].path);
            diagram.or_else(element)
        });
        found.cloned().unwrap_or_default()
    }

    fn end(
        &mut self,
        edge: NodeId,
        role: &str,
        path: &str,
        backlinks: &mut Option<[Backlinks; 2]>,
    ) -> Option<End> {
        let reference = self.tree.reference(edge, role);
        let (target, span) = if let Some(reference) = reference {
            (self.resolve(&reference, path)?, reference.span)
        } else {
            let [sources, targets] = backlinks.get_or_insert_with(|| self.all_backlinks());
            let links = if role == "source" { sources } else { targets };
            let span = self.tree.span(edge);
            if let Some(&node) = links.get(&edge) {
                self.linked_ends.get_or_default(edge).push(node);
                (node, span)
            } else {
                let message = format!("an edge has no {role}");
                let diagnostic = Diagnostic::new(&rules::MISSING_END, span, message);
                let help = "connect it again, or remove it";
                self.diagnostics.push(diagnostic.element(path).help(help));
                return None;
            }
        };
        let region = self.region_of(target);
        let mut is_pin = region.is_some();
        for node in self.tree.ancestors(region.unwrap_or(target)) {
            if let Some(&element) = self.element_of.get(&node) {
                return Some(End { element, is_pin });
            }
            if self.absorbed.contains(&node) {
                return None;
            }
            if self.activities.contains_key(&node) {
                break;
            }
            is_pin = true;
        }
        let what = self.tree.describe(target);
        let message =
            format!("the {role} of an edge is {what}, which is not a node of an activity");
        let diagnostic = Diagnostic::new(&rules::WRONG_TARGET, span, message);
        let help = "connect it to a node, or remove it";
        self.diagnostics.push(diagnostic.element(path).help(help));
        None
    }

    /// Returns two maps from edges to the nodes that list them: as outgoing, and as incoming.
    fn all_backlinks(&self) -> [Backlinks; 2] {
        ["outgoing", "incoming"].map(|role| {
            let mut links = Backlinks::new();
            for node in self.tree.ids() {
                for reference in self.tree.references(node, role) {
                    if let Some(edge) = reference.target {
                        links.get_or_insert(edge, node);
                    }
                }
            }
            links
        })
    }

    /// Returns `true` if an edge only carries data between the pins of a structured node and its
    /// content.
    fn is_of_pins(&mut self, edge: &Edge) -> bool {
        let is_around = |outer: End, inner: End| {
            let outer = self.element_nodes[outer.element.0];
            let inner = self.element_nodes[inner.element.0];
            outer != inner && self.tree.ancestors(inner).any(|it| it == outer)
        };
        let enters = edge.source.is_pin && is_around(edge.source, edge.target);
        let leaves = edge.target.is_pin && is_around(edge.target, edge.source);
        let is_of_pins = edge.is_object && (enters || leaves);
        if is_of_pins {
            let reason = "carries data between a structured node's pins and its content";
            self.dropped.insert(edge.node, reason);
        }
        is_of_pins
    }

    /// Returns `true` if both ends of an edge are in the same diagram. Otherwise, reports the edge.
    fn is_in_one_diagram(&mut self, edge: &Edge) -> bool {
        let diagram_of = |end: End| self.elements[end.element.0].diagram;
        let (source, target) = (diagram_of(edge.source), diagram_of(edge.target));
        if source == target {
            return true;
        }
        self.dropped.insert(edge.node, "crosses a border");
        let path = &self.diagrams[source.0].path;
        let is_one_node = self.diagram_owners[source.0] == self.diagram_owners[target.0];
        let diagnostic = if is_one_node {
            let message = "an edge between two parts of a node has no effect";
            let help = "the parts run one after another anyway";
            Diagnostic::new(&rules::EDGE_BETWEEN_PARTS, edge.flow.span, message).help(help)
        } else {
            let of = |end: End| path::shorten(&self.elements[end.element.0].path).into_owned();
            let (source, target) = (of(edge.source), of(edge.target));
            let message = format!("an edge from `{source}` to `{target}` crosses a border");
            let help = "connect nodes of one activity or structured node";
            Diagnostic::new(&rules::CROSSING_EDGE, edge.flow.span, message).help(help)
        };
        let diagnostic = diagnostic.element(path);
        self.diagnostics.push(diagnostic);
        false
    }

    /// Reads the guard of an edge. Ignores a meaningless `true`, which many tools write on every
    /// edge.
    fn guard(&mut self, edge: NodeId, path: &str, is_decided: bool) -> Option<Guard> {
        let code = self.guard_code(edge, path)?;
        guard_of(without_brackets(code, self.tree.source), is_decided)
    }

    /// Uses the names of edges as guards if they are in brackets or are `else`. If a decision has
    /// no guards at all, uses any names, because some tools can't store guards.
    pub(super) fn take_names_for_guards(&mut self, edges: &mut [Edge]) {
        let is_set = |edge: &Edge| match &edge.flow.guard {
            None => false,
            Some(Guard::Else) => true,
            Some(Guard::When(code)) => code.text.value != "true",
        };
        let guarded = edges.iter().filter(|edge| is_set(edge));
        let guarded: BTreeSet<ElementId> = guarded.map(|edge| edge.flow.source).collect();
        for edge in edges {
            let source = edge.flow.source;
            if is_set(edge) || self.elements[source.0].kind != NodeKind::Decision {
                continue;
            }
            let name = self.tree.name(edge.node);
            let is_guard = name.value.starts_with('[') && name.value.ends_with(']')
                || name.value.eq_ignore_ascii_case("else")
                || !(guarded.contains(&source) || is_automatic(&name.value));
            if name.value.is_empty() || !is_guard {
                continue;
            }
            let shown = path::shorten(&name.value);
            let message = format!("the name `{shown}` of an edge is read as its guard");
            let finding = Diagnostic::new(&reading::GUARD_FROM_NAME, name.span, message);
            let help = "write it as a guard if your tool supports guards";
            let path = &self.elements[source.0].path;
            let finding = finding.element(path).help(help);
            self.note_kind("guard", finding);
            self.guards_from_names.insert(edge.node);
            edge.flow.guard = guard_of(without_brackets(c_code(name), self.tree.source), true);
        }
    }

    fn guard_code(&mut self, edge: NodeId, path: &str) -> Option<Code> {
        let mut children = self.tree.children_in(edge, "guard");
        let child = children.find(|&child| !self.tree.is_reference(child));
        if let Some(child) = child {
            return self.value_or_words(child, path);
        }
        self.tree.property(edge, "guard").map(c_code)
    }
}

pub(super) fn guard_of(code: Code, is_decided: bool) -> Option<Guard> {
    let text = code.text.value.as_str();
    if text.is_empty() || (text == "true" && !is_decided) {
        return None;
    }
    Some(if text.eq_ignore_ascii_case("else") {
        Guard::Else
    } else {
        Guard::When(code)
    })
}

/// Returns `true` if a tool has generated the name of an edge, such as `ControlFlow12`.
fn is_automatic(name: &str) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '_' | '-' | ' '));
    let stems = ["controlflow", "objectflow", "activityedge", "edge", "flow"];
    stems.contains(&stem.to_ascii_lowercase().as_str())
}
