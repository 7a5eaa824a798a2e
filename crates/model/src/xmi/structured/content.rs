//! Reads the content of an activity or node, which is either a sequence or a graph of nodes and
//! flows.

use super::StructuredReader;
use super::nodes::{EXPECTED, uml_name};
use crate::diagnostic::Span;
use crate::diagnostic::catalogue::xmi as rules;
use crate::model::{DiagramId, ElementId, Flow, Guard, NodeKind};
use crate::path;
use crate::source::Text;
use crate::xmi::tree::NodeId;
use prophet_map::Map;

/// Where the next flow in a sequence starts.
#[derive(Debug, Clone)]
struct From {
    source: ElementId,
    guard: Option<Guard>,
    /// Where to report problems of the flow; `None` for the tag of the next node.
    span: Option<Span>,
}

impl StructuredReader<'_, '_, '_> {
    pub(super) fn content(&mut self, owner: NodeId, diagram: DiagramId) {
        let path = self.reader.diagrams[diagram.0].path.clone();
        let mut nodes = Vec::new();
        let mut flows = Vec::new();
        for child in self.children(owner) {
            match self.role(child) {
                "comment" => {}
                "local" => {
                    let local = self.variable(child, &path, false);
                    self.reader.diagrams[diagram.0].locals.push(local);
                }
                "flow" => flows.push(child),
                role if uml_name(role).is_some() => nodes.push(child),
                _ => self.foreign(child, &path, &format!("comment, local, flow, {EXPECTED}")),
            }
        }
        let listed = self.attribute(owner, "flows").is_some_and(|text| {
            let listed = text.value == "listed";
            if !listed {
                let message = "`flows` must be `listed` or omitted".to_owned();
                self.report::<()>(&rules::XML_VALUE, text.span, &path, message, "");
            }
            listed
        });
        if listed {
            return self.graph(&nodes, &flows, diagram);
        }
        for flow in flows {
            let span = self.reader.tree.span(flow);
            let message = "a `flow` is not allowed in a sequence".to_owned();
            let help = "write `flows=\"listed\"` to list all flows, or remove the `flow`";
            self.report::<()>(&rules::XML_VOCABULARY, span, &path, message, help);
        }
        self.sequence(&nodes, diagram, None);
    }

    /// Reads a sequence of nodes. Returns the start of the flow that leaves the last one.
    fn sequence(
        &mut self,
        nodes: &[NodeId],
        diagram: DiagramId,
        mut from: Option<From>,
    ) -> Option<From> {
        for (at, &node) in nodes.iter().enumerate() {
            let role = self.role(node);
            if matches!(role, "merge" | "join") {
                let path = self.reader.diagrams[diagram.0].path.clone();
                self.foreign(node, &path, EXPECTED);
                continue;
            }
            if from.is_none() && at > 0 {
                self.report_unreached(node, diagram);
            }
            let span = self.reader.tree.span(node);
            let id = self.node(node, diagram);
            self.connect(from.take(), id, span, diagram);
            from = match role {
                "final" | "flow-final" => None,
                "decision" | "fork" => self.split(node, id, diagram),
                _ => Some(From {
                    source: id,
                    guard: None,
                    span: None,
                }),
            };
        }
        from
    }

    fn report_unreached(&mut self, node: NodeId, diagram: DiagramId) {
        let span = self.reader.tree.span(node);
        let path = self.reader.diagrams[diagram.0].path.clone();
        let message = "the flow ends before it reaches this node".to_owned();
        let help = "nothing can follow a `final` or `flow-final`";
        self.report::<()>(&rules::XML_VALUE, span, &path, message, help);
    }

    fn connect(&mut self, from: Option<From>, target: ElementId, span: Span, diagram: DiagramId) {
        if let Some(from) = from {
            self.reader.diagrams[diagram.0].flows.push(Flow {
                source: from.source,
                target,
                guard: from.guard,
                span: from.span.unwrap_or(span),
            });
        }
    }

    /// Reads the arms of a decision or the branches of a fork, and adds the node where they meet.
    fn split(&mut self, node: NodeId, id: ElementId, diagram: DiagramId) -> Option<From> {
        let path = self.reader.elements[id.0].path.clone();
        let decides = self.role(node) == "decision";
        // Flows into the merge or join, which is added after everything else.
        let mut ends = Vec::new();
        let mut arms = 0;
        for child in self.children(node) {
            if self.role(child) == "comment" || !self.is_arm(child, decides, &path) {
                continue;
            }
            let guard = self.arm_guard(child, &path);
            arms += 1;
            let span = self.reader.tree.span(child);
            let from = From {
                source: id,
                guard,
                span: Some(span),
            };
            let nodes = self.arm(child, &path);
            if let Some(end) = self.sequence(&nodes, diagram, Some(from)) {
                ends.push(self.reader.diagrams[diagram.0].flows.len());
                self.connect(Some(end), id, span, diagram);
            }
        }
        if arms == 0 {
            return Some(From {
                source: id,
                guard: None,
                span: None,
            });
        }
        if ends.is_empty() {
            return None;
        }
        let (attribute, kind) = if decides {
            ("merge", NodeKind::Merge)
        } else {
            ("join", NodeKind::Join)
        };
        let name = self.attribute(node, attribute);
        let name = name.map_or_else(String::new, |it| it.value);
        let meet = self.implied(node, diagram, name, kind);
        for end in ends {
            self.reader.diagrams[diagram.0].flows[end].target = meet;
        }
        Some(From {
            source: meet,
            guard: None,
            span: None,
        })
    }

    /// Returns `true` if an element in a decision or fork is an arm or branch. Otherwise, reports
    /// the element.
    fn is_arm(&mut self, arm: NodeId, decides: bool, path: &str) -> bool {
        let is_arm = matches!(
            (decides, self.role(arm)),
            (true, "when" | "otherwise") | (false, "branch")
        );
        if !is_arm {
            let expected = if decides {
                "when or otherwise"
            } else {
                "branch"
            };
            self.foreign(arm, path, &format!("comment, {expected}"));
        }
        is_arm
    }

    /// Returns the guard of an arm. Branches have no guards.
    fn arm_guard(&mut self, arm: NodeId, path: &str) -> Option<Guard> {
        if self.role(arm) != "when" {
            self.check_attributes(arm, &[], path);
            return (self.role(arm) == "otherwise").then_some(Guard::Else);
        }
        self.check_attributes(arm, &["guard", "language"], path);
        self.required(arm, "guard", path);
        self.code(arm, "guard", path).map(Guard::When)
    }

    fn arm(&mut self, arm: NodeId, path: &str) -> Vec<NodeId> {
        let (nodes, others): (Vec<NodeId>, Vec<NodeId>) = self
            .children(arm)
            .into_iter()
            .partition(|&child| uml_name(self.role(child)).is_some());
        for other in others {
            self.foreign(other, path, EXPECTED);
        }
        nodes
    }

    fn graph(&mut self, nodes: &[NodeId], flows: &[NodeId], diagram: DiagramId) {
        let mut keys: Map<String, Vec<ElementId>> = Map::new();
        for &node in nodes {
            let id = self.node(node, diagram);
            let key = self.attribute(node, "key");
            let key = key.map_or_else(|| self.name(node), |it| it.value);
            keys.get_or_default(key).push(id);
            if matches!(self.role(node), "decision" | "fork") {
                let path = self.reader.elements[id.0].path.clone();
                for child in self.children(node) {
                    if self.role(child) != "comment" {
                        self.foreign(child, &path, "comment, because the flows are listed");
                    }
                }
            }
        }
        let path = self.reader.diagrams[diagram.0].path.clone();
        for &flow in flows {
            self.check_attributes(flow, &["from", "to", "guard", "language", "else"], &path);
            for child in self.children(flow) {
                self.foreign(child, &path, "nothing");
            }
            let source = self.required(flow, "from", &path);
            let target = self.required(flow, "to", &path);
            let guard = self.guard(flow, &path);
            let mut find = |key: Option<Text>| self.node_of(&key?, &keys, &path);
            if let (Some(source), Some(target)) = (find(source), find(target)) {
                let span = self.reader.tree.span(flow);
                self.reader.diagrams[diagram.0].flows.push(Flow {
                    source,
                    target,
                    guard,
                    span,
                });
            }
        }
    }

    fn guard(&mut self, flow: NodeId, path: &str) -> Option<Guard> {
        let Some(otherwise) = self.attribute(flow, "else") else {
            return self.code(flow, "guard", path).map(Guard::When);
        };
        if otherwise.value != "true" || self.attribute(flow, "guard").is_some() {
            let message = "`else` is `true`, without a `guard`".to_owned();
            self.report::<()>(&rules::XML_VALUE, otherwise.span, path, message, "");
        }
        Some(Guard::Else)
    }

    fn node_of(
        &mut self,
        key: &Text,
        keys: &Map<String, Vec<ElementId>>,
        path: &str,
    ) -> Option<ElementId> {
        let shown = path::shorten(&key.value);
        match keys.get(&key.value).map(Vec::as_slice) {
            Some(&[id]) => Some(id),
            Some(several) => {
                let message = format!("there are {} nodes named `{shown}` here", several.len());
                let help = "give each its own `key`, and refer to that key";
                self.report(&rules::XML_REFERENCE, key.span, path, message, help)
            }
            None => {
                let message = format!("unknown node `{shown}`");
                let known = keys.keys().map(String::as_str);
                let help = crate::xmi::references::did_you_mean(&key.value, known);
                let help = help.unwrap_or_default();
                self.report(&rules::XML_REFERENCE, key.span, path, message, &help)
            }
        }
    }
}
