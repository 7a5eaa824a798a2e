//! Finds the names that a model declares, and their uses.
//!
//! Only code counts as a use: tags, guards, conditions, bodies and initial values. Words in a
//! drawing's names and comments don't count, nor do words in neighboring files.

use std::collections::BTreeSet;
use std::ops::Range;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::Checked;
use prophet_model::diagnostic::Diagnostics;
use prophet_model::model::{Code, CostFunction, Element, Guard, Model, NodeKind, Variable};
use prophet_model::source::{Source, Text};
use prophet_model::xmi;

#[derive(Debug)]
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) place: Range<usize>,
    pub(crate) signature: String,
    pub(crate) comment: String,
    pub(crate) is_function: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) declared: Vec<Declared>,
    code: Vec<Range<usize>>,
}

impl Names {
    /// Collects the names in a model, as many as possible if the model has errors.
    pub(crate) fn of(checked: &Checked, rules: &RuleSet) -> Self {
        let mut names = Self::default();
        if let Some(model) = &checked.model {
            names.add(&checked.source, model);
            return names;
        }
        let mut unused = Diagnostics::new();
        let model = xmi::read_with(rules.vocabulary(), &checked.source, None, &mut unused);
        if let Some(model) = model {
            names.add(&checked.source, &model);
        }
        names
    }

    fn add(&mut self, source: &Source, model: &Model) {
        for variable in &model.globals {
            let role = if variable.read_only {
                "parameter "
            } else {
                "global "
            };
            self.add_variable(source, role, variable);
        }
        for function in &model.functions {
            self.add_function(source, function);
        }
        for diagram in &model.diagrams {
            for variable in &diagram.locals {
                self.add_variable(source, "local ", variable);
            }
            for flow in &diagram.flows {
                if let Some(Guard::When(code)) = &flow.guard {
                    self.add_code(source, code);
                }
            }
        }
        for element in &model.elements {
            self.add_element(source, element);
        }
    }

    fn add_variable(&mut self, source: &Source, role: &str, variable: &Variable) {
        let default = variable.default.as_ref();
        let value = default.map_or(String::new(), |it| format!(" = {}", it.text.value));
        let length = variable
            .length
            .map_or(String::new(), |it| format!("[{it}]"));
        let name = &variable.name.value;
        let signature = format!("{role}{} {name}{length}{value}", variable.type_name.value);
        self.declare(
            source,
            &variable.name,
            signature,
            variable.comment.as_ref(),
            false,
        );
        if let Some(code) = default {
            self.add_code(source, code);
        }
    }

    fn add_function(&mut self, source: &Source, function: &CostFunction) {
        let argument = |it: &Variable| format!("{} {}", it.type_name.value, it.name.value);
        let arguments: Vec<String> = function.parameters.iter().map(argument).collect();
        let result = function
            .result
            .as_ref()
            .map_or("double", |it| it.value.as_str());
        let name = &function.name.value;
        let signature = format!("{result} {name}({})", arguments.join(", "));
        self.declare(
            source,
            &function.name,
            signature,
            function.comment.as_ref(),
            true,
        );
        self.add_code(source, &function.body);
    }

    fn declare(
        &mut self,
        source: &Source,
        name: &Text,
        signature: String,
        comment: Option<&String>,
        is_function: bool,
    ) {
        let is_here = source.text.get(name.span.range()) == Some(name.value.as_str());
        if is_here && source.file_at(name.span.start).is_none() {
            self.declared.push(Declared {
                name: name.value.clone(),
                place: name.span.range(),
                signature,
                comment: comment.cloned().unwrap_or_default(),
                is_function,
            });
        }
    }

    fn add_element(&mut self, source: &Source, element: &Element) {
        let tags = element.stereotype.iter().flat_map(|it| it.tags.values());
        for tag in tags {
            self.add_text(source, tag);
        }
        if let Some(code) = &element.body {
            self.add_code(source, code);
        }
        match &element.kind {
            NodeKind::Loop(node) => {
                if let Some(code) = &node.condition {
                    self.add_code(source, code);
                }
            }
            NodeKind::Conditional(clauses) => {
                for code in clauses.iter().filter_map(|it| it.condition.as_ref()) {
                    self.add_code(source, code);
                }
            }
            _ => {}
        }
    }

    fn add_code(&mut self, source: &Source, code: &Code) {
        self.add_text(source, &code.text);
    }

    fn add_text(&mut self, source: &Source, text: &Text) {
        let spans = text.origins.iter().map(|it| it.span);
        let whole = text.origins.is_empty().then_some(text.span);
        for span in spans.chain(whole) {
            if source.file_at(span.start).is_none() {
                self.code.push(span.range());
            }
        }
    }

    pub(crate) fn named<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'n Declared> {
        self.declared.iter().filter(move |it| it.name == name)
    }

    /// Returns all places of a name, in order: declarations and uses.
    pub(crate) fn places(&self, text: &str, name: &str) -> Vec<Range<usize>> {
        let mut places: BTreeSet<(usize, usize)> = { self.named(name) }
            .map(|it| (it.place.start, it.place.end))
            .collect();
        for code in &self.code {
            let Some(part) = text.get(code.clone()) else {
                continue;
            };
            for (at, _) in part.match_indices(name) {
                let place = code.start + at..code.start + at + name.len();
                if is_word(text, &place) {
                    places.insert((place.start, place.end));
                }
            }
        }
        places.into_iter().map(|(start, end)| start..end).collect()
    }
}

fn is_word(text: &str, range: &Range<usize>) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let before = text[..range.start].chars().next_back();
    let behind = text[range.end..].chars().next();
    !before.is_some_and(is_part) && !behind.is_some_and(is_part)
}

/// Returns `true` if a variable or a function can have this name.
pub(crate) fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    let first = characters.next();
    first.is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}
