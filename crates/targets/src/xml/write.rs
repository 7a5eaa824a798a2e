//! Writes the model as XML.

use std::collections::{BTreeMap, BTreeSet};

use super::role::{is_usual_path, role};
use super::sequence::{Item, sequence};
use super::text::Text;
use prophet_codegen::model::{
    Code, Diagram, DiagramId, ElementId, Guard, Language, Model, NodeKind, Stereotype, Variable,
};
use prophet_codegen::output::MARKER;
use prophet_codegen::vocabulary;
use prophet_model::path;
use prophet_model::xmi::structured::{clause_name, part_name};
use prophet_model::xml_form::{NAMESPACE, ROOT, attribute_of};

pub(super) fn write(model: &Model, model_file: &str) -> Text {
    // `--` isn't allowed in a comment.
    let file = model_file.replace("--", "- -");
    let begin = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!-- {MARKER} from {file}. Do not edit. -->\n"
    );
    let mut writer = XmlFormWriter {
        model,
        keys: activity_keys(model),
        text: Text::new(&begin),
    };
    writer.model();
    writer.text
}

pub(crate) fn activity_keys(model: &Model) -> BTreeMap<DiagramId, String> {
    let mut parts = BTreeSet::new();
    for element in &model.elements {
        parts.extend(contents(&element.kind));
    }
    let ids = (0..model.diagrams.len()).map(DiagramId);
    let activities: Vec<DiagramId> = ids.filter(|id| !parts.contains(id)).collect();
    keys(&activities, |id| &model.diagram(id).name)
}

fn contents(kind: &NodeKind) -> Vec<DiagramId> {
    match kind {
        NodeKind::Structured(content) => vec![*content],
        NodeKind::Loop(node) => {
            let parts = [node.setup, node.test, Some(node.body)];
            parts.into_iter().flatten().collect()
        }
        NodeKind::Conditional(clauses) => clauses.iter().map(|it| it.body).collect(),
        _ => Vec::new(),
    }
}

/// Returns a key for each item: its name, unless another item has the same name.
fn keys<'m, Id: Copy + Ord>(ids: &[Id], name: impl Fn(Id) -> &'m str) -> BTreeMap<Id, String> {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for &id in ids {
        *times.entry(name(id)).or_default() += 1;
    }
    let mut number = 0;
    let mut keys = BTreeMap::new();
    for &id in ids {
        let mut key = name(id).to_owned();
        if key.trim().is_empty() || times[name(id)] > 1 {
            loop {
                number += 1;
                key = format!("n{number}");
                if !times.contains_key(key.as_str()) {
                    break;
                }
            }
        }
        keys.insert(id, key);
    }
    keys
}

struct XmlFormWriter<'m> {
    model: &'m Model,
    keys: BTreeMap<DiagramId, String>,
    text: Text,
}

impl<'m> XmlFormWriter<'m> {
    fn model(&mut self) {
        let model = self.model;
        self.text.open(ROOT);
        self.text.attribute("xmlns", NAMESPACE);
        self.text.attribute("name", &model.name);
        self.text.attribute("main", &self.keys[&model.main]);
        for variable in &model.globals {
            let role = if variable.read_only {
                "parameter"
            } else {
                "global"
            };
            self.variable(role, variable);
        }
        for function in &model.functions {
            self.text.open("function");
            self.text.attribute("name", &function.name.value);
            if let Some(result) = &function.result {
                self.text.attribute("result", &result.value);
            }
            self.language(function.body.language);
            self.comment(function.comment.as_deref());
            for argument in &function.parameters {
                self.variable("argument", argument);
            }
            self.text.leaf("body", &[], &function.body.text.value);
            self.text.close();
        }
        let activities: Vec<DiagramId> = self.keys.keys().copied().collect();
        for id in activities {
            self.activity(id);
        }
        self.text.close();
    }

    fn activity(&mut self, id: DiagramId) {
        let model = self.model;
        let diagram = model.diagram(id);
        self.text.open("activity");
        self.name(&diagram.name);
        let key = &self.keys[&id];
        if *key != diagram.name {
            self.text.attribute("key", key);
        }
        let shown = if diagram.name.is_empty() {
            "Activity"
        } else {
            &diagram.name
        };
        if diagram.path != path::join(&path::join("", &model.name), shown) {
            self.text.attribute("path", &diagram.path);
        }
        self.stereotype(diagram.stereotype.as_ref());
        let items = self.begin_content(diagram);
        self.comment(diagram.comment.as_deref());
        self.content(diagram, items.as_deref());
        self.text.close();
    }

    /// Writes whether a diagram is a sequence. If it is, returns its items.
    fn begin_content(&mut self, diagram: &'m Diagram) -> Option<Vec<Item<'m>>> {
        let items = sequence(self.model, diagram);
        if items.is_none() {
            self.text.attribute("flows", "listed");
        }
        items
    }

    fn content(&mut self, diagram: &'m Diagram, items: Option<&[Item<'m>]>) {
        for local in &diagram.locals {
            self.variable("local", local);
        }
        match items {
            Some(items) => self.sequence(items),
            None => self.graph(diagram),
        }
    }

    fn sequence(&mut self, items: &[Item<'m>]) {
        for item in items {
            match item {
                Item::Node(stop) => self.node(stop.node, None),
                Item::Split(id, arms, meet) => {
                    let decides = self.model.element(*id).kind == NodeKind::Decision;
                    let attribute = if decides { "merge" } else { "join" };
                    let name = meet.map(|meet| self.model.element(meet.node).name.as_str());
                    let name = name.filter(|name| !name.trim().is_empty());
                    let meet = name.map(|name| (attribute, name));
                    self.begin_node(*id, None, meet);
                    for arm in arms {
                        match &arm.flow.guard {
                            None => self.text.open("branch"),
                            Some(Guard::Else) => self.text.open("otherwise"),
                            Some(Guard::When(guard)) => {
                                self.text.open("when");
                                self.code("guard", guard);
                            }
                        }
                        self.sequence(&arm.items);
                        self.text.close();
                    }
                    self.text.close();
                }
            }
        }
    }

    fn graph(&mut self, diagram: &'m Diagram) {
        let keys = keys(&diagram.elements, |id| &self.model.element(id).name);
        for &id in &diagram.elements {
            let key = &keys[&id];
            let own = *key != self.model.element(id).name;
            self.node(id, own.then_some(key));
        }
        for flow in &diagram.flows {
            self.text.open("flow");
            self.text.attribute("from", &keys[&flow.source]);
            self.text.attribute("to", &keys[&flow.target]);
            match &flow.guard {
                None => {}
                Some(Guard::Else) => self.text.attribute("else", "true"),
                Some(Guard::When(guard)) => self.code("guard", guard),
            }
            self.text.close();
        }
    }

    fn node(&mut self, id: ElementId, key: Option<&String>) {
        self.begin_node(id, key, None);
        let element = self.model.element(id);
        if let Some(Code { language, text }) = &element.body {
            let language = [("language", "Rust")]
                .into_iter()
                .filter(|_| *language == Language::Rust);
            let language: Vec<_> = language.collect();
            self.text.leaf("code", &language, &text.value);
        }
        match &element.kind {
            NodeKind::Loop(node) => {
                let parts = [
                    ("setup", node.setup),
                    ("test", node.test),
                    ("body", Some(node.body)),
                ];
                for (role, part) in parts {
                    let Some(part) = part else { continue };
                    self.text.open(role);
                    let usual = match role {
                        "body" => element.name.clone(),
                        role => part_name(&element.name, role),
                    };
                    self.part(part, &usual);
                }
            }
            NodeKind::Conditional(clauses) => {
                for (number, clause) in (1..).zip(clauses) {
                    self.text.open("case");
                    if let Some(condition) = &clause.condition {
                        self.code("condition", condition);
                    }
                    self.part(clause.body, &clause_name(&element.name, number));
                }
            }
            _ => {}
        }
        self.text.close();
    }

    fn part(&mut self, part: DiagramId, usual: &str) {
        let diagram = self.model.diagram(part);
        if diagram.name != usual {
            self.text.attribute("name", &diagram.name);
        }
        let items = self.begin_content(diagram);
        self.content(diagram, items.as_deref());
        self.text.close();
    }

    /// Writes the tag and the comment of a node, and the content of a structured node.
    fn begin_node(&mut self, id: ElementId, key: Option<&String>, meet: Option<(&str, &str)>) {
        let model = self.model;
        let element = model.element(id);
        self.text.open(role(&element.kind));
        self.name(&element.name);
        if let Some(key) = key {
            self.text.attribute("key", key);
        }
        if !is_usual_path(model, element) {
            self.text.attribute("path", &element.path);
        }
        if let Some((attribute, name)) = meet {
            self.text.attribute(attribute, name);
        }
        self.stereotype(element.stereotype.as_ref());
        match &element.kind {
            NodeKind::Call(Some(activity)) => {
                self.text.attribute("activity", &self.keys[activity]);
            }
            NodeKind::Loop(node) => {
                if let Some(condition) = &node.condition {
                    self.code("condition", condition);
                }
                if !node.tested_first {
                    self.text.attribute("tested", "last");
                }
            }
            NodeKind::Unsupported(kind) => self.text.attribute("kind", kind),
            _ => {}
        }
        let content = match element.kind {
            NodeKind::Structured(content) => Some(model.diagram(content)),
            _ => None,
        };
        let items = content.map(|content| self.begin_content(content));
        self.comment(element.comment.as_deref());
        if let (Some(content), Some(items)) = (content, items) {
            self.content(content, items.as_deref());
        }
    }

    fn variable(&mut self, role: &'static str, variable: &Variable) {
        self.text.open(role);
        self.text.attribute("name", &variable.name.value);
        if !variable.type_name.value.is_empty() {
            self.text.attribute("type", &variable.type_name.value);
        }
        if let Some(length) = variable.length {
            self.text.attribute("length", &length.to_string());
        }
        if let Some(value) = &variable.default {
            self.code("value", value);
        }
        self.comment(variable.comment.as_deref());
        self.text.close();
    }

    fn stereotype(&mut self, stereotype: Option<&Stereotype>) {
        let Some(stereotype) = stereotype else { return };
        self.text.attribute("stereotype", stereotype.kind.name());
        for tag in vocabulary::tags(stereotype.kind) {
            if let Some(value) = stereotype.tags.get(tag) {
                self.text.attribute(attribute_of(tag), &value.value);
            }
        }
    }

    fn name(&mut self, name: &str) {
        if !name.is_empty() {
            self.text.attribute("name", name);
        }
    }

    fn code(&mut self, attribute: &str, code: &Code) {
        self.text.attribute(attribute, &code.text.value);
        self.language(code.language);
    }

    fn language(&mut self, language: Language) {
        if language == Language::Rust {
            self.text.attribute("language", "Rust");
        }
    }

    fn comment(&mut self, comment: Option<&str>) {
        if let Some(comment) = comment {
            self.text.leaf("comment", &[], comment);
        }
    }
}
