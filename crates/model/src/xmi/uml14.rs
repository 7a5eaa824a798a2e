//! Reads UML 1.4 in XMI 1.x, from ArgoUML and old MagicDraw, into the same model.
//!
//! In UML 1.4, an activity diagram is a state machine: an `ActivityGraph` with states that are
//! actions and transitions that are flows. A property is either a child element that contains the
//! values, such as `UML:Transition.source`, or an attribute with the last part of that name.

mod access;
mod extensions;
mod features;
mod transitions;

use super::reader::Reader;
use super::tree::NodeId;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::model as rules;
use crate::model::{DiagramId, Element, ElementId, Model, NodeKind, Start};
use crate::path;
use prophet_map::Map;

/// Number of transitions that leave each state.
type Departures = Map<NodeId, usize>;

impl Reader<'_, '_> {
    /// Reads a file with the root element `XMI`.
    pub(super) fn uml14(&mut self, root: NodeId, main: Option<&str>) -> Option<Model> {
        let graphs: Vec<NodeId> = self.defined("ActivityGraph").collect();
        let transitions: Vec<NodeId> = self.defined("Transition").collect();
        self.comments_of_uml14();
        let departures = self.departures(&transitions);
        let mut submachines = Vec::new();
        for &graph in &graphs {
            self.graph(graph, &departures, &mut submachines);
        }
        let edges = self.edges_of_uml14(&transitions);
        self.link(edges);
        self.note_inert_states();
        let mut called = std::collections::BTreeSet::new();
        let mut nameless = Vec::new();
        for (element, state) in submachines {
            match self.tree.named(state, "submachine").into_iter().next() {
                Some(reference) => self.resolve_call(element, state, &reference, &mut called),
                None => nameless.push(element),
            }
        }
        self.call_by_name(&nameless, &mut called);
        self.functions_of_uml14();
        let (main_node, main) = self.main(root, main, &called)?;
        let globals = self.globals_of_uml14(main_node);
        let others = self.other_starts(main_node, Self::globals_of_uml14);
        let models = self.defined("Model").map(|it| self.tree.name(it).value);
        let name = models.into_iter().find(|name| !name.is_empty());
        Some(self.model(name, Start { main, globals }, others))
    }

    fn graph(
        &mut self,
        graph: NodeId,
        departures: &Departures,
        submachines: &mut Vec<(ElementId, NodeId)>,
    ) {
        let name = self.tree.name(graph).value;
        let shown = if name.is_empty() {
            "ActivityGraph"
        } else {
            &name
        };
        let owner = self.tree.node(graph).parent;
        let owner = owner.map_or_else(String::new, |it| self.qualified_name(it));
        let path = path::join(&owner, shown);
        let diagram = self.diagram(graph, name, path);
        self.diagrams[diagram.0].stereotype = self.stereotype_of_uml14(graph);
        self.diagrams[diagram.0].comment = self.comments.get(&graph).cloned();
        self.activities.insert(graph, diagram);
        for top in self.tree.owned(graph, "top") {
            self.states(top, diagram, departures, submachines);
        }
    }

    fn states(
        &mut self,
        composite: NodeId,
        diagram: DiagramId,
        departures: &Departures,
        submachines: &mut Vec<(ElementId, NodeId)>,
    ) {
        for state in self.tree.owned(composite, "subvertex") {
            self.state(state, diagram, departures, submachines);
        }
    }

    fn state(
        &mut self,
        state: NodeId,
        diagram: DiagramId,
        departures: &Departures,
        submachines: &mut Vec<(ElementId, NodeId)>,
    ) {
        let (name, body) = self.name_and_body(state);
        let kind = self.node_kind_of_uml14(state, departures);
        let shown = match name.as_str() {
            "" => shown_kind(&kind),
            name => name.to_owned(),
        };
        let path = path::join(&self.diagrams[diagram.0].path, &shown);
        let id = ElementId(self.elements.len());
        self.element_of.insert(state, id);
        self.element_nodes.push(state);
        self.diagrams[diagram.0].elements.push(id);
        let stereotype = self.stereotype_of_uml14(state);
        let is_action = kind == NodeKind::Action;
        self.elements.push(Element {
            name: name.clone(),
            path: path.clone(),
            span: self.tree.span(state),
            comment: self.comments.get(&state).cloned(),
            diagram,
            kind,
            stereotype,
            body: body.filter(|_| is_action),
        });
        if matches!(self.elements[id.0].kind, NodeKind::Call(_)) {
            if self.tree.owned(state, "subvertex").is_empty() {
                return submachines.push((id, state));
            }
            let content = self.diagram(state, name, path);
            self.elements[id.0].kind = NodeKind::Structured(content);
            self.states(state, content, departures, submachines);
        }
    }

    /// Returns the kind of node for a state. A state with content counts as a call until its
    /// content is read.
    fn node_kind_of_uml14(&self, state: NodeId, departures: &Departures) -> NodeKind {
        match self.tree.role(state) {
            "ActionState" | "CallState" => return NodeKind::Action,
            "SubactivityState" | "SubmachineState" | "CompositeState" => {
                return NodeKind::Call(None);
            }
            "FinalState" => return NodeKind::ActivityFinal,
            "Pseudostate" => {}
            other => return NodeKind::Unsupported(path::shorten(other).into_owned()),
        }
        let kind = self.tree.text_of_uml14(state, "kind");
        let kind = kind.map_or_else(|| "initial".to_owned(), |text| text.value);
        let branches = departures.get(&state).copied().unwrap_or_default();
        match kind.trim() {
            "initial" => NodeKind::Initial,
            "fork" => NodeKind::Fork,
            "join" => NodeKind::Join,
            "choice" => NodeKind::Decision,
            // Tools draw junctions for decisions and for merges.
            "junction" if branches > 1 => NodeKind::Decision,
            "junction" => NodeKind::Merge,
            other => NodeKind::Unsupported(format!("Pseudostate {}", path::shorten(other))),
        }
    }

    /// Reports actions that do nothing.
    fn note_inert_states(&mut self) {
        for id in (0..self.elements.len()).map(ElementId) {
            let state = self.element_nodes[id.0];
            let element = &self.elements[id.0];
            if self.tree.role(state) == "CallState" && element.stereotype.is_none() {
                let message = "the CallState has no stereotype and does nothing";
                let finding = Diagnostic::new(&rules::INERT_ACTION, element.span, message);
                let help = "apply a stereotype, or use an ActionState";
                let finding = finding.element(element.path.clone()).help(help);
                self.note_kind("CallState", finding);
            }
        }
    }
}

/// Describes an unnamed node with its name in UML 2.
pub(super) fn shown_kind(kind: &NodeKind) -> String {
    let kind = match kind {
        NodeKind::Initial => "InitialNode",
        NodeKind::ActivityFinal => "ActivityFinalNode",
        NodeKind::Decision => "DecisionNode",
        NodeKind::Merge => "MergeNode",
        NodeKind::Fork => "ForkNode",
        NodeKind::Join => "JoinNode",
        NodeKind::Action => "OpaqueAction",
        NodeKind::Call(_) => "CallBehaviorAction",
        NodeKind::Unsupported(kind) => kind,
        _ => "ActivityNode",
    };
    kind.to_owned()
}
