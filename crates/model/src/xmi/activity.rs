//! Reads activities and their nodes.

use super::expansions::REGION;
use super::reader::{Reader, is_edge, is_node, is_pin};
use super::tree::{Namespace, NodeId};
use super::triggers::is_triggered;
use super::vocabulary::Context;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::model as rules;
use crate::model::{Diagram, DiagramId, Element, ElementId, Flow, NodeKind, Stereotype};
use crate::path;
use prophet_map::Map;

/// Where the nodes that are read next belong: a diagram, and the parts of an enclosing node.
#[derive(Debug)]
pub(super) struct Place<'p> {
    pub(super) diagram: Option<DiagramId>,
    pub(super) path: &'p str,
    /// The diagram of each part of a loop or conditional node.
    pub(super) parts: &'p Map<NodeId, DiagramId>,
}

/// No parts, for nodes other than loop and conditional nodes.
pub(super) static NO_PARTS: Map<NodeId, DiagramId> = Map::new();

const NODE_ROLES: [&str; 7] = [
    "node",
    "nodes",
    "containedNode",
    "ownedNode",
    "structuredNode",
    "group",
    "executableNode",
];

impl Reader<'_, '_> {
    pub(super) fn activity(&mut self, node: NodeId, owner: &str) {
        let name = self.tree.name(node).value;
        let shown = if name.is_empty() { "Activity" } else { &name };
        let path = path::join(owner, shown);
        self.check_vocabulary(node, Context::Activity, &path);
        let stereotype = self.stereotypes.remove(&node);
        let diagram = self.diagram(node, name, path.clone());
        self.diagrams[diagram.0].stereotype = stereotype;
        self.diagrams[diagram.0].comment = self.comments.get(&node).cloned();
        self.activities.insert(node, diagram);
        self.content(
            node,
            &Place {
                diagram: Some(diagram),
                path: &path,
                parts: &NO_PARTS,
            },
        );
    }

    pub(super) fn diagram(&mut self, owner: NodeId, name: String, path: String) -> DiagramId {
        let id = DiagramId(self.diagrams.len());
        self.diagram_owners.push(owner);
        self.diagrams.push(Diagram {
            name,
            path,
            span: self.tree.span(owner),
            comment: None,
            stereotype: None,
            locals: Vec::new(),
            elements: Vec::new(),
            flows: Vec::new(),
        });
        id
    }

    pub(super) fn content(&mut self, owner: NodeId, place: &Place<'_>) {
        for child in self.tree.children(owner) {
            if self.is_content(child) {
                self.member(child, place);
            }
        }
        self.listed(owner, place);
    }

    /// Reads a child of an activity, structured node or group.
    fn member(&mut self, child: NodeId, place: &Place<'_>) {
        let kind = self.tree.kind(child);
        match self.tree.role(child) {
            _ if is_edge(kind) => self.edges.push(child),
            "edge" | "edges" | "containedEdge" | "ownedEdge" => self.edges.push(child),
            _ if is_pin(kind) => {}
            _ if is_node(kind) => self.node(child, place),
            _ if kind.ends_with("Partition") || kind.ends_with("Region") => {
                self.group(child, place);
            }
            "group" | "groups" | "ownedGroup" | "containedGroup" | "partition" | "subgroup"
            | "subpartition" | "subPartition" => self.group(child, place),
            "structuredNode" | "node" | "nodes" | "containedNode" | "ownedNode"
            | "executableNode" => self.node(child, place),
            "ownedBehavior" | "nestedClassifier" | "ownedMember" | "packagedElement" => {
                self.walk(child, place.path);
            }
            _ => {}
        }
    }

    /// Reads a partition or region. Regions are reported, because their borders have no effect.
    fn group(&mut self, group: NodeId, place: &Place<'_>) {
        let kind = self.tree.kind(group);
        if !matches!(kind, "" | "ActivityPartition" | "Partition") {
            let span = self.tree.span(group);
            let message = format!(
                "the {} is ignored, but its content is read",
                path::shorten(kind)
            );
            let finding = Diagnostic::new(&rules::BORDERLESS_GROUP, span, message);
            self.note_kind(kind, finding.element(place.path));
        }
        self.check_vocabulary(group, Context::Group, place.path);
        for child in self.tree.children(group) {
            if self.is_content(child) {
                self.member(child, place);
            }
        }
        for role in ["node", "nodes", "containedNode", "edge", "containedEdge"] {
            self.backlinks(group, role, place.path);
        }
    }

    /// Checks that references exist which only repeat what other elements contain.
    fn backlinks(&mut self, node: NodeId, role: &str, path: &str) {
        for reference in self.tree.references(node, role) {
            self.resolve_as(&reference, path, &rules::DANGLING_BACKLINK);
        }
    }

    /// Reads nodes that an activity lists, but that aren't inside any activity.
    fn listed(&mut self, owner: NodeId, place: &Place<'_>) {
        for role in NODE_ROLES {
            for reference in self.tree.references(owner, role) {
                let Some(target) = self.resolve(&reference, place.path) else {
                    continue;
                };
                if self.tree.node(target).parent == Some(owner)
                    || self.element_of.contains_key(&target)
                    || !is_node(self.tree.kind(target))
                {
                    continue;
                }
                let mut around = self.tree.ancestors(target);
                if !around.any(|it| self.tree.kind(it) == "Activity") {
                    self.node(target, place);
                }
            }
        }
        for role in ["edge", "containedEdge"] {
            self.backlinks(owner, role, place.path);
        }
    }

    pub(super) fn node(&mut self, node: NodeId, place: &Place<'_>) {
        if self.absorbed.contains(&node) || self.element_of.contains_key(&node) {
            return;
        }
        if self.region_of(node).is_some() {
            return;
        }
        let Some(diagram) = place.parts.get(&node).copied().or(place.diagram) else {
            return self.leave_out(node, place.path);
        };
        let name = self.tree.name(node).value;
        let kind = match self.tree.kind(node) {
            "" if self.tree.role(node) == "structuredNode" => "StructuredActivityNode",
            "" => "ActivityNode",
            kind => kind,
        };
        let shown = if name.is_empty() { kind } else { &name };
        let path = path::join(place.path, shown);
        self.check_vocabulary(node, Context::Node, &path);
        for role in ["incoming", "outgoing"] {
            self.backlinks(node, role, &path);
        }
        let is_action = matches!(kind, "OpaqueAction" | "Action");
        let body = if is_action && !self.conditions.contains(&node) {
            self.optional_body(node, &path)
        } else {
            None
        };
        let id = ElementId(self.elements.len());
        self.element_of.insert(node, id);
        self.element_nodes.push(node);
        self.diagrams[diagram.0].elements.push(id);
        let stereotype = self.stereotypes.remove(&node);
        let kind = match kind {
            "StructuredActivityNode" if self.is_leaf(node, stereotype.as_ref()) => {
                let children = self.tree.children(node);
                let edges = children.filter(|&child| is_edge(self.tree.kind(child)));
                self.edges.extend(edges);
                "Action"
            }
            kind => kind,
        };
        let is_action = is_action || kind == "Action";
        if !is_action && kind.ends_with("Action") && stereotype.is_none() && !self.is_step(node) {
            self.note_inert(node, kind, &path);
        }
        self.elements.push(Element {
            name: name.clone(),
            path: path.clone(),
            span: self.tree.span(node),
            comment: self.comments.get(&node).cloned(),
            diagram,
            kind: NodeKind::Action,
            stereotype,
            body,
        });
        self.elements[id.0].kind = self.node_kind(node, kind, name, &path, diagram);
        if kind == REGION {
            self.expand(node, id);
        }
        if kind == "CallBehaviorAction" {
            self.calls.push((id, node));
        }
    }

    /// Returns `true` if a structured node has no content, and doesn't need any. Some tools draw
    /// all actions as structured nodes.
    fn is_leaf(&self, node: NodeId, stereotype: Option<&Stereotype>) -> bool {
        let is_empty = self.members(node).is_empty()
            && NODE_ROLES
                .iter()
                .all(|role| self.tree.references(node, role).is_empty());
        is_empty && stereotype.is_none_or(|it| !it.kind.has_content())
    }

    fn node_kind(
        &mut self,
        node: NodeId,
        kind: &str,
        name: String,
        path: &str,
        diagram: DiagramId,
    ) -> NodeKind {
        match kind {
            "InitialNode" => NodeKind::Initial,
            "ActivityFinalNode" => NodeKind::ActivityFinal,
            "FlowFinalNode" => NodeKind::FlowFinal,
            "DecisionNode" => NodeKind::Decision,
            "MergeNode" => NodeKind::Merge,
            "ForkNode" => NodeKind::Fork,
            "JoinNode" => NodeKind::Join,
            "CallBehaviorAction" => NodeKind::Call(None),
            "StructuredActivityNode" | "SequenceNode" | REGION => {
                let content = self.structured(node, name, path);
                if kind == "SequenceNode" {
                    self.chain(content);
                }
                NodeKind::Structured(content)
            }
            "LoopNode" => self.loop_node(node, &name, path, diagram),
            "ConditionalNode" => self.conditional(node, &name, path, diagram),
            _ if kind.ends_with("Action") => NodeKind::Action,
            _ => NodeKind::Unsupported(kind.to_owned()),
        }
    }

    /// Reads the content of a structured node into a separate diagram.
    fn structured(&mut self, node: NodeId, name: String, path: &str) -> DiagramId {
        let diagram = self.diagram(node, name, path.to_owned());
        self.diagrams[diagram.0].locals = self.variables(node, "variable", path);
        self.diagrams[diagram.0].comment = self.comments.get(&node).cloned();
        self.content(
            node,
            &Place {
                diagram: Some(diagram),
                path,
                parts: &NO_PARTS,
            },
        );
        diagram
    }

    /// Connects the elements of a diagram in sequence, as in a `SequenceNode`.
    fn chain(&mut self, diagram: DiagramId) {
        let elements = self.diagrams[diagram.0].elements.clone();
        for pair in elements.windows(2) {
            let &[source, target] = pair else { continue };
            self.diagrams[diagram.0].flows.push(Flow {
                source,
                target,
                guard: None,
                span: self.elements[target.0].span,
            });
        }
    }

    fn note_inert(&mut self, node: NodeId, kind: &str, path: &str) {
        let is_read_later = kind == "CallBehaviorAction" || is_triggered(kind);
        if is_read_later || self.tree.node(node).namespace == Namespace::Xmi {
            return;
        }
        let span = self.tree.span(node);
        let message = format!(
            "the {} has no stereotype and does nothing",
            path::shorten(kind)
        );
        let help = "apply a stereotype, or use an OpaqueAction";
        let finding = Diagnostic::new(&rules::INERT_ACTION, span, message);
        self.note_kind(kind, finding.element(path).help(help));
    }
}
