//! Tests that Navigator, Traverser and `ContentHandler` are independent: each can be replaced
//! without the other two.

use std::fmt::Write;

use prophet_codegen::content_handler::ContentHandler;
use prophet_codegen::navigator::{Item, Navigator, Position, ProgramNavigator, children};
use prophet_codegen::traverser::{DepthFirst, Traverser};
use prophet_frontend::checked::check;
use prophet_frontend::program::{
    Arm, Diagram, DiagramIndex, Function, FunctionIndex, Program, Step,
};
use prophet_tests::root;

fn sample() -> Program {
    let checked = check(&root().join("sample-models/sample.uml"), None).expect("it can be read");
    checked.program.expect("it has no errors")
}

/// A second, small handler, which writes an outline of the program.
#[derive(Default)]
struct Outline<'p> {
    program: Option<&'p Program>,
    depth: usize,
    text: String,
}

impl Outline<'_> {
    fn line(&mut self, text: &str) {
        let indent = "  ".repeat(self.depth);
        writeln!(self.text, "{indent}{text}").expect("text can always grow");
    }
}

impl<'p> ContentHandler<'p> for Outline<'p> {
    fn begin_program(&mut self, program: &'p Program) {
        self.program = Some(program);
        self.line(&program.name);
    }

    fn function(&mut self, _index: FunctionIndex, function: &'p Function) {
        self.line(&format!("fn {}", function.signature.name));
    }

    fn begin_diagram(&mut self, _index: DiagramIndex, diagram: &'p Diagram) {
        self.line(&format!("diagram {}", diagram.name));
        self.depth += 1;
    }

    fn end_diagram(&mut self, _index: DiagramIndex, _diagram: &'p Diagram) {
        self.depth -= 1;
    }

    fn begin_step(&mut self, step: &'p Step) {
        let elements = &self.program.expect("the program comes first").elements;
        match step {
            Step::Execute(execute) => self.line(&elements[execute.element].name),
            Step::Call(call) => self.line(&format!("{} →", elements[call.element].name)),
            Step::Region(region) => self.line(&format!("{} ⇉", elements[region.element].name)),
            _ => {}
        }
        self.depth += 1;
    }

    fn end_step(&mut self, _step: &'p Step) {
        self.depth -= 1;
    }

    fn begin_arm(&mut self, _arm: &'p Arm) {
        self.line("if");
        self.depth += 1;
    }

    fn end_arm(&mut self, _arm: &'p Arm) {
        self.depth -= 1;
    }
}

/// A navigator that shows the content of a diagram wherever it is called, and only the flow.
struct Inlining<'p> {
    program: &'p Program,
    position: Position<'p>,
}

impl<'p> Navigator<'p> for Inlining<'p> {
    fn program(&self) -> &'p Program {
        self.program
    }

    fn position(&mut self) -> &mut Position<'p> {
        &mut self.position
    }

    fn children(&self, item: Item<'p>) -> Vec<Item<'p>> {
        let diagram = |index: &DiagramIndex| Item::Diagram(*index, &self.program.diagrams[*index]);
        match item {
            Item::Program(_) => vec![diagram(&DiagramIndex::MAIN)],
            Item::Step(Step::Call(call)) => vec![diagram(&call.diagram)],
            Item::Step(Step::Region(region)) => region.parts.iter().map(diagram).collect(),
            other => children(other),
        }
    }
}

/// A traverser that ignores the content of diagrams.
struct Declarations;

impl Traverser for Declarations {
    fn descends(&self, item: Item<'_>) -> bool {
        matches!(item, Item::Program(_))
    }
}

fn outline(navigator: &mut dyn Navigator<'_>, traverser: &dyn Traverser) -> String {
    let mut handler = Outline::default();
    traverser.traverse(navigator, &mut handler);
    handler.text
}

const FUNCTIONS: &str = "SampleModel\nfn FA1\nfn FA2\nfn FA4\nfn FSA1\nfn FSA2\n";

#[test]
fn another_handler() {
    let program = sample();
    let text = outline(&mut ProgramNavigator::new(&program), &DepthFirst);
    let flow = "\
diagram MainActivity
  A1
    if
      SA →
    if
      A2
  A4
diagram SA
  SA1
  SA2
";
    assert_eq!(text, format!("{FUNCTIONS}{flow}"));
}

#[test]
fn another_navigator() {
    let program = sample();
    let mut navigator = Inlining {
        program: &program,
        position: Position::default(),
    };
    let text = outline(&mut navigator, &DepthFirst);
    let expected = "\
SampleModel
diagram MainActivity
  A1
    if
      SA →
        diagram SA
          SA1
          SA2
    if
      A2
  A4
";
    assert_eq!(text, expected);
}

#[test]
fn regions_can_be_shown_with_their_content_inside() {
    let model = root().join("tests/models/threads/fork-nested.uml");
    let checked = check(&model, None).expect("it can be read");
    let program = checked.program.expect("it has no errors");
    let mut navigator = Inlining {
        program: &program,
        position: Position::default(),
    };
    let expected = "\
ForkNested
diagram Main
    Outer ⇉
      diagram Outer branch 1
        B1
      diagram Outer branch 2
        B2
        Inner ⇉
          diagram Inner branch 1
            C1
          diagram Inner branch 2
            C2
      if
";
    assert_eq!(outline(&mut navigator, &DepthFirst), expected);
}

#[test]
fn another_traverser() {
    let program = sample();
    let text = outline(&mut ProgramNavigator::new(&program), &Declarations);
    assert_eq!(
        text,
        format!("{FUNCTIONS}diagram MainActivity\ndiagram SA\n")
    );
}
