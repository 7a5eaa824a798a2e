//! The content handler: writes a function for each diagram while it is shown the program, once for
//! each context that diagrams are executed in.

use std::collections::BTreeSet;

use super::comm::Comm;
use super::contexts::{Context, contexts};
use super::dialect::{MpiDialect, c_type};
use super::names::{Names, Variables};
use super::parts::Nodes;
use prophet_codegen::content_handler::ContentHandler;
use prophet_codegen::lang::ir::{Expression, Needs, Statement, Type};
use prophet_codegen::program::{
    Arm, Diagram, DiagramIndex, ElementIndex, Label, List, Local, Program, Step,
};
use prophet_codegen::resolve::needs_with_calls;
use prophet_codegen::target::branches::Branches;
use prophet_codegen::target::c::{Lines, Printer};
use prophet_codegen::target::text::c_block_comment as comment;

/// A function of a diagram.
#[derive(Debug, serde::Serialize)]
pub(super) struct Function {
    /// What stands above it.
    pub(super) comment: String,
    /// Its head, without `;`.
    pub(super) head: String,
    /// Its lines between the braces.
    pub(super) body: String,
}

/// Writes the functions of diagrams.
pub(super) struct MpiHandler<'p> {
    pub(super) program: &'p Program,
    pub(super) names: &'p Names,
    pub(super) comms: &'p [Comm<'p>],
    /// The nodes at fault where first values of variables can fail, in order of text, by diagram.
    nodes: &'p Nodes,
    contexts: List<DiagramIndex, BTreeSet<Context>>,
    /// The context that is written now.
    pub(super) context: Context,
    /// Whether the diagram that is shown is executed in it.
    writes: bool,
    /// The current diagram.
    diagram: DiagramIndex,
    /// How many groups of variables it has declared.
    groups: usize,
    pub(super) variables: Variables,
    pub(super) lines: Lines,
    /// The branches around the current step.
    pub(super) branches: Branches,
    /// The labels of the dispatch loops around the current step.
    pub(super) dispatches: Vec<Label>,
    /// Labels that a `goto` of the current diagram names.
    pub(super) labels: BTreeSet<String>,
    pub(super) functions: Vec<Function>,
}

impl<'p> MpiHandler<'p> {
    pub(super) fn new(
        program: &'p Program,
        names: &'p Names,
        comms: &'p [Comm<'p>],
        nodes: &'p Nodes,
    ) -> Self {
        Self {
            program,
            names,
            comms,
            nodes,
            contexts: contexts(program),
            context: Context::Alone,
            writes: false,
            diagram: DiagramIndex::MAIN,
            groups: 0,
            variables: Variables::default(),
            lines: Lines::default(),
            branches: Branches::default(),
            dispatches: Vec::new(),
            labels: BTreeSet::new(),
            functions: Vec::new(),
        }
    }

    /// Writes the diagrams of that context, when they are shown next.
    pub(super) fn begin_context(&mut self, context: Context) {
        self.context = context;
    }

    fn dialect(&self, stream: String) -> MpiDialect<'_> {
        MpiDialect {
            names: self.names,
            functions: &self.program.functions,
            variables: &self.variables,
            stream,
        }
    }

    /// An expression in a place of its type; its random numbers are those of `element`.
    pub(super) fn value(&self, element: ElementIndex, value: &Expression) -> String {
        self.value_of(self.stream_of(element), value)
    }

    /// A condition of an element.
    pub(super) fn condition(&self, element: ElementIndex, value: &Expression) -> String {
        Printer::new(&self.dialect(self.stream_of(element))).condition(value)
    }

    fn value_of(&self, stream: String, value: &Expression) -> String {
        Printer::new(&self.dialect(stream)).converted(value)
    }

    /// What draws the random numbers of an element.
    fn stream_of(&self, element: ElementIndex) -> String {
        stream_of(&self.names.elements[element])
    }

    /// Writes a piece of code, in braces where it declares something.
    pub(super) fn code(&mut self, element: ElementIndex, statements: &[Statement]) {
        let declares = |it: &Statement| matches!(it, Statement::Declare { .. });
        let braces = statements.iter().any(declares);
        let mut lines = std::mem::take(&mut self.lines);
        if braces {
            lines.open();
        }
        let dialect = self.dialect(self.stream_of(element));
        Printer::fragment(&dialect, statements, &mut lines);
        if braces {
            lines.close("}");
        }
        self.lines = lines;
    }

    /// Tells the support which element is at fault if the next code fails.
    pub(super) fn mark(&mut self, element: ElementIndex, needs: &Needs) {
        if needs.fallible || needs.stream {
            let name = &self.names.elements[element];
            self.lines.line(&format!("prophet_at(&{name});"));
        }
    }

    /// Declares variables.
    pub(super) fn locals(&mut self, locals: &[Local]) {
        let node = self.nodes[self.diagram].get(self.groups).cloned().flatten();
        self.groups += 1;
        let mut stream = String::new();
        if let Some(node) = node {
            self.lines.line(&format!("prophet_at(&{});", node.constant));
            stream = stream_of(&node.constant);
        }
        for local in locals {
            let value = match (&local.ty, &local.value) {
                (Type::Array(..), _) => "{0}".to_owned(),
                (_, Some(value)) => self.value_of(stream.clone(), value),
                (ty, None) => zero(ty).to_owned(),
            };
            let name = self.variables.declare(self.names, &local.name, false);
            let ty = c_type(&local.ty);
            let length = match local.ty {
                Type::Array(_, length) => format!("[{length}]"),
                _ => String::new(),
            };
            let said = local.comment.as_deref().map(comment).unwrap_or_default();
            let said = if said.is_empty() {
                said
            } else {
                format!(" /* {said} */")
            };
            self.lines
                .line(&format!("{ty} {name}{length} = {value};{said}"));
        }
    }

    /// The call of a diagram's function by someone in that context.
    pub(super) fn call(&self, diagram: DiagramIndex, context: Context) -> String {
        let outer = self.program.diagrams[diagram].outer.iter();
        let arguments = outer.map(|outer| {
            if outer.counter {
                self.variables.place(&outer.name)
            } else {
                self.variables.pointer(&outer.name)
            }
        });
        let arguments: Vec<String> = arguments.collect();
        format!(
            "{}({});",
            self.function_of(diagram, context),
            arguments.join(", ")
        )
    }

    /// The name of the function of a diagram in a context.
    pub(super) fn function_of(&self, diagram: DiagramIndex, context: Context) -> String {
        let name = &self.names.diagrams[diagram];
        match self.contexts[diagram].len() {
            1 => name.clone(),
            _ => format!("{name}{}", context.suffix()),
        }
    }

    fn head(&mut self, diagram: &Diagram) -> String {
        let mut parameters = Vec::new();
        for outer in &diagram.outer {
            let pointer = !outer.counter;
            let name = self.variables.declare(self.names, &outer.name, pointer);
            let ty = c_type(&outer.ty);
            parameters.push(match outer.ty {
                Type::Array(_, length) => format!("{ty} (*{name})[{length}]"),
                _ if pointer => format!("{ty} *{name}"),
                _ => format!("{ty} {name}"),
            });
        }
        if parameters.is_empty() {
            parameters.push("void".to_owned());
        }
        let name = self.function_of(self.diagram, self.context);
        format!("static void {name}({})", parameters.join(", "))
    }
}

/// What draws the random numbers of an element, by its constant.
pub(super) fn stream_of(constant: &str) -> String {
    format!("prophet_stream_of(&{constant})")
}

/// What a variable starts with.
pub(super) fn zero(ty: &Type) -> &'static str {
    match ty {
        Type::Int => "0",
        Type::Real => "0.0",
        Type::Bool => "false",
        Type::Array(..) => "{0}",
    }
}

/// Whether the first values of variables can fail or draw.
pub(super) fn can_fail(locals: &[Local], program: &Program) -> bool {
    let values = locals.iter().filter_map(|local| local.value.as_ref());
    values
        .map(|value| needs_with_calls(value, &program.functions))
        .any(|needs| needs.fallible || needs.stream)
}

impl<'p> ContentHandler<'p> for MpiHandler<'p> {
    fn begin_diagram(&mut self, index: DiagramIndex, diagram: &'p Diagram) {
        self.diagram = index;
        self.writes = self.contexts[self.diagram].contains(&self.context);
        if !self.writes {
            return;
        }
        self.variables = Variables::default();
        self.lines = Lines::new(1);
        self.labels.clear();
        self.groups = 0;
        let head = self.head(diagram);
        let said = diagram.comment.as_deref().map(comment).unwrap_or_default();
        let mut title = format!("Diagram `{}`", comment(&diagram.name));
        if !said.is_empty() {
            title = format!("{title}: {said}");
        }
        self.functions.push(Function {
            comment: title,
            head,
            body: String::new(),
        });
        self.locals(&diagram.locals);
    }

    fn end_diagram(&mut self, _index: DiagramIndex, _diagram: &'p Diagram) {
        if !std::mem::take(&mut self.writes) {
            return;
        }
        if let Some(function) = self.functions.last_mut() {
            function.body = std::mem::take(&mut self.lines).finish();
        }
    }

    fn begin_step(&mut self, step: &'p Step) {
        if self.writes {
            self.open_step(step);
        }
    }

    fn end_step(&mut self, step: &'p Step) {
        if self.writes {
            self.close_step(step);
        }
    }

    fn begin_arm(&mut self, arm: &'p Arm) {
        if self.writes {
            self.open_arm(arm);
        }
    }

    fn end_arm(&mut self, _arm: &'p Arm) {
        if self.writes {
            self.lines.close("}");
        }
    }

    fn begin_otherwise(&mut self, steps: &'p [Step]) {
        if self.writes {
            self.open_otherwise(steps);
        }
    }

    fn end_otherwise(&mut self, steps: &'p [Step]) {
        if self.writes {
            self.close_otherwise(steps);
        }
    }

    fn begin_state(&mut self, number: usize, _steps: &'p [Step]) {
        if self.writes {
            self.open_state(number);
        }
    }

    fn end_state(&mut self, _number: usize, _steps: &'p [Step]) {
        if self.writes {
            self.lines.close("}");
        }
    }
}
