//! Reads transitions as flows.

use super::super::flows::{Edge, End, guard_of};
use super::super::reader::Reader;
use super::super::tree::NodeId;
use super::super::values::without_brackets;
use super::Departures;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::model as rules;
use crate::model::{ElementId, Flow, Guard, NodeKind};
use prophet_map::Map;

impl Reader<'_, '_> {
    /// Counts the transitions that leave each state.
    pub(super) fn departures(&self, transitions: &[NodeId]) -> Departures {
        let mut departures = Departures::new();
        for &transition in transitions {
            let sources = self.tree.named(transition, "source");
            if let Some(source) = sources.first().and_then(|it| it.target) {
                *departures.get_or_default(source) += 1;
            }
        }
        departures
    }

    /// Reads the transitions in activity graphs. Transitions in other state machines are ignored.
    pub(super) fn edges_of_uml14(&mut self, transitions: &[NodeId]) -> Vec<Edge> {
        let is_ours = |&&transition: &&NodeId| {
            let slot = self.tree.node(transition).parent;
            let is_internal = slot.is_some_and(|it| {
                let role = self.tree.role(it);
                role.ends_with(".internalTransition")
            });
            let mut around = self.tree.ancestors(transition);
            !is_internal && around.any(|it| self.activities.contains_key(&it))
        };
        let ours: Vec<NodeId> = transitions.iter().filter(is_ours).copied().collect();
        let mut edges: Vec<Edge> = Vec::new();
        for transition in ours {
            edges.extend(self.transition(transition));
        }
        self.imply_control_nodes(&mut edges);
        self.take_names_for_guards(&mut edges);
        edges
    }

    /// Adds the control nodes that UML 1.x implies. There, a state starts after any of its incoming
    /// transitions, and its outgoing transitions are alternatives with guards. In UML 2, an action
    /// waits for all of its incoming flows, and starts all of its outgoing flows.
    fn imply_control_nodes(&mut self, edges: &mut Vec<Edge>) {
        let mut entering: Map<ElementId, usize> = Map::new();
        let mut leaving = entering.clone();
        for edge in edges.iter() {
            *entering.get_or_default(edge.target.element) += 1;
            *leaving.get_or_default(edge.source.element) += 1;
        }
        let is_action = |reader: &Self, id: ElementId| {
            let kind = &reader.elements[id.0].kind;
            matches!(
                kind,
                NodeKind::Action | NodeKind::Call(_) | NodeKind::Structured(_)
            )
        };
        let several = |counts: Map<ElementId, usize>| {
            let several = counts.into_iter().filter(|(_, count)| *count > 1);
            several.map(|(id, _)| id).collect::<Vec<_>>()
        };
        for id in several(entering) {
            if is_action(self, id) {
                let merge = self.implied_node(id, NodeKind::Merge);
                let ends = edges.iter_mut().map(|edge| &mut edge.target);
                redirect(ends, id, merge);
                edges.push(self.implied_edge(merge, id));
            }
        }
        for id in several(leaving) {
            if is_action(self, id) {
                let decision = self.implied_node(id, NodeKind::Decision);
                let ends = edges.iter_mut().map(|edge| &mut edge.source);
                redirect(ends, id, decision);
                edges.push(self.implied_edge(id, decision));
            }
        }
        for edge in edges {
            (edge.flow.source, edge.flow.target) = (edge.source.element, edge.target.element);
        }
    }

    fn implied_edge(&self, source: ElementId, target: ElementId) -> Edge {
        let is_pin = false;
        let node = self.element_nodes[source.0];
        Edge {
            node,
            source: End {
                element: source,
                is_pin,
            },
            target: End {
                element: target,
                is_pin,
            },
            is_object: false,
            flow: Flow {
                source,
                target,
                guard: None,
                span: self.tree.span(node),
            },
        }
    }

    fn transition(&mut self, transition: NodeId) -> Option<Edge> {
        let mut around = self.tree.ancestors(transition);
        let graph = around.find_map(|it| self.activities.get(&it))?;
        let path = self.diagrams[graph.0].path.clone();
        let source = self.state_at(transition, "source", &path);
        let target = self.state_at(transition, "target", &path);
        let (source, target) = (source?, target?);
        let is_decided = matches!(self.elements[source.element.0].kind, NodeKind::Decision);
        Some(Edge {
            node: transition,
            source,
            target,
            is_object: false,
            flow: Flow {
                source: source.element,
                target: target.element,
                guard: self.guard_of_transition(transition, is_decided, &path),
                span: self.tree.span(transition),
            },
        })
    }

    /// Returns the element at one end of a transition.
    fn state_at(&mut self, transition: NodeId, role: &str, path: &str) -> Option<End> {
        let span = self.tree.span(transition);
        let Some(reference) = self.tree.named(transition, role).into_iter().next() else {
            let message = format!("a transition has no {role}");
            let diagnostic = Diagnostic::new(&rules::MISSING_END, span, message);
            let help = "connect it again, or remove it";
            self.diagnostics.push(diagnostic.element(path).help(help));
            return None;
        };
        let target = self.resolve(&reference, path)?;
        if let Some(&element) = self.element_of.get(&target) {
            let is_pin = false;
            return Some(End { element, is_pin });
        }
        let what = self.tree.describe(target);
        let message = format!("the {role} of a transition is {what}, which is not a state");
        let diagnostic = Diagnostic::new(&rules::WRONG_TARGET, reference.span, message);
        let help = "connect it to a state of the activity graph, or remove it";
        self.diagnostics.push(diagnostic.element(path).help(help));
        None
    }

    /// Reads the guard of a transition. A `UML:Guard` contains an expression or has only a name.
    fn guard_of_transition(
        &mut self,
        transition: NodeId,
        is_decided: bool,
        path: &str,
    ) -> Option<Guard> {
        let guard = self.tree.owned(transition, "guard").into_iter().next()?;
        let expression = self.tree.expression_of_uml14(guard, "expression");
        let expression = expression.filter(|(_, body)| !body.value.trim().is_empty());
        let code = match expression {
            Some((language, body)) => self.code_of_uml14(&language, body, path)?,
            None => super::super::values::c_code(self.tree.name(guard)),
        };
        guard_of(without_brackets(code, self.tree.source), is_decided)
    }
}

fn redirect<'e>(ends: impl Iterator<Item = &'e mut End>, from: ElementId, to: ElementId) {
    for end in ends.filter(|end| end.element == from) {
        end.element = to;
    }
}
