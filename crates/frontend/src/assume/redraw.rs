//! Adds the nodes that the author left out: merges where alternatives meet, decisions, and joins or
//! ends for the branches of a fork.

use std::collections::BTreeSet;

use super::{Change, Mender, Moved, Node};
use crate::check::graph::ModelGraph;
use prophet_model::diagnostic::{Diagnostic, Span};
use prophet_model::model::{Element, ElementId, Flow, NodeKind};

impl Mender<'_> {
    /// Puts a merge before a node, because only one of the flows into it arrives at a time.
    pub(super) fn merge(&mut self, error: &Diagnostic) -> bool {
        let Some(id) = self.element_at(error) else {
            return false;
        };
        let path = &self.model.element(id).path;
        let text = format!("the flows into {path} are alternatives: any of them starts it");
        self.put_before(id, &NodeKind::Merge, text)
    }

    /// Turns several flows out of a node into a decision, or lets an initial node start all of
    /// them.
    pub(super) fn choose(&mut self, error: &Diagnostic) -> bool {
        let Some(id) = self.element_at(error) else {
            return false;
        };
        let element = self.model.element(id);
        let path = &element.path;
        let flows = &self.model.diagram(element.diagram).flows;
        let is_guarded = |it: &Flow| it.source == id && it.guard.is_some();
        if element.kind == NodeKind::Initial && !flows.iter().any(is_guarded) {
            let text = format!("all flows out of {path} start at the same time");
            return self.put_behind(id, &NodeKind::Fork, text);
        }
        let text = format!("one of the flows out of {path} is taken");
        self.put_behind(id, &NodeKind::Decision, text)
    }

    /// Removes the guards on flows out of a fork, because a fork starts all of them.
    pub(super) fn free_fork(&mut self, error: &Diagnostic) -> bool {
        let Some(id) = self.element_at(error) else {
            return false;
        };
        let diagram = self.model.element(id).diagram;
        let mut freed = Vec::new();
        for flow in &mut self.model.diagrams[diagram.0].flows {
            if flow.source == id && flow.guard.take().is_some() {
                freed.push(flow.span);
            }
        }
        for &flow in &freed {
            let path = &self.model.element(id).path;
            let text = format!("a guard at the fork {path} decides nothing: all flows start");
            let change = Change::Guard {
                flow,
                text: None,
                parameter: None,
            };
            self.note(id, flow, text, change);
        }
        !freed.is_empty()
    }

    /// Joins the branches of a fork where they meet at a node that doesn't wait for all of them.
    pub(super) fn join(&mut self, error: &Diagnostic) -> bool {
        let Some(id) = self.element_at(error) else {
            return false;
        };
        let element = self.model.element(id);
        let meets = error.message.starts_with("several branches");
        let text = format!("{} waits for all branches of the fork", element.path);
        match element.kind {
            NodeKind::Merge if meets && !self.no_joins.contains(&id) => {
                self.turn(id, NodeKind::Join, text)
            }
            NodeKind::Decision if meets => self.put_before(id, &NodeKind::Join, text),
            _ => false,
        }
    }

    /// Returns the errors at nodes that don't follow another node with an error.
    pub(super) fn first_meetings<'e>(&self, errors: &[&'e Diagnostic]) -> Vec<&'e Diagnostic> {
        let graph = ModelGraph::new(self.model);
        let places: Vec<Option<ElementId>> = errors.iter().map(|it| self.element_at(it)).collect();
        let mut behind = BTreeSet::new();
        let mut seen: Vec<ElementId> = places.iter().copied().flatten().collect();
        while let Some(id) = seen.pop() {
            seen.extend(graph.successors(id).filter(|it| behind.insert(*it)));
        }
        let places = errors.iter().zip(places);
        let first = places.filter(|(_, it)| it.is_none_or(|id| !behind.contains(&id)));
        first.map(|(error, _)| *error).collect()
    }

    /// Turns joins back into merges if not all of the flows that they wait for can arrive.
    pub(super) fn unjoin(&mut self, error: &Diagnostic) -> bool {
        let was_merge = |it: &super::Assumption| match it.change {
            Change::Kind { element, from, to } if from == name(&NodeKind::Merge) => {
                let is_named = error.message.contains(&it.element);
                (to == name(&NodeKind::Join) && is_named).then_some(element)
            }
            _ => None,
        };
        let places: Vec<Span> = self.assumptions.iter().filter_map(was_merge).collect();
        self.assumptions.retain(|it| was_merge(it).is_none());
        for (index, element) in self.model.elements.iter_mut().enumerate() {
            if element.kind == NodeKind::Join && places.contains(&element.span) {
                element.kind = NodeKind::Merge;
                self.no_joins.insert(ElementId(index));
            }
        }
        !places.is_empty()
    }

    /// Lets a final node end only its own branch, not the whole activity.
    pub(super) fn end_branch(&mut self, error: &Diagnostic) -> bool {
        let Some(id) = self.element_at(error) else {
            return false;
        };
        let Element { kind, path, .. } = self.model.element(id);
        if *kind != NodeKind::ActivityFinal {
            return false;
        }
        let text = format!("{path} ends only its own branch: the other branches run to their ends");
        self.turn(id, NodeKind::FlowFinal, text)
    }

    /// Turns a control node into another kind.
    fn turn(&mut self, id: ElementId, kind: NodeKind, text: String) -> bool {
        let element = &mut self.model.elements[id.0];
        let (span, from) = (element.span, name(&element.kind));
        let change = Change::Kind {
            element: span,
            from,
            to: name(&kind),
        };
        element.kind = kind;
        self.note(id, span, text, change);
        true
    }

    /// Inserts a control node before a node, for all flows into it.
    fn put_before(&mut self, id: ElementId, kind: &NodeKind, text: String) -> bool {
        let flows = self.moved(id, |it| it.target, |it| it.source);
        let node = self.add(id, kind, flows);
        let new = ElementId(self.drawn + node.number);
        let Element { diagram, span, .. } = *self.model.element(id);
        for flow in &mut self.model.diagrams[diagram.0].flows {
            if flow.target == id {
                flow.target = new;
            }
        }
        self.connect(new, id, span);
        self.note(id, span, text, Change::Before(node));
        true
    }

    /// Inserts a control node after a node, for all flows out of it.
    fn put_behind(&mut self, id: ElementId, kind: &NodeKind, text: String) -> bool {
        let flows = self.moved(id, |it| it.source, |it| it.target);
        let node = self.add(id, kind, flows);
        let new = ElementId(self.drawn + node.number);
        let Element { diagram, span, .. } = *self.model.element(id);
        for flow in &mut self.model.diagrams[diagram.0].flows {
            if flow.source == id {
                flow.source = new;
            }
        }
        self.connect(id, new, span);
        self.note(id, span, text, Change::Behind(node));
        true
    }

    fn moved(
        &self,
        id: ElementId,
        end: impl Fn(&Flow) -> ElementId,
        other: impl Fn(&Flow) -> ElementId,
    ) -> Vec<Moved> {
        let flows = &self.model.diagram(self.model.element(id).diagram).flows;
        let flows = flows.iter().filter(|it| end(it) == id);
        let moved = |it: &Flow| Moved {
            flow: it.span,
            kept: self.end(other(it)),
        };
        flows.map(moved).collect()
    }

    fn connect(&mut self, source: ElementId, target: ElementId, span: Span) {
        let diagram = self.model.element(source).diagram;
        self.model.diagrams[diagram.0].flows.push(Flow {
            source,
            target,
            guard: None,
            span,
        });
    }

    fn add(&mut self, beside: ElementId, kind: &NodeKind, flows: Vec<Moved>) -> Node {
        let id = ElementId(self.model.elements.len());
        let element = self.model.element(beside);
        let (uml, of) = (name(kind), element.diagram);
        let diagram = self.model.diagram(of);
        let node = Node {
            number: id.0 - self.drawn,
            kind: uml,
            diagram: diagram.span,
            element: self.end(beside),
            flows,
        };
        let new = Element {
            name: String::new(),
            path: format!("{}::{uml}", diagram.path),
            span: element.span,
            comment: None,
            diagram: of,
            kind: kind.clone(),
            stereotype: None,
            body: None,
        };
        self.model.elements.push(new);
        self.model.diagrams[of.0].elements.push(id);
        node
    }
}

fn name(kind: &NodeKind) -> &'static str {
    match kind {
        NodeKind::Merge => "MergeNode",
        NodeKind::Decision => "DecisionNode",
        NodeKind::Fork => "ForkNode",
        NodeKind::Join => "JoinNode",
        NodeKind::FlowFinal => "FlowFinalNode",
        NodeKind::ActivityFinal => "ActivityFinalNode",
        _ => "ActivityNode",
    }
}
