//! Prepares what all drawing targets need: diagrams, texts of nodes, and the ids that identify
//! nodes in a run.

use std::collections::BTreeSet;

use crate::ident::{Namespace, snake_case};
use crate::text;
use prophet_frontend::program::Program;
use prophet_map::Map;
use prophet_model::model::{
    Clause, Code, DiagramId, Element, ElementId, Guard, LoopNode, Model, NodeKind,
};
use prophet_model::vocabulary;

/// A model as it was drawn, with the ids of its elements.
#[derive(Debug)]
pub struct Drawing<'a> {
    /// The model.
    pub model: &'a Model,
    /// Ids by place and path. Both are needed: an implied fork has the same place as its node, and
    /// unnamed nodes have the same path.
    ids: Map<(usize, String), i64>,
}

/// A node's text, each part on one line and not escaped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caption {
    /// The keyword of the stereotype, or UML's own, without guillemets.
    pub keyword: Option<String>,
    /// The name.
    pub name: String,
    /// Tags that say what the node does and costs, such as `cost = FA1()`.
    pub facts: Vec<String>,
    /// The lines of the node's code.
    pub code: Vec<String>,
}

/// A part of a node with content: its heading and diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodePart {
    /// When the part runs, such as `while [i < 3]`; empty if that is obvious.
    pub label: String,
    /// The content.
    pub diagram: DiagramId,
}

impl<'a> Drawing<'a> {
    /// Creates the drawing of `model`. `program` is the program that it describes.
    pub fn new(model: &'a Model, program: &Program) -> Self {
        let ids = program
            .elements
            .iter()
            .map(|it| ((it.span.start, it.path.clone()), it.id))
            .collect();
        Self { model, ids }
    }

    /// Creates the drawing of a model without a program, so that no element has an id.
    pub fn without_program(model: &'a Model) -> Self {
        let ids = Map::default();
        Self { model, ids }
    }

    /// Returns the id that results use for an element, or `None` if the node isn't part of a run.
    pub fn id(&self, element: &Element) -> Option<i64> {
        let key = (element.span.start, element.path.clone());
        self.ids.get(&key).copied()
    }

    /// Returns the activities, each with a unique file name. The main activity is first.
    pub fn activities(&self) -> Vec<(String, DiagramId)> {
        let nested: BTreeSet<DiagramId> = self
            .model
            .elements
            .iter()
            .flat_map(parts)
            .map(|part| part.diagram)
            .collect();
        let others = (0..self.model.diagrams.len())
            .map(DiagramId)
            .filter(|id| *id != self.model.main && !nested.contains(id));
        let mut names = Namespace::default();
        std::iter::once(self.model.main)
            .chain(others)
            .map(|id| {
                let name = snake_case(&self.model.diagram(id).name, "diagram");
                (names.take(&name), id)
            })
            .collect()
    }

    /// Returns the text of an element.
    pub fn caption(&self, id: ElementId) -> Caption {
        let element = self.model.element(id);
        let stereotype = element.stereotype.as_ref();
        let keyword = match (stereotype, &element.kind) {
            (Some(stereotype), _) => Some(stereotype.kind.name()),
            (None, NodeKind::Structured(_)) => Some("structured"),
            (None, NodeKind::Loop(_)) => Some("loop"),
            (None, NodeKind::Conditional(_)) => Some("conditional"),
            (None, NodeKind::Unsupported(kind)) => Some(kind.as_str()),
            (None, _) => None,
        };
        let mut facts = Vec::new();
        if let Some(stereotype) = stereotype {
            let shown = |tag: &str| !["id", "type", "code"].contains(&tag);
            for tag in vocabulary::tags(stereotype.kind).filter(|tag| shown(tag)) {
                if let Some(text) = stereotype.tags.get(tag) {
                    facts.push(format!("{tag} = {}", one_line(&text.value)));
                }
            }
        }
        Caption {
            keyword: keyword.map(str::to_owned),
            name: self.name(element),
            facts,
            code: code(element).map(lines).unwrap_or_default(),
        }
    }

    /// Returns the name shown in the node. For a call, it includes the called activity.
    fn name(&self, element: &Element) -> String {
        let name = one_line(&element.name);
        let NodeKind::Call(Some(called)) = element.kind else {
            return name;
        };
        let called = one_line(&self.model.diagram(called).name);
        if name.is_empty() || name == called {
            called
        } else {
            format!("{name} : {called}")
        }
    }
}

/// Returns the parts of a node, in the order in which they run or are tried.
pub fn parts(element: &Element) -> Vec<NodePart> {
    let part = |label: String, diagram: DiagramId| NodePart { label, diagram };
    match &element.kind {
        NodeKind::Structured(diagram) => vec![part(String::new(), *diagram)],
        NodeKind::Loop(node) => loop_parts(node),
        NodeKind::Conditional(clauses) => {
            let word = |number| if number == 0 { "if" } else { "else if" };
            let label = |(number, clause): (usize, &Clause)| {
                part(
                    format!("{} {}", word(number), condition(clause.condition.as_ref())),
                    clause.body,
                )
            };
            clauses.iter().enumerate().map(label).collect()
        }
        _ => Vec::new(),
    }
}

fn loop_parts(node: &LoopNode) -> Vec<NodePart> {
    let part = |label: &str, diagram: DiagramId| NodePart {
        label: label.to_owned(),
        diagram,
    };
    let condition = format!("while {}", condition(node.condition.as_ref()));
    let setup = node.setup.map(|setup| part("setup", setup));
    let mut parts: Vec<NodePart> = setup.into_iter().collect();
    match (node.test, node.tested_first) {
        (Some(test), true) => parts.extend([part(&condition, test), part("do", node.body)]),
        (None, true) => parts.push(part(&condition, node.body)),
        (Some(test), false) => parts.extend([part("do", node.body), part(&condition, test)]),
        (None, false) => parts.push(part(&format!("do {condition}"), node.body)),
    }
    parts
}

fn condition(code: Option<&Code>) -> String {
    let text = code.map(|code| one_line(&code.text.value));
    format!("[{}]", text.unwrap_or_default())
}

/// Returns the guard of an edge as it is drawn.
pub fn guard(guard: &Guard) -> String {
    match guard {
        Guard::Else => "[else]".to_owned(),
        Guard::When(code) => format!("[{}]", one_line(&code.text.value)),
    }
}

/// Returns an element's code, from its body or a tag.
fn code(element: &Element) -> Option<&str> {
    let tag = element
        .stereotype
        .as_ref()
        .and_then(|it| it.tags.get("code"));
    let body = element.body.as_ref().map(|body| &body.text);
    body.or(tag).map(|text| text.value.as_str())
}

fn lines(text: &str) -> Vec<String> {
    text.lines()
        .map(one_line)
        .filter(|line| !line.is_empty())
        .collect()
}

/// Puts `text` on one line. Each run of white space becomes one space. Characters that change the
/// order or appearance of others are removed.
pub fn one_line(text: &str) -> String {
    let visible: String = text.chars().filter(|c| !is_hidden(*c)).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns `true` for characters that are invisible or that XML doesn't allow.
fn is_hidden(c: char) -> bool {
    text::is_hidden(c) || matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// Escapes `text` for use in XML content and attributes.
pub fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c if is_hidden(c) => {}
            c => escaped.push(c),
        }
    }
    escaped
}
