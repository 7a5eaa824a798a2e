//! Loops whose iterations may repeat earlier ones: nothing that they do depends on random numbers,
//! on which message comes first, or on the loop's variable except for remainders of it, and the
//! variables that they assign to are known.

mod counter;

use std::collections::BTreeSet;

use super::Resolver;
use crate::lang::ir::{Expression, ExpressionKind, Needs, Statement, System, Variable};
use crate::program::action::{Action, Mode};
use crate::program::{
    DiagramIndex, Execute, FunctionIndex, List, Local, Posted, Program, Repeat, Repetition, Step,
    all_steps,
};
use crate::resolve::{callees_first, needs_of_all};
use counter::{Counter, Period};
use prophet_model::diagnostic::catalogue::element as rules;
use prophet_model::diagnostic::{Advice, Remedy};
use prophet_model::model::{Element, Stereotype};
use prophet_text::similar;

/// The most variables that iterations assign to: comparing more takes longer than simulating.
const VARIABLES_MAX: usize = 64;

impl Resolver<'_> {
    /// Reads the tag `repetition`; what a loop's content says of it is added by [`find`].
    pub(super) fn repetition(&mut self, element: &Element, of: &Stereotype) -> Repetition {
        let may_repeat = |least| Repetition::MayRepeat {
            least,
            variables: Vec::new(),
            periods: Vec::new(),
        };
        let Some(text) = of.tags.get("repetition") else {
            return may_repeat(0);
        };
        let word = text.value.trim().to_ascii_lowercase();
        match (word.as_str(), word.parse::<i64>()) {
            ("auto", _) => may_repeat(0),
            ("off", _) => Repetition::Off,
            (_, Ok(least @ 0..)) => may_repeat(least),
            _ => {
                let message = format!("there is no repetition {:?}", text.value.trim());
                let help = "write auto, off, or the number of iterations to simulate at least";
                let help = match similar(&word, ["auto", "off"]) {
                    Some(guess) => Advice::from(format!("did you mean `{guess}`? {help}"))
                        .mended_by(Remedy::Text),
                    None => help.into(),
                };
                let rule = &rules::WRONG_VALUE;
                self.report(rule, text.span, &element.path, message, help);
                Repetition::Off
            }
        }
    }
}

/// Effects of a piece of a program that its repetition depends on.
#[derive(Debug, Clone, Default)]
struct Content {
    /// Reason why it may do something else the next time.
    why: Option<String>,
    /// The variables that it assigns to, except for those of pieces of code.
    assigned: BTreeSet<Variable>,
    /// The diagrams that it executes.
    diagrams: BTreeSet<DiagramIndex>,
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
            self.differs("it assigns to very many variables");
        }
    }

    /// Adds what a piece of it does; returns true if that is news.
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

    /// Adds what statements assign to.
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

/// A program and what its parts do.
struct View<'p> {
    program: &'p Program,
    posted: Vec<Posted<'p>>,
    functions: List<FunctionIndex, Content>,
    diagrams: List<DiagramIndex, Content>,
}

impl<'p> View<'p> {
    fn new(program: &'p Program) -> Self {
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

    /// Adds to each diagram what those do that it executes.
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

    /// Effects of a diagram, as far as those see them that execute it.
    fn seen_of(&self, index: DiagramIndex) -> Content {
        let outer = &self.program.diagrams[index].outer;
        let mut seen = self.diagrams[index].clone();
        seen.assigned.retain(|variable| match variable {
            Variable::Local(name) => outer.iter().any(|outer| outer.name == *name),
            _ => true,
        });
        seen
    }

    /// Effects of the steps of a loop's body, with the diagrams that they execute.
    fn body(&self, steps: &[Step]) -> Content {
        let mut content = Content::default();
        self.steps(steps, &mut content);
        for index in content.diagrams.clone() {
            content.add(&self.seen_of(index));
        }
        let scopes = all_steps(steps).filter_map(|step| match step {
            Step::Scope(scope) => Some(&scope.locals),
            _ => None,
        });
        // No variable hides another of its name.
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
            Action::Own(_) => content.differs("it uses a stereotype of your own"),
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
                    content.differs("it receives from any process, or messages of any tag");
                }
            }
            Action::Compute(_)
            | Action::Send(_)
            | Action::Collective(_)
            | Action::Order(_)
            | Action::Delay(_) => {}
        }
    }

    /// The repetition of a loop whose tag allows it, and the diagrams that it then executes.
    fn repetition(&self, repeat: &Repeat) -> (Repetition, BTreeSet<DiagramIndex>) {
        let Repetition::MayRepeat { least, .. } = repeat.repetition else {
            return (Repetition::Off, BTreeSet::new());
        };
        let content = self.body(&repeat.body);
        match (self.periods(repeat, &content), content.why) {
            (Err(why), _) | (_, Some(why)) => (Repetition::Differs(why), BTreeSet::new()),
            (Ok(periods), None) => {
                let repetition = Repetition::MayRepeat {
                    least,
                    variables: content.assigned.into_iter().collect(),
                    periods,
                };
                (repetition, content.diagrams)
            }
        }
    }

    /// The periods of what depends on a loop's variable, or the reason why not all has one.
    fn periods(&self, repeat: &Repeat, content: &Content) -> Result<Vec<Period>, String> {
        let Some(name) = &repeat.variable else {
            return Ok(Vec::new());
        };
        let periods = Counter::new(self, name, content).periods(&repeat.body);
        periods.ok_or_else(|| format!("its iterations depend on its variable {name}"))
    }
}

/// True if a value is `ANY`.
fn is_any(value: &Expression) -> bool {
    let mut is_any = false;
    value.visit(&mut |part| {
        is_any |= part.kind == ExpressionKind::Variable(Variable::System(System::Any));
    });
    is_any
}

/// Finds which loops of a program may repeat, of those whose tags allow it: the outermost of those
/// whose content does.
pub(super) fn find(program: &mut Program) {
    let view = View::new(program);
    let mut found = program.diagrams.with(Vec::new());
    let mut inside = BTreeSet::new();
    for (index, diagram) in program.diagrams.entries() {
        let mut open: Vec<(&Step, bool)> = on_stack(&diagram.steps, true).collect();
        while let Some((step, mut outermost)) = open.pop() {
            if let Step::Repeat(repeat) = step {
                let mut repetition = Repetition::Off;
                if outermost {
                    let diagrams;
                    (repetition, diagrams) = view.repetition(repeat);
                    inside.extend(diagrams);
                }
                outermost &= !matches!(repetition, Repetition::MayRepeat { .. });
                found[index].push(repetition);
            }
            for block in step.blocks().into_iter().rev() {
                open.extend(on_stack(block, outermost));
            }
        }
    }
    // A diagram that a loop executes which may repeat has none of its own.
    let mut open: Vec<DiagramIndex> = inside.iter().copied().collect();
    while let Some(index) = open.pop() {
        let below = view.diagrams[index].diagrams.iter().copied();
        open.extend(below.filter(|it| inside.insert(*it)));
    }
    for index in inside {
        found[index].fill(Repetition::Off);
    }
    for index in program.diagrams.places() {
        let mut found = std::mem::take(&mut found[index]).into_iter();
        set(&mut program.diagrams[index].steps, &mut found);
    }
}

/// Steps as they are put on a stack, from which the first comes first.
fn on_stack(steps: &[Step], outermost: bool) -> impl Iterator<Item = (&Step, bool)> {
    steps.iter().rev().map(move |step| (step, outermost))
}

/// Sets what was found for the loops among these steps, in order of text.
fn set(steps: &mut [Step], found: &mut dyn Iterator<Item = Repetition>) {
    for step in steps {
        if let Step::Repeat(repeat) = step
            && let Some(repetition) = found.next()
        {
            repeat.repetition = repetition;
        }
        for block in step.blocks_mut() {
            set(block, found);
        }
    }
}
