//! Handles flows that interrupt regions, and exception handlers. Interruptions aren't simulated.

use std::collections::BTreeSet;

use super::flows::Edge;
use super::reader::Reader;
use super::tree::NodeId;
use super::{Guards, triggers};
use crate::diagnostic::catalogue::model as rules;
use crate::diagnostic::{Diagnostic, Span};
use crate::model::{Assumed, ElementId};
use crate::path::shorten;

fn connected(edges: &[Edge]) -> BTreeSet<ElementId> {
    let ends = edges.iter().flat_map(|it| [it.flow.source, it.flow.target]);
    ends.collect()
}

impl Reader<'_, '_> {
    /// Removes flows that interrupt a region. This is an error unless assumptions are allowed. In
    /// that case, the interrupting event never happens, and nothing waits for it.
    pub(super) fn leave_out_interruptions(&mut self, edges: &mut Vec<Edge>) {
        let interrupting = self.interrupting_edges();
        if interrupting.is_empty() {
            return;
        }
        let (taken, kept): (Vec<Edge>, Vec<Edge>) = std::mem::take(edges)
            .into_iter()
            .partition(|it| interrupting.contains(&it.node));
        *edges = kept;
        let connected = connected(edges);
        for edge in taken {
            self.dropped.insert(edge.node, "interrupts a region");
            let source = edge.flow.source;
            let path = self.elements[source.0].path.clone();
            let [from, to] = [source, edge.flow.target].map(|it| &self.elements[it.0].path);
            let flow = format!("the flow from {} to {}", shorten(from), shorten(to));
            if self.guards == Guards::Strict {
                let message = format!("{flow} interrupts a region, which is not supported");
                let help = "remove it; with `--assume`, the region runs to its end";
                let rule = &rules::INTERRUPTION;
                let diagnostic = Diagnostic::new(rule, edge.flow.span, message);
                self.diagnostics.push(diagnostic.element(path).help(help));
                continue;
            }
            let mut gone = vec![edge.flow.span];
            let waits = triggers::is_triggered(self.tree.kind(self.element_nodes[source.0]));
            if waits && !connected.contains(&source) {
                gone.extend(self.leave_out_element(source));
            }
            self.assumed.push(Assumed {
                element: source,
                span: edge.flow.span,
                text: format!("{flow} is never taken: its region is not interrupted"),
                gone,
            });
        }
    }

    /// Finds the edges that interrupt a region, according to the region or to the edge.
    fn interrupting_edges(&self) -> BTreeSet<NodeId> {
        let mut found = BTreeSet::new();
        for node in self.tree.ids() {
            match self.tree.kind(node) {
                "InterruptibleActivityRegion" => {
                    let edges = self.tree.references(node, "interruptingEdge");
                    found.extend(edges.into_iter().filter_map(|it| it.target));
                }
                "ControlFlow" | "ObjectFlow" | "ActivityEdge"
                    if self.tree.reference(node, "interrupts").is_some() =>
                {
                    found.insert(node);
                }
                _ => {}
            }
        }
        found
    }

    /// Removes an element from its diagram and returns its place. Returns `None` if it is the
    /// diagram's only element, which stays.
    fn leave_out_element(&mut self, id: ElementId) -> Option<Span> {
        let elements = &mut self.diagrams[self.elements[id.0].diagram.0].elements;
        if elements.len() == 1 {
            return None;
        }
        let place = elements.iter().position(|it| *it == id)?;
        elements.remove(place);
        Some(self.elements[id.0].span)
    }

    /// Removes the bodies of exception handlers, because nothing starts them.
    pub(super) fn leave_out_handlers(&mut self, edges: &[Edge]) {
        let mut connected = None;
        for id in (0..self.elements.len()).map(ElementId) {
            let node = self.element_nodes[id.0];
            for handler in self.tree.children_in(node, "handler") {
                let path = self.elements[id.0].path.clone();
                let message =
                    "an exception handler is ignored, because exceptions are not simulated";
                let rule = &rules::UNUSED_HANDLER;
                let finding = Diagnostic::new(rule, self.tree.span(handler), message);
                self.note_kind("ExceptionHandler", finding.element(path));
                let body = self.tree.reference(handler, "handlerBody");
                let body = body.and_then(|it| it.target);
                let body = body.and_then(|it| self.element_of.get(&it).copied());
                let connected = connected.get_or_insert_with(|| self::connected(edges));
                if let Some(body) = body.filter(|it| !connected.contains(it)) {
                    self.leave_out_element(body);
                }
            }
        }
    }
}
