//! Parts that the languages of the C family share: branches, loops, jumps and pieces of code.
//!
//! A [`Writer`] is the content handler of all of them. What differs is a [`Language`]: how names
//! are declared, what an element does, and what a process knows.

mod labels;
mod writer;

use prophet_codegen::content_handler::ContentHandler;
use prophet_codegen::emit::Listing;
use prophet_codegen::lang::ir::{Expression, Statement};
use prophet_codegen::program::{
    Call, Diagram, DiagramIndex, ElementIndex, Execute, Local, Program, Region, Repeat,
};
use prophet_codegen::target::c::{Dialect, Printer};

pub(crate) use writer::Writer;

/// A language of the C family, with what has been declared in it. As a content handler it is shown
/// the declarations.
pub(crate) trait Language<'p>: ContentHandler<'p> {
    /// The head of a loop without end.
    const ENDLESS: &'static str = "while (true)";

    /// A statement at the begin of each turn of a loop, say to count them.
    const TURN: Option<&'static str> = None;

    /// True if each branch has an `else` of its own, even where nothing stands in it, or another
    /// branch that could go on as `else if`.
    const PLAIN_ELSE: bool = false;

    /// True if content that declares nothing stands in braces, too.
    const PLAIN_BRACES: bool = false;

    /// The program.
    fn program(&self) -> &'p Program;

    /// A comment in a line of its own.
    fn comment(&self, text: &str) -> String;

    /// Shows how code that belongs to an element is written.
    fn with_dialect<T>(&self, element: ElementIndex, write: impl FnOnce(&dyn Dialect) -> T) -> T;

    /// Says whose the next code is, for code that can fail; `None` where nobody asks.
    fn mark(&self, element: ElementIndex) -> Option<String>;

    /// Stops the run where no guard of a branch holds; `None` where the flow just goes on.
    fn stuck(&self, element: ElementIndex) -> Option<String>;

    /// Number of variables in scope.
    fn depth(&self) -> usize {
        0
    }

    /// Ends the scope of the variables declared since there were so many.
    fn leave(&mut self, _depth: usize) {}

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

    /// The comments before and behind the code of an element of that name.
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

    /// Executes a region, or begins to: [`Language::close_region`] comes behind its diagrams, where
    /// the navigator shows them there.
    fn region(&mut self, region: &'p Region, lines: &mut Listing);

    /// Ends a step that is no flow.
    fn close_call(&mut self, _lines: &mut Listing) {}

    /// Ends a region.
    fn close_region(&mut self, _lines: &mut Listing) {}

    /// The variable that counts the turns of a loop, and how many there are.
    fn counter(&mut self, repeat: &'p Repeat) -> Counter;
}

/// The variable that counts the turns of a loop.
#[derive(Debug)]
pub(crate) struct Counter {
    /// Type of the variable.
    pub(crate) ty: &'static str,
    /// Name of the variable.
    pub(crate) name: String,
    /// Number of turns.
    pub(crate) count: String,
    /// The variable that keeps that, where it may change.
    pub(crate) end: Option<String>,
}

impl Counter {
    /// The head of the loop.
    fn head(&self) -> String {
        let Self {
            ty,
            name,
            count,
            end,
        } = self;
        match end {
            None => format!("for ({ty} {name} = 0; {name} < {count}; {name}++)"),
            Some(end) => {
                format!("for ({ty} {name} = 0, {end} = {count}; {name} < {end}; {name}++)")
            }
        }
    }
}

/// A condition of an element.
fn condition<'p>(
    language: &impl Language<'p>,
    element: ElementIndex,
    condition: &Expression,
) -> String {
    language.with_dialect(element, |it| Printer::new(it).condition(condition))
}
