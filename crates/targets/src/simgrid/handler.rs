//! The content handler: collects the parts of the program while it is shown them.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::dialect::Cpp;
use super::names::Names;
use prophet_codegen::content_handler::ContentHandler;
use prophet_codegen::lang::constant::Constant;
use prophet_codegen::lang::ir::{Expression, Needs, Type};
use prophet_codegen::program::{
    Arm, Diagram, DiagramIndex, Element, ElementIndex, Function, Global, Label, Local, Parameter,
    Program, Step, Table, all_steps,
};
use prophet_codegen::resolve::needs_with_calls;
use prophet_codegen::target::branches::{Branches, has_else};
use prophet_codegen::target::c::{Lines, Printer};
use prophet_codegen::target::text::{c_comment, c_string};

/// The random numbers of the globals' first values, and what is at fault if one fails.
const INITIAL: &str = "INITIAL";

/// The first parameters of functions, which not all of them use.
pub(super) const UNIT: &str = "[[maybe_unused]] const prophet::Unit &unit";
pub(super) const GLOBALS: &str = "[[maybe_unused]] Globals &globals";

pub(super) struct Handler<'p> {
    pub(super) program: &'p Program,
    pub(super) names: &'p Names,
    taken: BTreeSet<&'p str>,
    /// The statements of the current diagram.
    pub(super) lines: Lines,
    /// The branches around the current step.
    pub(super) branches: Branches,
    /// The loops over states around the current step, and whether a state has begun.
    pub(super) dispatches: Vec<(Label, bool)>,
    /// The places that jumps of the current diagram name.
    pub(super) jumps: BTreeSet<String>,
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

impl<'p> Handler<'p> {
    pub(super) fn new(program: &'p Program, names: &'p Names) -> Self {
        Self {
            program,
            names,
            taken: names.taken(),
            lines: Lines::default(),
            branches: Branches::default(),
            dispatches: Vec::new(),
            jumps: BTreeSet::new(),
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

    /// Says whose the next code is, if that can fail.
    pub(super) fn mark(&mut self, element: &str, needs: &Needs) {
        if needs.fallible || needs.stream {
            self.lines.line(&format!("unit.at({element});"));
        }
    }

    /// Declares variables of a diagram.
    pub(super) fn locals(&mut self, locals: &[Local]) {
        for local in locals {
            let name = self.names.local(&local.name);
            let text = match (&local.ty, &local.value) {
                (Type::Array(item, length), _) => {
                    format!("{} {name}[{length}] = {{}}", self.ty(item))
                }
                (ty, None) => format!("{} {name} = {{}}", self.ty(ty)),
                (ty, Some(value)) => {
                    let needs = needs_with_calls(value, &self.program.functions);
                    self.mark(INITIAL, &needs);
                    format!("{} {name} = {}", self.ty(ty), self.value(INITIAL, value))
                }
            };
            self.lines.line(&format!("[[maybe_unused]] {text};"));
        }
    }

    pub(super) fn ty(&self, ty: &Type) -> &'static str {
        use prophet_codegen::target::c::Dialect as _;
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

/// The places that the jumps in `steps` name.
fn jumps(steps: &[Step]) -> BTreeSet<String> {
    let mut jumps = BTreeSet::new();
    for step in all_steps(steps) {
        match step {
            Step::Break(Some(label)) => jumps.insert(format!("end_{label}")),
            Step::Continue(Some(label)) | Step::Goto(label, _) => {
                jumps.insert(format!("next_{label}"))
            }
            _ => false,
        };
    }
    jumps
}

/// What draws the random numbers of an element.
pub(super) fn stream_of(element: &str) -> String {
    format!("unit.stream({element})")
}

fn section(text: &mut String, title: &str, content: &str) {
    if !content.is_empty() {
        let _ = write!(text, "\n{title}\n{content}");
    }
}

impl<'p> ContentHandler<'p> for Handler<'p> {
    fn begin_program(&mut self, _program: &'p Program) {
        let _ = writeln!(
            self.elements,
            "[[maybe_unused]] const prophet::Element {INITIAL}{{\"first values\", 0}};"
        );
    }

    fn parameter(&mut self, index: usize, parameter: &'p Parameter) {
        let name = &self.names.parameters[index];
        let (ty, value, place) = match parameter.default {
            Constant::Int(value) => ("int64_t", format!("{value}"), 0),
            Constant::Real(value) => ("double", format!("{value:?}"), 1),
            Constant::Bool(value) => ("bool", format!("{value}"), 2),
        };
        // The lowest int has no literal of its own.
        let value = match parameter.default {
            Constant::Int(i64::MIN) => "INT64_MIN".to_owned(),
            _ => value,
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

    fn global(&mut self, index: usize, global: &'p Global) {
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
            if self.initial.is_empty() && (needs.fallible || needs.stream) {
                let _ = writeln!(self.initial, "    unit.at({INITIAL});");
            }
            let value = self.value(INITIAL, value);
            let _ = writeln!(self.initial, "    globals.{name} = {value};");
        }
    }

    fn table(&mut self, index: usize, table: &'p Table) {
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

    fn function(&mut self, index: usize, function: &'p Function) {
        if !function.used {
            return;
        }
        let mut lines = Lines::new(0);
        if let Some(text) = &function.comment {
            lines.line(&format!("// {}", c_comment(text)));
        }
        let dialect = self.dialect("stream");
        Printer::function(&dialect, index, function, "}", &mut lines);
        let head = Printer::head(&dialect, index, function);
        self.function_heads.push(format!("{head};\n"));
        let _ = write!(self.functions, "\n{}", lines.finish());
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

    fn begin_diagram(&mut self, _index: DiagramIndex, diagram: &'p Diagram) {
        self.lines = Lines::new(1);
        self.jumps = jumps(&diagram.steps);
        self.locals(&diagram.locals);
    }

    fn end_diagram(&mut self, index: DiagramIndex, diagram: &'p Diagram) {
        let head = self.head(index, diagram);
        let body = std::mem::take(&mut self.lines).finish();
        let _ = writeln!(self.prototypes, "{head};");
        let mut about = format!("Diagram `{}`", c_comment(&diagram.name));
        if let Some(text) = &diagram.comment {
            let _ = write!(about, ": {}", c_comment(text));
        }
        let _ = write!(self.diagrams, "\n// {about}\n{head}\n{{\n{body}}}\n");
    }

    fn begin_step(&mut self, step: &'p Step) {
        self.open_step(step);
    }

    fn end_step(&mut self, step: &'p Step) {
        self.close_step(step);
    }

    fn begin_arm(&mut self, arm: &'p Arm) {
        self.open_arm(arm);
    }

    fn end_arm(&mut self, _arm: &'p Arm) {
        self.lines.close("}");
    }

    fn begin_otherwise(&mut self, steps: &'p [Step]) {
        if self.branches.otherwise(steps) {
            self.lines.line("else");
            self.lines.open();
        }
    }

    fn end_otherwise(&mut self, steps: &'p [Step]) {
        if has_else(steps) {
            self.lines.close("}");
        }
    }

    fn begin_state(&mut self, number: usize, _steps: &'p [Step]) {
        self.open_state(number);
    }

    fn end_state(&mut self, _number: usize, _steps: &'p [Step]) {
        self.lines.close("}");
    }
}
