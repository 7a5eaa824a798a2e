//! The target `outline`: what a program executes, as a list in Markdown.

use std::path::PathBuf;

use prophet_codegen::content_handler::ContentHandler;
use prophet_codegen::diagnostic::catalogue::target::NOT_IN_TARGET;
use prophet_codegen::diagnostic::{Diagnostic, Diagnostics};
use prophet_codegen::lang::ir::Variable;
use prophet_codegen::navigator::ProgramNavigator;
use prophet_codegen::output::MARKER;
use prophet_codegen::program::{Arm, Diagram, DiagramIndex, ElementIndex, Program, Step};
use prophet_codegen::source::lines::Lines;
use prophet_codegen::target::c::{Dialect, Printer};
use prophet_codegen::target::{Files, Input, Target};
use prophet_codegen::traverser::{DepthFirst, Traverser};

/// What a program executes, as a list in Markdown.
#[derive(Debug, Clone, Copy)]
pub struct Outline;

impl Target for Outline {
    fn name(&self) -> &'static str {
        "outline"
    }

    fn about(&self) -> &'static str {
        "what the program executes, as a list in Markdown"
    }

    fn check(&self, input: &Input<'_>, problems: &mut Diagnostics) {
        let program = input.program;
        for step in program.steps() {
            if let Step::Dispatch(dispatch) = step {
                let element = &program.elements[dispatch.element];
                let message = format!("no list can show the jumps around {}", element.path);
                let problem = Diagnostic::new(&NOT_IN_TARGET, element.span, message)
                    .element(&element.path)
                    .help("draw them as loops and branches");
                problems.push(problem);
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
        DepthFirst.traverse(&mut ProgramNavigator::new(input.program), &mut list);
        Files::from([(PathBuf::from("outline.md"), list.text)])
    }
}

/// Whether a step is an item of the list, in which those inside it are indented.
fn is_item(step: &Step) -> bool {
    use Step::{Call, Execute, Region, Repeat};
    matches!(step, Execute(_) | Call(_) | Region(_) | Repeat(_))
}

/// The list, as far as the traverser has come.
struct List<'p> {
    program: &'p Program,
    /// Where the lines of the model file begin.
    lines: Lines<'p>,
    depth: usize,
    text: String,
}

impl List<'_> {
    /// Adds an item.
    fn item(&mut self, text: &str) {
        self.text += &"  ".repeat(self.depth);
        // Names are the model author's: no character of theirs may be markup.
        let plain = |c: char| c.is_alphanumeric() || " =+()".contains(c);
        let escape = |c| if plain(c) { vec![c] } else { vec!['\\', c] };
        let text = text.chars().filter(|c| !c.is_control());
        self.text.extend("- ".chars().chain(text.flat_map(escape)));
        self.text.push('\n');
    }

    /// Adds an element, with what is to be said of it and the line of the model.
    fn element(&mut self, index: ElementIndex, about: &str) {
        let element = &self.program.elements[index];
        let (line, _) = self.lines.place(element.span.start);
        self.item(&format!("{}{about} (line {line})", element.name));
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
        let costs = Printer::new(self);
        match step {
            Step::Execute(execute) => {
                let price = execute.action.price().map(|it| costs.value(it));
                let price = price.map_or(String::new(), |it| format!(" costs {it}"));
                self.element(execute.element, &price);
            }
            Step::Call(call) => self.element(call.element, " calls"),
            Step::Region(region) => self.element(region.element, " with threads"),
            Step::Repeat(repeat) => {
                let turns = format!(", {} times", costs.value(&repeat.iterations));
                self.element(repeat.element, &turns);
            }
            _ => {}
        }
        self.depth += usize::from(is_item(step));
    }

    fn end_step(&mut self, step: &'p Step) {
        self.depth -= usize::from(is_item(step));
    }

    fn begin_arm(&mut self, arm: &'p Arm) {
        let guard = Printer::new(self).condition(&arm.guard);
        self.item(&format!("if {guard}"));
        self.depth += 1;
    }

    fn end_arm(&mut self, _arm: &'p Arm) {
        self.depth -= 1;
    }
}

/// Names in expressions are those of the model.
impl Dialect for List<'_> {
    fn variable(&self, variable: &Variable) -> String {
        match variable {
            Variable::Global(index) => self.program.globals[*index].name.clone(),
            Variable::Parameter(index) => self.program.parameters[*index].name.clone(),
            Variable::Local(name) | Variable::Own(name) => name.clone(),
            Variable::System(system) => system.name().to_owned(),
        }
    }

    fn function(&self, index: usize) -> String {
        self.program.functions[index].signature.name.clone()
    }

    fn interpolate(&self, table: usize, x: &str) -> String {
        format!("interpolate({}, {x})", self.program.tables[table].file)
    }
}
