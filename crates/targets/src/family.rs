//! Parts that the languages of the C family share: names, branches, loops, jumps and pieces of
//! code.
//!
//! A [`FamilyWriter`] is the content handler of all of them. What differs is a [`FamilyLanguage`]:
//! how variables are declared, what an element does, and what a process knows. [`Names`] keeps the
//! names of all; [`Cost`] is the cost language of targets that compute as the model does.

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

/// A language of the C family, with its declarations so far. As a content handler it is shown the
/// declarations.
pub(crate) trait FamilyLanguage<'p>: ContentHandler<'p> {
    /// A statement at the begin of each turn of a loop, say to count them.
    const TURN: Option<&'static str> = None;

    /// The program.
    fn program(&self) -> &'p Program;

    /// A comment in its own line.
    fn comment(&self, text: &str) -> String;

    /// Shows how code that belongs to an element is written.
    fn with_dialect<T>(&self, element: ElementIndex, write: impl FnOnce(&dyn Dialect) -> T) -> T;

    /// Says whose the next code is, for code that can fail; `None` where nobody asks.
    fn element_mark(&self, element: ElementIndex) -> Option<String>;

    /// Stops the run where no guard of a branch holds; `None` where the flow just continues.
    fn stuck(&self, element: ElementIndex) -> Option<String>;

    /// The names, with the variables in scope.
    fn names(&mut self) -> &mut Names;

    /// Begins a diagram; what stands in front of its steps.
    fn open_diagram(&mut self, index: DiagramIndex, diagram: &'p Diagram, lines: &mut Listing);

    /// Ends a diagram.
    fn close_diagram(&mut self, index: DiagramIndex, diagram: &'p Diagram, lines: &mut Listing);

    /// Ends the flow of the current diagram.
    fn end_flow(&mut self, lines: &mut Listing) {
        lines.line("return;");
    }

    /// Declares variables.
    fn locals(&mut self, locals: &'p [Local], lines: &mut Listing);

    /// The comments before and after the code of an element of that name.
    fn code_comments(&self, name: &str) -> (String, Option<String>) {
        (self.comment(&format!("Code associated with {name}.")), None)
    }

    /// Writes statements, in braces where they declare something.
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

    /// Executes an element.
    fn execute(&mut self, execute: &'p Execute, lines: &mut Listing);

    /// Executes a diagram.
    fn call(&mut self, call: &'p Call, lines: &mut Listing);

    /// Executes a region, or begins to: [`FamilyLanguage::close_region`] comes after its diagrams,
    /// where the navigator shows them there.
    fn region(&mut self, region: &'p Region, lines: &mut Listing);

    /// Ends a step that is not a flow.
    fn close_call(&mut self, _lines: &mut Listing) {}

    /// Ends a region.
    fn close_region(&mut self, _lines: &mut Listing) {}
}

/// Reports forks and joins that are not nested, for which these languages have no form.
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

/// A parameter of a function in C++ that is a variable of the diagram around.
pub(crate) fn by_reference(ty: &str, name: &str, outer: &Outer) -> String {
    match &outer.ty {
        Type::Array(_, length) => format!("{ty} (&{name})[{length}]"),
        Type::Int | Type::Real | Type::Bool if outer.counter => format!("{ty} {name}"),
        Type::Int | Type::Real | Type::Bool => format!("{ty} &{name}"),
    }
}

/// Reports the first element that sends or accepts a signal.
pub(crate) fn refuse_signals(program: &Program, target: &str, problems: &mut Diagnostics) {
    let is_signal = |action: &Action| matches!(action, Action::Signal(_));
    if let Some(execute) = program.executions().find(|it| is_signal(&it.action)) {
        let element = &program.elements[execute.element];
        let message = format!("the target `{target}` does not support signals between flows");
        let help = "use the crate, the C++ representation or the pictures";
        problems.push(refusal(element, message).help(help));
    }
}

/// Reports the first element that uses an accelerator.
pub(crate) fn refuse_accelerators(program: &Program, target: &str, problems: &mut Diagnostics) {
    let is_offload = |action: &Action| matches!(action, Action::Offload(_));
    if let Some(execute) = program.executions().find(|it| is_offload(&it.action)) {
        let element = &program.elements[execute.element];
        let message = format!("the target `{target}` does not support accelerators");
        let help = "use the crate or the pictures";
        problems.push(refusal(element, message).help(help));
    }
}
