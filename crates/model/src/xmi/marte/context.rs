//! Variables of an analysis (`GaAnalysisContext`), which become model parameters.

use super::super::path::shorten;
use super::super::reader::Reader;
use super::super::tree::NodeId;
use super::Annotation;
use crate::diagnostic::catalogue::marte as rules;
use crate::diagnostic::{Diagnostic, Span};
use crate::map::Map;
use crate::model::{Code, Language, Variable};
use crate::source::Text;
use crate::vsl::{self, Dimension, Direction, Kind, Problem, Scale, Value};

/// Tags that declare variables: Papyrus's name, and that of the standard.
const DECLARING: [&str; 2] = ["context", "contextParams"];

/// A list of values shows this many in a message.
const SHOWN_MAX: usize = 3;

impl Reader<'_, '_> {
    /// Reads the variables of the analyses that a program's activity is part of.
    pub(in crate::xmi) fn analysis_variables(&mut self, main: NodeId) -> Vec<Variable> {
        let around: Vec<NodeId> = self.tree.ancestors(main).collect();
        let mut variables = Vec::new();
        for target in around {
            let Some(context) = self.marte.contexts.get(&target).cloned() else {
                continue;
            };
            for text in declaring(&context) {
                self.declare(text, &mut variables);
            }
        }
        variables
    }

    fn declare(&mut self, text: &Text, variables: &mut Vec<Variable>) {
        let declared = match vsl::declarations(&text.value) {
            Ok(declared) => declared,
            Err(problem) => {
                return self.report_value(&rules::BAD_VALUE, "context", text, &problem);
            }
        };
        for it in declared {
            if it.direction == Direction::Out {
                continue;
            }
            let (name, at) = it.name;
            let span = text.locate(self.tree.source, at.start, at.end);
            if it.value.is_none() {
                self.require_value(name, span);
            }
            let default = it.value.and_then(|it| self.first_value(name, it, text));
            let code = |text| Code {
                language: Language::C,
                text,
            };
            variables.push(Variable {
                name: Text::new(name, span),
                path: name.to_owned(),
                type_name: Text::new("double", span),
                length: None,
                read_only: true,
                default: default.map(code),
                comment: None,
            });
        }
    }

    /// Reports a variable that costs name, and whose value nobody says.
    fn require_value(&mut self, name: &str, span: Span) {
        if !self.marte.used.contains_key(name) {
            return;
        }
        let name = shorten(name);
        let message = format!("the variable `${name}` has no value, and a cost names it");
        let help = format!("write one, as in `in${name}=1.5`");
        self.diagnostics
            .push(Diagnostic::new(&rules::NO_VALUE, span, message).help(help));
    }

    /// Reads the value of a variable, which may be the first of a list.
    fn first_value(&mut self, name: &str, value: Value<'_>, text: &Text) -> Option<Text> {
        let value = match value.kind {
            Kind::List(values) => {
                self.note_list(name, &values, text);
                values.into_iter().next()?
            }
            kind => Value { kind, at: value.at },
        };
        match plain(&value).and_then(|(value, scale)| self.code_of(&value, scale, text)) {
            Ok(price) => Some(price.text),
            Err(problem) => {
                self.report_value(&rules::BAD_VALUE, name, text, &problem);
                None
            }
        }
    }

    /// Tells that only the first of a variable's values counts.
    fn note_list(&mut self, name: &str, values: &[Value<'_>], text: &Text) {
        let (Some(first), Some(last)) = (values.first(), values.last()) else {
            return;
        };
        if values.len() < 2 {
            return;
        }
        let of = |value: &Value<'_>| text.value.get(value.at.clone()).unwrap_or_default();
        let shown: Vec<&str> = values.iter().take(SHOWN_MAX).map(of).collect();
        let more = if values.len() > SHOWN_MAX { ",…" } else { "" };
        let span = text.locate(self.tree.source, first.at.start, last.at.end);
        let name = shorten(name);
        let message = format!(
            "`${name}` has {} values, of which the first counts",
            values.len()
        );
        let help = format!(
            "a sweep takes them all: `--vary {name}={}{more}`",
            shown.join(",")
        );
        self.diagnostics
            .push(Diagnostic::new(&rules::TAKEN, span, message).help(help));
    }

    /// Notes the values of variables, of which choices and populations show or check the result.
    pub(super) fn note_values(&mut self) {
        let mut values: Map<String, Option<f64>> = Map::new();
        for text in self.marte.contexts.values().flat_map(declaring) {
            for it in vsl::declarations(&text.value).into_iter().flatten() {
                let number = it.value.and_then(first).and_then(|value| {
                    let (value, _) = plain(&value).ok()?;
                    vsl::constant(&value, &|_| None)
                });
                let known = values.get_or_insert(it.name.0.to_owned(), number);
                if *known != number {
                    *known = None;
                }
            }
        }
        self.marte.values = values;
    }

    /// Value of a variable that all analyses of the file agree on.
    pub(super) fn value_of_variable(&self, name: &str) -> Option<f64> {
        self.marte.values.get(name).copied().flatten()
    }
}

fn declaring(context: &Annotation) -> impl Iterator<Item = &Text> {
    DECLARING.into_iter().flat_map(|tag| context.values(tag))
}

fn first(value: Value<'_>) -> Option<Value<'_>> {
    match value.kind {
        Kind::List(values) => values.into_iter().next(),
        _ => Some(value),
    }
}

/// The value of a variable and the factor of its unit, of whatever dimension that is.
fn plain<'t>(value: &Value<'t>) -> Result<(Value<'t>, Scale), Problem> {
    let of = |dimension| {
        let quantity = vsl::quantity(value.clone(), dimension)?;
        Ok((quantity.value, quantity.scale))
    };
    of(Dimension::Number)
        .or_else(|_: Problem| of(Dimension::Frequency))
        .or_else(|_: Problem| of(Dimension::Time))
}
