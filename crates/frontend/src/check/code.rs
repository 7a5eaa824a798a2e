//! Finds the variables that a model's code reads and assigns, and how they depend on each other.
//!
//! The cost language's lexer finds names, so words in strings and comments don't count. Its parser
//! finds assignments, conditions and constants. Code that doesn't parse is ignored here, because
//! [`crate::resolve`] reports it.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::graph::{ModelGraph, condition};
use super::language::Unit;
use super::{dependence, numbers};
use crate::index::{FunctionIndex, ListPlace as _};
use crate::lang::constant::{Constant, constant};
use crate::lang::ir::{Expression, Signature, Statement, Type, Variable as Name};
use crate::lang::scope::{Binding, Scope, table_names, type_by_name};
use crate::lang::{self, CodePlace};
use prophet_model::diagnostic::Diagnostics;
use prophet_model::model::{Code, Element, Language, NodeKind, StereotypeKind, Variable};
use prophet_model::source::{Source, Text};
use prophet_model::vocabulary::TARGET_TAGS;

#[derive(Debug)]
enum CodePiece<'m> {
    /// Code that runs before an element.
    Fragment(CodeRef<'m>),
    /// A guard, a condition or a tag.
    Expression,
    /// A variable's initial value.
    First(&'m Variable),
    Function(usize),
    Target,
}

#[derive(Debug)]
pub(super) struct Codes<'m> {
    graph: &'m ModelGraph<'m>,
    source: &'m Source,
    pieces: Vec<CodePiece<'m>>,
    /// Names in alphabetical order, each with the index of a piece of code that contains it.
    by_name: Vec<(&'m str, usize)>,
    scope: OnceCell<Scope>,
    /// Parsed code fragments by the index of their piece, filled on first use.
    fragments: RefCell<BTreeMap<usize, Rc<Vec<Statement>>>>,
    called: OnceCell<BTreeSet<usize>>,
}

/// Tags that don't contain expressions.
const TEXT_TAGS: [&str; 10] = [
    "id", "type", "time", "code", "rud", "model", "variable", "schedule", "name", "request",
];

fn is_text(element: &Element, tag: &str) -> bool {
    TEXT_TAGS.contains(&tag) || tag == "mode" && kind(element) == Some(StereotypeKind::Wait)
}

/// Returns `true` if a tag names a variable that its element assigns to. Custom stereotypes have no
/// such tags.
fn is_target(element: &Element, tag: &str) -> bool {
    !matches!(kind(element), Some(StereotypeKind::Own(_))) && TARGET_TAGS.contains(&tag)
}

fn kind(element: &Element) -> Option<StereotypeKind> {
    element.stereotype.as_ref().map(|it| it.kind)
}

impl<'m> Codes<'m> {
    pub(super) fn new(graph: &'m ModelGraph<'m>, source: &'m Source) -> Self {
        let mut codes = Self {
            graph,
            source,
            pieces: Vec::new(),
            by_name: Vec::new(),
            scope: OnceCell::new(),
            fragments: RefCell::default(),
            called: OnceCell::new(),
        };
        codes.collect();
        codes
    }

    fn collect(&mut self) {
        let model = self.graph.model;
        for id in self.graph.elements_where(|_| true) {
            let element = self.graph.element(id);
            if let Some(code) = fragment(element) {
                self.add(CodePiece::Fragment(code), names(code), &[]);
            }
            for code in conditions(element) {
                self.add(CodePiece::Expression, names(code.into()), &[]);
            }
            for (tag, text) in tags(element) {
                if is_target(element, tag) {
                    self.add(CodePiece::Target, names(c(text)), &[]);
                } else if !is_text(element, tag) {
                    self.add(CodePiece::Expression, names(c(text)), &[]);
                }
            }
        }
        let diagrams = self.graph.program.iter().map(|&it| model.diagram(it));
        for diagram in diagrams {
            for code in diagram.flows.iter().filter_map(condition) {
                self.add(CodePiece::Expression, names(code.into()), &[]);
            }
            for variable in &diagram.locals {
                self.first_value(variable);
            }
        }
        for variable in &model.globals {
            self.first_value(variable);
        }
        for (index, function) in model.functions.iter().enumerate() {
            let hidden = &function.parameters;
            self.add(
                CodePiece::Function(index),
                names((&function.body).into()),
                hidden,
            );
        }
        self.by_name.sort_unstable();
        self.by_name.dedup();
    }

    fn first_value(&mut self, variable: &'m Variable) {
        if let Some(code) = &variable.default {
            self.add(CodePiece::First(variable), names(code.into()), &[]);
        }
    }

    /// Adds a piece of code with the names that it contains, except `hidden` ones, its own
    /// parameters.
    fn add(
        &mut self,
        piece: CodePiece<'m>,
        names: impl Iterator<Item = &'m str>,
        hidden: &[Variable],
    ) {
        let number = self.pieces.len();
        let names = names.filter(|&name| hidden.iter().all(|it| it.name.value != name));
        self.by_name.extend(names.map(|name| (name, number)));
        self.pieces.push(piece);
    }

    fn with(&self, name: &str) -> impl Iterator<Item = usize> + '_ {
        let start = self.by_name.partition_point(|(it, _)| *it < name);
        let length = self.by_name[start..].partition_point(|(it, _)| *it == name);
        self.by_name[start..start + length]
            .iter()
            .map(|(_, piece)| *piece)
    }

    pub(super) fn mentions(&self, name: &str) -> bool {
        self.with(name).next().is_some()
    }

    fn scope(&self) -> &Scope {
        self.scope.get_or_init(|| {
            let model = self.graph.model;
            let mut scope = Scope::default();
            let locals = model.diagrams.iter().flat_map(|it| &it.locals);
            for variable in model.globals.iter().chain(locals) {
                let ty = type_of(variable);
                bind(&mut scope, &variable.name.value, ty, !variable.read_only);
            }
            for id in self.graph.elements_where(|_| true) {
                let variable = tags(self.graph.element(id)).find(|(tag, _)| *tag == "variable");
                if let Some((_, name)) = variable {
                    bind(&mut scope, name.value.trim(), Type::Int, false);
                }
            }
            for (index, function) in model.functions.iter().enumerate() {
                let arguments = function.parameters.iter();
                let signature = Signature {
                    name: function.name.value.clone(),
                    arguments: arguments
                        .map(|it| (it.name.value.clone(), type_of(it)))
                        .collect(),
                    result: function
                        .result
                        .as_ref()
                        .and_then(|it| type_by_name(&it.value))
                        .unwrap_or(Type::Real),
                };
                let name = function.name.value.clone();
                scope
                    .functions
                    .entry(name)
                    .or_insert((FunctionIndex::new(index), signature));
            }
            scope
        })
    }

    fn place(&self) -> CodePlace<'_> {
        CodePlace {
            source: self.source,
            element: "",
        }
    }

    pub(super) fn expression(&self, code: CodeRef<'_>, ty: &Type) -> Option<Expression> {
        let mut ignored = Diagnostics::new();
        let scope = self.scope();
        if !table_names(&code.text.value).is_empty() {
            return None;
        }
        lang::expression(&code.to_code(), ty, scope, self.place(), &mut ignored)
    }

    /// Evaluates a condition; `None` if it contains names or isn't constant.
    pub(super) fn constant_condition(&self, code: &Code) -> Option<bool> {
        let is_constant = |name: &str| matches!(name, "true" | "false");
        if !names(code.into()).all(is_constant) {
            return None;
        }
        match constant(&self.expression(code.into(), &Type::Bool)?)? {
            Constant::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// Returns `true` if a condition depends only on variables of the model that nothing changes.
    pub(super) fn is_steady(&self, code: &Code) -> bool {
        let model = self.graph.model;
        let locals = model.diagrams.iter().flat_map(|it| &it.locals);
        let variables: BTreeSet<&str> = model
            .globals
            .iter()
            .chain(locals)
            .map(|it| it.name.value.as_str())
            .collect();
        let is_fixed = |name: &str| variables.contains(name) && !self.assigns_to(name);
        let mut names = names(code.into()).peekable();
        names.peek().is_some()
            && names.all(is_fixed)
            && self.expression(code.into(), &Type::Bool).is_some()
    }

    /// Evaluates a tag; `None` if it contains names or isn't a constant number.
    pub(super) fn constant_tag(&self, text: &Text) -> Option<f64> {
        if let Ok(value) = text.value.trim().parse::<f64>() {
            return value.is_finite().then_some(value);
        }
        if names(c(text)).next().is_some() {
            return None;
        }
        match constant(&self.expression(c(text), &Type::Real)?)? {
            Constant::Real(value) => Some(value),
            _ => None,
        }
    }

    /// Returns `true` if a tag's operators can produce a fraction.
    pub(super) fn is_fraction(&self, text: &Text) -> bool {
        let expression = self.expression(c(text), &Type::Real);
        expression.is_some_and(|it| numbers::is_fraction(&it))
    }

    /// Returns `true` if a tag always names a process, so that it can't be `PROC_NULL` (-1).
    pub(super) fn is_process(&self, text: &Text) -> bool {
        let expression = self.expression(c(text), &Type::Int);
        let least = expression.and_then(|it| numbers::least(&it));
        text.value.trim() == "ANY" || least.is_some_and(|it| it >= 0)
    }

    /// Returns the constant that a tag adds to `pid`; `None` if the tag isn't `pid` plus or minus a
    /// constant.
    pub(super) fn offset(&self, text: &Text) -> Option<i64> {
        if !names(c(text)).eq(["pid"]) {
            return None;
        }
        numbers::offset(&self.expression(c(text), &Type::Int)?)
    }

    /// Returns a fragment's statements; empty if it doesn't parse.
    fn statements(&self, piece: usize) -> Rc<Vec<Statement>> {
        if let Some(known) = self.fragments.borrow().get(&piece) {
            return known.clone();
        }
        let mut ignored = Diagnostics::new();
        let statements = match &self.pieces[piece] {
            CodePiece::Fragment(code) => {
                lang::fragment(&code.to_code(), self.scope(), self.place(), &mut ignored)
            }
            _ => None,
        };
        let statements = Rc::new(statements.unwrap_or_default());
        let mut known = self.fragments.borrow_mut();
        known.insert(piece, statements.clone());
        statements
    }

    /// Returns `true` if the program's code assigns to a variable with this name after
    /// initialization.
    pub(super) fn assigns_to(&self, name: &str) -> bool {
        let writes = |piece: usize| {
            matches!(self.pieces[piece], CodePiece::Target)
                || dependence::assigned(&self.statements(piece)).contains(name)
        };
        self.with(name).any(writes)
    }

    pub(super) fn assigned_by(&self, element: &Element) -> BTreeSet<String> {
        let targets = tags(element).filter(|(tag, _)| is_target(element, tag));
        let mut all: BTreeSet<String> = targets
            .map(|(_, text)| text.value.trim().to_owned())
            .collect();
        let Some(code) = fragment(element) else {
            return all;
        };
        let mut ignored = Diagnostics::new();
        let code = code.to_code();
        let statements = lang::fragment(&code, self.scope(), self.place(), &mut ignored);
        all.extend(dependence::assigned(&statements.unwrap_or_default()));
        all
    }

    pub(super) fn values_of(&self, name: &str) -> Option<Vec<Constant>> {
        let model = self.graph.model;
        let locals = model.diagrams.iter().flat_map(|it| &it.locals);
        let mut all = model.globals.iter().chain(locals);
        let variable = all.find(|it| it.name.value == name)?;
        if all.any(|it| it.name.value == name) || variable.read_only {
            return None;
        }
        let ty = type_of(variable);
        let mut values = vec![match (&variable.default, &ty) {
            (Some(code), _) => constant(&self.expression(code.into(), &ty)?)?,
            (None, Type::Int) => Constant::Int(0),
            (None, Type::Bool) => Constant::Bool(false),
            (None, _) => return None,
        }];
        for piece in self.with(name) {
            if matches!(self.pieces[piece], CodePiece::Target) {
                return None;
            }
            let statements = self.statements(piece);
            for value in dependence::values(&statements, name) {
                let value = constant(value?)?;
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        Some(values)
    }

    pub(super) fn is_called(&self, function: usize) -> bool {
        let called = self.called.get_or_init(|| {
            let functions = &self.graph.model.functions;
            let mut called = BTreeSet::new();
            let name = |index: usize| functions[index].name.value.as_str();
            let is_used = |index: &usize| {
                let outside = |piece: usize| !matches!(self.pieces[piece], CodePiece::Function(_));
                self.with(name(*index)).any(outside)
            };
            let mut open: Vec<usize> = (0..functions.len()).filter(is_used).collect();
            let callees = self.callees();
            while let Some(index) = open.pop() {
                if called.insert(index) {
                    open.extend(&callees[index]);
                }
            }
            called
        });
        called.contains(&function)
    }

    /// Returns the functions that each function mentions, by index.
    fn callees(&self) -> Vec<Vec<usize>> {
        let functions = &self.graph.model.functions;
        let mut callees = vec![Vec::new(); functions.len()];
        for (callee, function) in functions.iter().enumerate() {
            for piece in self.with(&function.name.value) {
                if let CodePiece::Function(caller) = self.pieces[piece] {
                    callees[caller].push(callee);
                }
            }
        }
        callees
    }

    /// Returns the variables and functions with values that differ between units.
    pub(super) fn varying(&self, unit: Unit) -> BTreeSet<String> {
        let mut varying: BTreeSet<String> = BTreeSet::new();
        let mut open: Vec<String> = seeds(unit).map(str::to_owned).collect();
        if unit == Unit::Thread {
            let shared = |it: &Element| {
                let stereotype = it.stereotype.as_ref();
                stereotype.is_some_and(|it| it.kind == StereotypeKind::ParallelDo)
            };
            for id in self.graph.elements_where(shared) {
                let variable = tags(self.graph.element(id)).find(|(tag, _)| *tag == "variable");
                open.extend(variable.map(|(_, name)| name.value.trim().to_owned()));
            }
        }
        // Each receiver may receive a different value.
        for id in self.graph.elements_where(|_| true) {
            let element = self.graph.element(id);
            let targets = tags(element).filter(|(tag, _)| is_target(element, tag));
            open.extend(targets.map(|(_, name)| name.value.trim().to_owned()));
        }
        while let Some(name) = open.pop() {
            if !varying.insert(name.clone()) {
                continue;
            }
            for piece in self.with(&name) {
                match &self.pieces[piece] {
                    CodePiece::Expression | CodePiece::Target => {}
                    CodePiece::First(variable) => open.push(variable.name.value.clone()),
                    CodePiece::Function(index) => {
                        open.push(self.graph.model.functions[*index].name.value.clone());
                    }
                    CodePiece::Fragment(_) => {
                        let functions = &self.graph.model.functions;
                        let statements = self.statements(piece);
                        open.extend(dependence::targets(&statements, functions, &varying));
                    }
                }
            }
        }
        varying
    }
}

/// Returns the built-in names with values that differ between units.
fn seeds(unit: Unit) -> impl Iterator<Item = &'static str> {
    const VARIATES: [&str; 10] = [
        "uniform",
        "exponential",
        "normal",
        "lognormal",
        "gamma",
        "erlang",
        "weibull",
        "triangular",
        "poisson",
        "bernoulli",
    ];
    let own: &[&str] = match unit {
        Unit::Process => &["pid", "nid", "uid"],
        Unit::Thread => &["tid", "uid"],
    };
    own.iter().chain(&VARIATES).copied()
}

#[derive(Debug, Clone, Copy)]
pub(super) struct CodeRef<'m> {
    pub(super) language: Language,
    pub(super) text: &'m Text,
}

impl<'m> From<&'m Code> for CodeRef<'m> {
    fn from(code: &'m Code) -> Self {
        Self {
            language: code.language,
            text: &code.text,
        }
    }
}

impl CodeRef<'_> {
    fn to_code(self) -> Code {
        Code {
            language: self.language,
            text: self.text.clone(),
        }
    }
}

pub(super) fn fragment(element: &Element) -> Option<CodeRef<'_>> {
    let tag = || tags(element).find(|(tag, _)| *tag == "code");
    let body = element.body.as_ref().map(CodeRef::from);
    body.or_else(|| tag().map(|(_, text)| c(text)))
}

pub(super) fn conditions(element: &Element) -> Vec<&Code> {
    match &element.kind {
        NodeKind::Loop(node) => node.condition.iter().collect(),
        NodeKind::Conditional(clauses) => {
            let conditions = clauses.iter().filter_map(|it| it.condition.as_ref());
            conditions.collect()
        }
        _ => Vec::new(),
    }
}

pub(super) fn tags(element: &Element) -> impl Iterator<Item = (&String, &Text)> {
    element.stereotype.iter().flat_map(|it| &it.tags)
}

/// Treats a tag as C code, because tags have no language.
pub(super) fn c(text: &Text) -> CodeRef<'_> {
    CodeRef {
        language: Language::C,
        text,
    }
}

pub(super) fn names(code: CodeRef<'_>) -> impl Iterator<Item = &str> {
    lang::names(&code.text.value, code.language)
}

/// Returns a variable's type. If the type is unknown, the variable counts as real.
fn type_of(variable: &Variable) -> Type {
    let scalar = type_by_name(&variable.type_name.value).unwrap_or(Type::Real);
    match variable.length {
        Some(length) => Type::Array(Box::new(scalar), length),
        None => scalar,
    }
}

fn bind(scope: &mut Scope, name: &str, ty: Type, writable: bool) {
    let binding = Binding {
        variable: Name::Local(name.to_owned()),
        ty,
        writable,
    };
    scope.variables.entry(name.to_owned()).or_insert(binding);
}
