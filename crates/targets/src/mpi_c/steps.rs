//! Steps as statements of C.

use super::handler::MpiHandler;
use prophet_codegen::lang::ir::{ExpressionKind as Kind, Variable};
use prophet_codegen::program::{Arm, Branch, Call, Dispatch, Label, Repeat, Step, While};
use prophet_codegen::target::branches::has_else;
use prophet_codegen::target::text::c_block_comment as comment;

impl<'p> MpiHandler<'p> {
    pub(super) fn open_step(&mut self, step: &'p Step) {
        match step {
            Step::Code(code) => {
                let name = comment(&self.program.elements[code.element].name);
                self.lines
                    .line(&format!("/* Code associated with {name}. */"));
                self.mark(code.element, &code.needs);
                self.code(code.element, &code.statements);
            }
            Step::Execute(execute) => self.execute(execute),
            Step::Call(call) => self.execute_diagram(call),
            Step::Region(region) => self.region(region),
            Step::Scope(scope) => {
                if !scope.locals.is_empty() {
                    self.lines.open();
                    self.locals(&scope.locals);
                }
            }
            Step::Branch(branch) => self.open_branch(branch),
            Step::Repeat(repeat) => self.open_repeat(repeat),
            Step::While(one) => self.open_while(one),
            Step::Loop(_) => {
                self.lines.line("for (;;)");
                self.lines.open();
            }
            Step::Labeled(..) => self.lines.open(),
            Step::Break(None) => self.lines.line("break;"),
            Step::Break(Some(label)) => self.goto(after(*label)),
            Step::Continue(None) => self.lines.line("continue;"),
            Step::Continue(Some(label)) => self.goto(next(*label)),
            Step::Return => self.lines.line("return;"),
            Step::Dispatch(dispatch) => self.open_dispatch(dispatch),
            Step::Goto(label, number) => self.goto(state(*label, *number)),
        }
    }

    pub(super) fn close_step(&mut self, step: &'p Step) {
        match step {
            Step::Scope(scope) if !scope.locals.is_empty() => self.lines.close("}"),
            Step::Branch(branch) => self.close_branch(branch),
            Step::Repeat(_) => self.lines.close("}"),
            Step::While(While { label, .. })
            | Step::Loop(prophet_codegen::program::Loop { label, .. }) => {
                self.close_loop(*label);
            }
            Step::Labeled(label, _) => {
                self.lines.close("}");
                self.land(&after(*label));
            }
            Step::Dispatch(_) => {
                self.dispatches.pop();
            }
            _ => {}
        }
    }

    fn goto(&mut self, label: String) {
        self.lines.line(&format!("goto {label};"));
        self.labels.insert(label);
    }

    /// Where a `goto` lands, if there is one.
    fn land(&mut self, label: &str) {
        if self.labels.remove(label) {
            self.lines.line(&format!("{label}:;"));
        }
    }

    fn close_loop(&mut self, label: Option<Label>) {
        if let Some(label) = label {
            self.land(&next(label));
        }
        self.lines.close("}");
        if let Some(label) = label {
            self.land(&after(label));
        }
    }

    fn execute_diagram(&mut self, call: &Call) {
        let text = self.call(call.diagram, self.context);
        if call.measured {
            let name = &self.names.elements[call.element];
            self.timed(name, |lines| lines.line(&text));
        } else {
            self.lines.line(&text);
        }
    }

    fn open_repeat(&mut self, repeat: &Repeat) {
        self.mark(repeat.element, &repeat.needs);
        let count = self.value(repeat.element, &repeat.iterations);
        let turn = match &repeat.variable {
            Some(name) => self.variables.declare(self.names, name, false),
            None => self.variables.fresh(self.names, "turn"),
        };
        let constant = matches!(
            repeat.iterations.kind,
            Kind::Int(_) | Kind::Variable(Variable::Parameter(_))
        );
        let head = if constant {
            format!("for (int64_t {turn} = 0; {turn} < {count}; {turn}++)")
        } else {
            let end = self.variables.fresh(self.names, &format!("{turn}_end"));
            format!("for (int64_t {turn} = 0, {end} = {count}; {turn} < {end}; {turn}++)")
        };
        self.lines.line(&head);
        self.lines.open();
    }

    fn open_while(&mut self, one: &While) {
        let condition = self.condition(one.element, &one.condition);
        if one.needs.fallible || one.needs.stream {
            self.lines.line("for (;;)");
            self.lines.open();
            self.mark(one.element, &one.needs);
            self.lines.line(&format!("if (!({condition}))"));
            self.lines.open();
            self.lines.line("break;");
            self.lines.close("}");
        } else {
            self.lines.line(&format!("while ({condition})"));
            self.lines.open();
        }
    }

    fn open_dispatch(&mut self, dispatch: &Dispatch) {
        self.dispatches.push(dispatch.label);
        self.lines
            .line("/* Flow that no loop or branch can express. */");
        self.goto(state(dispatch.label, dispatch.entry));
    }

    pub(super) fn open_state(&mut self, number: usize) {
        if let Some(&label) = self.dispatches.last() {
            self.lines.line(&format!("{}:", state(label, number)));
        }
        self.lines.open();
    }

    fn open_branch(&mut self, branch: &Branch) {
        if !self.branches.begin(branch) {
            self.mark(branch.element, &branch.needs);
        }
    }

    pub(super) fn open_arm(&mut self, arm: &'p Arm) {
        let Some((element, is_else)) = self.branches.arm() else {
            return;
        };
        let word = if is_else { "else if" } else { "if" };
        let guard = self.condition(element, &arm.guard);
        self.lines.line(&format!("{word} ({guard})"));
        self.lines.open();
    }

    pub(super) fn open_otherwise(&mut self, steps: &'p [Step]) {
        if self.branches.otherwise(steps) {
            self.lines.line("else");
            self.lines.open();
        }
    }

    pub(super) fn close_otherwise(&mut self, steps: &'p [Step]) {
        if has_else(steps) {
            self.lines.close("}");
        }
    }

    fn close_branch(&mut self, branch: &Branch) {
        self.branches.end();
        if branch.otherwise.is_none() {
            let name = &self.names.elements[branch.element];
            self.lines.line("else");
            self.lines.open();
            self.lines.line(&format!("prophet_stuck(&{name});"));
            self.lines.close("}");
        }
    }
}

/// Where a `break` out of a loop or block goes.
fn after(label: Label) -> String {
    format!("after_{label}")
}

/// Where a `continue` of a loop goes.
fn next(label: Label) -> String {
    format!("next_{label}")
}

/// A state of a dispatch loop.
fn state(label: Label, number: usize) -> String {
    format!("state_{label}_{number}")
}
