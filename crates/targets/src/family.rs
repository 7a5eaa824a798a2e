//! Writes what all C-family languages have in common: names, branches, loops, jumps and code
//! fragments.
//!
//! A [`FamilyWriter`] is the content handler for all of these languages. A [`FamilyLanguage`]
//! provides the differences: how variables are declared, how elements are executed, and what a
//! process knows. [`Names`] chooses and stores names. [`Cost`] writes the cost language for targets
//! with exactly the same arithmetic as the model.

mod cost;
mod elements;
mod labels;
mod names;
pub(crate) mod tables;
mod writer;

use prophet_codegen::content_handler::ContentHandler;
use prophet_codegen::diagnostic::Diagnostics;
use prophet_codegen::emit::Listing;
use prophet_codegen::target::c::{Dialect, Printer};
use prophet_codegen::target::refusal;
use prophet_frontend::lang::ir::{Statement, Type};
use prophet_frontend::program::{
    Call, Diagram, DiagramIndex, ElementIndex, Execute, Local, Outer, Program, Region,
};

pub(crate) use cost::{Cost, Idiom, can_fail, declared, operations, scalar, sum_of_prices};
pub(crate) use elements::{Call as ElementCall, Elements, Spelling};
pub(crate) use names::{Forms, Names};
use prophet_frontend::program::action::Action;
pub(crate) use writer::FamilyWriter;

/// A C-family language. Its content handler methods receive the program's declarations, which it
/// stores.
pub(crate) trait FamilyLanguage<'p>: ContentHandler<'p> {
    /// A statement for the start of each iteration of a loop, such as one that counts iterations.
    const TURN: Option<&'static str> = None;

    fn program(&self) -> &'p Program;

    fn comment(&self, text: &str) -> String;

    /// Calls `write` with the dialect for the code of an element.
    fn with_dialect<T>(&self, element: ElementIndex, write: impl FnOnce(&dyn Dialect) -> T) -> T;

    /// Marks the element that the code after it belongs to, because that code can fail; `None` if
    /// the language has no marks.
    fn element_mark(&self, element: ElementIndex) -> Option<String>;

    /// Stops the run if none of a branch's guards holds; `None` if the flow just continues.
    fn stuck(&self, element: ElementIndex) -> Option<String>;

    /// Returns the names of the program's parts, and of the variables in scope.
    fn names(&mut self) -> &mut Names;

    /// Writes the start of a diagram, before its steps.
    fn open_diagram(&mut self, index: DiagramIndex, diagram: &'p Diagram, lines: &mut Listing);

    fn close_diagram(&mut self, index: DiagramIndex, diagram: &'p Diagram, lines: &mut Listing);

    fn end_flow(&mut self, lines: &mut Listing) {
        lines.line("return;");
    }

    fn locals(&mut self, locals: &'p [Local], lines: &mut Listing);

    /// Returns the comments before and after an element's code.
    fn code_comments(&self, name: &str) -> (String, Option<String>) {
        (self.comment(&format!("Code associated with {name}.")), None)
    }

    /// Writes statements, in braces if they declare variables.
    fn fragment(&self, element: ElementIndex, statements: &[Statement], lines: &mut Listing) {
        let declares = |it: &Statement| matches!(it, Statement::Declare { .. });
        let braces = statements.iter().any(declares);
        if braces {
            lines.open();
        }
        self.with_dialect(element, |it| Printer::fragment(it, statements, lines));
        if braces {
            lines.close("}");
        }
    }

    fn execute(&mut self, execute: &'p Execute, lines: &mut Listing);

    fn call(&mut self, call: &'p Call, lines: &mut Listing);

    /// Writes a region, or its start. If the navigator visits the region's diagrams here, they
    /// follow, and then [`FamilyLanguage::close_region`] is called.
    fn region(&mut self, region: &'p Region, lines: &mut Listing);

    fn close_call(&mut self, _lines: &mut Listing) {}

    fn close_region(&mut self, _lines: &mut Listing) {}
}

/// Reports forks and joins that aren't nested, because these languages have no way to express them.
pub(crate) fn refuse_flows(target: &str, program: &Program, problems: &mut Diagnostics) {
    for element in program.elements.iter().filter(|it| it.flows) {
        let message = format!(
            "{}: the target {target} does not support forks and joins that are not nested",
            element.path
        );
        let help = "let the branches of each fork meet in one JoinNode; only the crate and the \
                    pictures support other forms";
        problems.push(refusal(element, message).help(help));
    }
}

/// Declares a parameter of a C++ function for a variable of an enclosing diagram.
pub(crate) fn by_reference(ty: &str, name: &str, outer: &Outer) -> String {
    match &outer.ty {
        Type::Array(_, length) => format!("{ty} (&{name})[{length}]"),
        Type::Int | Type::Real | Type::Bool if outer.counter => format!("{ty} {name}"),
        Type::Int | Type::Real | Type::Bool => format!("{ty} &{name}"),
    }
}

pub(crate) fn refuse_signals(program: &Program, target: &str, problems: &mut Diagnostics) {
    let is_signal = |action: &Action| matches!(action, Action::Signal(_));
    if let Some(execute) = program.executions().find(|it| is_signal(&it.action)) {
        let element = &program.elements[execute.element];
        let message = format!("the target `{target}` does not support signals between flows");
        let help = "use the crate, the C++ representation or the pictures";
        problems.push(refusal(element, message).help(help));
    }
}

pub(crate) fn refuse_accelerators(program: &Program, target: &str, problems: &mut Diagnostics) {
    let is_offload = |action: &Action| matches!(action, Action::Offload(_));
    if let Some(execute) = program.executions().find(|it| is_offload(&it.action)) {
        let element = &program.elements[execute.element];
        let message = format!("the target `{target}` does not support accelerators");
        let help = "use the crate or the pictures";
        problems.push(refusal(element, message).help(help));
    }
}
