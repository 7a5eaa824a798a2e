//! Reads attributes as variables, and operations with a method as cost functions.

use super::super::libraries;
use super::super::reader::Reader;
use super::super::tree::NodeId;
use super::super::values::language;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::model as rules;
use crate::model::{Code, CostFunction, Language, Variable};
use crate::path;
use crate::source::Text;

impl Reader<'_, '_> {
    /// Returns the name of a state, and the code of its entry action. ArgoUML displays the code
    /// instead of the name, so code that is only a name becomes the name.
    pub(super) fn name_and_body(&mut self, state: NodeId) -> (String, Option<Code>) {
        let name = self.tree.name(state).value;
        let entry = self.tree.owned(state, "entry").into_iter().next();
        let script = entry.and_then(|it| self.tree.expression_of_uml14(it, "script"));
        let script = script.filter(|(_, body)| !body.value.trim().is_empty());
        let Some((language, body)) = script else {
            return (name, None);
        };
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | ' ' | '-' | '.');
        if name.is_empty() && body.value.trim().chars().all(is_word) {
            return (body.value.trim().to_owned(), None);
        }
        let code = self.code_of_uml14(&language, body, &path::shorten(&name));
        (name, code)
    }

    /// Reads a body. Reports an unsupported language.
    pub(super) fn code_of_uml14(&mut self, name: &Text, text: Text, path: &str) -> Option<Code> {
        // ArgoUML writes Java as the language unless the author changes it.
        let is_java = name.value.trim().eq_ignore_ascii_case("java");
        let language = if is_java {
            Some(Language::C)
        } else {
            language(&name.value)
        };
        if let Some(language) = language {
            return Some(Code { language, text });
        }
        let shown = path::shorten(&name.value);
        let message = format!("an expression in `{shown}` is not supported");
        let diagnostic = Diagnostic::new(&rules::FOREIGN_LANGUAGE, text.span, message);
        let help = "write it in C, C++ or Rust, or remove its language";
        self.diagnostics.push(diagnostic.element(path).help(help));
        None
    }

    /// Reads the attributes of the main graph's class as global variables.
    pub(super) fn globals_of_uml14(&mut self, main: NodeId) -> Vec<Variable> {
        let context = self.tree.named(main, "context");
        let context = context.into_iter().find_map(|it| it.target);
        let is_class = |&it: &NodeId| self.tree.role(it) == "Class";
        let class = context.filter(is_class);
        let Some(class) = class.or_else(|| self.tree.ancestors(main).find(is_class)) else {
            return Vec::new();
        };
        let path = self.qualified_name(class);
        let features = self.tree.owned(class, "feature").into_iter();
        let attributes: Vec<NodeId> = features
            .filter(|&it| self.tree.role(it) == "Attribute")
            .collect();
        let mut globals = Vec::new();
        for attribute in attributes {
            globals.extend(self.attribute_of_uml14(attribute, &path));
        }
        globals
    }

    fn attribute_of_uml14(&mut self, node: NodeId, owner: &str) -> Option<Variable> {
        let name = self.tree.name(node);
        if name.value.is_empty() {
            self.unnamed("a variable", node, owner);
            return None;
        }
        let path = path::join(owner, &name.value);
        let initial = ["initialValue", "defaultValue"].into_iter();
        let mut initial = initial.filter_map(|it| self.tree.expression_of_uml14(node, it));
        let initial = initial
            .next()
            .filter(|(_, body)| !body.value.trim().is_empty());
        let default =
            initial.and_then(|(language, body)| self.code_of_uml14(&language, body, &path));
        let changeability = self.tree.text_of_uml14(node, "changeability");
        Some(Variable {
            type_name: self.type_of_uml14(node),
            length: self.length_of_uml14(node, &path),
            read_only: changeability.is_some_and(|it| it.value.trim() == "frozen"),
            is_required: false,
            default,
            comment: self.comments.get(&node).cloned(),
            name,
            path,
        })
    }

    /// Returns the name of an element's type; empty if it has no type.
    fn type_of_uml14(&self, node: NodeId) -> Text {
        let Some(reference) = self.tree.named(node, "type").into_iter().next() else {
            return Text::new(String::new(), self.tree.span(node));
        };
        let value = match reference.target {
            Some(target) => self.tree.short_name(target),
            None => libraries::type_named(&reference.id).to_owned(),
        };
        Text::new(value, reference.span)
    }

    /// Returns the upper multiplicity; `None` if it is 1 or missing.
    fn length_of_uml14(&mut self, node: NodeId, path: &str) -> Option<usize> {
        let multiplicity = self.tree.owned(node, "multiplicity").into_iter().next()?;
        let range = self.tree.owned(multiplicity, "range").into_iter().next()?;
        let upper = self.tree.text_of_uml14(range, "upper")?;
        self.length_from(&upper, path)
    }

    /// Reads operations with a method that has a body.
    pub(super) fn functions_of_uml14(&mut self) {
        let methods: Vec<NodeId> = self.defined("Method").collect();
        for method in methods {
            let specification = self.tree.named(method, "specification");
            let operation = specification.into_iter().find_map(|it| it.target);
            let Some(body) = self.tree.expression_of_uml14(method, "body") else {
                continue;
            };
            self.function_of_uml14(method, operation.unwrap_or(method), body);
        }
    }

    fn function_of_uml14(&mut self, method: NodeId, operation: NodeId, body: (Text, Text)) {
        let name = self.tree.name(operation);
        let owner = self.tree.node(operation).parent;
        let owner = owner.map_or_else(String::new, |it| self.qualified_name(it));
        let path = path::join(&owner, &name.value);
        if name.value.is_empty() {
            return self.unnamed("a function", method, &owner);
        }
        let (language, text) = body;
        if text.value.trim().is_empty() {
            return;
        }
        let Some(body) = self.code_of_uml14(&language, text, &path) else {
            return;
        };
        let mut parameters = Vec::new();
        let mut result = None;
        let count = self.diagnostics.count();
        for parameter in self.tree.owned(operation, "parameter") {
            let kind = self.tree.text_of_uml14(parameter, "kind");
            match kind.as_ref().map_or("in", |text| text.value.trim()) {
                "return" | "out" => result = Some(self.type_of_uml14(parameter)),
                "in" => parameters.extend(self.attribute_of_uml14(parameter, &path)),
                other => {
                    let message = format!("a parameter is `{}`", path::shorten(other));
                    self.misdirected(parameter, message, &path);
                }
            }
        }
        let comments = [operation, method].into_iter();
        let mut comments = comments.filter_map(|it| self.comments.get(&it));
        self.functions.push(CostFunction {
            name,
            parameters,
            result: result.filter(|name| !name.value.is_empty()),
            body,
            problems: self.diagnostics.withdraw(count),
            comment: comments.next().cloned(),
            span: self.tree.span(method),
            path,
        });
    }
}
