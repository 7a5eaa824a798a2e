//! Writes declarations, and inlines diagrams where they're executed.

use super::dialect::{Plain, Units, definitions, names, units};
use super::inlining::Shared;
use crate::family::{FamilyLanguage, Names, by_reference};
use prophet_codegen::content_handler::ContentHandler;
use prophet_codegen::emit::Listing;
use prophet_codegen::target::c::{Dialect, Printer};
use prophet_codegen::target::text::{c_comment, c_string};
use prophet_codegen::vocabulary;
use prophet_frontend::lang::constant::{Constant, constant};
use prophet_frontend::lang::ir::{Expression, ExpressionKind, Type};
use prophet_frontend::program::{
    Call, Diagram, DiagramIndex, Element, ElementIndex, Execute, Function, FunctionIndex, Global,
    GlobalIndex, List, Local, Parameter, ParameterIndex, Program, Region, Table, TableIndex,
    TableRows,
};

pub(super) struct Representation<'p> {
    pub(super) program: &'p Program,
    pub(super) names: Names,
    units: Units,
    shared: &'p Shared,
    globals: Listing,
    /// Assignments of initial values that are known only at run time, in a process.
    first_values: Listing,
    functions: List<FunctionIndex, Listing>,
    elements: Listing,
    /// The calls and regions around the current step, from the outermost inward.
    places: Vec<Place>,
    diagrams: Vec<OpenDiagram>,
    /// Number of diagrams with a label at their end so far.
    ends: usize,
}

#[derive(Debug, Clone, Copy)]
enum Place {
    /// In a call: the step belongs to the called diagram.
    Call,
    /// In a region: its number of parts, and how many of them have been written.
    Region { parts: usize, shown: usize },
}

#[derive(Debug)]
struct OpenDiagram {
    /// Whether the diagram is a function, so that `return` can leave it.
    is_function: bool,
    /// Whether the diagram has braces of its own.
    braces: bool,
    /// Number of the label at the diagram's end; `None` if no jump needs the label.
    end: Option<usize>,
}

impl<'p> Representation<'p> {
    pub(super) fn new(program: &'p Program, shared: &'p Shared) -> Self {
        Self {
            program,
            names: names(program),
            units: units(program),
            shared,
            globals: Listing::new(0),
            first_values: Listing::new(1),
            functions: List::default(),
            elements: Listing::new(1),
            places: Vec::new(),
            diagrams: Vec::new(),
            ends: 0,
        }
    }

    /// Returns the whole text. `body` contains the diagrams.
    pub(super) fn finish(&self, body: &Listing) -> String {
        let mut text = Listing::new(0);
        title(&mut text, "Globals");
        text.append(&self.globals);
        text.line("//");
        title(&mut text, "Cost functions");
        for index in definitions(&self.program.functions) {
            text.append(&self.functions[index]);
            text.line("//");
        }
        title(&mut text, "Program");
        text.line("void Process::program(void)");
        text.line("{");
        let mut inside = Listing::new(1);
        inside.line("// Declare performance modeling elements");
        inside.line("//");
        inside.append(&self.elements);
        inside.line("// Define modeling elements and their control flow");
        inside.line("//");
        inside.append(&self.first_values);
        inside.append(body);
        inside.line("//");
        text.append(&inside);
        text.line("};");
        text.into()
    }

    pub(super) fn dialect(&self) -> Plain<'_> {
        let (names, units) = (&self.names, &self.units);
        Plain { names, units }
    }

    fn ty(&self, ty: &Type) -> &'static str {
        match ty {
            Type::Array(item, _) => self.dialect().ty(item),
            scalar => self.dialect().ty(scalar),
        }
    }

    /// Returns the attribute that prevents warnings about an unused declaration; empty if the
    /// declaration is used.
    fn attribute(is_used: bool) -> &'static str {
        if is_used { "" } else { "[[maybe_unused]] " }
    }

    /// Starts a diagram with a function of its own: the main diagram, or one that several elements
    /// execute.
    fn open_top(&mut self, index: DiagramIndex, diagram: &Diagram, lines: &mut Listing) {
        if !self.shared.several[index] {
            return;
        }
        let attribute = Self::attribute(self.shared.executes[index]);
        let mut parameters = vec![
            format!("{attribute}long uid"),
            format!("{attribute}long tid"),
        ];
        for outer in &diagram.outer {
            let name = self.names.declare(&outer.name);
            parameters.push(by_reference(self.ty(&outer.ty), &name, outer));
        }
        let name = &self.names.diagrams[index];
        lines.line(&format!("auto {name} = [&]({})", parameters.join(", ")));
        lines.open();
    }
}

impl<'p> ContentHandler<'p> for Representation<'p> {
    fn parameter(&mut self, index: ParameterIndex, parameter: &'p Parameter) {
        let name = &self.names.parameters[index];
        let line = match parameter.default {
            Constant::Int(value) => {
                let value = Expression {
                    kind: ExpressionKind::Int(value),
                    ty: Type::Int,
                };
                format!("long {name} = {};", self.expression(&value))
            }
            Constant::Real(value) => format!("double {name} = {value:?};"),
            Constant::Bool(value) => format!("bool {name} = {value};"),
        };
        self.globals.line(&line);
    }

    fn global(&mut self, index: GlobalIndex, global: &'p Global) {
        let name = &self.names.globals[index];
        let ty = self.ty(&global.ty);
        let line = match (&global.ty, &global.value) {
            (Type::Array(_, length), _) => format!("{ty} {name}[{length}];"),
            (_, Some(value)) if constant(value).is_some() => {
                format!("{ty} {name} = {};", self.expression(value))
            }
            (_, Some(value)) => {
                let value = self.expression(value);
                self.first_values.line(&format!("{name} = {value};"));
                format!("{ty} {name};")
            }
            (_, None) => format!("{ty} {name};"),
        };
        self.globals.line(&line);
    }

    fn table(&mut self, index: TableIndex, table: &'p Table) {
        let name = &self.names.tables[index];
        let columns = match &table.rows {
            TableRows::Points(_) => 2,
            TableRows::Lines(_) => 3,
        };
        self.globals
            .line(&format!("const double {name}[][{columns}] ="));
        self.globals.open();
        match &table.rows {
            TableRows::Points(points) => {
                for (x, y) in points {
                    self.globals.line(&format!("{{{x:?}, {y:?}}},"));
                }
            }
            TableRows::Lines(lines) => {
                for (x, points) in lines {
                    for (y, z) in points {
                        self.globals.line(&format!("{{{x:?}, {y:?}, {z:?}}},"));
                    }
                }
            }
        }
        self.globals.close("};");
    }

    fn function(&mut self, index: FunctionIndex, function: &'p Function) {
        let mut lines = Listing::new(0);
        Printer::function(&self.dialect(), index, function, "};", &mut lines);
        self.functions.push(lines);
    }

    fn element(&mut self, index: ElementIndex, element: &'p Element) {
        let name = &self.names.elements[index];
        if name.is_empty() {
            return;
        }
        let word = element.stereotype.and_then(vocabulary::word);
        let class = word.map_or("Fork", |word| word.runtime_type);
        let id = Expression {
            kind: ExpressionKind::Int(element.id),
            ty: Type::Int,
        };
        let (label, id) = (c_string(&element.name), self.expression(&id));
        let lock = element.lock.map(|lock| c_string(&self.program.locks[lock]));
        let signal = element.signal.map(|it| c_string(&self.program.signals[it]));
        let named = lock.or(signal);
        let named = named.map_or_else(String::new, |it| format!(", {it}"));
        self.elements
            .line(&format!("{class} {name}({label}, {id}, tfName{named});"));
    }
}

impl<'p> FamilyLanguage<'p> for Representation<'p> {
    fn program(&self) -> &'p Program {
        self.program
    }

    fn comment(&self, text: &str) -> String {
        format!("// {}", c_comment(text))
    }

    fn with_dialect<T>(&self, _element: ElementIndex, write: impl FnOnce(&dyn Dialect) -> T) -> T {
        write(&self.dialect())
    }

    /// Returns `None`, because the papers don't mark elements.
    fn element_mark(&self, _element: ElementIndex) -> Option<String> {
        None
    }

    /// Returns `None`, because the flow continues in the papers.
    fn stuck(&self, _element: ElementIndex) -> Option<String> {
        None
    }

    fn code_comments(&self, name: &str) -> (String, Option<String>) {
        let comment = |word| self.comment(&format!("{word} of the associated code for {name}"));
        (comment("Begin"), Some(comment("End")))
    }

    fn names(&mut self) -> &mut Names {
        &mut self.names
    }

    fn open_diagram(&mut self, index: DiagramIndex, diagram: &'p Diagram, lines: &mut Listing) {
        let place = self.places.last_mut();
        let is_function = !matches!(place, Some(Place::Call));
        match place {
            None => self.open_top(index, diagram, lines),
            Some(Place::Region { parts, shown }) if *parts > 1 => {
                let word = if *shown == 0 { "if" } else { "else if" };
                lines.line(&format!("{word} (part == {shown})"));
                *shown += 1;
                lines.open();
            }
            Some(Place::Call | Place::Region { .. }) => {}
        }
        lines.line(&self.comment(&format!("Begin of diagram {}", diagram.name)));
        let braces = !is_function && !diagram.locals.is_empty();
        if braces {
            lines.open();
        }
        self.diagrams.push(OpenDiagram {
            is_function,
            braces,
            end: None,
        });
        self.locals(&diagram.locals, lines);
    }

    fn close_diagram(&mut self, index: DiagramIndex, diagram: &'p Diagram, lines: &mut Listing) {
        let Some(open) = self.diagrams.pop() else {
            return;
        };
        if open.braces {
            lines.close("}");
        }
        if let Some(number) = open.end {
            lines.line(&format!("done_{number}:;"));
        }
        lines.line(&self.comment(&format!("End of diagram {}", diagram.name)));
        match self.places.last() {
            None if self.shared.several[index] => lines.close("};"),
            Some(Place::Region { parts, .. }) if *parts > 1 => lines.close("}"),
            None | Some(Place::Call | Place::Region { .. }) => {}
        }
    }

    fn end_flow(&mut self, lines: &mut Listing) {
        let Some(open) = self.diagrams.last_mut() else {
            return;
        };
        if open.is_function {
            lines.line("return;");
            return;
        }
        let number = *open.end.get_or_insert_with(|| {
            self.ends += 1;
            self.ends
        });
        lines.line(&format!("goto done_{number};"));
    }

    fn locals(&mut self, locals: &'p [Local], lines: &mut Listing) {
        for local in locals {
            let ty = self.ty(&local.ty);
            // The name must not be in scope in its own initial value.
            let value = local.value.as_ref().map(|it| self.expression(it));
            let name = self.names.declare(&local.name);
            let attribute = Self::attribute(self.shared.mentioned.contains(&local.name));
            let line = match (&local.ty, value) {
                (Type::Array(_, length), _) => format!("{name}[{length}] = {{}}"),
                (_, Some(value)) => format!("{name} = {value}"),
                (Type::Bool, None) => format!("{name} = false"),
                (Type::Int | Type::Real, None) => format!("{name} = 0"),
            };
            lines.line(&format!("{attribute}{ty} {line};"));
        }
    }

    fn execute(&mut self, execute: &'p Execute, lines: &mut Listing) {
        lines.line(&self.execution(execute));
    }

    /// Calls a diagram that several elements execute. Other diagrams are inlined.
    fn call(&mut self, call: &'p Call, lines: &mut Listing) {
        self.places.push(Place::Call);
        let diagram = call.diagram;
        if !self.shared.several[diagram] {
            return;
        }
        let mut arguments = vec!["uid".to_owned(), "tid".to_owned()];
        for outer in &self.program.diagrams[diagram].outer {
            arguments.push(self.names.local(&outer.name));
        }
        let name = &self.program.diagrams[diagram].name;
        lines.line(&self.comment(&format!("Diagram {name}")));
        let function = &self.names.diagrams[diagram];
        lines.line(&format!("{function}({});", arguments.join(", ")));
    }

    fn close_call(&mut self, _lines: &mut Listing) {
        self.places.pop();
    }

    fn region(&mut self, region: &'p Region, lines: &mut Listing) {
        let begin = self.begin_region(region);
        let executes = region.parts.iter().any(|&it| self.shared.executes[it]);
        let attribute = Self::attribute(executes);
        let part = match region.variable() {
            Some(name) => format!("long {}", self.names.declare(name)),
            None if region.parts.len() > 1 => "long part".to_owned(),
            None => "long".to_owned(),
        };
        lines.line(&format!(
            "{begin}[&]({attribute}long uid, {attribute}long tid, {part})"
        ));
        lines.open();
        let parts = region.parts.len();
        self.places.push(Place::Region { parts, shown: 0 });
    }

    fn close_region(&mut self, lines: &mut Listing) {
        self.places.pop();
        lines.close("});");
    }
}

fn title(lines: &mut Listing, title: &str) {
    lines.line("// -----");
    lines.line(&format!("// {title}"));
    lines.line("// -----");
    lines.line("//");
}
