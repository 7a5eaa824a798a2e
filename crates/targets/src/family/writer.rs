//! Writes the control flow of diagrams as C-family statements.

use prophet_codegen::content_handler::ContentHandler;
use prophet_codegen::emit::Listing;
use prophet_codegen::navigator::Item;
use prophet_codegen::target::branches::{Branches, has_else};
use prophet_codegen::target::c::{CPrecedence, Dialect, Printer};
use prophet_frontend::lang::ir::{Expression, ExpressionKind, Needs, Type, Variable};
use prophet_frontend::program::{
    Arm, Branch, Dispatch, DispatchState, ElementIndex, Fragment, Label, Repeat, Step, While,
};

use super::FamilyLanguage;
use super::labels::{Kind, Labels};

const ENDLESS: &str = "while (true)";

/// A content handler that writes diagrams in a C-family language.
#[derive(Debug)]
pub(crate) struct FamilyWriter<L> {
    pub(crate) language: L,
    pub(crate) lines: Listing,
    /// The diagrams and steps around the current step, innermost last.
    open: Vec<Open>,
    branches: Branches,
    labels: Labels,
}

#[derive(Debug)]
struct Open {
    /// What to write at the end of the step. Diagrams end separately.
    end: StepEnd,
    /// Number of variables in scope before the step.
    depth: usize,
}

#[derive(Debug, Clone, Copy)]
enum StepEnd {
    /// Nothing, because the step is complete.
    Nothing,
    Brace,
    /// A closing brace, and labels for jumps.
    Jumps,
    /// Only labels for jumps.
    Dispatch,
    /// What happens if none of the element's guards holds.
    Stuck(ElementIndex),
    /// Nothing, because the branches are complete.
    Branch,
    Call,
    Region,
}

impl<L> FamilyWriter<L> {
    /// Creates a writer that appends to `lines`, at their current depth.
    pub(crate) fn new(language: L, lines: Listing) -> Self {
        Self {
            language,
            lines,
            open: Vec::new(),
            branches: Branches::default(),
            labels: Labels::default(),
        }
    }
}

impl<'p, L: FamilyLanguage<'p>> FamilyWriter<L> {
    /// Writes the start of a step, and returns what to write at its end.
    fn step(&mut self, step: &'p Step) -> StepEnd {
        let lines = &mut self.lines;
        match step {
            Step::Code(code) => self.code(code),
            Step::Execute(execute) => {
                self.mark_element(execute.element, &execute.needs);
                self.language.execute(execute, &mut self.lines);
            }
            Step::Call(call) => {
                self.language.call(call, lines);
                return StepEnd::Call;
            }
            Step::Region(region) => {
                self.mark_element(region.element, &region.needs);
                self.language.region(region, &mut self.lines);
                return StepEnd::Region;
            }
            Step::Pass(_) => unreachable!("the targets refuse them"),
            Step::Scope(scope) if scope.locals.is_empty() => {}
            Step::Scope(scope) => {
                lines.open();
                self.language.locals(&scope.locals, lines);
                return StepEnd::Brace;
            }
            Step::Branch(branch) => return self.branch(branch),
            Step::Repeat(repeat) => {
                self.mark_element(repeat.element, &repeat.needs);
                let head = self.counting(repeat);
                return self.repeat(&head, None);
            }
            Step::While(one) => return self.repeat_while(one),
            Step::Loop(one) => return self.repeat(ENDLESS, one.label),
            Step::Labeled(label, _) => {
                self.labels.open(Kind::Block, Some(*label));
                lines.open();
                return StepEnd::Jumps;
            }
            Step::Break(label) => lines.line(&self.labels.leave(*label)),
            Step::Continue(label) => lines.line(&self.labels.next_turn(*label)),
            Step::Return => self.language.end_flow(lines),
            Step::Dispatch(dispatch) => return self.dispatch(dispatch),
            Step::Goto(label, state) => {
                let state = self.labels.state(Some(*label), *state);
                lines.line(&format!("goto {state};"));
            }
        }
        StepEnd::Nothing
    }

    /// Marks the element that the code after it belongs to, if that code can fail.
    fn mark_element(&mut self, element: ElementIndex, needs: &Needs) {
        if let Some(mark) = self.marked(element, needs) {
            self.lines.line(&mark);
        }
    }

    fn marked(&self, element: ElementIndex, needs: &Needs) -> Option<String> {
        let can_fail = needs.fallible || needs.stream;
        can_fail
            .then(|| self.language.element_mark(element))
            .flatten()
    }

    fn code(&mut self, code: &Fragment) {
        let name = &self.language.program().elements[code.element].name;
        let (before, behind) = self.language.code_comments(name);
        self.lines.line(&before);
        self.mark_element(code.element, &code.needs);
        let lines = &mut self.lines;
        self.language
            .fragment(code.element, &code.statements, lines);
        if let Some(behind) = behind {
            lines.line(&behind);
        }
    }

    fn branch(&mut self, branch: &Branch) -> StepEnd {
        if !self.branches.begin(branch) {
            self.mark_element(branch.element, &branch.needs);
        }
        match branch.otherwise {
            None => StepEnd::Stuck(branch.element),
            Some(_) => StepEnd::Branch,
        }
    }

    fn counting(&mut self, repeat: &Repeat) -> String {
        let limit = &repeat.iterations;
        let is_fixed = is_fixed(limit) && !repeat.needs.fallible;
        let (ty, count) = self.language.with_dialect(repeat.element, |dialect| {
            let printer = Printer::new(dialect);
            let count = if is_fixed {
                printer.operand(limit, CPrecedence::Relational)
            } else {
                printer.converted(limit)
            };
            (dialect.ty(&Type::Int), count)
        });
        let names = self.language.names();
        let name = match &repeat.variable {
            Some(name) => names.declare(name),
            None => names.hide("turn"),
        };
        if is_fixed {
            return format!("for ({ty} {name} = 0; {name} < {count}; {name}++)");
        }
        let end = names.hide(&format!("{name}_end"));
        format!("for ({ty} {name} = 0, {end} = {count}; {name} < {end}; {name}++)")
    }

    fn repeat(&mut self, head: &str, label: Option<Label>) -> StepEnd {
        self.labels.open(Kind::Loop, label);
        self.block(head);
        if let Some(turn) = L::TURN {
            self.lines.line(turn);
        }
        StepEnd::Jumps
    }

    fn repeat_while(&mut self, one: &While) -> StepEnd {
        let condition = self.condition(one.element, &one.condition);
        let Some(mark) = self.marked(one.element, &one.needs) else {
            return self.repeat(&format!("while ({condition})"), one.label);
        };
        let end = self.repeat(ENDLESS, one.label);
        self.lines.line(&mark);
        self.block(&format!("if (!({condition}))"));
        self.lines.line("break;");
        self.lines.close("}");
        end
    }

    fn dispatch(&mut self, dispatch: &Dispatch) -> StepEnd {
        self.labels.open(Kind::Dispatch, Some(dispatch.label));
        let about = "Flow that no loop or branch can express.";
        self.lines.line(&self.language.comment(about));
        let entry = self.labels.state(None, dispatch.entry);
        self.lines.line(&format!("goto {entry};"));
        StepEnd::Dispatch
    }

    fn condition(&self, element: ElementIndex, condition: &Expression) -> String {
        let write = |it: &dyn Dialect| Printer::new(it).condition(condition);
        self.language.with_dialect(element, write)
    }

    fn block(&mut self, head: &str) {
        self.lines.line(head);
        self.lines.open();
    }

    /// Removes the variables of the innermost diagram or step from the scope, and returns what to
    /// write at its end.
    fn leave(&mut self) -> StepEnd {
        let Some(Open { end, depth }) = self.open.pop() else {
            unreachable!("what ends has begun");
        };
        self.language.names().leave(depth);
        end
    }

    /// Writes the end of a loop or block, and labels for jumps.
    fn close_jumps(&mut self, brace: bool) {
        let target = self.labels.close();
        if let Some(label) = target.next() {
            self.lines.line(&label);
        }
        if brace {
            self.lines.close("}");
        }
        if let Some(label) = target.end() {
            self.lines.line(&label);
        }
    }

    fn stuck(&mut self, element: ElementIndex) {
        if let Some(stuck) = self.language.stuck(element) {
            self.block("else");
            self.lines.line(&stuck);
            self.lines.close("}");
        }
    }
}

impl<'p, L: FamilyLanguage<'p>> ContentHandler<'p> for FamilyWriter<L> {
    fn begin(&mut self, item: Item<'p>) {
        match item {
            Item::Diagram(index, diagram) => {
                let depth = self.language.names().depth();
                let end = StepEnd::Nothing;
                self.open.push(Open { end, depth });
                let lines = &mut self.lines;
                self.language.open_diagram(index, diagram, lines);
            }
            Item::Step(step) => self.begin_step(step),
            Item::Arm(arm) => self.begin_arm(arm),
            Item::Otherwise(steps) => self.begin_otherwise(steps),
            Item::State(state, steps) => self.begin_state(state, steps),
            Item::Program(_)
            | Item::Parameter(..)
            | Item::Global(..)
            | Item::Table(..)
            | Item::Function(..)
            | Item::Element(..) => self.language.begin(item),
        }
    }

    fn end(&mut self, item: Item<'p>) {
        match item {
            Item::Diagram(index, diagram) => {
                self.leave();
                let lines = &mut self.lines;
                self.language.close_diagram(index, diagram, lines);
            }
            Item::Step(step) => self.end_step(step),
            Item::Arm(_) | Item::State(..) => self.lines.close("}"),
            Item::Otherwise(steps) if has_else(steps) => self.lines.close("}"),
            Item::Otherwise(_) => {}
            Item::Program(_)
            | Item::Parameter(..)
            | Item::Global(..)
            | Item::Table(..)
            | Item::Function(..)
            | Item::Element(..) => self.language.end(item),
        }
    }

    fn begin_step(&mut self, step: &'p Step) {
        let depth = self.language.names().depth();
        let end = self.step(step);
        self.open.push(Open { end, depth });
    }

    fn end_step(&mut self, _step: &'p Step) {
        let end = self.leave();
        let lines = &mut self.lines;
        match end {
            StepEnd::Nothing => {}
            StepEnd::Brace => lines.close("}"),
            StepEnd::Jumps => self.close_jumps(true),
            StepEnd::Dispatch => self.close_jumps(false),
            StepEnd::Branch => {
                self.branches.end();
            }
            StepEnd::Stuck(element) => {
                self.branches.end();
                self.stuck(element);
            }
            StepEnd::Call => self.language.close_call(lines),
            StepEnd::Region => self.language.close_region(lines),
        }
    }

    fn begin_arm(&mut self, arm: &'p Arm) {
        let Some((element, is_else)) = self.branches.arm() else {
            return;
        };
        let word = if is_else { "else if" } else { "if" };
        let guard = self.condition(element, &arm.guard);
        self.block(&format!("{word} ({guard})"));
    }

    fn begin_otherwise(&mut self, steps: &'p [Step]) {
        if self.branches.otherwise(steps) {
            self.block("else");
        }
    }

    fn begin_state(&mut self, state: DispatchState, _steps: &'p [Step]) {
        let label = self.labels.state(None, state);
        self.block(&format!("{label}:"));
        if let Some(turn) = L::TURN {
            self.lines.line(turn);
        }
    }
}

/// Returns `true` if an expression always has the same value in a process.
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
