//! Reads our own XML format, which other programs can write, into the same model.
//!
//! `docs/text.md` and `templates/xml/prophet.xsd` describe the format. Anything unknown is an
//! error, because files in this format are written only for this reader.

mod access;
mod content;
mod nodes;

pub use nodes::{clause_name, part_name, uml_name as node_name};

use std::collections::BTreeSet;

use super::reader::Reader;
use super::tree::NodeId;
use crate::diagnostic::catalogue::xmi as rules;
use crate::model::{Code, CostFunction, DiagramId, ElementId, Language, Model, Start, Variable};
use crate::path;
use crate::source::Text;
use crate::xml_form::{NAMESPACE, ROOT};
use prophet_map::Map;

/// Returns `true` if the root element of `text` is a model in our own XML format.
#[must_use]
pub fn is_form(text: &str) -> bool {
    let is_name = |it: &char| it.is_alphanumeric() || matches!(it, ':' | '_' | '-' | '.');
    let mut tags = text.split('<').skip(1);
    // Declarations and comments can come before the root.
    let root = tags.find(|it| it.starts_with(char::is_alphabetic));
    let name = root.map(|it| it.chars().take_while(is_name).collect::<String>());
    name.is_some_and(|it| it.rsplit(':').next() == Some(ROOT)) && text.contains(NAMESPACE)
}

pub(super) struct StructuredReader<'r, 't, 's> {
    reader: &'r mut Reader<'t, 's>,
    keys: Map<String, Vec<DiagramId>>,
    /// Calls, with the key of the called activity.
    calls: Vec<(ElementId, NodeId, Text)>,
}

impl Reader<'_, '_> {
    /// Reads a file with the root element [`ROOT`].
    pub(super) fn structured_xml(&mut self, root: NodeId, main: Option<&str>) -> Option<Model> {
        let mut form = StructuredReader {
            reader: self,
            keys: Map::new(),
            calls: Vec::new(),
        };
        form.model(root, main)
    }
}

impl StructuredReader<'_, '_, '_> {
    fn model(&mut self, root: NodeId, main: Option<&str>) -> Option<Model> {
        self.check_attributes(root, &["name", "main"], "");
        let name = self.required(root, "name", "").map(|it| it.value);
        let name = name.unwrap_or_default();
        let path = path::join("", &name);
        let mut globals = Vec::new();
        for child in self.children(root) {
            match self.role(child) {
                "parameter" => globals.push(self.variable(child, &path, true)),
                "global" => globals.push(self.variable(child, &path, false)),
                "function" => self.function(child, &path),
                "activity" => self.activity(child, &path),
                _ => self.foreign(child, &path, "parameter, global, function or activity"),
            }
        }
        let called = self.called();
        self.resolve_calls();
        let main = self.main(root, main, &called)?;
        let main_node = self.reader.diagram_owners[main.0];
        let others = self.reader.other_starts(main_node, |_, _| globals.clone());
        let start = Start { main, globals };
        Some(self.reader.model(Some(name), start, others))
    }

    fn main(
        &mut self,
        root: NodeId,
        wanted: Option<&str>,
        called: &BTreeSet<NodeId>,
    ) -> Option<DiagramId> {
        if wanted.is_none()
            && let Some(key) = self.attribute(root, "main")
        {
            return self.activity_of(&key, "");
        }
        if self.reader.diagnostics.has_errors() && wanted.is_none() {
            // After an invalid call, it isn't known which activities are called.
            self.reader.is_open = true;
            return self.reader.activities.values().next().copied();
        }
        let (_, main) = self.reader.main(root, wanted, called)?;
        Some(main)
    }

    fn called(&self) -> BTreeSet<NodeId> {
        let called = self
            .calls
            .iter()
            .filter_map(|(_, _, key)| self.keys.get(&key.value)?.first());
        called.map(|id| self.reader.diagram_owners[id.0]).collect()
    }

    fn activity(&mut self, node: NodeId, owner: &str) {
        let name = self.name(node);
        let path = self.path(node, owner, &name, "Activity");
        let stereotype = self.stereotype(node, &["name", "key", "path", "flows"], &path);
        let id = self.reader.diagram(node, name.clone(), path);
        let key = self.attribute(node, "key").map_or(name, |key| key.value);
        self.keys.get_or_default(key).push(id);
        self.reader.activities.insert(node, id);
        self.reader.diagrams[id.0].stereotype = stereotype;
        self.reader.diagrams[id.0].comment = self.comment(node);
        self.content(node, id);
    }

    fn resolve_calls(&mut self) {
        for (element, _, key) in std::mem::take(&mut self.calls) {
            let path = self.reader.elements[element.0].path.clone();
            if let Some(activity) = self.activity_of(&key, &path) {
                self.reader.elements[element.0].kind = crate::model::NodeKind::Call(Some(activity));
            }
        }
    }

    fn activity_of(&mut self, key: &Text, path: &str) -> Option<DiagramId> {
        let shown = path::shorten(&key.value);
        match self.keys.get(&key.value).map(Vec::as_slice) {
            Some(&[id]) => Some(id),
            Some(several) => {
                let message = format!("there are {} activities named `{shown}`", several.len());
                let help = "give each its own `key`, and refer to that key";
                self.report(&rules::XML_REFERENCE, key.span, path, message, help)
            }
            None => {
                let message = format!("unknown activity `{shown}`");
                let known = self.keys.keys().map(String::as_str);
                let help = super::references::did_you_mean(&key.value, known);
                let add = || "add an activity with this name, or correct the name".to_owned();
                let help = help.unwrap_or_else(add);
                self.report(&rules::XML_REFERENCE, key.span, path, message, &help)
            }
        }
    }

    fn function(&mut self, node: NodeId, owner: &str) {
        self.check_attributes(node, &["name", "result", "language"], owner);
        let Some(name) = self.required(node, "name", owner) else {
            return;
        };
        let path = path::join(owner, &name.value);
        let language = self.language(node, &path);
        let mut parameters = Vec::new();
        let mut body = None;
        for child in self.children(node) {
            match self.role(child) {
                "comment" => {}
                "argument" => parameters.push(self.variable(child, &path, false)),
                "body" => body = self.text(child, &path),
                _ => self.foreign(child, &path, "comment, argument or body"),
            }
        }
        let Some(text) = body else {
            let span = self.reader.tree.span(node);
            let message = format!("the function `{}` has no body", path::shorten(&name.value));
            let help = "write `<body>…</body>`, with an expression or statements";
            self.report::<()>(&rules::XML_VALUE, span, &path, message, help);
            return;
        };
        let comment = self.comment(node);
        let result = self.attribute(node, "result");
        self.reader.functions.push(CostFunction {
            name,
            path,
            parameters,
            result,
            body: Code { language, text },
            problems: Vec::new(),
            comment,
            span: self.reader.tree.span(node),
        });
    }

    fn variable(&mut self, node: NodeId, owner: &str, read_only: bool) -> Variable {
        const ATTRIBUTES: &[&str] = &["name", "type", "length", "value", "language"];
        self.check_attributes(node, ATTRIBUTES, owner);
        let span = self.reader.tree.span(node);
        let absent = || Text::new(String::new(), span);
        let name = self.required(node, "name", owner);
        let name = name.unwrap_or_else(absent);
        let path = path::join(owner, &name.value);
        for child in self.children(node) {
            if self.role(child) != "comment" {
                self.foreign(child, &path, "comment");
            }
        }
        let type_name = self.attribute(node, "type").unwrap_or_else(absent);
        let length = self.attribute(node, "length").and_then(|text| {
            let length: Option<usize> = text.value.trim().parse().ok();
            length.filter(|it| *it > 1).or_else(|| {
                let message = format!("`{}` is not a valid length", path::shorten(&text.value));
                let help = "write how many values the variable has, 2 or more";
                self.report(&rules::XML_VALUE, text.span, &path, message, help)
            })
        });
        let default = self.code(node, "value", &path);
        Variable {
            name,
            type_name,
            length,
            read_only,
            is_required: false,
            default,
            comment: self.comment(node),
            path,
        }
    }

    fn language(&mut self, node: NodeId, path: &str) -> Language {
        let Some(name) = self.attribute(node, "language") else {
            return Language::C;
        };
        super::values::language(&name.value).unwrap_or_else(|| {
            let message = format!(
                "costs cannot be written in `{}`",
                path::shorten(&name.value)
            );
            let help = "write it in C or Rust";
            self.report::<()>(&rules::XML_VALUE, name.span, path, message, help);
            Language::C
        })
    }

    fn code(&mut self, node: NodeId, attribute: &str, path: &str) -> Option<Code> {
        let text = self.attribute(node, attribute)?;
        let language = self.language(node, path);
        Some(Code { language, text })
    }
}
