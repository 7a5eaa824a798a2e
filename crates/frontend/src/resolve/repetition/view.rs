//! Collects the effects of a program's parts that matter for repetition.

use std::collections::BTreeSet;

use crate::lang::ir::{Expression, ExpressionKind, Needs, Statement, System, Variable};
use crate::program::action::{Action, Mode};
use crate::program::{
    DiagramIndex, Execute, FunctionIndex, List, Local, Posted, Program, Step, all_steps,
};
use crate::resolve::{callees_first, needs_of_all};

/// Maximum number of variables that iterations assign to. Comparing more of them would take longer
/// than simulating the iterations.
const VARIABLES_MAX: usize = 64;

/// The effects of a part of a program that decide whether it can repeat.
#[derive(Debug, Clone, Default)]
pub(super) struct Content {
    /// Why the part may behave differently in another iteration; `None` if it can't.
    pub(super) why: Option<String>,
    /// Variables that it assigns to, except in code fragments.
    pub(super) assigned: BTreeSet<Variable>,
    pub(super) diagrams: BTreeSet<DiagramIndex>,
}

impl Content {
    fn differs(&mut self, why: &str) {
        self.why.get_or_insert_with(|| why.to_owned());
    }

    fn assign(&mut self, variable: &Variable) {
        if matches!(variable, Variable::Own(_)) {
            return;
        }
        if self.assigned.len() < VARIABLES_MAX {
            self.assigned.insert(variable.clone());
        } else if !self.assigned.contains(variable) {
            self.differs("it assigns to too many variables");
        }
    }

    fn add(&mut self, piece: &Self) -> bool {
        let before = (self.why.is_some(), self.assigned.len());
        if let Some(why) = &piece.why {
            self.differs(why);
        }
        for variable in &piece.assigned {
            self.assign(variable);
        }
        before != (self.why.is_some(), self.assigned.len())
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Assign { target, index, .. } => match (index, target) {
                    (None, _) => self.assign(target),
                    (Some(_), Variable::Own(_)) => {}
                    (Some(_), _) => self.differs("it assigns to an array"),
                },
                Statement::If {
                    then, otherwise, ..
                } => {
                    self.statements(then);
                    self.statements(otherwise);
                }
                Statement::While { body, step, .. } => {
                    self.statements(body);
                    self.statements(step);
                }
                Statement::Block(inside) => self.statements(inside),
                Statement::Declare { .. }
                | Statement::Evaluate(_)
                | Statement::Break
                | Statement::Continue
                | Statement::Return(_) => {}
            }
        }
    }
}

pub(super) struct View<'p> {
    pub(super) program: &'p Program,
    posted: Vec<Posted<'p>>,
    pub(super) functions: List<FunctionIndex, Content>,
    pub(super) diagrams: List<DiagramIndex, Content>,
}

impl<'p> View<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let mut view = Self {
            program,
            posted: program.posted(),
            functions: program.functions.with(Content::default()),
            diagrams: program.diagrams.with(Content::default()),
        };
        for index in callees_first(&program.functions).unwrap_or_default() {
            let function = &program.functions[index];
            let mut content = Content::default();
            content.statements(&function.body);
            view.needs(&function.needs, &mut content);
            view.functions[index] = content;
        }
        for (index, diagram) in program.diagrams.entries() {
            let mut content = Content::default();
            view.locals(&diagram.locals, &mut content);
            view.steps(&diagram.steps, &mut content);
            view.diagrams[index] = content;
        }
        view.close();
        view
    }

    /// Adds the effects of called diagrams to their callers.
    fn close(&mut self) {
        let mut callers = self.diagrams.with(Vec::new());
        for (index, content) in self.diagrams.entries() {
            for callee in &content.diagrams {
                callers[*callee].push(index);
            }
        }
        let mut open: Vec<DiagramIndex> = self.diagrams.places().collect();
        while let Some(callee) = open.pop() {
            let seen = self.seen_of(callee);
            for caller in &callers[callee] {
                if self.diagrams[*caller].add(&seen) {
                    open.push(*caller);
                }
            }
        }
    }

    /// Returns the effects of a diagram outside of it, without its own variables.
    fn seen_of(&self, index: DiagramIndex) -> Content {
        let outer = &self.program.diagrams[index].outer;
        let mut seen = self.diagrams[index].clone();
        seen.assigned.retain(|variable| match variable {
            Variable::Local(name) => outer.iter().any(|outer| outer.name == *name),
            _ => true,
        });
        seen
    }

    pub(super) fn body(&self, steps: &[Step]) -> Content {
        let mut content = Content::default();
        self.steps(steps, &mut content);
        for index in content.diagrams.clone() {
            content.add(&self.seen_of(index));
        }
        let scopes = all_steps(steps).filter_map(|step| match step {
            Step::Scope(scope) => Some(&scope.locals),
            _ => None,
        });
        // This is correct because a variable can't hide another variable with the same name.
        for local in scopes.flatten() {
            content
                .assigned
                .remove(&Variable::Local(local.name.clone()));
        }
        content
    }

    fn steps(&self, steps: &[Step], content: &mut Content) {
        for step in all_steps(steps) {
            match step {
                Step::Code(code) => {
                    content.statements(&code.statements);
                    self.needs(&code.needs, content);
                }
                Step::Execute(execute) => self.execute(execute, content),
                Step::Call(call) => {
                    content.diagrams.insert(call.diagram);
                }
                Step::Region(_) => content.differs("it has threads"),
                Step::Scope(scope) => self.locals(&scope.locals, content),
                Step::Branch(branch) => self.needs(&branch.needs, content),
                Step::Repeat(repeat) => self.needs(&repeat.needs, content),
                Step::While(one) => self.needs(&one.needs, content),
                Step::Loop(_)
                | Step::Pass(_)
                | Step::Labeled(..)
                | Step::Break(_)
                | Step::Continue(_)
                | Step::Return
                | Step::Dispatch(_)
                | Step::Goto(..) => {}
            }
        }
    }

    fn locals(&self, locals: &[Local], content: &mut Content) {
        let values = locals.iter().filter_map(|local| local.value.as_ref());
        self.needs(&needs_of_all(values, &self.program.functions), content);
    }

    fn needs(&self, needs: &Needs, content: &mut Content) {
        if needs.stream {
            content.differs("it draws random numbers");
        }
        for function in &needs.calls {
            content.add(&self.functions[*function]);
        }
    }

    fn execute(&self, execute: &Execute, content: &mut Content) {
        self.needs(&execute.needs, content);
        let action = &execute.action;
        for variable in action.assigned() {
            content.assign(variable);
        }
        match action {
            Action::Own(_) => content.differs("it uses a custom stereotype"),
            Action::Signal(_) => content.differs("it sends or accepts signals"),
            Action::Offload(_) => content.differs("it uses accelerators"),
            Action::Wait(wait) => {
                if wait.mode != Mode::All {
                    content.differs("it waits for any of several requests");
                }
                let ended = self.posted.iter().filter(|it| it.may_end_by(wait));
                for assigned in ended.flat_map(|it| &it.receive.results) {
                    content.assign(&assigned.variable);
                }
            }
            Action::Receive(_) | Action::SendReceive(_) => {
                if action.arguments().into_iter().any(is_any) {
                    content.differs("it receives from any process, or messages with any tag");
                }
            }
            Action::Compute(_)
            | Action::Send(_)
            | Action::Collective(_)
            | Action::Order(_)
            | Action::Delay(_) => {}
        }
    }
}

fn is_any(value: &Expression) -> bool {
    let mut is_any = false;
    value.visit(&mut |part| {
        is_any |= part.kind == ExpressionKind::Variable(Variable::System(System::Any));
    });
    is_any
}
