//! Determines what code needs at run time, including the functions that it calls.

use std::collections::BTreeSet;

use super::Resolver;
use crate::lang::ir::{Expression, ExpressionKind, Needs, Statement, Type};
use crate::program::{
    Action, DiagramIndex, FunctionIndex, Functions, List, Local, Posted, Program, Step, all_steps,
};

impl Resolver<'_> {
    pub(super) fn close_needs(&mut self, order: &[FunctionIndex]) {
        for &index in order {
            let needs = self.closed(self.program.functions[index].needs.clone());
            self.program.functions[index].needs = needs;
        }
    }

    /// Returns what `expression` needs, including the functions that it calls.
    pub(super) fn needs_of(&self, expression: &Expression) -> Needs {
        self.closed(expression.needs())
    }

    /// Returns what `statements` need, including the functions that they call.
    pub(super) fn needs_of_statements(&self, statements: &[Statement]) -> Needs {
        self.closed(Needs::of(statements))
    }

    fn closed(&self, needs: Needs) -> Needs {
        close(needs, &self.program.functions)
    }
}

/// Returns what `expression` needs, including the functions that it calls.
pub fn needs_with_calls(expression: &Expression, functions: &Functions) -> Needs {
    close(expression.needs(), functions)
}

/// Returns what several expressions need together, including the functions that they call.
pub fn needs_of_all<'e>(
    expressions: impl IntoIterator<Item = &'e Expression>,
    functions: &Functions,
) -> Needs {
    let mut needs = Needs::default();
    for expression in expressions {
        needs.merge(&needs_with_calls(expression, functions));
    }
    needs
}

/// Returns `true` if a cost is a call of a fallible function, and its arguments are infallible. The
/// element then reports the failure itself.
pub fn is_checked_by_element(price: &Expression, functions: &Functions) -> bool {
    let ExpressionKind::Call(function, arguments) = &price.kind else {
        return false;
    };
    price.ty == Type::Real
        && functions[*function].needs.fallible
        && !needs_of_all(arguments, functions).fallible
}

/// Returns what an element's arguments and its cost need. The cost isn't included if
/// [`is_checked_by_element`] returns `true` for it, and the communicator never is, because the
/// element reports their failures itself.
pub fn needs_before_element(action: &Action, functions: &Functions) -> Needs {
    let price = action.price();
    let price = price.filter(|price| !is_checked_by_element(price, functions));
    needs_of_all(action.arguments().into_iter().chain(price), functions)
}

/// Adds the needs of the called functions. These already include the needs of functions further
/// down.
fn close(mut needs: Needs, functions: &Functions) -> Needs {
    for function in needs.calls.clone() {
        if let Some(function) = functions.get(function) {
            needs.merge_all_but_calls(&function.needs);
        }
    }
    needs
}

/// Returns, for each diagram, whether it uses globals or parameters, either in its own steps or in
/// diagrams that it calls.
pub fn diagrams_with_globals(program: &Program) -> List<DiagramIndex, bool> {
    let posted = program.posted();
    let mut callers: List<DiagramIndex, Vec<DiagramIndex>> = program.diagrams.with(Vec::new());
    let mut open = Vec::new();
    for (index, diagram) in program.diagrams.entries() {
        let mut needs = Needs::default();
        let mut callees = Vec::new();
        add_locals(&diagram.locals, &program.functions, &mut needs);
        add_steps(&diagram.steps, &program.functions, &mut needs, &mut callees);
        needs.globals |= waits_assign(&diagram.steps, &posted);
        for callee in callees {
            callers[callee].push(index);
        }
        if needs.globals {
            open.push(index);
        }
    }
    let mut with = program.diagrams.with(false);
    while let Some(index) = open.pop() {
        if !std::mem::replace(&mut with[index], true) {
            open.extend(&callers[index]);
        }
    }
    with
}

fn add_locals(locals: &[Local], functions: &Functions, needs: &mut Needs) {
    let values = locals.iter().filter_map(|local| local.value.as_ref());
    needs.merge(&needs_of_all(values, functions));
}

fn add_steps(
    steps: &[Step],
    functions: &Functions,
    needs: &mut Needs,
    callees: &mut Vec<DiagramIndex>,
) {
    for step in steps {
        if let Some(own) = step.needs() {
            needs.merge(own);
        }
        match step {
            Step::Scope(scope) => add_locals(&scope.locals, functions, needs),
            Step::Call(call) => callees.push(call.diagram),
            Step::Region(region) => callees.extend(&region.parts),
            _ => {}
        }
        for block in step.blocks() {
            add_steps(block, functions, needs, callees);
        }
    }
}

/// Returns `true` if a wait in the diagram itself assigns received values, which are always stored
/// in globals.
fn waits_assign(steps: &[Step], posted: &[Posted<'_>]) -> bool {
    all_steps(steps).any(|step| match step {
        Step::Execute(execute) => match &execute.action {
            Action::Wait(wait) => posted.iter().any(|it| it.may_end_by(wait)),
            _ => false,
        },
        _ => false,
    })
}

pub(super) fn called_functions(program: &Program) -> BTreeSet<FunctionIndex> {
    let values = program.globals.iter().filter_map(|it| it.value.as_ref());
    let mut needs = needs_of_all(values, &program.functions);
    for diagram in &program.diagrams {
        add_locals(&diagram.locals, &program.functions, &mut needs);
        add_steps(
            &diagram.steps,
            &program.functions,
            &mut needs,
            &mut Vec::new(),
        );
    }
    let mut called = BTreeSet::new();
    let mut open: Vec<FunctionIndex> = needs.calls.into_iter().collect();
    while let Some(function) = open.pop() {
        if called.insert(function) {
            open.extend(&program.functions[function].needs.calls);
        }
    }
    called
}
