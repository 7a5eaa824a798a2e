//! Writes the declarations, and a function for each diagram.

use super::names;
use crate::family::tables::{lines, points};
use crate::family::{
    Cost, Elements as _, FamilyLanguage, Idiom, Names, by_reference, can_fail, declared,
    operations, scalar,
};
use prophet_codegen::content_handler::ContentHandler;
use prophet_codegen::emit::Listing;
use prophet_codegen::target::c::{Dialect, Printer};
use prophet_codegen::target::text::{c_comment, c_string};
use prophet_frontend::lang::constant::Constant;
use prophet_frontend::lang::ir::{Expression, System, Type};
use prophet_frontend::program::{
    Call, Diagram, DiagramIndex, Element, ElementIndex, Execute, Function, FunctionIndex, Global,
    GlobalIndex, Local, Parameter, ParameterIndex, Program, Region, Table, TableIndex,
};

const INITIAL: &str = "INITIAL";

/// First parameter of the functions. Some functions don't use it.
pub(super) const UNIT: &str = "[[maybe_unused]] const prophet::Unit &unit";
const GLOBALS: &str = "[[maybe_unused]] Globals &globals";

/// The cost language in functions with the parameters `unit` and `globals`.
static IDIOM: Idiom = Idiom {
    leading_parameters: &[UNIT, GLOBALS],
    leading_arguments: &["unit", "globals"],
    no_parameters: "",
    turn: TURN,
    system: |system| match system {
        System::Any => "prophet::ANY".to_owned(),
        System::ProcNull => "PROPHET_PROC_NULL".to_owned(),
        fact => format!("unit.{}()", fact.name().to_lowercase()),
    },
};

/// A statement that counts the iterations of a loop.
const TURN: &str = "prophet::turn(unit);";

pub(super) struct Actors<'p> {
    pub(super) program: &'p Program,
    pub(super) names: Names,
    parameters: Listing,
    /// Rows that declare the parameters for the command line.
    parameter_list: Listing,
    globals: Listing,
    initial: Listing,
    tables: Listing,
    /// Prototypes of the cost functions, so that they can call each other in any order.
    function_heads: Listing,
    functions: Listing,
    elements: Listing,
    diagram_heads: Listing,
    diagrams: Listing,
}

impl<'p> Actors<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Self {
            program,
            names: names::of(program),
            parameters: Listing::new(1),
            parameter_list: Listing::new(2),
            globals: Listing::new(1),
            initial: Listing::new(1),
            tables: Listing::new(0),
            function_heads: Listing::new(0),
            functions: Listing::new(0),
            elements: Listing::new(0),
            diagram_heads: Listing::new(0),
            diagrams: Listing::new(0),
        }
    }

    /// Returns the dialect of the cost language. Random numbers are drawn from `stream`.
    pub(super) fn dialect(&self, stream: &str) -> Cost<'_> {
        Cost {
            idiom: &IDIOM,
            names: &self.names,
            functions: &self.program.functions,
            stream: stream.to_owned(),
        }
    }

    /// Writes an expression. It draws random numbers from `stream`.
    pub(super) fn value_of(&self, stream: &str, expression: &Expression) -> String {
        let dialect = self.dialect(stream);
        Printer::new(&dialect).value(expression)
    }

    fn head(&mut self, index: DiagramIndex, diagram: &Diagram) -> String {
        let mut parameters = vec![UNIT.to_owned(), GLOBALS.to_owned()];
        for outer in &diagram.outer {
            let name = self.names.declare(&outer.name);
            parameters.push(by_reference(scalar(&outer.ty), &name, outer));
        }
        let name = &self.names.diagrams[index];
        format!("void {name}({})", parameters.join(", "))
    }

    pub(super) fn call_of(&self, diagram: DiagramIndex) -> String {
        let mut arguments = vec!["unit".to_owned(), "globals".to_owned()];
        let outer = &self.program.diagrams[diagram].outer;
        arguments.extend(outer.iter().map(|it| self.names.local(&it.name)));
        let name = &self.names.diagrams[diagram];
        format!("{name}({})", arguments.join(", "))
    }

    pub(super) fn finish(self) -> Listing {
        let mut text = Listing::new(0);
        let model = c_comment(&self.program.name);
        text.line(&format!(
            "// Performance model `{model}`. All costs are in seconds."
        ));
        text.line("");
        text.line("#include \"run.hpp\"");
        text.line("");
        text.line("namespace {");
        let parameters = structure("Parameters", &self.parameters);
        if !self.parameters.is_empty() {
            section(&mut text, "Parameters of the model.", &parameters);
            text.line("");
            text.line("Parameters parameters;");
        }
        let globals = structure("Globals", &self.globals);
        section(
            &mut text,
            "Global variables: each process has its own.",
            &globals,
        );
        section(
            &mut text,
            "Elements: name in the model, id.",
            &self.elements,
        );
        section(&mut text, "Tables of `interpolate`.", &self.tables);
        let mut prices = Listing::new(0);
        for operation in operations(self.program, &self.names) {
            prices.line(&operation);
        }
        let title = "Operations that the machine prices: name, the first element that uses it.";
        section(&mut text, title, &prices);
        section(&mut text, "Cost functions.", &self.function_heads);
        text.append(&self.functions);
        section(&mut text, "Diagrams.", &self.diagram_heads);
        if !self.initial.is_empty() {
            text.line("");
            function(
                &mut text,
                &format!("void initialize({UNIT}, {GLOBALS})"),
                &self.initial,
            );
        }
        text.append(&self.diagrams);
        self.write_process(&mut text);
        text.line("");
        text.line("} // namespace");
        text.line("");
        self.write_main(&mut text);
        text
    }

    fn write_process(&self, text: &mut Listing) {
        let mut body = Listing::new(1);
        body.line("Globals globals;");
        if !self.initial.is_empty() {
            body.line("initialize(unit, globals);");
        }
        let main = &self.names.diagrams[DiagramIndex::MAIN];
        body.line(&format!("{main}(unit, globals);"));
        text.line("");
        text.line("// What a process does.");
        function(text, "void program(const prophet::Unit &unit)", &body);
    }

    fn write_main(&self, text: &mut Listing) {
        let mut body = Listing::new(1);
        let operations: Vec<String> = self
            .names
            .opcodes
            .values()
            .map(|it| format!("&{it}"))
            .collect();
        let program = match &*operations.join(", ") {
            "" => "program".to_owned(),
            operations => format!("program, {{{operations}}}"),
        };
        if self.parameter_list.is_empty() {
            body.line(&format!(
                "return prophet::main(argc, argv, {{}}, {program});"
            ));
        } else {
            body.line("return prophet::main(argc, argv, {");
            body.append(&self.parameter_list);
            body.line(&format!("}}, {program});"));
        }
        function(text, "int main(int argc, char **argv)", &body);
    }
}

impl Actors<'_> {
    /// Declares what messages and totals need to know about an element.
    fn describe(&mut self, constant: &str, label: &str, id: i64) {
        let label = c_string(label);
        let element = format!("const prophet::Element {constant}{{{label}, {id}}};");
        self.elements.line(&format!("[[maybe_unused]] {element}"));
    }
}

pub(super) fn stream_of(element: &str) -> String {
    format!("unit.stream({element})")
}

fn section(text: &mut Listing, title: &str, content: &Listing) {
    if !content.is_empty() {
        text.line("");
        text.line(&format!("// {title}"));
        text.append(content);
    }
}

fn structure(name: &str, fields: &Listing) -> Listing {
    let mut text = Listing::new(0);
    text.line(&format!("struct {name}"));
    text.line("{");
    text.append(fields);
    text.line("};");
    text
}

fn function(text: &mut Listing, head: &str, body: &Listing) {
    text.line(head);
    text.line("{");
    text.append(body);
    text.line("}");
}

impl<'p> ContentHandler<'p> for Actors<'p> {
    fn begin_program(&mut self, _program: &'p Program) {
        self.describe(INITIAL, "first values", 0);
    }

    fn parameter(&mut self, index: ParameterIndex, parameter: &'p Parameter) {
        let name = &self.names.parameters[index];
        let (ty, value, place) = match parameter.default {
            // C++ has no literal for the smallest integer.
            Constant::Int(i64::MIN) => ("int64_t", "INT64_MIN".to_owned(), 0),
            Constant::Int(value) => ("int64_t", format!("{value}"), 0),
            Constant::Real(value) => ("double", format!("{value:?}"), 1),
            Constant::Bool(value) => ("bool", format!("{value}"), 2),
        };
        comment(&mut self.parameters, parameter.comment.as_deref());
        self.parameters.line(&format!("{ty} {name} = {value};"));
        let mut places = ["nullptr"; 3].map(str::to_owned);
        places[place] = format!("&parameters.{name}");
        let label = c_string(&parameter.name);
        let row = format!("{{{label}, {}}},", places.join(", "));
        self.parameter_list.line(&row);
    }

    fn global(&mut self, index: GlobalIndex, global: &'p Global) {
        let name = &self.names.globals[index];
        comment(&mut self.globals, global.comment.as_deref());
        let text = declared(&global.ty, name);
        self.globals.line(&format!("{text} = {{}};"));
        if let Some(value) = &global.value {
            if self.initial.is_empty() && can_fail([value], &self.program.functions) {
                self.initial.line(&at(INITIAL));
            }
            let value = self.value_of(&stream_of(INITIAL), value);
            self.initial.line(&format!("globals.{name} = {value};"));
        }
    }

    fn table(&mut self, index: TableIndex, table: &'p Table) {
        let name = &self.names.tables[index];
        self.tables.line(&format!("// {}", c_comment(&table.file)));
        self.tables
            .line(&format!("const prophet_point {name}_points[] ="));
        self.tables.open();
        for point in points(table) {
            self.tables.line(&format!("{point},"));
        }
        self.tables.close("};");
        if let Some(lines) = lines(table, &format!("{name}_points")) {
            self.tables
                .line(&format!("const prophet_line {name}_lines[] ="));
            self.tables.open();
            for line in lines {
                self.tables.line(&format!("{line},"));
            }
            self.tables.close("};");
            let lines = format!("{name}_lines, PROPHET_LENGTH({name}_lines)");
            let surface = format!("const prophet_surface {name} = {{{lines}}};");
            self.tables.line(&surface);
            return;
        }
        let points = format!("{name}_points, PROPHET_LENGTH({name}_points)");
        let table = format!("const prophet_table {name} = {{{points}}};");
        self.tables.line(&table);
    }

    fn function(&mut self, index: FunctionIndex, function: &'p Function) {
        if !function.used {
            return;
        }
        let mut lines = Listing::new(0);
        lines.line("");
        comment(&mut lines, function.comment.as_deref());
        let dialect = self.dialect("stream");
        Printer::function(&dialect, index, function, "}", &mut lines);
        let head = Printer::head(&dialect, index, function);
        self.function_heads.line(&format!("{head};"));
        self.functions.append(&lines);
    }

    fn element(&mut self, index: ElementIndex, element: &'p Element) {
        if element.in_run {
            let name = self.names.elements[index].clone();
            self.describe(&name, &element.name, element.id);
        }
    }
}

impl<'p> FamilyLanguage<'p> for Actors<'p> {
    const TURN: Option<&'static str> = Some(TURN);

    fn program(&self) -> &'p Program {
        self.program
    }

    fn comment(&self, text: &str) -> String {
        format!("// {}", c_comment(text))
    }

    fn with_dialect<T>(&self, element: ElementIndex, write: impl FnOnce(&dyn Dialect) -> T) -> T {
        write(&self.dialect(&stream_of(&self.names.elements[element])))
    }

    fn element_mark(&self, element: ElementIndex) -> Option<String> {
        Some(at(&self.names.elements[element]))
    }

    fn stuck(&self, element: ElementIndex) -> Option<String> {
        let name = &self.names.elements[element];
        Some(format!("prophet::stuck(unit, {name});"))
    }

    fn names(&mut self) -> &mut Names {
        &mut self.names
    }

    fn open_diagram(&mut self, index: DiagramIndex, diagram: &'p Diagram, lines: &mut Listing) {
        let head = self.head(index, diagram);
        let mut about = format!("Diagram `{}`", c_comment(&diagram.name));
        if let Some(text) = &diagram.comment {
            about = format!("{about}: {}", c_comment(text));
        }
        self.diagram_heads.line(&format!("{head};"));
        self.diagrams.line("");
        self.diagrams.line(&format!("// {about}"));
        self.diagrams.line(&head);
        self.diagrams.line("{");
        *lines = Listing::new(1);
        self.locals(&diagram.locals, lines);
    }

    fn close_diagram(&mut self, _index: DiagramIndex, _diagram: &'p Diagram, lines: &mut Listing) {
        self.diagrams.append(&std::mem::take(lines));
        self.diagrams.line("}");
    }

    fn locals(&mut self, locals: &'p [Local], lines: &mut Listing) {
        for local in locals {
            // The name must not be in scope in its own initial value.
            let value = match (&local.ty, &local.value) {
                (Type::Array(..), _) | (_, None) => "{}".to_owned(),
                (_, Some(value)) => {
                    if can_fail([value], &self.program.functions) {
                        lines.line(&at(INITIAL));
                    }
                    self.value_of(&stream_of(INITIAL), value)
                }
            };
            let name = self.names.declare(&local.name);
            let text = declared(&local.ty, &name);
            lines.line(&format!("[[maybe_unused]] {text} = {value};"));
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
}

/// Writes the comment from the model, if there is one.
fn comment(lines: &mut Listing, text: Option<&str>) {
    if let Some(text) = text {
        lines.line(&format!("// {}", c_comment(text)));
    }
}

/// Sets the element to name in errors of the code after it.
fn at(element: &str) -> String {
    format!("unit.at({element});")
}
