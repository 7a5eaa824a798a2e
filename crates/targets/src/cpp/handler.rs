//! The content handler: collects the text of the C++ representation while it is shown the program.

use super::dialect::{CppNames, definitions};
use super::inlining::Shared;
use super::jumps::{Jumps, Kind};
use prophet_codegen::content_handler::ContentHandler;
use prophet_codegen::lang::constant::{Constant, constant};
use prophet_codegen::lang::ir::{BinaryOp, Expression, ExpressionKind, Statement, Type, Variable};
use prophet_codegen::program::{
    Arm, Branch, Diagram, DiagramIndex, Dispatch, Element, ElementIndex, Fragment, Function,
    Global, Local, Parameter, Program, Region, Repeat, Step, Table,
};
use prophet_codegen::target::c::{Dialect, Lines, Printer};
use prophet_codegen::target::text::{c_comment, c_string};
use prophet_codegen::vocabulary;

/// Makes the C++ representation of a program.
pub(super) struct CppHandler<'p> {
    pub(super) program: &'p Program,
    pub(super) names: CppNames,
    shared: &'p Shared,
    globals: Lines,
    /// Assignments of first values that are known in a process only.
    first_values: Lines,
    functions: Vec<Lines>,
    elements: Lines,
    body: Lines,
    jumps: Jumps,
    /// Whether an arm of each branch around the current step was begun.
    branches: Vec<bool>,
    /// The calls and regions around the current step.
    places: Vec<Place>,
    diagrams: Vec<OpenDiagram>,
}

/// Where a diagram is executed.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// In the text of another one.
    Call,
    /// As so many parts of a region, of which some were shown.
    Region { parts: usize, shown: usize },
}

/// A diagram that is being written.
#[derive(Debug)]
struct OpenDiagram {
    /// How many variables were in scope before.
    depth: usize,
    /// Whether it is a function, which `return` leaves.
    is_function: bool,
    /// Whether it has braces of its own.
    braces: bool,
    /// The number of the label at its end, where a jump needs one.
    end: Option<usize>,
}

impl<'p> CppHandler<'p> {
    pub(super) fn new(program: &'p Program, shared: &'p Shared) -> Self {
        Self {
            program,
            names: CppNames::new(program),
            shared,
            globals: Lines::new(0),
            first_values: Lines::new(1),
            functions: Vec::new(),
            elements: Lines::new(1),
            body: Lines::new(1),
            jumps: Jumps::default(),
            branches: Vec::new(),
            places: Vec::new(),
            diagrams: Vec::new(),
        }
    }

    /// The whole text.
    pub(super) fn finish(self) -> String {
        let mut text = Lines::new(0);
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
        let mut inside = Lines::new(1);
        inside.line("// Declare performance modeling elements");
        inside.line("//");
        inside.append(&self.elements);
        inside.line("// Define modeling elements and their control flow");
        inside.line("//");
        inside.append(&self.first_values);
        inside.append(&self.body);
        inside.line("//");
        text.append(&inside);
        text.line("};");
        text.finish()
    }

    fn ty(&self, ty: &Type) -> &'static str {
        match ty {
            Type::Array(item, _) => self.names.ty(item),
            scalar => self.names.ty(scalar),
        }
    }

    /// Declares the variables of a diagram or structured node.
    fn locals(&mut self, locals: &[Local]) {
        for local in locals {
            let ty = self.ty(&local.ty);
            // The name begins behind its first value.
            let value = local.value.as_ref().map(|it| self.expression(it));
            let name = self.names.declare(&local.name);
            let attribute = if self.shared.mentioned.contains(&local.name) {
                ""
            } else {
                "[[maybe_unused]] "
            };
            let line = match (&local.ty, value) {
                (Type::Array(_, length), _) => format!("{name}[{length}] = {{}}"),
                (_, Some(value)) => format!("{name} = {value}"),
                (Type::Bool, None) => format!("{name} = false"),
                (_, None) => format!("{name} = 0"),
            };
            self.body.line(&format!("{attribute}{ty} {line};"));
        }
    }

    fn code(&mut self, code: &Fragment) {
        let name = c_comment(&self.program.elements[code.element].name);
        self.body
            .line(&format!("// Begin of the associated code for {name}"));
        let declares = |it: &Statement| matches!(it, Statement::Declare { .. });
        let braces = code.statements.iter().any(declares);
        if braces {
            self.body.open();
        }
        Printer::fragment(&self.names, &code.statements, &mut self.body);
        if braces {
            self.body.close("}");
        }
        self.body
            .line(&format!("// End of the associated code for {name}"));
    }

    fn open_repeat(&mut self, repeat: &Repeat) {
        let limit = &repeat.iterations;
        let first = (!is_fixed(limit)).then(|| self.expression(limit));
        let variable = match &repeat.variable {
            Some(name) => {
                self.names.declare(name);
                Variable::Local(name.clone())
            }
            None => self.names.declare_hidden("turn"),
        };
        let limit = match first {
            Some(_) => int(self.names.declare_hidden("iterations")),
            None => limit.clone(),
        };
        let condition = self.expression(&Expression {
            kind: ExpressionKind::Binary(
                BinaryOp::Less,
                Box::new(int(variable.clone())),
                Box::new(limit.clone()),
            ),
            ty: Type::Bool,
        });
        let first = first.map_or_else(String::new, |first| {
            format!(", {} = {first}", self.expression(&limit))
        });
        let variable = self.names.variable(&variable);
        self.body.line(&format!(
            "for (long {variable} = 0{first}; {condition}; {variable}++)"
        ));
        self.jumps.open(Kind::Loop, None);
        self.body.open();
    }

    fn close_repeat(&mut self, repeat: &Repeat) {
        let declared = 1 + usize::from(!is_fixed(&repeat.iterations));
        self.names.leave(self.names.depth() - declared);
        self.close_jumps(true);
    }

    /// Ends a loop, block or dispatch.
    fn close_jumps(&mut self, braces: bool) {
        let Some(open) = self.jumps.close() else {
            return;
        };
        if open.continued {
            self.body.line(&format!("next_{}: ;", open.number));
        }
        if braces {
            self.body.close("}");
        }
        if open.left {
            self.body.line(&format!("end_{}: ;", open.number));
        }
    }

    fn open_dispatch(&mut self, dispatch: &Dispatch) {
        self.jumps.open(Kind::Dispatch, Some(dispatch.label));
        let entry = self.jumps.own_state(dispatch.entry);
        self.body.line(&format!("goto {entry};"));
    }

    /// A call of a diagram that several elements execute, or the begin of its content.
    fn call(&mut self, diagram: DiagramIndex) {
        if !self.shared.several[diagram] {
            self.places.push(Place::Call);
            return;
        }
        let mut arguments = vec!["uid".to_owned(), "tid".to_owned()];
        for outer in &self.program.diagrams[diagram].outer {
            let variable = Variable::Local(outer.name.clone());
            arguments.push(self.names.variable(&variable));
        }
        let name = c_comment(&self.program.diagrams[diagram].name);
        let function = self.shared_name(diagram);
        self.body.line(&format!("// Diagram {name}"));
        self.body
            .line(&format!("{function}({});", arguments.join(", ")));
    }

    fn shared_name(&mut self, diagram: DiagramIndex) -> String {
        let wish = &self.program.diagrams[diagram].name;
        self.names.diagram(diagram, wish)
    }

    fn open_region(&mut self, region: &Region) {
        let begin = self.region(region);
        let executes = region.parts.iter().any(|&it| self.shared.executes[it]);
        let attribute = if executes { "" } else { "[[maybe_unused]] " };
        let part = match region.variable() {
            Some(name) => format!("long {}", self.names.declare(name)),
            None if region.parts.len() > 1 => "long part".to_owned(),
            None => "long".to_owned(),
        };
        self.body.line(&format!(
            "{begin}[&]({attribute}long uid, {attribute}long tid, {part})"
        ));
        self.body.open();
        let parts = region.parts.len();
        self.places.push(Place::Region { parts, shown: 0 });
    }

    fn close_region(&mut self, region: &Region) {
        self.places.pop();
        if region.variable().is_some() {
            self.names.leave(self.names.depth().saturating_sub(1));
        }
        self.body.close("});");
    }

    /// Begins a diagram that is a function of its own: the main one, or a shared one.
    fn open_top(&mut self, index: DiagramIndex, diagram: &Diagram) {
        if !self.shared.several[index] {
            return;
        }
        let name = self.shared_name(index);
        let executes = self.shared.executes[index];
        let attribute = if executes { "" } else { "[[maybe_unused]] " };
        let mut parameters = vec![
            format!("{attribute}long uid"),
            format!("{attribute}long tid"),
        ];
        for outer in &diagram.outer {
            let ty = self.ty(&outer.ty);
            let name = self.names.declare(&outer.name);
            parameters.push(match &outer.ty {
                Type::Array(_, length) => format!("{ty} (&{name})[{length}]"),
                _ if outer.counter => format!("{ty} {name}"),
                _ => format!("{ty} &{name}"),
            });
        }
        self.body
            .line(&format!("auto {name} = [&]({})", parameters.join(", ")));
        self.body.open();
    }

    fn open_branch(&mut self, _branch: &Branch) {
        self.branches.push(false);
    }
}

impl<'p> ContentHandler<'p> for CppHandler<'p> {
    fn parameter(&mut self, index: usize, parameter: &'p Parameter) {
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

    fn global(&mut self, index: usize, global: &'p Global) {
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

    fn table(&mut self, index: usize, table: &'p Table) {
        let name = &self.names.tables[index];
        self.globals.line(&format!("const double {name}[][2] ="));
        self.globals.open();
        for (x, y) in &table.points {
            self.globals.line(&format!("{{{x:?}, {y:?}}},"));
        }
        self.globals.close("};");
    }

    fn function(&mut self, index: usize, function: &'p Function) {
        let mut lines = Lines::new(0);
        Printer::function(&self.names, index, function, "};", &mut lines);
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
        let lock = lock.map_or_else(String::new, |lock| format!(", {lock}"));
        self.elements
            .line(&format!("{class} {name}({label}, {id}, tfName{lock});"));
    }

    fn begin_diagram(&mut self, index: DiagramIndex, diagram: &'p Diagram) {
        let depth = self.names.depth();
        let place = self.places.last_mut();
        let is_function = !matches!(place, Some(Place::Call));
        match place {
            None => self.open_top(index, diagram),
            Some(Place::Region { parts, shown }) if *parts > 1 => {
                let word = if *shown == 0 { "if" } else { "else if" };
                self.body.line(&format!("{word} (part == {shown})"));
                *shown += 1;
                self.body.open();
            }
            Some(_) => {}
        }
        let name = c_comment(&diagram.name);
        self.body.line(&format!("// Begin of diagram {name}"));
        let braces = !is_function && !diagram.locals.is_empty();
        if braces {
            self.body.open();
        }
        self.diagrams.push(OpenDiagram {
            depth,
            is_function,
            braces,
            end: None,
        });
        self.locals(&diagram.locals);
    }

    fn end_diagram(&mut self, index: DiagramIndex, diagram: &'p Diagram) {
        let Some(open) = self.diagrams.pop() else {
            return;
        };
        self.names.leave(open.depth);
        if open.braces {
            self.body.close("}");
        }
        if let Some(number) = open.end {
            self.body.line(&format!("end_{number}: ;"));
        }
        let name = c_comment(&diagram.name);
        self.body.line(&format!("// End of diagram {name}"));
        match self.places.last() {
            None => {
                if self.shared.several[index] {
                    self.body.close("};");
                }
            }
            Some(Place::Region { parts, .. }) if *parts > 1 => self.body.close("}"),
            Some(_) => {}
        }
    }

    fn begin_step(&mut self, step: &'p Step) {
        match step {
            Step::Code(code) => self.code(code),
            Step::Execute(execute) => {
                let line = self.execution(execute);
                self.body.line(&line);
            }
            Step::Call(call) => self.call(call.diagram),
            Step::Region(region) => self.open_region(region),
            Step::Scope(scope) => {
                if !scope.locals.is_empty() {
                    self.body.open();
                    self.locals(&scope.locals);
                }
            }
            Step::Branch(branch) => self.open_branch(branch),
            Step::Repeat(repeat) => self.open_repeat(repeat),
            Step::While(one) => {
                let condition = Printer::new(&self.names).condition(&one.condition);
                self.body.line(&format!("while ({condition})"));
                self.jumps.open(Kind::Loop, one.label);
                self.body.open();
            }
            Step::Loop(one) => {
                self.body.line("while (true)");
                self.jumps.open(Kind::Loop, one.label);
                self.body.open();
            }
            Step::Labeled(label, _) => {
                self.jumps.open(Kind::Block, Some(*label));
                self.body.open();
            }
            Step::Break(label) => {
                let jump = self.jumps.leave(*label);
                self.body.line(&jump);
            }
            Step::Continue(label) => {
                let jump = self.jumps.next_turn(*label);
                self.body.line(&jump);
            }
            Step::Return => self.end_of_flow(),
            Step::Dispatch(dispatch) => self.open_dispatch(dispatch),
            Step::Goto(label, state) => {
                let state = self.jumps.state(*label, *state);
                self.body.line(&format!("goto {state};"));
            }
        }
    }

    fn end_step(&mut self, step: &'p Step) {
        match step {
            Step::Call(call) if !self.shared.several[call.diagram] => {
                self.places.pop();
            }
            Step::Region(region) => self.close_region(region),
            Step::Scope(scope) if !scope.locals.is_empty() => {
                let depth = self.names.depth() - scope.locals.len();
                self.names.leave(depth);
                self.body.close("}");
            }
            Step::Branch(_) => {
                self.branches.pop();
            }
            Step::Repeat(repeat) => self.close_repeat(repeat),
            Step::While(_) | Step::Loop(_) | Step::Labeled(..) => self.close_jumps(true),
            Step::Dispatch(_) => self.close_jumps(false),
            _ => {}
        }
    }

    fn begin_arm(&mut self, arm: &'p Arm) {
        let guard = Printer::new(&self.names).condition(&arm.guard);
        let mut word = "if";
        if let Some(begun) = self.branches.last_mut()
            && std::mem::replace(begun, true)
        {
            word = "else if";
        }
        self.body.line(&format!("{word} ({guard})"));
        self.body.open();
    }

    fn end_arm(&mut self, _arm: &'p Arm) {
        self.body.close("}");
    }

    fn begin_otherwise(&mut self, _steps: &'p [Step]) {
        self.body.line("else");
        self.body.open();
    }

    fn end_otherwise(&mut self, _steps: &'p [Step]) {
        self.body.close("}");
    }

    fn begin_state(&mut self, number: usize, _steps: &'p [Step]) {
        let label = self.jumps.own_state(number);
        self.body.line(&format!("{label}:"));
        self.body.open();
    }

    fn end_state(&mut self, _number: usize, _steps: &'p [Step]) {
        self.body.close("}");
    }
}

impl CppHandler<'_> {
    /// The end of the current diagram's flow.
    fn end_of_flow(&mut self) {
        let Some(open) = self.diagrams.last_mut() else {
            return;
        };
        if open.is_function {
            self.body.line("return;");
            return;
        }
        let number = *open.end.get_or_insert_with(|| self.jumps.number());
        self.body.line(&format!("goto end_{number};"));
    }
}

fn title(lines: &mut Lines, title: &str) {
    lines.line("// -----");
    lines.line(&format!("// {title}"));
    lines.line("// -----");
    lines.line("//");
}

/// A variable of type int as an expression.
fn int(variable: Variable) -> Expression {
    Expression {
        kind: ExpressionKind::Variable(variable),
        ty: Type::Int,
    }
}

/// Whether an expression has the same value whenever a process evaluates it.
fn is_fixed(expression: &Expression) -> bool {
    let mut fixed = true;
    expression.visit(&mut |part| {
        fixed &= matches!(
            part.kind,
            ExpressionKind::Int(_)
                | ExpressionKind::Real(_)
                | ExpressionKind::Bool(_)
                | ExpressionKind::Variable(Variable::Parameter(_) | Variable::System(_))
                | ExpressionKind::Cast(_)
                | ExpressionKind::Unary(..)
                | ExpressionKind::Binary(..)
        );
    });
    fixed
}
