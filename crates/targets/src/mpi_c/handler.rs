//! Writes a function for each diagram and each context in which it is executed.

use super::comm::Comm;
use super::contexts::{Context, Contexts};
use super::parts::IDIOM;
use super::parts::Nodes;
use super::parts::{Function, stream_of};
use crate::family::{Cost, Elements as _, FamilyLanguage, Names, declared, scalar};
use prophet_codegen::content_handler::ContentHandler;
use prophet_codegen::emit::Listing;
use prophet_codegen::target::c::{Dialect, Printer};
use prophet_codegen::target::text::c_block_comment as comment;
use prophet_frontend::lang::ir::{Expression, Type};
use prophet_frontend::program::{
    Call, Diagram, DiagramIndex, ElementIndex, Execute, Local, Program, Region,
};

pub(super) struct SkeletonHandler<'p> {
    pub(super) program: &'p Program,
    pub(super) names: Names,
    pub(super) comms: &'p [Comm<'p>],
    /// Nodes to name in the error if a variable's initial value fails, by diagram, in text order.
    nodes: &'p Nodes,
    contexts: &'p Contexts,
    pub(super) context: Context,
    diagram: DiagramIndex,
    /// Number of groups of variables in the current diagram so far.
    groups: usize,
    pub(super) functions: Vec<Function>,
}

impl<'p> SkeletonHandler<'p> {
    pub(super) fn new(
        program: &'p Program,
        names: Names,
        comms: &'p [Comm<'p>],
        nodes: &'p Nodes,
        contexts: &'p Contexts,
    ) -> Self {
        Self {
            program,
            names,
            comms,
            nodes,
            contexts,
            context: Context::Alone,
            diagram: DiagramIndex::MAIN,
            groups: 0,
            functions: Vec::new(),
        }
    }

    fn dialect(&self, stream: String) -> Cost<'_> {
        Cost {
            idiom: &IDIOM,
            names: &self.names,
            functions: &self.program.functions,
            stream,
        }
    }

    /// Writes an expression, converted to its type. It draws random numbers from `stream`.
    pub(super) fn value_of(&self, stream: String, value: &Expression) -> String {
        Printer::new(&self.dialect(stream)).converted(value)
    }

    pub(super) fn stream_of(&self, element: ElementIndex) -> String {
        stream_of(&self.names.elements[element])
    }

    pub(super) fn call_of(&self, diagram: DiagramIndex, context: Context) -> String {
        let outer = self.program.diagrams[diagram].outer.iter();
        let arguments = outer.map(|outer| {
            if outer.counter {
                self.names.local(&outer.name)
            } else {
                self.names.pointer_to_local(&outer.name)
            }
        });
        let arguments: Vec<String> = arguments.collect();
        format!(
            "{}({});",
            self.function_of(diagram, context),
            arguments.join(", ")
        )
    }

    fn function_of(&self, diagram: DiagramIndex, context: Context) -> String {
        let name = &self.names.diagrams[diagram];
        match self.contexts[diagram].len() {
            1 => name.clone(),
            _ => format!("{name}{}", context.suffix()),
        }
    }

    fn head(&mut self, diagram: &Diagram) -> String {
        let mut parameters = Vec::new();
        for outer in &diagram.outer {
            let ty = scalar(&outer.ty);
            if outer.counter {
                parameters.push(format!("{ty} {}", self.names.declare(&outer.name)));
                continue;
            }
            let name = self.names.declare_pointer(&outer.name);
            parameters.push(match outer.ty {
                Type::Array(_, length) => format!("{ty} (*{name})[{length}]"),
                Type::Int | Type::Real | Type::Bool => format!("{ty} *{name}"),
            });
        }
        if parameters.is_empty() {
            parameters.push("void".to_owned());
        }
        let name = self.function_of(self.diagram, self.context);
        format!("static void {name}({})", parameters.join(", "))
    }
}

pub(super) fn zero(ty: &Type) -> &'static str {
    match ty {
        Type::Int => "0",
        Type::Real => "0.0",
        Type::Bool => "false",
        Type::Array(..) => "{0}",
    }
}

/// Does nothing, because the template of the file contains the declarations.
impl<'p> ContentHandler<'p> for SkeletonHandler<'p> {}

impl<'p> FamilyLanguage<'p> for SkeletonHandler<'p> {
    fn program(&self) -> &'p Program {
        self.program
    }

    fn comment(&self, text: &str) -> String {
        format!("/* {} */", comment(text))
    }

    fn with_dialect<T>(&self, element: ElementIndex, write: impl FnOnce(&dyn Dialect) -> T) -> T {
        write(&self.dialect(self.stream_of(element)))
    }

    fn element_mark(&self, element: ElementIndex) -> Option<String> {
        Some(at(&self.names.elements[element]))
    }

    fn stuck(&self, element: ElementIndex) -> Option<String> {
        let name = &self.names.elements[element];
        Some(format!("prophet_stuck(&{name});"))
    }

    fn names(&mut self) -> &mut Names {
        &mut self.names
    }

    fn open_diagram(&mut self, index: DiagramIndex, diagram: &'p Diagram, lines: &mut Listing) {
        self.diagram = index;
        self.groups = 0;
        *lines = Listing::new(1);
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
        self.locals(&diagram.locals, lines);
    }

    fn close_diagram(&mut self, _index: DiagramIndex, _diagram: &'p Diagram, lines: &mut Listing) {
        if let Some(function) = self.functions.last_mut() {
            function.body = std::mem::take(lines).into();
        }
    }

    fn locals(&mut self, locals: &'p [Local], lines: &mut Listing) {
        let node = self.nodes[self.diagram].get(self.groups).cloned().flatten();
        self.groups += 1;
        let mut stream = String::new();
        if let Some(node) = node {
            lines.line(&at(&node.constant));
            stream = stream_of(&node.constant);
        }
        for local in locals {
            let value = match (&local.ty, &local.value) {
                (Type::Array(..), _) => "{0}".to_owned(),
                (_, Some(value)) => self.value_of(stream.clone(), value),
                (ty, None) => zero(ty).to_owned(),
            };
            let name = self.names.declare(&local.name);
            let text = declared(&local.ty, &name);
            let said = local.comment.as_deref().map(comment).unwrap_or_default();
            let said = if said.is_empty() {
                said
            } else {
                format!(" /* {said} */")
            };
            lines.line(&format!("{text} = {value};{said}"));
        }
    }

    fn execute(&mut self, execute: &'p Execute, lines: &mut Listing) {
        self.execute_element(execute, lines);
    }

    fn call(&mut self, call: &'p Call, lines: &mut Listing) {
        let text = self.call_of(call.diagram, self.context);
        if call.measured {
            let name = &self.names.elements[call.element];
            timed(name, lines, |lines| lines.line(&text));
        } else {
            lines.line(&text);
        }
    }

    fn region(&mut self, region: &'p Region, lines: &mut Listing) {
        self.execute_region(region, lines);
    }
}

/// Writes a call that sets the element to name in errors of the code after it.
fn at(constant: &str) -> String {
    format!("prophet_at(&{constant});")
}

/// Writes code that measures an element's time. `content` writes the code to measure.
pub(super) fn timed(name: &str, lines: &mut Listing, content: impl FnOnce(&mut Listing)) {
    lines.open();
    lines.line(&format!("double start = prophet_begin(&{name});"));
    content(lines);
    lines.line(&format!("prophet_end(&{name}, start);"));
    lines.close("}");
}
