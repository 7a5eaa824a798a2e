//! Turns object nodes, which hold data, into nodes that pass on control.
//!
//! Two data flows through an object node become a control flow. If a node has other flows as well,
//! data flows are ignored where they change nothing: the input parameters of an activity are
//! available when it starts, and data that nobody uses delays nothing.

use std::collections::BTreeSet;

use super::flows::Edge;
use super::reader::Reader;
use crate::path;
use prophet_text::article;

use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::model as rules;
use crate::model::{ElementId, NodeKind};

/// UML types of nodes that hold data.
const OBJECTS: [&str; 5] = [
    "ActivityParameterNode",
    "CentralBufferNode",
    "DataStoreNode",
    "ObjectNode",
    "ObjectFlowState",
];

pub(super) fn is_object(kind: &str) -> bool {
    OBJECTS.contains(&kind)
}

/// All object nodes, grouped by their flows.
struct Objects {
    all: BTreeSet<ElementId>,
    /// Object nodes without incoming flows.
    sources: BTreeSet<ElementId>,
    /// Object nodes without outgoing flows.
    sinks: BTreeSet<ElementId>,
    /// Nodes with an incoming flow that doesn't come from one of the `sources`.
    led: BTreeSet<ElementId>,
}

impl Objects {
    /// Groups the object nodes by their edges.
    fn new(all: BTreeSet<ElementId>, edges: &[Edge]) -> Self {
        let entered: BTreeSet<ElementId> = edges.iter().map(|it| it.flow.target).collect();
        let left: BTreeSet<ElementId> = edges.iter().map(|it| it.flow.source).collect();
        let sources: BTreeSet<ElementId> = all.difference(&entered).copied().collect();
        let others = edges.iter().filter(|it| !sources.contains(&it.flow.source));
        Self {
            led: others.map(|it| it.flow.target).collect(),
            sinks: all.difference(&left).copied().collect(),
            sources,
            all,
        }
    }
}

impl Reader<'_, '_> {
    /// Turns object nodes into nodes that control passes, and removes edges that only carry data.
    pub(super) fn pass_objects(&mut self, edges: &mut Vec<Edge>) {
        let is_object_here = |id: &ElementId| match &self.elements[id.0].kind {
            NodeKind::Unsupported(kind) => is_object(kind),
            _ => false,
        };
        let all = (0..self.elements.len()).map(ElementId);
        let all: BTreeSet<ElementId> = all.filter(is_object_here).collect();
        if all.is_empty() {
            return;
        }
        let files = self.take_files(&all, edges);
        let objects = Objects::new(all, edges);
        let (mut given, mut linked) = (BTreeSet::new(), BTreeSet::new());
        edges.retain(|edge| {
            let (source, target) = (edge.flow.source, edge.flow.target);
            let comes_late = objects.led.contains(&target) || !given.insert(target);
            let reason = if objects.sources.contains(&source) && comes_late {
                "carries data that is available from the start"
            } else if objects.sinks.contains(&target) && self.does_something(source) {
                "carries data that nothing waits for"
            } else {
                linked.extend([source, target]);
                return true;
            };
            self.dropped.insert(edge.node, reason);
            false
        });
        for &object in &objects.all {
            let is_sink = objects.sinks.contains(&object);
            self.pass_object(
                object,
                is_sink,
                linked.contains(&object),
                files.contains(&object),
            );
        }
    }

    /// Returns `true` if a node does something, so that a flow can end there.
    fn does_something(&self, id: ElementId) -> bool {
        matches!(
            self.elements[id.0].kind,
            NodeKind::Action
                | NodeKind::Call(_)
                | NodeKind::Structured(_)
                | NodeKind::Loop(_)
                | NodeKind::Conditional(_)
        )
    }

    /// Turns an object node into a control node. Without any flow, it is removed from its diagram.
    fn pass_object(&mut self, id: ElementId, is_sink: bool, is_linked: bool, is_file: bool) {
        let element = &mut self.elements[id.0];
        let NodeKind::Unsupported(kind) = &element.kind else {
            return;
        };
        let kind = path::shorten(kind).into_owned();
        element.kind = if is_sink {
            NodeKind::FlowFinal
        } else {
            self.idle.insert(id);
            NodeKind::Action
        };
        let message = format!(
            "{} {kind} holds data and only passes control on",
            article(&kind)
        );
        let finding = Diagnostic::new(&rules::OBJECT_NODE, element.span, message);
        let finding = finding.element(element.path.clone());
        let diagram = element.diagram;
        if !is_linked && self.diagrams[diagram.0].elements.len() > 1 {
            self.diagrams[diagram.0].elements.retain(|it| *it != id);
        }
        if is_file {
            self.idle.insert(id);
        } else {
            self.note_kind(&kind, finding);
        }
    }
}
