//! Turns errors in parts that the program doesn't reach into warnings, so that they don't prevent
//! generation.
//!
//! This applies to problems in activities that the program doesn't reach, unless they refer to a
//! part that the program does reach.

use super::reader::{Reader, is_edge};
use super::tree::{Namespace, NodeId, Slice};
use crate::diagnostic::{Diagnostic, Span};
use crate::model::{DiagramId, Element, Model};

impl Reader<'_, '_> {
    /// Records an unsupported part. Only one part of each kind is reported.
    pub(super) fn note_kind(&mut self, kind: &str, finding: Diagnostic) {
        let place = self.element_at(finding.span);
        let diagram = place.and_then(|it| self.diagram_around(it, &self.elements));
        self.unread.note(kind, diagram, finding);
    }

    /// Reports parts that weren't read, and turns errors into warnings in activities that the
    /// program doesn't reach, if it is clear which activity is the program.
    pub(super) fn report_by_reach(&mut self, model: Option<&Model>) {
        let unread = std::mem::take(&mut self.unread);
        match model.filter(|_| !self.is_open) {
            None => unread.report(|_| None, self.diagnostics),
            Some(model) => {
                let reached = model.reached();
                self.pardon(model, &reached);
                let elsewhere = |it: DiagramId| {
                    let path = &model.diagram(it).path;
                    (!reached[it.0]).then_some(path.as_str())
                };
                unread.report(elsewhere, self.diagnostics);
            }
        }
    }

    fn pardon(&mut self, model: &Model, reached: &[bool]) {
        if reached.iter().all(|is| *is) {
            return;
        }
        let mut problems = std::mem::take(self.diagnostics);
        for problem in problems.iter_mut() {
            let concerned = self.concerned(problem.span, &model.elements);
            let is_elsewhere = concerned.iter().all(|it| !reached[it.0]);
            if let Some(&first) = concerned.first().filter(|_| is_elsewhere) {
                problem.demote_to_warning(&model.diagram(first).path);
            }
        }
        *self.diagnostics = problems;
    }

    /// Returns the diagrams that a place belongs to; empty if they aren't known, or if the place
    /// may concern everything.
    pub(super) fn concerned(&self, span: Span, elements: &[Element]) -> Vec<DiagramId> {
        let Some(place) = self.element_at(span) else {
            return Vec::new();
        };
        if let Namespace::Other(_) = self.tree.node(place).namespace {
            return self.all_of(self.bases(place).iter().map(|it| it.target), elements);
        }
        let mut about = vec![Some(place)];
        let own_id = self.tree.xmi_attribute(place, "id");
        let own_id = own_id.or_else(|| self.tree.attribute(place, "xmi.id"));
        // If another element has the same id, references to the id lead to that element.
        about.extend(own_id.map(|id| self.tree.with_id(id.start, self.tree.raw(id))));
        for node in self.tree.ancestors(place) {
            if is_edge(self.tree.kind(node)) || self.tree.role(node) == "Transition" {
                about.extend(self.ends(node).map(Some));
            }
        }
        self.all_of(about.into_iter(), elements)
    }

    fn ends(&self, edge: NodeId) -> impl Iterator<Item = NodeId> {
        let of = move |role| {
            let mut named = self.tree.references(edge, role);
            named.extend(self.tree.named(edge, role));
            named.into_iter().filter_map(|it| it.target)
        };
        let linked = self.linked_ends.get(&edge).into_iter().flatten().copied();
        ["source", "target"].into_iter().flat_map(of).chain(linked)
    }

    fn all_of(
        &self,
        nodes: impl Iterator<Item = Option<NodeId>>,
        elements: &[Element],
    ) -> Vec<DiagramId> {
        let diagrams = nodes.map(|node| self.diagram_around(node?, elements));
        let diagrams: Option<Vec<DiagramId>> = diagrams.collect();
        diagrams.unwrap_or_default()
    }

    /// Finds the diagram that contains a node; `None` in a behavior or operation, which can be
    /// called from anywhere.
    fn diagram_around(&self, node: NodeId, elements: &[Element]) -> Option<DiagramId> {
        for it in self.tree.ancestors(node) {
            let element = self.element_of.get(&it);
            // The element may not exist yet, because it is being read. Its container does.
            if let Some(element) = element.and_then(|id| elements.get(id.0)) {
                return Some(element.diagram);
            }
            if let Some(diagram) = self.activities.get(&it) {
                return Some(*diagram);
            }
            let is_called = |kind| {
                matches!(
                    kind,
                    "OpaqueBehavior" | "FunctionBehavior" | "Operation" | "ownedOperation"
                )
            };
            if is_called(self.tree.kind(it)) || is_called(self.tree.role(it)) {
                return None;
            }
        }
        None
    }

    /// Finds the innermost element around a place in the file.
    fn element_at(&self, span: Span) -> Option<NodeId> {
        let before = |it: &super::tree::Node| it.tag.span().start <= span.start;
        let count = self.tree.nodes.partition_point(before);
        let last = u32::try_from(count.checked_sub(1)?).ok()?;
        let holds = |&it: &NodeId| {
            let node = self.tree.node(it);
            let whole = Slice {
                start: node.tag.start,
                end: node.content_end.max(node.tag.end),
            };
            span.start < whole.span().end
        };
        self.tree.ancestors(NodeId(last)).find(holds)
    }
}
