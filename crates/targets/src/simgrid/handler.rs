//! Own part of the program of actors: declarations, and a function for each diagram.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::dialect::Cpp;
use super::names::Names;
use crate::family::{Counter, Language};
use prophet_codegen::content_handler::ContentHandler;
use prophet_codegen::emit::Listing;
use prophet_codegen::lang::constant::Constant;
use prophet_codegen::lang::ir::{Expression, Needs, Type};
use prophet_codegen::program::{
    Call, Diagram, DiagramIndex, Element, ElementIndex, Execute, Function, FunctionIndex, Global,
    GlobalIndex, Local, Parameter, ParameterIndex, Program, Region, Repeat, Table, TableIndex,
};
use prophet_codegen::resolve::needs_with_calls;
use prophet_codegen::target::c::{Dialect, Printer};
use prophet_codegen::target::text::{c_comment, c_string};

/// The random numbers of the globals' first values, and what is at fault if one fails.
const INITIAL: &str = "INITIAL";

/// The first parameters of functions, which not all of them use.
pub(super) const UNIT: &str = "[[maybe_unused]] const prophet::Unit &unit";
pub(super) const GLOBALS: &str = "[[maybe_unused]] Globals &globals";

/// The program of actors, as far as it is written.
pub(super) struct Actors<'p> {
    pub(super) program: &'p Program,
    pub(super) names: &'p Names,
    taken: BTreeSet<&'p str>,
    parameters: String,
    parameter_list: Vec<String>,
    globals: String,
    initial: String,
    tables: String,
    /// Their heads, as functions may stand in any order.
    function_heads: Vec<String>,
    functions: String,
    elements: String,
    prototypes: String,
    diagrams: String,
}

impl<'p> Actors<'p> {
    pub(super) fn new(program: &'p Program, names: &'p Names) -> Self {
        Self {
            program,
            names,
            taken: names.taken(),
            parameters: String::new(),
            parameter_list: Vec::new(),
            globals: String::new(),
            initial: String::new(),
            tables: String::new(),
            function_heads: Vec::new(),
            functions: String::new(),
            elements: String::new(),
            prototypes: String::new(),
            diagrams: String::new(),
        }
    }

    /// The cost language, with random numbers from `stream`.
    pub(super) fn dialect(&self, stream: &str) -> Cpp<'_> {
        Cpp {
            names: self.names,
            functions: &self.program.functions,
            taken: &self.taken,
            stream: stream.to_owned(),
        }
    }

    /// An expression that belongs to an element.
    pub(super) fn value(&self, element: &str, expression: &Expression) -> String {
        let dialect = self.dialect(&stream_of(element));
        Printer::new(&dialect).value(expression)
    }

    pub(super) fn ty(&self, ty: &Type) -> &'static str {
        self.dialect("").ty(ty)
    }

    /// The head of a diagram's function.
    fn head(&self, index: DiagramIndex, diagram: &Diagram) -> String {
        let mut parameters = vec![UNIT.to_owned(), GLOBALS.to_owned()];
        for outer in &diagram.outer {
            let name = self.names.local(&outer.name);
            parameters.push(match &outer.ty {
                Type::Array(item, length) => format!("{} (&{name})[{length}]", self.ty(item)),
                ty if outer.counter => format!("{} {name}", self.ty(ty)),
                ty => format!("{} &{name}", self.ty(ty)),
            });
        }
        let name = &self.names.diagrams[index];
        format!("void {name}({})", parameters.join(", "))
    }

    /// The call of a diagram's function.
    pub(super) fn call_of(&self, diagram: DiagramIndex) -> String {
        let mut arguments = vec!["unit".to_owned(), "globals".to_owned()];
        let outer = &self.program.diagrams[diagram].outer;
        arguments.extend(outer.iter().map(|it| self.names.local(&it.name)));
        let name = &self.names.diagrams[diagram];
        format!("{name}({})", arguments.join(", "))
    }

    /// The whole file.
    pub(super) fn finish(self) -> String {
        let model = c_comment(&self.program.name);
        let parameters = match self.parameters.as_str() {
            "" => String::new(),
            members => format!("struct Parameters\n{{\n{members}}};\n\nParameters parameters;\n"),
        };
        let (initial, main) = (&self.initial, &self.names.diagrams[DiagramIndex::MAIN]);
        let mut text = format!("// Performance model `{model}`. All costs are in seconds.\n\n");
        text.push_str("#include \"run.hpp\"\n\nnamespace {\n");
        section(&mut text, "// Parameters of the model.", &parameters);
        section(
            &mut text,
            "// Global variables: each process has its own.",
            &format!("struct Globals\n{{\n{}}};\n", self.globals),
        );
        section(
            &mut text,
            "// Elements: name in the model, id.",
            &self.elements,
        );
        section(&mut text, "// Tables of `interpolate`.", &self.tables);
        let heads: String = self.function_heads.into_iter().rev().collect();
        let functions = heads + &self.functions;
        section(&mut text, "// Cost functions.", &functions);
        section(&mut text, "// Diagrams.", &self.prototypes);
        if !initial.is_empty() {
            let _ = write!(
                text,
                "\nvoid initialize({UNIT}, {GLOBALS})\n{{\n{initial}}}\n"
            );
        }
        text.push_str(&self.diagrams);
        text.push_str("\n// What a process does.\nvoid program(const prophet::Unit &unit)\n{\n");
        text.push_str("    Globals globals;\n");
        if !initial.is_empty() {
            text.push_str("    initialize(unit, globals);\n");
        }
        let _ = write!(
            text,
            "    {main}(unit, globals);\n}}\n\n}} // namespace\n\n"
        );
        let list = self.parameter_list.join(",\n        ");
        let _ = write!(
            text,
            "int main(int argc, char **argv)\n{{\n    \
             return prophet::main(argc, argv, {{{list}}}, program);\n}}\n"
        );
        text
    }
}

/// Stream that draws the random numbers of an element.
pub(super) fn stream_of(element: &str) -> String {
    format!("unit.stream({element})")
}

fn section(text: &mut String, title: &str, content: &str) {
    if !content.is_empty() {
        let _ = write!(text, "\n{title}\n{content}");
    }
}

impl<'p> ContentHandler<'p> for Actors<'p> {
    fn begin_program(&mut self, _program: &'p Program) {
        let _ = writeln!(
            self.elements,
            "[[maybe_unused]] const prophet::Element {INITIAL}{{\"first values\", 0}};"
        );
    }

    fn parameter(&mut self, index: ParameterIndex, parameter: &'p Parameter) {
        let name = &self.names.parameters[index];
        let (ty, value, place) = match parameter.default {
            // The lowest int has no literal of its own.
            Constant::Int(i64::MIN) => ("int64_t", "INT64_MIN".to_owned(), 0),
            Constant::Int(value) => ("int64_t", format!("{value}"), 0),
            Constant::Real(value) => ("double", format!("{value:?}"), 1),
            Constant::Bool(value) => ("bool", format!("{value}"), 2),
        };
        if let Some(text) = &parameter.comment {
            let _ = writeln!(self.parameters, "    // {}", c_comment(text));
        }
        let _ = writeln!(self.parameters, "    {ty} {name} = {value};");
        let mut places = [
            "nullptr".to_owned(),
            "nullptr".to_owned(),
            "nullptr".to_owned(),
        ];
        places[place] = format!("&parameters.{name}");
        let label = c_string(&parameter.name);
        self.parameter_list
            .push(format!("{{{label}, {}}}", places.join(", ")));
    }

    fn global(&mut self, index: GlobalIndex, global: &'p Global) {
        let name = &self.names.globals[index];
        if let Some(text) = &global.comment {
            let _ = writeln!(self.globals, "    // {}", c_comment(text));
        }
        let text = match &global.ty {
            Type::Array(item, length) => format!("{} {name}[{length}]", self.ty(item)),
            ty => format!("{} {name}", self.ty(ty)),
        };
        let _ = writeln!(self.globals, "    {text} = {{}};");
        if let Some(value) = &global.value {
            let needs = needs_with_calls(value, &self.program.functions);
            if self.initial.is_empty() && can_fail(&needs) {
                let _ = writeln!(self.initial, "    {}", at(INITIAL));
            }
            let value = self.value(INITIAL, value);
            let _ = writeln!(self.initial, "    globals.{name} = {value};");
        }
    }

    fn table(&mut self, index: TableIndex, table: &'p Table) {
        let name = &self.names.tables[index];
        let points: Vec<String> = table
            .points
            .iter()
            .map(|(x, y)| format!("{{{x:?}, {y:?}}}"))
            .collect();
        let (count, points) = (points.len(), points.join(", "));
        let _ = writeln!(
            self.tables,
            "// {}\nconst prophet_point {name}_points[] = {{{points}}};\n\
             const prophet_table {name} = {{{name}_points, {count}}};",
            c_comment(&table.file)
        );
    }

    fn function(&mut self, index: FunctionIndex, function: &'p Function) {
        if !function.used {
            return;
        }
        let mut lines = Listing::new(0);
        if let Some(text) = &function.comment {
            lines.line(&format!("// {}", c_comment(text)));
        }
        let dialect = self.dialect("stream");
        Printer::function(&dialect, index, function, "}", &mut lines);
        let head = Printer::head(&dialect, index, function);
        self.function_heads.push(format!("{head};\n"));
        let _ = write!(self.functions, "\n{lines}");
    }

    fn element(&mut self, index: ElementIndex, element: &'p Element) {
        if !element.in_run {
            return;
        }
        let (name, label) = (&self.names.elements[index], c_string(&element.name));
        let _ = writeln!(
            self.elements,
            "[[maybe_unused]] const prophet::Element {name}{{{label}, {}}};",
            element.id
        );
    }
}

impl<'p> Language<'p> for Actors<'p> {
    const PLAIN_BRACES: bool = true;
    const TURN: Option<&'static str> = Some("prophet::turn(unit);");

    fn program(&self) -> &'p Program {
        self.program
    }

    fn comment(&self, text: &str) -> String {
        format!("// {}", c_comment(text))
    }

    fn with_dialect<T>(&self, element: ElementIndex, write: impl FnOnce(&dyn Dialect) -> T) -> T {
        write(&self.dialect(&stream_of(&self.names.elements[element])))
    }

    fn mark(&self, element: ElementIndex) -> Option<String> {
        Some(at(&self.names.elements[element]))
    }

    fn stuck(&self, element: ElementIndex) -> Option<String> {
        let name = &self.names.elements[element];
        Some(format!("prophet::stuck(unit, {name});"))
    }

    fn open_diagram(&mut self, _index: DiagramIndex, diagram: &'p Diagram, lines: &mut Listing) {
        *lines = Listing::new(1);
        self.locals(&diagram.locals, lines);
    }

    fn close_diagram(&mut self, index: DiagramIndex, diagram: &'p Diagram, lines: &mut Listing) {
        let head = self.head(index, diagram);
        let body = std::mem::take(lines);
        let _ = writeln!(self.prototypes, "{head};");
        let mut about = format!("Diagram `{}`", c_comment(&diagram.name));
        if let Some(text) = &diagram.comment {
            let _ = write!(about, ": {}", c_comment(text));
        }
        let _ = write!(self.diagrams, "\n// {about}\n{head}\n{{\n{body}}}\n");
    }

    fn locals(&mut self, locals: &'p [Local], lines: &mut Listing) {
        for local in locals {
            let name = self.names.local(&local.name);
            let text = match (&local.ty, &local.value) {
                (Type::Array(item, length), _) => {
                    format!("{} {name}[{length}] = {{}}", self.ty(item))
                }
                (ty, None) => format!("{} {name} = {{}}", self.ty(ty)),
                (ty, Some(value)) => {
                    if can_fail(&needs_with_calls(value, &self.program.functions)) {
                        lines.line(&at(INITIAL));
                    }
                    format!("{} {name} = {}", self.ty(ty), self.value(INITIAL, value))
                }
            };
            lines.line(&format!("[[maybe_unused]] {text};"));
        }
    }

    fn execute(&mut self, execute: &'p Execute, lines: &mut Listing) {
        self.execute_element(execute, lines);
    }

    fn call(&mut self, call: &'p Call, lines: &mut Listing) {
        lines.line(&format!("{};", self.call_of(call.diagram)));
    }

    fn region(&mut self, region: &'p Region, lines: &mut Listing) {
        self.execute_region(region, lines);
    }

    fn counter(&mut self, repeat: &'p Repeat) -> Counter {
        let name = match &repeat.variable {
            Some(name) => self.names.local(name),
            None => "turn".to_owned(),
        };
        let element = &self.names.elements[repeat.element];
        Counter {
            ty: "int64_t",
            count: self.value(element, &repeat.iterations),
            end: Some(format!("{name}_end")),
            name,
        }
    }
}

/// Says whose the next code is.
fn at(element: &str) -> String {
    format!("unit.at({element});")
}

fn can_fail(needs: &Needs) -> bool {
    needs.fallible || needs.stream
}
