//! The target `outline`: what a program executes, as a list in Markdown.

use std::path::PathBuf;
use std::process::ExitCode;

use prophet_codegen::content_handler::ContentHandler;
use prophet_codegen::diagnostic::Diagnostics;
use prophet_codegen::output::MARKER;
use prophet_codegen::program::{Arm, Diagram, DiagramIndex, ElementIndex, Program, Step};
use prophet_codegen::source::lines::Lines;
use prophet_codegen::target::c::{ModelNames, Printer};
use prophet_codegen::target::text::markdown;
use prophet_codegen::target::{self, Files, Input, Target};
use prophet_codegen::traverser;

fn main() -> ExitCode {
    target::main(&Outline)
}

#[derive(Debug)]
struct Outline;

impl Target for Outline {
    fn name(&self) -> &'static str {
        "outline"
    }

    fn about(&self) -> &'static str {
        "what the program executes, as a list in Markdown"
    }

    fn check(&self, input: &Input<'_>, problems: &mut Diagnostics) {
        for step in input.program.steps() {
            if let Step::Dispatch(dispatch) = step {
                let element = &input.program.elements[dispatch.element];
                let message = format!("no list can show the jumps around {}", element.path);
                let problem = target::refusal(element, message);
                problems.push(problem.help("draw them as loops and branches"));
            }
        }
    }

    fn files(&self, input: &Input<'_>) -> Files {
        let mut list = List {
            program: input.program,
            lines: Lines::new(&input.source.text),
            depth: 0,
            text: format!("<!-- {MARKER}. Do not edit. -->\n"),
        };
        traverser::show(input.program, &mut list);
        Files::from([(PathBuf::from("outline.md"), list.text.into())])
    }
}

/// The part of the list that is already written.
struct List<'p> {
    program: &'p Program,
    /// Starts of the lines in the model file.
    lines: Lines<'p>,
    depth: usize,
    text: String,
}

impl List<'_> {
    /// Adds an item to the list.
    fn item(&mut self, text: &str) {
        let indent = "  ".repeat(self.depth);
        self.text += &[&indent, "- ", &markdown(text), "\n"].concat();
    }

    /// Returns a step's element and description, or `None` if the list has no item for the step.
    fn about(&self, step: &Step) -> Option<(ElementIndex, String)> {
        let text = |expression| Printer::new(&ModelNames(self.program)).value(expression);
        let cost = |expression| format!(" costs {}", text(expression));
        Some(match step {
            Step::Execute(it) => (it.element, it.action.price().map_or(String::new(), cost)),
            Step::Call(it) => (it.element, " calls".to_owned()),
            Step::Region(it) => (it.element, " with threads".to_owned()),
            Step::Repeat(it) => (it.element, format!(", {} times", text(&it.iterations))),
            _ => return None,
        })
    }
}

impl<'p> ContentHandler<'p> for List<'p> {
    fn begin_diagram(&mut self, _index: DiagramIndex, diagram: &'p Diagram) {
        self.item(&diagram.name);
        self.depth += 1;
    }

    fn end_diagram(&mut self, _index: DiagramIndex, _diagram: &'p Diagram) {
        self.depth -= 1;
    }

    fn begin_step(&mut self, step: &'p Step) {
        if let Some((element, about)) = self.about(step) {
            let element = &self.program.elements[element];
            let (line, _) = self.lines.place(element.span.start);
            self.item(&format!("{}{about} (line {line})", element.name));
            self.depth += 1;
        }
    }

    fn end_step(&mut self, step: &'p Step) {
        self.depth -= usize::from(self.about(step).is_some());
    }

    fn begin_arm(&mut self, arm: &'p Arm) {
        let guard = Printer::new(&ModelNames(self.program)).condition(&arm.guard);
        self.item(&format!("if {guard}"));
        self.depth += 1;
    }

    fn end_arm(&mut self, _arm: &'p Arm) {
        self.depth -= 1;
    }
}
