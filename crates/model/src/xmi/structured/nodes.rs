//! Reads the nodes of our own XML format.

use super::StructuredReader;
use crate::diagnostic::catalogue::xmi as rules;
use crate::model::{Clause, Code, DiagramId, Element, ElementId, LoopNode, NodeKind};
use crate::path;
use crate::source::Text;
use crate::xmi::tree::NodeId;

const NODES: [(&str, &str); 13] = [
    ("initial", "InitialNode"),
    ("final", "ActivityFinalNode"),
    ("flow-final", "FlowFinalNode"),
    ("decision", "DecisionNode"),
    ("merge", "MergeNode"),
    ("fork", "ForkNode"),
    ("join", "JoinNode"),
    ("action", "OpaqueAction"),
    ("call", "CallBehaviorAction"),
    ("block", "StructuredActivityNode"),
    ("loop", "LoopNode"),
    ("choose", "ConditionalNode"),
    ("other", "ActivityNode"),
];

/// Returns the UML type of the node that the XML element `role` stands for; `None` if it isn't a
/// node.
pub fn uml_name(role: &str) -> Option<&'static str> {
    NODES
        .iter()
        .find(|(known, _)| *known == role)
        .map(|(_, uml)| *uml)
}

pub(super) const EXPECTED: &str = "action, call, block, loop, choose, decision, fork, initial, \
                                   final or flow-final";

impl StructuredReader<'_, '_, '_> {
    /// Reads a node and its content, except arms of decisions and branches of forks.
    pub(super) fn node(&mut self, node: NodeId, diagram: DiagramId) -> ElementId {
        let role = self.role(node);
        let name = self.name(node);
        let owner = self.reader.diagrams[diagram.0].path.clone();
        let path = self.path(node, &owner, &name, uml_name(role).unwrap_or_default());
        let own: &[&str] = match role {
            "call" => &["activity"],
            "block" => &["flows"],
            "loop" => &["condition", "language", "tested"],
            "decision" => &["merge"],
            "fork" => &["join"],
            "other" => &["kind"],
            _ => &[],
        };
        let known = [&["name", "key", "path"], own].concat();
        let stereotype = self.stereotype(node, &known, &path);
        let comment = self.comment(node);
        let body = if role == "action" {
            self.body(node, &path)
        } else {
            None
        };
        let id = ElementId(self.reader.elements.len());
        self.reader.element_of.insert(node, id);
        self.reader.element_nodes.push(node);
        self.reader.diagrams[diagram.0].elements.push(id);
        self.reader.elements.push(Element {
            name: name.clone(),
            path: path.clone(),
            span: self.reader.tree.span(node),
            comment,
            diagram,
            kind: NodeKind::Action,
            stereotype,
            body,
        });
        let kind = self.kind(node, id, &name, &path);
        self.reader.elements[id.0].kind = kind;
        if matches!(role, "initial" | "final" | "flow-final" | "merge" | "join") {
            self.leaf(node, &path);
        }
        id
    }

    fn kind(&mut self, node: NodeId, id: ElementId, name: &str, path: &str) -> NodeKind {
        match self.role(node) {
            "initial" => NodeKind::Initial,
            "final" => NodeKind::ActivityFinal,
            "flow-final" => NodeKind::FlowFinal,
            "decision" => NodeKind::Decision,
            "merge" => NodeKind::Merge,
            "fork" => NodeKind::Fork,
            "join" => NodeKind::Join,
            "call" => {
                if let Some(key) = self.attribute(node, "activity") {
                    self.calls.push((id, node, key));
                }
                self.leaf(node, path);
                NodeKind::Call(None)
            }
            "block" => {
                let content = self.reader.diagram(node, name.to_owned(), path.to_owned());
                let comment = &self.reader.elements[id.0].comment;
                self.reader.diagrams[content.0].comment.clone_from(comment);
                self.content(node, content);
                NodeKind::Structured(content)
            }
            "loop" => self.loop_node(node, name, path),
            "choose" => self.choose(node, name, path),
            "other" => {
                self.leaf(node, path);
                let kind = self.attribute(node, "kind");
                NodeKind::Unsupported(kind.map_or_else(|| "ActivityNode".to_owned(), |it| it.value))
            }
            _ => NodeKind::Action,
        }
    }

    /// Adds a node that isn't written in the file.
    pub(super) fn implied(
        &mut self,
        node: NodeId,
        diagram: DiagramId,
        name: String,
        kind: NodeKind,
    ) -> ElementId {
        let owner = &self.reader.diagrams[diagram.0].path;
        let uml = if kind == NodeKind::Merge {
            "MergeNode"
        } else {
            "JoinNode"
        };
        let path = path::join(owner, if name.is_empty() { uml } else { &name });
        let id = ElementId(self.reader.elements.len());
        self.reader.element_nodes.push(node);
        self.reader.diagrams[diagram.0].elements.push(id);
        self.reader.elements.push(Element {
            name,
            path,
            span: self.reader.tree.span(node),
            comment: None,
            diagram,
            kind,
            stereotype: None,
            body: None,
        });
        id
    }

    /// Reports the content of a node that can't have any. Comments are allowed.
    fn leaf(&mut self, node: NodeId, path: &str) {
        for child in self.children(node) {
            if self.role(child) != "comment" {
                self.foreign(child, path, "comment");
            }
        }
    }

    fn body(&mut self, node: NodeId, path: &str) -> Option<Code> {
        let mut body = None;
        for child in self.children(node) {
            match self.role(child) {
                "comment" => {}
                "code" => {
                    self.check_attributes(child, &["language"], path);
                    let language = self.language(child, path);
                    let text = self.text(child, path);
                    let text = text.filter(|it| !it.value.trim().is_empty());
                    body = text.map(|text| Code { language, text });
                }
                _ => self.foreign(child, path, "comment or code"),
            }
        }
        body
    }

    fn loop_node(&mut self, node: NodeId, name: &str, path: &str) -> NodeKind {
        let tested_first = match self.attribute(node, "tested") {
            None => true,
            Some(text) => match text.value.as_str() {
                "first" => true,
                "last" => false,
                _ => {
                    let message = "`tested` must be `first` or `last`".to_owned();
                    self.report::<()>(&rules::XML_VALUE, text.span, path, message, "");
                    true
                }
            },
        };
        let condition = self.code(node, "condition", path);
        let (mut setup, mut test, mut body) = (None, None, None);
        for child in self.children(node) {
            let role = self.role(child);
            let (part, named) = match role {
                "comment" => continue,
                "setup" => (&mut setup, part_name(name, role)),
                "test" => (&mut test, part_name(name, role)),
                "body" => (&mut body, name.to_owned()),
                _ => {
                    self.foreign(child, path, "comment, setup, test or body");
                    continue;
                }
            };
            if part.is_some() {
                self.foreign(child, path, "only one of each");
                continue;
            }
            *part = Some(self.part(child, named, path, &[]));
        }
        let body =
            body.unwrap_or_else(|| self.reader.diagram(node, name.to_owned(), path.to_owned()));
        NodeKind::Loop(LoopNode {
            setup,
            test,
            condition,
            body,
            tested_first,
        })
    }

    fn choose(&mut self, node: NodeId, name: &str, path: &str) -> NodeKind {
        let mut clauses = Vec::new();
        for child in self.children(node) {
            match self.role(child) {
                "comment" => {}
                "case" => {
                    let number = clauses.len() + 1;
                    let condition = self.code(child, "condition", path);
                    let named = clause_name(name, number);
                    let body = self.part(child, named, path, &["condition", "language"]);
                    let span = self.reader.tree.span(child);
                    clauses.push(Clause {
                        condition,
                        body,
                        span,
                    });
                }
                _ => self.foreign(child, path, "comment or case"),
            }
        }
        NodeKind::Conditional(clauses)
    }

    fn part(&mut self, node: NodeId, name: String, path: &str, own: &[&str]) -> DiagramId {
        let known = [&["name", "flows"], own].concat();
        self.check_attributes(node, &known, path);
        let name = self
            .attribute(node, "name")
            .map_or(name, |Text { value, .. }| value);
        let part = self.reader.diagram(node, name, path.to_owned());
        self.content(node, part);
        part
    }
}

/// Returns the name of the diagram for a part of a loop.
pub fn part_name(name: &str, part: &str) -> String {
    match name {
        "" => part.to_owned(),
        _ => format!("{name} {part}"),
    }
}

/// Returns the name of the diagram for a clause.
pub fn clause_name(name: &str, number: usize) -> String {
    match name {
        "" => format!("clause {number}"),
        _ => format!("{} {number}", path::shorten(name)),
    }
}
