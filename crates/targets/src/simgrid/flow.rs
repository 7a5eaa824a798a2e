//! Steps as statements.

use super::handler::{Handler, stream_of};
use prophet_codegen::lang::ir::Statement;
use prophet_codegen::program::{Arm, Branch, DiagramIndex, Fragment, Label, Repeat, Step, While};
use prophet_codegen::target::c::Printer;
use prophet_codegen::target::text::c_comment;

impl<'p> Handler<'p> {
    pub(super) fn open_step(&mut self, step: &'p Step) {
        match step {
            Step::Code(code) => self.fragment(code),
            Step::Execute(execute) => self.execute(execute),
            Step::Call(call) => {
                let text = self.call_of(call.diagram);
                self.lines.line(&format!("{text};"));
            }
            Step::Region(region) => self.region(region),
            Step::Scope(scope) => {
                self.lines.open();
                self.locals(&scope.locals);
            }
            Step::Branch(branch) => {
                if !self.branches.begin(branch) {
                    let element = self.names.elements[branch.element].clone();
                    self.mark(&element, &branch.needs);
                }
            }
            Step::Repeat(repeat) => self.open_repeat(repeat),
            Step::While(one) => self.open_while(one),
            Step::Loop(one) => self.open_loop("while (true)", one.label),
            Step::Labeled(..) => self.lines.open(),
            Step::Break(label) => self.jump("break", "end", *label),
            Step::Continue(label) => self.jump("continue", "next", *label),
            Step::Return => self.lines.line("return;"),
            Step::Dispatch(dispatch) => {
                let (label, entry) = (dispatch.label, dispatch.entry);
                self.lines.open();
                self.lines.line(&format!("int state_{label} = {entry};"));
                self.open_loop("while (true)", Some(label));
                self.dispatches.push((label, false));
            }
            Step::Goto(label, state) => {
                self.lines.line(&format!("state_{label} = {state};"));
                self.lines.line(&format!("goto next_{label};"));
            }
        }
    }

    pub(super) fn close_step(&mut self, step: &'p Step) {
        match step {
            Step::Scope(_) => self.lines.close("}"),
            Step::Branch(branch) => self.close_branch(branch),
            Step::Repeat(_) => self.close_loop(None),
            Step::While(one) => self.close_loop(one.label),
            Step::Loop(one) => self.close_loop(one.label),
            Step::Labeled(label, _) => {
                self.lines.close("}");
                self.place("end", Some(*label));
            }
            Step::Dispatch(dispatch) => {
                self.dispatches.pop();
                // There is no other state; a flow that ends returns.
                self.lines.line("else");
                self.lines.open();
                self.lines.line("return;");
                self.lines.close("}");
                self.close_loop(Some(dispatch.label));
                self.lines.close("}");
            }
            _ => {}
        }
    }

    /// Begins a loop. Where jumps lead to the end of its body, that is a block of its own, which
    /// they leave: none may pass a declaration.
    fn open_loop(&mut self, head: &str, label: Option<Label>) {
        self.lines.line(head);
        self.lines.open();
        if self.is_named("next", label) {
            self.lines.open();
        }
        self.lines.line("prophet::turn(unit);");
    }

    fn close_loop(&mut self, label: Option<Label>) {
        if self.is_named("next", label) {
            self.lines.close("}");
        }
        self.place("next", label);
        self.lines.close("}");
        self.place("end", label);
    }

    /// Whether jumps name a place.
    fn is_named(&self, kind: &str, label: Option<Label>) -> bool {
        label.is_some_and(|label| self.jumps.contains(&format!("{kind}_{label}")))
    }

    /// The place that jumps name, if there are any.
    fn place(&mut self, kind: &str, label: Option<Label>) {
        if let Some(label) = label
            && self.is_named(kind, Some(label))
        {
            self.lines.line(&format!("{kind}_{label}:;"));
        }
    }

    fn jump(&mut self, word: &str, kind: &str, label: Option<Label>) {
        let text = match label {
            None => format!("{word};"),
            Some(label) => format!("goto {kind}_{label};"),
        };
        self.lines.line(&text);
    }

    fn fragment(&mut self, code: &Fragment) {
        let element = self.names.elements[code.element].clone();
        let name = c_comment(&self.program.elements[code.element].name);
        self.lines.line(&format!("// Code associated with {name}."));
        self.mark(&element, &code.needs);
        // Taken, as the dialect borrows the rest.
        let mut lines = std::mem::take(&mut self.lines);
        let dialect = self.dialect(&stream_of(&element));
        let declares = |it: &Statement| matches!(it, Statement::Declare { .. });
        let is_block = code.statements.iter().any(declares);
        if is_block {
            lines.open();
        }
        Printer::fragment(&dialect, &code.statements, &mut lines);
        if is_block {
            lines.close("}");
        }
        self.lines = lines;
    }

    fn open_repeat(&mut self, repeat: &Repeat) {
        let element = self.names.elements[repeat.element].clone();
        self.mark(&element, &repeat.needs);
        let count = self.value(&element, &repeat.iterations);
        let variable = match &repeat.variable {
            Some(name) => self.names.local(name),
            None => "turn".to_owned(),
        };
        let head = format!(
            "for (int64_t {variable} = 0, {variable}_end = {count}; \
             {variable} < {variable}_end; {variable}++)"
        );
        self.open_loop(&head, None);
    }

    fn open_while(&mut self, one: &While) {
        let element = self.names.elements[one.element].clone();
        let dialect = self.dialect(&stream_of(&element));
        let condition = Printer::new(&dialect).condition(&one.condition);
        if one.needs.fallible || one.needs.stream {
            self.open_loop("while (true)", one.label);
            self.mark(&element, &one.needs);
            self.lines.line(&format!("if (!({condition}))"));
            self.lines.open();
            self.lines.line("break;");
            self.lines.close("}");
        } else {
            self.open_loop(&format!("while ({condition})"), one.label);
        }
    }

    pub(super) fn open_arm(&mut self, arm: &'p Arm) {
        let Some((element, is_else)) = self.branches.arm() else {
            return;
        };
        let word = if is_else { "else if" } else { "if" };
        let element = &self.names.elements[element];
        let dialect = self.dialect(&stream_of(element));
        let guard = Printer::new(&dialect).condition(&arm.guard);
        self.lines.line(&format!("{word} ({guard})"));
        self.lines.open();
    }

    fn close_branch(&mut self, branch: &Branch) {
        self.branches.end();
        if branch.otherwise.is_none() {
            let element = &self.names.elements[branch.element];
            let stuck = format!("prophet::stuck(unit, {element});");
            self.lines.line("else");
            self.lines.open();
            self.lines.line(&stuck);
            self.lines.close("}");
        }
    }

    pub(super) fn open_state(&mut self, number: usize) {
        let Some((label, begun)) = self.dispatches.last_mut() else {
            return;
        };
        let word = if std::mem::replace(begun, true) {
            "else if"
        } else {
            "if"
        };
        let head = format!("{word} (state_{label} == {number})");
        self.lines.line(&head);
        self.lines.open();
    }

    /// The call of a diagram's function.
    pub(super) fn call_of(&self, diagram: DiagramIndex) -> String {
        let mut arguments = vec!["unit".to_owned(), "globals".to_owned()];
        let outer = &self.program.diagrams[diagram].outer;
        arguments.extend(outer.iter().map(|it| self.names.local(&it.name)));
        let name = &self.names.diagrams[diagram];
        format!("{name}({})", arguments.join(", "))
    }
}
