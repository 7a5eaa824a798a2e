//! Collects the sections of the crate while the traverser walks the program.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use quote::quote;

use super::comment::{comment_lines, docs};
use super::expression::{Stream, Uses, Writer, ident};
use super::function::{self, ty, zero};
use super::library::{Library, documented};
use super::names::{RustNames, Variables};
use crate::content_handler::ContentHandler;
use crate::emit::{Listing, Subject};
use crate::target::branches::Branches;
use crate::text::plain;
use prophet_frontend::lang::ir::Type;
use prophet_frontend::program::action::{Action, Completion, Mode};
use prophet_frontend::program::{
    Arm, Diagram, DiagramIndex, DispatchState, Element, ElementIndex, Function, FunctionIndex,
    Global, GlobalIndex, List, Local, Parameter, ParameterIndex, Posted, Program, RequestIndex,
    Step, Table, TableIndex, falls_through,
};
use prophet_frontend::resolve::{diagrams_with_globals, id_of_path, needs_of_all};

pub(super) struct RustHandler<'p> {
    pub(super) program: &'p Program,
    pub(super) names: RustNames,
    /// Whether each diagram takes the globals.
    pub(super) with_globals: List<DiagramIndex, bool>,
    pub(super) uses: Uses,
    pub(super) library: Library,
    /// For each diagram, the model's diagram that it is or was split from.
    diagram_of: &'p List<DiagramIndex, DiagramIndex>,
    pub(super) variables: Variables,
    pub(super) counters: BTreeSet<String>,
    pub(super) diagram: DiagramIndex,
    pub(super) body: Listing,
    /// The elements of the steps that enclose the current one.
    around: Vec<Option<ElementIndex>>,
    pub(super) branches: Branches,
    /// Nonblocking receives whose results a wait assigns.
    pub(super) posted: Vec<Posted<'p>>,
    pub(super) requests: List<ElementIndex, &'p [RequestIndex]>,
}

fn has_globals(program: &Program) -> bool {
    !program.globals.is_empty() || !program.parameters.is_empty()
}

impl<'p> RustHandler<'p> {
    /// Creates a handler for a program after [`super::split`]. `diagram_of` contains the original
    /// diagrams.
    pub(super) fn new(
        program: &'p Program,
        diagram_of: &'p List<DiagramIndex, DiagramIndex>,
    ) -> Self {
        let names = RustNames::new(program);
        let variables = names.variables();
        let mut with_globals = diagrams_with_globals(program);
        if let Some(main) = with_globals.iter_mut().next() {
            // It passes on the globals that `program()` creates, even if it doesn't use them.
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
            library: Library::default(),
            diagram_of,
            variables,
            counters: BTreeSet::new(),
            diagram: DiagramIndex::MAIN,
            body: Listing::default(),
            around: Vec::new(),
            branches: Branches::default(),
        }
    }

    pub(super) fn has_globals(&self) -> bool {
        has_globals(self.program)
    }

    /// Writes tokens with the names in scope. Random numbers come from `stream`.
    pub(super) fn write<T>(
        &mut self,
        stream: Stream,
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

    pub(super) fn locals(&mut self, locals: &[Local]) {
        let values = locals.iter().filter_map(|local| local.value.as_ref());
        let needs = needs_of_all(values, &self.program.functions);
        let mut stream = Stream::None;
        if needs.fallible || needs.stream {
            let owner = self.owner_of_locals();
            let ctx = self.uses.context();
            self.line(&quote!(#ctx.at(&#owner);).to_string());
            stream = Stream::Of(owner);
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
                self.library.uses_cell = true;
                quote!(let #name = Cell::new(#value);)
            };
            self.line(&text.to_string());
        }
    }

    /// Creates a node that stands for the diagram's local variables, to report if an initial value
    /// fails.
    fn owner_of_locals(&mut self) -> proc_macro2::Ident {
        let diagram = &self.program.diagrams[self.diagram];
        let label = format!("variables of {}", diagram.name);
        let id = id_of_path(&format!("{}::{}", diagram.path, self.library.element_count));
        let name = self.names.constant(&label);
        self.node(&name, &label, id);
        ident(&name)
    }

    fn mark_place(&mut self) {
        if let Some(Some(element)) = self.around.last() {
            self.body.speak_of(Some(Subject::Element(*element)));
        }
    }

    pub(super) fn line(&mut self, text: &str) {
        self.body.line(text);
    }

    fn diagram_function(&mut self, diagram: &Diagram) -> Listing {
        let body = std::mem::take(&mut self.body);
        let name = self.names.diagrams[self.diagram].clone();
        let (ctx, stopped) = (self.uses.name("ProcessCtx"), self.uses.name("Stopped"));
        let unused = if self.uses.take_context() { "" } else { "_" };
        let mut parameters = format!("{unused}ctx: &{ctx}<'_>");
        if self.with_globals[self.diagram] {
            parameters.push_str(", globals: &Globals");
        }
        for outer in &diagram.outer {
            let name = self.variables.name(&outer.name);
            let of = ty(&outer.ty, &self.uses);
            let of = match outer.ty {
                Type::Array(..) => quote!(&#of),
                Type::Int | Type::Real | Type::Bool if outer.counter => of,
                Type::Int | Type::Real | Type::Bool => {
                    self.library.uses_cell = true;
                    quote!(&Cell<#of>)
                }
            };
            let _ = write!(parameters, ", {name}: {of}");
        }
        let mut text = Listing::default();
        text.line(&format!(
            "async fn {name}({parameters}) -> Result<(), {stopped}> {{"
        ));
        text.append(&body);
        let gives = diagram.steps.last().is_some_and(|it| self.gives(it));
        if !gives && falls_through(&diagram.steps) {
            text.line("Ok(())");
        }
        text.line("}");
        text
    }

    /// Returns `true` if a step is a single call, so that it can return the diagram's value.
    fn gives(&self, step: &Step) -> bool {
        match step {
            Step::Execute(execute) => self.assigns_nothing(&execute.action),
            other => matches!(other, Step::Call(_) | Step::Region(_) | Step::Pass(_)),
        }
    }

    /// Returns `true` if a step's value is the value of the current diagram.
    fn is_last(&self, step: &Step) -> bool {
        let last = self.program.diagrams[self.diagram].steps.last();
        last.is_some_and(|last| std::ptr::eq(last, step)) && self.gives(step)
    }

    /// Returns `true` if an action is a single call whose result isn't assigned.
    fn assigns_nothing(&self, action: &Action) -> bool {
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
            | Action::Delay(_)
            | Action::Signal(_)
            | Action::Offload(_)
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
        self.declare_parameter(index, parameter);
    }

    fn global(&mut self, index: GlobalIndex, global: &'p Global) {
        self.declare_global(index, global);
    }

    fn table(&mut self, index: TableIndex, table: &'p Table) {
        self.declare_table(index, table);
    }

    fn function(&mut self, index: FunctionIndex, function: &'p Function) {
        if !function.used {
            return;
        }
        let docs = function.comment.as_deref().map(comment_lines);
        let code = function::function(index, &self.program.functions, &self.names, &self.uses);
        let subject = Some(Subject::Function(index));
        let code = documented(&docs.unwrap_or_default(), subject, &code.into());
        self.library.functions.append(&code);
        self.library.functions.line("");
    }

    fn element(&mut self, index: ElementIndex, element: &'p Element) {
        if element.in_run {
            self.declare_element(index, element);
        }
    }

    fn begin_diagram(&mut self, index: DiagramIndex, diagram: &'p Diagram) {
        self.diagram = index;
        let counters = diagram.outer.iter().filter(|outer| outer.counter);
        self.counters = counters.map(|outer| outer.name.clone()).collect();
        self.uses.take_context();
        self.locals(&diagram.locals);
    }

    fn end_diagram(&mut self, index: DiagramIndex, diagram: &'p Diagram) {
        let title = format!("Diagram `{}`", plain(&diagram.name));
        let docs = docs(&title, diagram.comment.as_deref());
        let subject = Some(Subject::Diagram(self.diagram_of[index]));
        let code = documented(&docs, subject, &self.diagram_function(diagram));
        self.library.diagrams.append(&code);
        self.library.diagrams.line("");
    }

    fn begin_step(&mut self, step: &'p Step) {
        let around = self.around.last().copied().flatten();
        self.around.push(step.element().or(around));
        self.mark_place();
        self.open_step(step, self.is_last(step));
    }

    fn end_step(&mut self, step: &'p Step) {
        self.mark_place();
        self.close_step(step);
        self.around.pop();
    }

    fn begin_arm(&mut self, arm: &'p Arm) {
        self.mark_place();
        self.open_arm(arm);
    }

    fn begin_otherwise(&mut self, steps: &'p [Step]) {
        self.mark_place();
        self.open_otherwise(steps);
    }

    fn begin_state(&mut self, state: DispatchState, _steps: &'p [Step]) {
        self.mark_place();
        self.line(&format!("{state} => {{"));
    }

    fn end_state(&mut self, _state: DispatchState, _steps: &'p [Step]) {
        self.line("}");
    }

    fn end_program(&mut self, _program: &'p Program) {
        self.declare_opcodes();
        self.declare_devices();
        self.library.constructor = self.constructor();
    }
}
