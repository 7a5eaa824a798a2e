//! Turns analysis variables (`GaAnalysisContext`) into model parameters.

use std::collections::{BTreeMap, BTreeSet};

use super::super::reader::Reader;
use super::super::tree::NodeId;
use super::Annotation;
use crate::diagnostic::catalogue::marte as rules;
use crate::diagnostic::{Diagnostic, Span};
use crate::marte_values::{self, Dimension, Direction, Scale, Value, ValueKind, ValueProblem};
use crate::model::{Code, Language, Model, Variable};
use crate::path::shorten;
use crate::source::Text;
use prophet_map::Map;

/// Tags that declare variables: Papyrus's name and the standard's.
const DECLARING: [&str; 2] = ["context", "contextParams"];

const SHOWN_MAX: usize = 3;

impl Reader<'_, '_> {
    /// Returns the variables of the analyses that the program's activity is part of.
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
        let declared = match marte_values::declarations(&text.value) {
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
            let is_required = it.value.is_none();
            let default = it.value.and_then(|it| self.first_value(name, it, text));
            let code = |text| Code {
                language: Language::C,
                text,
            };
            variables.push(Variable {
                default: default.map(code),
                is_required,
                ..parameter(name, span)
            });
        }
    }

    /// Adds a declaration for each variable that costs use without one. Each run must set these
    /// variables, so they are reported, unless only other programs use them.
    pub(in crate::xmi) fn require_values(&mut self, model: &mut Model) {
        let used = std::mem::take(&mut self.marte.used);
        let reached = model.reached();
        let counts = |span: &Span| {
            let concerned = self.concerned(*span, &model.elements);
            concerned.is_empty() || concerned.iter().any(|it| reached[it.0])
        };
        let first = |spans: &Vec<Span>| spans.iter().copied().find(counts);
        let used = used.iter();
        let used: BTreeMap<&str, Span> = used
            .filter_map(|(name, spans)| Some((name.as_str(), first(spans)?)))
            .collect();
        let locals = model.diagrams.iter().flat_map(|it| &it.locals);
        let locals: BTreeSet<&str> = locals.map(|it| it.name.value.as_str()).collect();
        let others = model.others.iter_mut().map(|it| &mut it.globals);
        for globals in std::iter::once(&mut model.globals).chain(others) {
            for it in globals.iter_mut().filter(|it| it.is_required) {
                it.is_required = used.contains_key(it.name.value.as_str());
            }
            let mut missing = used.clone();
            missing.retain(|name, _| !locals.contains(name));
            for it in globals.iter() {
                missing.remove(it.name.value.as_str());
            }
            globals.extend(missing.into_iter().map(|(name, span)| Variable {
                is_required: true,
                ..parameter(name, span)
            }));
        }
        for it in model.globals.iter().filter(|it| it.is_required) {
            let name = shorten(&it.name.value);
            let message = format!("the variable `${name}` has no value, but a cost uses it");
            let help = format!("give each run a value, or write one, as in `in${name}=1.5`");
            let warning = Diagnostic::new(&rules::NO_VALUE, it.name.span, message);
            self.diagnostics.push(warning.help(help));
        }
    }

    /// Returns the value of a variable. If it is a list, returns the first value.
    fn first_value(&mut self, name: &str, value: Value<'_>, text: &Text) -> Option<Text> {
        let value = match value.kind {
            ValueKind::List(values) => {
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

    /// Reports that only the first of several values is used.
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
        let message = format!("`${name}` has {} values; the first is used", values.len());
        let help = format!(
            "use all of them in a sweep: `--vary {name}={}{more}`",
            shown.join(",")
        );
        self.diagnostics
            .push(Diagnostic::new(&rules::TAKEN, span, message).help(help));
    }

    /// Stores the values of variables, for checking probabilities and for messages about
    /// populations.
    pub(super) fn note_values(&mut self) {
        let mut values: Map<String, Option<f64>> = Map::new();
        for text in self.marte.contexts.values().flat_map(declaring) {
            for it in marte_values::declarations(&text.value)
                .into_iter()
                .flatten()
            {
                let number = it.value.and_then(first).and_then(|value| {
                    let (value, _) = plain(&value).ok()?;
                    marte_values::constant(&value, &|_| None)
                });
                let known = values.get_or_insert(it.name.0.to_owned(), number);
                if *known != number {
                    *known = None;
                }
            }
        }
        self.marte.values = values;
    }

    /// Returns the value of a variable; `None` if it is unknown, or if the file's analyses set
    /// different values.
    pub(super) fn value_of_variable(&self, name: &str) -> Option<f64> {
        self.marte.values.get(name).copied().flatten()
    }
}

fn parameter(name: &str, span: Span) -> Variable {
    Variable {
        name: Text::new(name, span),
        path: name.to_owned(),
        type_name: Text::new("double", span),
        length: None,
        read_only: true,
        default: None,
        is_required: false,
        comment: None,
    }
}

fn declaring(context: &Annotation) -> impl Iterator<Item = &Text> {
    DECLARING.into_iter().flat_map(|tag| context.values(tag))
}

fn first(value: Value<'_>) -> Option<Value<'_>> {
    match value.kind {
        ValueKind::List(values) => values.into_iter().next(),
        _ => Some(value),
    }
}

fn plain<'t>(value: &Value<'t>) -> Result<(Value<'t>, Scale), ValueProblem> {
    let of = |dimension| {
        let quantity = marte_values::quantity(value.clone(), dimension)?;
        Ok((quantity.value, quantity.scale))
    };
    of(Dimension::Number)
        .or_else(|_: ValueProblem| of(Dimension::Frequency))
        .or_else(|_: ValueProblem| of(Dimension::Time))
}
