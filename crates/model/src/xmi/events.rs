//! Starts nodes that UML starts although no flow leads to them.

use std::collections::BTreeSet;

use super::objects::is_object;
use super::reader::Reader;
use super::uml14;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::model as rules;
use crate::model::{DiagramId, Element, ElementId, Flow, NodeKind};
use crate::path;

impl Reader<'_, '_> {
    /// Adds initial nodes in diagrams that already have one: before each action without incoming
    /// flows that waits for an event, and before each object node without incoming flows that has
    /// its data from the start.
    pub(super) fn start_events(&mut self) {
        for diagram in (0..self.diagrams.len()).map(DiagramId) {
            let it = &self.diagrams[diagram.0];
            let kind = |id: ElementId| &self.elements[id.0].kind;
            let mut elements = it.elements.iter().copied();
            if !elements.any(|id| *kind(id) == NodeKind::Initial) {
                continue;
            }
            let entered: BTreeSet<ElementId> = it.flows.iter().map(|flow| flow.target).collect();
            let waits = |id: &ElementId| {
                let kind = self.tree.kind(self.element_nodes[id.0]);
                let is_given =
                    matches!(kind, "AcceptEventAction" | "AcceptCallAction") || is_object(kind);
                is_given && !entered.contains(id)
            };
            let waiting: Vec<ElementId> = it.elements.iter().copied().filter(waits).collect();
            for event in waiting {
                self.start_event(event, diagram);
            }
        }
    }

    fn start_event(&mut self, event: ElementId, diagram: DiagramId) {
        let initial = self.implied_node(event, NodeKind::Initial);
        let element = &self.elements[event.0];
        self.diagrams[diagram.0].flows.push(Flow {
            source: initial,
            target: event,
            guard: None,
            span: element.span,
        });
        let kind = self.tree.kind(self.element_nodes[event.0]);
        if element.stereotype.is_some() || is_object(kind) {
            return;
        }
        let name = path::shorten(&element.path);
        let message = format!("no flow enters {name}, so it starts with its diagram");
        let help = "its event counts as having occurred; draw a flow to it from the place where \
                    the program waits for it, or delete it and the nodes after it";
        let finding = Diagnostic::new(&rules::EVENT_AT_START, element.span, message);
        let finding = finding.element(element.path.clone()).help(help);
        self.diagnostics.push(finding);
    }

    /// Adds a control node that isn't in the file to the diagram of a node.
    pub(super) fn implied_node(&mut self, node: ElementId, kind: NodeKind) -> ElementId {
        let id = ElementId(self.elements.len());
        let element = &self.elements[node.0];
        let diagram = element.diagram;
        let owner = &self.diagrams[diagram.0].path;
        let implied = Element {
            name: String::new(),
            path: path::join(owner, &uml14::shown_kind(&kind)),
            span: element.span,
            comment: None,
            diagram,
            kind,
            stereotype: None,
            body: None,
        };
        self.elements.push(implied);
        self.element_nodes.push(self.element_nodes[node.0]);
        self.diagrams[diagram.0].elements.push(id);
        id
    }
}
