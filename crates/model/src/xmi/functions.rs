//! Reads cost functions and variables.

use super::reader::Reader;
use super::tree::{Namespace, NodeId};
use super::values::{Body, c_code};
use super::vocabulary::Context;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::model as rules;
use crate::model::{Code, CostFunction, Variable};
use crate::path::{self, shorten};
use crate::source::Text;

impl Reader<'_, '_> {
    pub(super) fn function(&mut self, node: NodeId, owner: &str) {
        // An operation has a single method here. Any other behavior of it becomes a function with
        // its own name.
        let operation = self.operation(node);
        let operation = operation.filter(|&it| self.operations_read.insert(it));
        // Callers use the name of the operation, not of its method.
        let named = operation.filter(|&it| !self.tree.name(it).value.is_empty());
        let name = self.tree.name(named.unwrap_or(node));
        let shown = if name.value.is_empty() {
            self.tree.kind(node)
        } else {
            &name.value
        };
        let path = path::join(owner, shown);
        self.check_vocabulary(node, Context::Function, &path);
        let (span, kind, help) = match self.body(node) {
            Body::Code(body) => return self.function_with(node, operation, name, path, body),
            Body::Foreign(language) => {
                let kind = format!("it is written in `{}`", shorten(&language.value));
                let help = "write it in C, C++ or Rust, or remove its language";
                (language.span, kind, help)
            }
            Body::Absent => (self.tree.span(node), "it has no body".to_owned(), ""),
        };
        let message = format!("`{}` is ignored: {kind}", shorten(shown));
        let finding = Diagnostic::new(&rules::SKIPPED_BODY, span, message);
        self.note_kind(&kind, finding.element(path).help(help));
    }

    /// Reads an operation with a body in an extension as a cost function, unless the operation has
    /// a method.
    pub(super) fn operation_with(&mut self, node: NodeId, owner: &str, body: Text) {
        let name = self.tree.name(node);
        let path = path::join(owner, &name.value);
        if self.tree.references(node, "method").is_empty() && !body.value.trim().is_empty() {
            self.function_with(node, None, name, path, c_code(body));
        }
    }

    fn function_with(
        &mut self,
        node: NodeId,
        operation: Option<NodeId>,
        name: Text,
        path: String,
        body: Code,
    ) {
        if name.value.is_empty() {
            return self.unnamed("a function", node, &path);
        }
        let has_own = self
            .tree
            .children_in(node, "ownedParameter")
            .next()
            .is_some();
        let signature = operation.filter(|_| !has_own).unwrap_or(node);
        let count = self.diagnostics.count();
        let (parameters, result) = self.parameters(signature, &path);
        let problems = self.diagnostics.withdraw(count);
        let of_operation = || self.comments.get(&operation?);
        let comment = self.comments.get(&node).or_else(of_operation);
        self.functions.push(CostFunction {
            name,
            parameters,
            result,
            body,
            problems,
            comment: comment.cloned(),
            span: self.tree.span(node),
            path,
        });
    }

    fn operation(&self, behavior: NodeId) -> Option<NodeId> {
        let specification = self.tree.reference(behavior, "specification");
        specification
            .and_then(|it| it.target)
            .filter(|&it| self.tree.role(it) == "ownedOperation")
            .or_else(|| self.operations.get(&behavior).copied())
    }

    /// Returns the input parameters and the result type of a function.
    fn parameters(&mut self, node: NodeId, path: &str) -> (Vec<Variable>, Option<Text>) {
        let mut inputs = Vec::new();
        let mut results = Vec::new();
        let all: Vec<NodeId> = self.tree.children_in(node, "ownedParameter").collect();
        for parameter in all {
            let direction = self.tree.property(parameter, "direction");
            // Visual Paradigm and UML 1.x call the direction `kind`.
            let direction = direction.or_else(|| self.tree.property(parameter, "kind"));
            match direction.as_ref().map_or("in", |text| text.value.trim()) {
                "in" => inputs.extend(self.variable(parameter, path)),
                "return" | "out" => results.push(parameter),
                other => {
                    let message = format!("a parameter is `{}`", shorten(other));
                    self.misdirected(parameter, message, path);
                }
            }
        }
        // Tools without `return` parameters use an `out` parameter for the result.
        if let Some(second) = results.get(1) {
            self.misdirected(*second, "a function has two results".to_owned(), path);
        }
        let result = results.first().map(|&result| {
            self.check_vocabulary(result, Context::Variable, path);
            self.type_name(result, path)
        });
        let mut inputs: Vec<Variable> = inputs;
        for input in &mut inputs {
            input.read_only = false;
        }
        (inputs, result.filter(|name| !name.value.is_empty()))
    }

    pub(super) fn misdirected(&mut self, parameter: NodeId, message: String, path: &str) {
        let span = self.tree.span(parameter);
        let help = "give a cost function `in` parameters and one `return` parameter";
        let diagnostic = Diagnostic::new(&rules::PARAMETER_DIRECTION, span, message);
        self.diagnostics.push(diagnostic.element(path).help(help));
    }

    fn variable(&mut self, node: NodeId, owner: &str) -> Option<Variable> {
        let name = self.tree.name(node);
        if name.value.is_empty() {
            self.unnamed("a variable", node, owner);
            return None;
        }
        let path = path::join(owner, &name.value);
        self.check_vocabulary(node, Context::Variable, &path);
        let default = match self.tree.children_in(node, "defaultValue").next() {
            Some(value) => self.value_or_words(value, &path),
            None => self.tree.property(node, "default").map(c_code),
        };
        Some(Variable {
            type_name: self.type_name(node, &path),
            length: self.length(node, &path),
            read_only: self.tree.flag(node, "isReadOnly") == Some(true),
            is_required: false,
            default,
            comment: self.comments.get(&node).cloned(),
            name,
            path,
        })
    }

    /// Reads the variables that an element has in a role. Ports and association ends don't count.
    pub(super) fn variables(&mut self, node: NodeId, role: &str, path: &str) -> Vec<Variable> {
        let is_variable = |&child: &NodeId| {
            let is_uml = matches!(
                self.tree.node(child).namespace,
                Namespace::None | Namespace::Uml
            );
            is_uml
                && !self.tree.is_reference(child)
                && self.tree.kind(child) != "Port"
                && self.tree.attribute(child, "association").is_none()
        };
        let found: Vec<NodeId> = self
            .tree
            .children_in(node, role)
            .filter(is_variable)
            .collect();
        let variables = found.into_iter();
        variables.filter_map(|it| self.variable(it, path)).collect()
    }

    pub(super) fn unnamed(&mut self, what: &str, node: NodeId, owner: &str) {
        let message = format!("{what} without a name is ignored");
        let span = self.tree.span(node);
        let diagnostic = Diagnostic::new(&rules::UNNAMED, span, message);
        self.diagnostics.push(diagnostic.element(owner));
    }
}
