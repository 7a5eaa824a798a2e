//! Reads values, bodies and types.

use super::Guards;
use super::libraries;
use super::reader::Reader;
use super::tree::NodeId;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::model as rules;
use crate::model::{Code, Language};
use crate::path::shorten;
use crate::source::Text;

/// The body of an opaque element. If there are several, at most one of them is used.
#[derive(Debug)]
pub(super) enum Body {
    /// There is no body, or all bodies are empty.
    Absent,
    /// The first body in a supported language.
    Code(Code),
    /// No body is in a supported language. The value is the language of the first body.
    Foreign(Text),
}

pub(super) fn language(name: &str) -> Option<Language> {
    match name.trim().to_ascii_lowercase().as_str() {
        "" | "c" | "c++" | "cpp" | "ansi c" => Some(Language::C),
        "rust" => Some(Language::Rust),
        _ => None,
    }
}

impl Reader<'_, '_> {
    /// Returns the values of a property that can have several: the value of an attribute or,
    /// without one, the values of children in order.
    fn list(&self, node: NodeId, role: &str) -> Vec<Text> {
        if let Some(value) = self.tree.attribute(node, role) {
            return vec![self.tree.attribute_text(value)];
        }
        let empty = |child| Text::new(String::new(), self.tree.span(child));
        self.tree
            .children_in(node, role)
            .map(|child| self.tree.content(child).unwrap_or_else(|| empty(child)))
            .collect()
    }

    /// Reads the body of an opaque expression, action or behavior.
    pub(super) fn body(&self, node: NodeId) -> Body {
        let mut languages = self.list(node, "language").into_iter();
        let mut foreign = None;
        for text in self.list(node, "body") {
            let name = languages.next().unwrap_or_default();
            if text.value.trim().is_empty() {
                continue;
            }
            match language(&name.value) {
                Some(language) => return Body::Code(Code { language, text }),
                None => foreign = foreign.or(Some(name)),
            }
        }
        foreign.map_or(Body::Absent, Body::Foreign)
    }

    /// Reads a body that can be missing. Warns if its language isn't supported.
    pub(super) fn optional_body(&mut self, node: NodeId, path: &str) -> Option<Code> {
        match self.body(node) {
            Body::Absent => None,
            Body::Code(code) => Some(code),
            Body::Foreign(language) => {
                let name = shorten(&language.value);
                let message = format!("a body in `{name}` is ignored");
                let help = "write it in C, C++ or Rust, or remove its language";
                let rule = &rules::SKIPPED_BODY;
                let diagnostic = Diagnostic::new(rule, language.span, message);
                self.diagnostics.push(diagnostic.element(path).help(help));
                None
            }
        }
    }

    /// Reads the text of a UML value, such as a guard, a default or a size.
    pub(super) fn value(&mut self, node: NodeId, path: &str) -> Option<Code> {
        let literal = |default: &str| {
            let default = || Text::new(default.to_owned(), self.tree.span(node));
            Some(c_code(self.literal(node).unwrap_or_else(default)))
        };
        match self.tree.kind(node) {
            "LiteralInteger" | "LiteralUnlimitedNatural" => literal("0"),
            "LiteralReal" => literal("0.0"),
            "LiteralBoolean" => literal("false"),
            "LiteralString" => self.literal(node).map(c_code),
            "LiteralNull" => None,
            "Constraint" => {
                let specification = self.tree.children_in(node, "specification").next()?;
                self.value(specification, path)
            }
            "Expression" if self.tree.children_in(node, "operand").next().is_none() => {
                self.tree.property(node, "symbol").map(c_code)
            }
            "OpaqueExpression" | "" => self.expression(node, path),
            kind => {
                let kind = shorten(kind);
                let message = format!("a value of the kind {kind} is not supported");
                let help = "use an OpaqueExpression or a literal";
                let span = self.tree.span(node);
                let diagnostic = Diagnostic::new(&rules::UNREAD_VALUE, span, message);
                self.diagnostics.push(diagnostic.element(path).help(help));
                None
            }
        }
    }

    /// Returns the value of a literal. Some tools write it as text in the literal instead of as its
    /// `value`.
    fn literal(&self, node: NodeId) -> Option<Text> {
        let value = self.tree.property(node, "value");
        let text = || {
            self.tree
                .content(node)
                .map(|it| it.trimmed(self.tree.source))
        };
        value.or_else(|| text().filter(|it| !it.value.is_empty()))
    }

    /// Like [`Self::value`], but keeps words in an unsupported language if they are wanted.
    pub(super) fn value_or_words(&mut self, node: NodeId, path: &str) -> Option<Code> {
        let inner = self.tree.children_in(node, "specification").next();
        self.or_words(inner.unwrap_or(node), |reader| reader.value(node, path))
    }

    /// Reads code with `read`. If the code is in an unsupported language and words are wanted,
    /// returns the name of the language and the body in `holder` instead; `None` if there is no
    /// text.
    pub(super) fn or_words(
        &mut self,
        holder: NodeId,
        read: impl FnOnce(&mut Self) -> Option<Code>,
    ) -> Option<Code> {
        let count = self.diagnostics.count();
        let value = read(self);
        if self.guards == Guards::Strict {
            return value;
        }
        let unread = self.diagnostics.withdraw(count);
        if value.is_some() || unread.is_empty() {
            return value;
        }
        let language = self.list(holder, "language").into_iter().next()?;
        let body = self.list(holder, "body").into_iter().next()?;
        let words = format!("{}: {}", language.value.trim(), body.value.trim());
        Some(c_code(Text::new(words, body.span)))
    }

    /// Reads an `OpaqueExpression`, or a value without a type.
    pub(super) fn expression(&mut self, node: NodeId, path: &str) -> Option<Code> {
        match self.body(node) {
            Body::Code(code) => Some(code),
            Body::Absent => {
                let text = self.tree.property(node, "value");
                text.or_else(|| self.tree.content(node)).map(c_code)
            }
            Body::Foreign(language) => {
                let name = shorten(&language.value);
                let message = format!("an expression in `{name}` is not supported");
                let help = "write it in C, C++ or Rust, or remove its language";
                let rule = &rules::FOREIGN_LANGUAGE;
                let diagnostic = Diagnostic::new(rule, language.span, message);
                self.diagnostics.push(diagnostic.element(path).help(help));
                None
            }
        }
    }

    /// Returns the name of an element's `type`; empty if it has no type.
    pub(super) fn type_name(&mut self, node: NodeId, path: &str) -> Text {
        let mut absent = Text::new(String::new(), self.tree.span(node));
        let Some(reference) = self.tree.reference(node, "type") else {
            let child = self.tree.children_in(node, "type").next();
            return child
                .and_then(|child| self.tree.content(child))
                .map_or(absent, |text| text.trimmed(self.tree.source));
        };
        absent.span = reference.span;
        let span = reference.span;
        let named = |name: &str| Text::new(name.to_owned(), span);
        if let Some(target) = reference.target {
            return named(&self.tree.short_name(target));
        }
        if reference.file.is_some() {
            let child = self.tree.children_in(node, "type").next();
            if let Some(name) = child.and_then(|it| self.tree.referent(it)) {
                return named(&name);
            }
            return named(libraries::type_named(&reference.id));
        }
        if let Some(name) = type_without_declaration(&reference.id) {
            return named(name);
        }
        self.resolve(&reference, path);
        absent
    }

    /// Returns the upper multiplicity; `None` if it is 1 or missing.
    pub(super) fn length(&mut self, node: NodeId, path: &str) -> Option<usize> {
        let upper = if let Some(text) = self.tree.property(node, "upper") {
            text
        } else {
            let child = self.tree.children_in(node, "upperValue").next()?;
            // EMF omits the type of this child if it is the default, LiteralUnlimitedNatural.
            match self.tree.kind(child) {
                "" => self.literal(child)?,
                _ => self.value(child, path)?.text,
            }
        };
        self.length_from(&upper, path)
    }

    /// Returns the length of an array with this upper multiplicity.
    pub(super) fn length_from(&mut self, upper: &Text, path: &str) -> Option<usize> {
        let value = upper.value.trim();
        let problem = match value.parse::<usize>() {
            Ok(0) => "an array has no elements: its upper multiplicity is 0".to_owned(),
            Ok(1) => return None,
            Ok(length) => return Some(length),
            Err(_) if matches!(value, "*" | "-1") => {
                "the array has no size: its upper multiplicity is unlimited".to_owned()
            }
            Err(_) => format!(
                "the upper multiplicity `{}` is not a number",
                shorten(value)
            ),
        };
        let help = "use a number as the upper multiplicity, as in [0..10]";
        let diagnostic = Diagnostic::new(&rules::BAD_MULTIPLICITY, upper.span, problem);
        self.diagnostics.push(diagnostic.element(path).help(help));
        None
    }
}

/// Turns a text without a language into C code.
pub(super) fn c_code(text: Text) -> Code {
    Code {
        language: Language::C,
        text,
    }
}

/// Returns the type that an id stands for if the file doesn't define it, as in `double` or
/// Enterprise Architect's `EAJava_double`.
fn type_without_declaration(id: &str) -> Option<&str> {
    const KNOWN: [&str; 16] = [
        "int", "long", "short", "unsigned", "size_t", "float", "double", "bool", "boolean", "i64",
        "f64", "Integer", "Real", "Boolean", "Float", "Double",
    ];
    let name = if id.starts_with("EA") {
        id.rsplit('_').next().unwrap_or(id)
    } else {
        id
    };
    KNOWN.contains(&name).then_some(name)
}

/// Removes the brackets around a guard, as diagrams show them.
pub(super) fn without_brackets(code: Code, source: &crate::source::Source) -> Code {
    let Code { language, text } = code;
    let text = text.trimmed(source);
    let inner = text
        .value
        .strip_prefix('[')
        .and_then(|it| it.strip_suffix(']'));
    // In `[a] == [b]`, the first and the last bracket don't belong together.
    let is_pair = inner.is_some_and(|inner| {
        let mut depth = 0_usize;
        inner.chars().all(|c| match c {
            '[' => {
                depth += 1;
                true
            }
            ']' => {
                let is_open = depth > 0;
                depth = depth.saturating_sub(1);
                is_open
            }
            _ => true,
        })
    });
    let end = text.value.len();
    let text = if is_pair {
        text.slice(source, 1, end - 1).trimmed(source)
    } else {
        text
    };
    Code { language, text }
}
