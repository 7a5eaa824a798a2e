//! The content handler: collects the parts of the crate while it is shown the program.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use serde::Serialize;

use super::comment::{comment_lines, docs};
use super::expression::{Uses, Writer, ident, int_literal, real_literal};
use super::function::{self, ty, zero};
use super::names::{Names, Variables};
use super::tables;
use crate::content_handler::ContentHandler;
use crate::lang::constant::Constant;
use crate::lang::ir::{Needs, Type};
use crate::program::action::{Action, Completion, Mode};
use crate::program::{
    Diagram, DiagramIndex, Element, ElementIndex, Function, FunctionIndex, Global, GlobalIndex,
    List, Local, Parameter, ParameterIndex, Place, Posted, Program, RequestIndex, Step, Table,
    TableIndex, falls_through,
};
use crate::resolve::{diagrams_with_globals, id_of_path, needs_with_calls};
use crate::target::branches::Branches;
use crate::target::text::plain;
use crate::trace_map::count_words;
use crate::vocabulary;

/// The parts of `lib.rs`, as its template takes them.
#[derive(Debug, Default, Serialize)]
pub(super) struct Parts {
    pub(super) model: String,
    pub(super) uses: Vec<&'static str>,
    pub(super) uses_cell: bool,
    pub(super) waits_for_any: bool,
    pub(super) parameters: Vec<String>,
    pub(super) elements: Vec<String>,
    /// Which element each of them declares.
    #[serde(skip)]
    pub(super) element_of: Vec<Option<ElementIndex>>,
    pub(super) tables: Vec<String>,
    /// The names and texts of the files of large tables, beside `lib.rs`.
    #[serde(skip)]
    pub(super) table_files: Vec<(String, String)>,
    pub(super) fields: Vec<Field>,
    pub(super) constructor: Option<Constructor>,
    pub(super) functions: Vec<Documented>,
    pub(super) main: String,
    pub(super) diagrams: Vec<Documented>,
}

/// A field of the globals.
#[derive(Debug, Serialize)]
pub(super) struct Field {
    pub(super) docs: Vec<String>,
    pub(super) declaration: String,
}

/// How the globals get their first values.
#[derive(Debug, Serialize)]
pub(super) struct Constructor {
    pub(super) fallible: bool,
    /// `ctx`, or `_ctx` where nothing needs it.
    pub(super) context: &'static str,
    /// Those that do not have their type's default.
    pub(super) fields: Vec<String>,
    pub(super) rest: bool,
    pub(super) assignments: Vec<String>,
}

/// An item with its documentation.
#[derive(Debug, Serialize)]
pub(super) struct Documented {
    pub(super) docs: Vec<String>,
    pub(super) code: String,
    /// From which word of the code on it speaks of which element.
    #[serde(skip)]
    pub(super) marks: Vec<(usize, ElementIndex)>,
}

/// Makes the parts of a Rust crate.
pub(super) struct RustHandler<'p> {
    pub(super) program: &'p Program,
    pub(super) names: Names,
    /// Which diagrams take the globals.
    pub(super) with_globals: List<DiagramIndex, bool>,
    pub(super) uses: Uses,
    pub(super) parts: Parts,
    /// The variables of all diagrams.
    pub(super) variables: Variables,
    /// The variables that the loops around the current step count with.
    pub(super) counters: BTreeSet<String>,
    /// The current diagram.
    pub(super) diagram: DiagramIndex,
    /// The body of the current diagram.
    pub(super) body: String,
    /// Where in it which element begins, or goes on.
    marks: Vec<(usize, ElementIndex)>,
    /// The elements of the steps around the current place.
    around: Vec<Option<ElementIndex>>,
    /// The branches around the current step.
    pub(super) branches: Branches,
    /// The receives that do not block, of which a wait assigns what they have got.
    pub(super) posted: Vec<Posted<'p>>,
    /// The requests that each element begins or waits for.
    requests: List<ElementIndex, &'p [RequestIndex]>,
    initial_needs: Needs,
}

fn has_globals(program: &Program) -> bool {
    !program.globals.is_empty() || !program.parameters.is_empty()
}

impl<'p> RustHandler<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let names = Names::new(program);
        let variables = names.variables();
        let mut with_globals = diagrams_with_globals(program);
        if let Some(main) = with_globals.iter_mut().next() {
            // What `program()` makes, it passes on, used or not.
            *main = has_globals(program);
        }
        let mut requests = program.elements.with(&[][..]);
        for execute in program.executions() {
            requests[execute.element] = execute.action.requests();
        }
        Self {
            posted: program.posted(),
            requests,
            program,
            names,
            with_globals,
            uses: Uses::default(),
            parts: Parts {
                model: program.name.clone(),
                waits_for_any: program.waits_for_any(),
                ..Parts::default()
            },
            variables,
            counters: BTreeSet::new(),
            diagram: DiagramIndex::MAIN,
            body: String::new(),
            marks: Vec::new(),
            around: Vec::new(),
            branches: Branches::default(),
            initial_needs: Needs::default(),
        }
    }

    /// Whether the crate has globals.
    pub(super) fn has_globals(&self) -> bool {
        has_globals(self.program)
    }

    /// Writes tokens with the names in scope; `stream` is what draws random numbers.
    pub(super) fn write<T>(
        &mut self,
        stream: TokenStream,
        write: impl FnOnce(&mut Writer<'_>) -> T,
    ) -> T {
        let mut writer = Writer {
            names: &self.names,
            functions: &self.program.functions,
            uses: &self.uses,
            variables: &mut self.variables,
            stream,
            counters: &self.counters,
        };
        write(&mut writer)
    }

    /// A global's first value, as an assignment.
    fn assignment(&mut self, index: GlobalIndex, global: &Global) -> Option<String> {
        let value = global.value.as_ref()?;
        let needs = needs_with_calls(value, &self.program.functions);
        self.initial_needs.merge(&needs);
        let value = self.write(quote!(ctx.stream(&GLOBALS)), |writer| writer.value(value));
        let field = ident(&self.names.globals[index]);
        Some(quote!(globals.#field.set(#value);).to_string())
    }

    /// The index that the next element or node of the run gets.
    fn next_index(&self) -> i64 {
        i64::try_from(self.parts.elements.len()).unwrap_or(i64::MAX)
    }

    fn constant(&mut self, name: &str, runtime_type: &'static str, label: &str, id: i64) {
        let of = if runtime_type.contains("::") {
            // A type of the user's own, in a crate of theirs.
            runtime_type.parse().unwrap_or_default()
        } else {
            self.uses.name(runtime_type).into_token_stream()
        };
        let (name, index, id) = (ident(name), int_literal(self.next_index()), int_literal(id));
        let text = quote!(const #name: #of = #of::new(#index, #label, #id);).to_string();
        self.parts.elements.push(text);
        self.parts.element_of.push(None);
    }

    /// Declares variables of the current diagram.
    pub(super) fn locals(&mut self, locals: &[Local]) {
        let mut needs = Needs::default();
        for value in locals.iter().filter_map(|local| local.value.as_ref()) {
            needs.merge(&needs_with_calls(value, &self.program.functions));
        }
        let mut stream = quote!();
        if needs.fallible || needs.stream {
            let owner = self.owner_of_locals();
            self.line(&quote!(ctx.at(&#owner);).to_string());
            stream = quote!(ctx.stream(&#owner));
        }
        for local in locals {
            let of = ty(&local.ty, &self.uses);
            let value = match &local.value {
                Some(value) => self.write(stream.clone(), |writer| writer.value(value)),
                None => zero(&local.ty, &local.name, &self.uses),
            };
            let name = ident(&self.variables.name(&local.name));
            let text = if let Type::Array(..) = local.ty {
                quote!(let #name: #of = #value;)
            } else {
                self.parts.uses_cell = true;
                quote!(let #name = Cell::new(#value);)
            };
            self.line(&text.to_string());
        }
    }

    /// The node that is at fault if the first value of a local of the current diagram fails.
    fn owner_of_locals(&mut self) -> proc_macro2::Ident {
        let diagram = &self.program.diagrams[self.diagram];
        let label = format!("variables of {}", diagram.name);
        let id = id_of_path(&format!("{}::{}", diagram.path, self.parts.elements.len()));
        let name = self.names.constant(&label);
        self.constant(&name, "Node", &label, id);
        ident(&name)
    }

    /// Notes that what follows belongs to the current step.
    fn mark_place(&mut self) {
        if let Some(Some(element)) = self.around.last() {
            self.marks.push((self.body.len(), *element));
        }
    }

    /// The marks of the current diagram, by words of its body.
    fn word_marks(&mut self) -> Vec<(usize, ElementIndex)> {
        let (mut at, mut words) = (0, 0);
        let marks = std::mem::take(&mut self.marks).into_iter();
        marks
            .map(|(place, element)| {
                words += count_words(self.body.get(at..place).unwrap_or_default());
                at = place;
                (words, element)
            })
            .collect()
    }

    pub(super) fn line(&mut self, text: &str) {
        self.body.push_str(text);
        self.body.push('\n');
    }

    fn constructor(&mut self) {
        let globals = &self.program.globals;
        let mut assignments = Vec::new();
        for (index, global) in globals.entries() {
            assignments.extend(self.assignment(index, global));
        }
        let is_array = |global: &Global| matches!(global.ty, Type::Array(..));
        let has_arrays = globals.iter().any(is_array);
        if assignments.is_empty() && self.program.parameters.is_empty() && !has_arrays {
            return;
        }
        let needs = std::mem::take(&mut self.initial_needs);
        if needs.fallible || needs.stream {
            self.constant("GLOBALS", "Node", "global variables", 0);
            assignments.insert(0, "ctx.at(&GLOBALS);".to_owned());
            self.uses.name("Fault");
        }
        let mut fields = Vec::new();
        for (index, parameter) in self.program.parameters.entries() {
            let kind = match parameter.default {
                Constant::Int(_) => "int_parameter",
                Constant::Real(_) => "real_parameter",
                Constant::Bool(_) => "bool_parameter",
            };
            fields.push(format!(
                "{}: ctx.{kind}({index})",
                self.names.parameters[index]
            ));
        }
        if has_arrays {
            // A default beside them would make each array twice.
            for (global, name) in globals.iter().zip(&self.names.globals) {
                let value = zero(&global.ty, &global.name, &self.uses);
                let (name, cell) = (ident(name), !is_array(global));
                let value = if cell {
                    quote!(Cell::new(#value))
                } else {
                    value
                };
                fields.push(quote!(#name: #value).to_string());
            }
        }
        let idle = self.program.parameters.is_empty()
            && !assignments.iter().any(|text| has_word(text, "ctx"));
        self.parts.constructor = Some(Constructor {
            context: if idle { "_ctx" } else { "ctx" },
            fallible: needs.fallible || needs.stream,
            fields,
            rest: !globals.is_empty() && !has_arrays,
            assignments,
        });
    }

    /// The signature and body of a diagram's function.
    fn diagram_function(&mut self, diagram: &Diagram, name: &str) -> String {
        let body = std::mem::take(&mut self.body);
        let (ctx, stopped) = (self.uses.name("ProcessCtx"), self.uses.name("Stopped"));
        let unused = if has_word(&body, "ctx") { "" } else { "_" };
        let mut parameters = format!("{unused}ctx: &{ctx}<'_>");
        if self.with_globals[self.diagram] {
            parameters.push_str(", globals: &Globals");
        }
        for outer in &diagram.outer {
            let name = self.variables.name(&outer.name);
            let of = ty(&outer.ty, &self.uses);
            let of = match outer.ty {
                Type::Array(..) => quote!(&#of),
                _ if outer.counter => of,
                _ => {
                    self.parts.uses_cell = true;
                    quote!(&Cell<#of>)
                }
            };
            let _ = write!(parameters, ", {name}: {of}");
        }
        let mut end = if falls_through(&diagram.steps) {
            "Ok(())"
        } else {
            ""
        };
        let mut body = body.trim_end();
        // What the last element gives is what the diagram gives.
        let gives = match diagram.steps.last() {
            Some(Step::Execute(execute)) => self.gives(&execute.action),
            Some(Step::Call(_) | Step::Region(_)) => true,
            _ => false,
        };
        if gives {
            body = body.trim_end_matches([';', '?', ' ']);
            end = "";
        }
        format!("async fn {name}({parameters}) -> Result<(), {stopped}> {{\n{body}\n{end}\n}}")
    }

    /// Whether an action is one call that gives nothing to assign.
    fn gives(&self, action: &Action) -> bool {
        match action {
            Action::Receive(it) => it.completion != Completion::Blocking || it.results.is_empty(),
            Action::SendReceive(it) => it.results.is_empty(),
            Action::Wait(wait) => {
                wait.mode == Mode::All && !self.posted.iter().any(|it| it.may_end_by(wait))
            }
            Action::Compute(_)
            | Action::Send(_)
            | Action::Collective(_)
            | Action::Order(_)
            | Action::Own(_) => true,
        }
    }
}

impl<'p> ContentHandler<'p> for RustHandler<'p> {
    fn begin_program(&mut self, _program: &'p Program) {
        self.uses.name("Model");
        self.uses.name("ProcessCtx");
        self.uses.name("Stopped");
    }

    fn parameter(&mut self, index: ParameterIndex, parameter: &'p Parameter) {
        let (of, value) = (self.uses.name("Parameter"), self.uses.name("Value"));
        let name = &parameter.name;
        let default = match parameter.default {
            Constant::Int(number) => {
                let number = int_literal(number);
                quote!(#value::Int(#number))
            }
            Constant::Real(number) => {
                let number = real_literal(&format!("{number:?}"));
                quote!(#value::Real(#number))
            }
            Constant::Bool(truth) => quote!(#value::Bool(#truth)),
        };
        let text = quote!(#of::new(#name, #default));
        self.parts.parameters.push(text.to_string());
        let of = match parameter.default {
            Constant::Int(_) => ty(&Type::Int, &self.uses),
            Constant::Real(_) => ty(&Type::Real, &self.uses),
            Constant::Bool(_) => ty(&Type::Bool, &self.uses),
        };
        let field = ident(&self.names.parameters[index]);
        let docs = docs(
            &format!("Model parameter `{}`", plain(name)),
            parameter.comment.as_deref(),
        );
        self.parts.fields.push(Field {
            docs,
            declaration: quote!(pub #field: #of).to_string(),
        });
    }

    fn global(&mut self, index: GlobalIndex, global: &'p Global) {
        let field = ident(&self.names.globals[index]);
        let of = ty(&global.ty, &self.uses);
        let of = if let Type::Array(..) = global.ty {
            of
        } else {
            self.parts.uses_cell = true;
            quote!(Cell<#of>)
        };
        let title = format!("`{} {}`", plain(&global.declared_type), plain(&global.name));
        let docs = docs(&title, global.comment.as_deref());
        self.parts.fields.push(Field {
            docs,
            declaration: quote!(pub #field: #of).to_string(),
        });
    }

    fn table(&mut self, index: TableIndex, table: &'p Table) {
        let of = self.uses.name("Table");
        let constant = &self.names.tables[index];
        let name = ident(constant);
        let text = if table.points.len() > tables::LISTED_MAX {
            let (file, text) = tables::written(constant, table);
            let path = file.as_str();
            let text_of = quote!(const #name: #of = #of::written(include_str!(#path)););
            self.parts.table_files.push((file, text));
            text_of
        } else {
            let points = table.points.iter().map(|(x, y)| {
                let (x, y) = (
                    real_literal(&format!("{x:?}")),
                    real_literal(&format!("{y:?}")),
                );
                quote!((#x, #y))
            });
            quote!(const #name: #of = #of::new(&[#(#points),*]);)
        };
        self.parts.tables.push(text.to_string());
    }

    fn function(&mut self, index: FunctionIndex, function: &'p Function) {
        let code = if function.used {
            function::function(index, &self.program.functions, &self.names, &self.uses)
        } else {
            String::new()
        };
        let docs = function
            .comment
            .as_deref()
            .map(comment_lines)
            .unwrap_or_default();
        let marks = Vec::new();
        self.parts.functions.push(Documented { docs, code, marks });
    }

    fn element(&mut self, index: ElementIndex, element: &'p Element) {
        if !element.in_run {
            return;
        }
        let word = element.stereotype.and_then(vocabulary::word);
        let plain = if element.forks { "Fork" } else { "Node" };
        let runtime_type = word.map_or(plain, |word| word.runtime_type);
        let name = self.names.elements[index].clone();
        self.constant(&name, runtime_type, &element.name, element.id);
        if let Some(declared) = self.parts.element_of.last_mut() {
            *declared = Some(index);
        }
        if let (Some(lock), Some(text)) = (element.lock, self.parts.elements.last_mut()) {
            // 0 is the lock of those without a name.
            let lock = proc_macro2::Literal::usize_unsuffixed(lock.number() + 1);
            text.truncate(text.trim_end_matches([';', ' ']).len());
            let _ = write!(text, ".named({lock});");
        }
        let requests = self.requests[index].iter().map(|&request| {
            let index = proc_macro2::Literal::usize_unsuffixed(request.number());
            let name = &self.program.requests[request];
            quote!(#index, #name)
        });
        let requests: Vec<TokenStream> = requests.collect();
        if let ([_, ..], Some(text)) = (&*requests, self.parts.elements.last_mut()) {
            text.truncate(text.trim_end_matches([';', ' ']).len());
            let named = match &*requests {
                [request] => quote!(.request(#request);),
                several => quote!(.requests(&[#((#several)),*]);),
            };
            text.push_str(&named.to_string());
        }
    }

    fn begin_diagram(&mut self, index: DiagramIndex, diagram: &'p Diagram) {
        self.diagram = index;
        let counters = diagram.outer.iter().filter(|outer| outer.counter);
        self.counters = counters.map(|outer| outer.name.clone()).collect();
        self.locals(&diagram.locals);
    }

    fn end_diagram(&mut self, index: DiagramIndex, diagram: &'p Diagram) {
        let name = self.names.diagrams[index].clone();
        if index == DiagramIndex::MAIN {
            self.parts.main.clone_from(&name);
        }
        let mut marks = self.word_marks();
        let body_words = count_words(&self.body);
        let code = self.diagram_function(diagram, &name);
        // The head stands before the body, and behind it at most `Ok(())`.
        let (all, tail) = (count_words(&code), usize::from(code.ends_with("Ok(())\n}")));
        let head = all.saturating_sub(body_words + tail);
        for (word, _) in &mut marks {
            *word += head;
        }
        let title = format!("Diagram `{}`", plain(&diagram.name));
        let docs = docs(&title, diagram.comment.as_deref());
        self.parts.diagrams.push(Documented { docs, code, marks });
    }

    fn begin_step(&mut self, step: &'p Step) {
        let around = self.around.last().copied().flatten();
        self.around.push(step.element().or(around));
        self.mark_place();
        self.open_step(step);
    }

    fn end_step(&mut self, step: &'p Step) {
        self.mark_place();
        self.close_step(step);
        self.around.pop();
    }

    fn begin_arm(&mut self, arm: &'p crate::program::Arm) {
        self.mark_place();
        self.open_arm(arm);
    }

    fn begin_otherwise(&mut self, steps: &'p [Step]) {
        self.mark_place();
        self.open_otherwise(steps);
    }

    fn begin_state(&mut self, number: usize, _steps: &'p [Step]) {
        self.mark_place();
        self.line(&format!("{number} => {{"));
    }

    fn end_state(&mut self, _number: usize, _steps: &'p [Step]) {
        self.line("}");
    }

    fn end_program(&mut self, _program: &'p Program) {
        self.constructor();
        self.parts.uses = self.uses.all();
    }
}

/// Whether `word` stands in `code`.
fn has_word(code: &str, word: &str) -> bool {
    code.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .any(|found| found == word)
}
