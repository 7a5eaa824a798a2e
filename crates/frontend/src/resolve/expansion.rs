//! Finds calls that multiply. If each function or activity in a chain calls the next one twice, a
//! run takes practically forever, although it contains no loop that could be limited.

use super::Resolver;
use super::functions::order;
use crate::index::ListPlace as _;
use crate::lang::ir::{Expression, ExpressionKind, Statement};
use crate::program::{FunctionIndex, Step, falls_through};
use prophet_model::diagnostic::catalogue::program as rules;

/// Maximum number of calls that a single call can lead to, not counting loops. It equals the
/// maximum number of iterations in a piece of code.
const CALLS_MAX: u64 = 100_000_000;

impl Resolver<'_> {
    pub(super) fn refuse_expanding_functions(&mut self, order: &[FunctionIndex]) {
        let mut counts = vec![0; self.program.functions.len()];
        let mut found = Vec::new();
        for &index in order {
            let count = of_statements(&self.program.functions[index].body, &counts);
            counts[index.number()] = count;
            if count > CALLS_MAX {
                found.push(self.program.functions[index].signature.name.clone());
                break;
            }
        }
        for name in found {
            let mut functions = self.model.functions.iter();
            let function = functions.find(|it| it.name.value == name);
            let (span, path) = function
                .map(|it| (it.name.span, it.path.clone()))
                .unwrap_or_default();
            let message = format!("the cost function {name} makes more than {CALLS_MAX} calls");
            let help = "call a function once and keep its result in a variable";
            self.report(&rules::TOO_DEEP, span, &path, message, help);
        }
    }

    /// Reports the first activity that leads to too many executions.
    pub(super) fn refuse_expanding_activities(&mut self) {
        let diagrams = self.program.diagrams.iter();
        let calls: Vec<Vec<usize>> = diagrams.map(|it| called(&it.steps)).collect();
        // Cycles have already been reported.
        let order = order(&calls).unwrap_or_default();
        let mut counts = vec![0; calls.len()];
        for index in order {
            let Some(diagram) = self.program.diagrams.iter().nth(index) else {
                continue;
            };
            counts[index] = of_steps(&diagram.steps, &counts);
            if counts[index] > CALLS_MAX {
                let path = diagram.path.clone();
                let mut all = self.model.diagrams.iter();
                let span = all.find(|it| it.path == path).map(|it| it.span);
                let message = format!(
                    "the activity {path} leads to more than {CALLS_MAX} executions of other \
                     activities"
                );
                let help = "to repeat an activity, call it in a loop+ or a LoopNode";
                self.report(
                    &rules::TOO_DEEP,
                    span.unwrap_or_default(),
                    &path,
                    message,
                    help,
                );
                return;
            }
        }
    }
}

fn called(steps: &[Step]) -> Vec<usize> {
    let steps = crate::program::all_steps(steps);
    let called = steps.flat_map(|step| match step {
        Step::Call(call) => vec![call.diagram.number()],
        Step::Region(region) => region.parts.iter().map(|part| part.number()).collect(),
        _ => Vec::new(),
    });
    called.collect()
}

fn of_steps(steps: &[Step], counts: &[u64]) -> u64 {
    let with = |diagram: usize| counts[diagram].saturating_add(1);
    let mut rest: u64 = 0;
    for step in steps.iter().rev() {
        rest = match step {
            Step::Branch(branch) => {
                let arms = branch.arms.iter().map(|arm| &arm.steps);
                let each = arms.chain(branch.otherwise.as_ref()).map(|steps| {
                    let after = if falls_through(steps) { rest } else { 0 };
                    of_steps(steps, counts).saturating_add(after)
                });
                each.max().unwrap_or(0)
            }
            Step::Call(call) => with(call.diagram.number()).saturating_add(rest),
            Step::Region(region) => {
                let parts = region.parts.iter().map(|part| with(part.number()));
                parts.fold(rest, u64::saturating_add)
            }
            step => {
                let blocks = step.blocks().into_iter();
                let blocks = blocks.map(|block| of_steps(block, counts));
                blocks.fold(rest, u64::saturating_add)
            }
        };
    }
    rest
}

/// Counts the calls that statements can lead to if each loop runs once.
fn of_statements(statements: &[Statement], counts: &[u64]) -> u64 {
    let of = |expression: &Expression| of_expression(expression, counts);
    let mut rest: u64 = 0;
    for statement in statements.iter().rev() {
        rest = match statement {
            Statement::Declare { value, .. } => rest.saturating_add(value.as_ref().map_or(0, of)),
            Statement::Assign { index, value, .. } => rest
                .saturating_add(index.as_ref().map_or(0, of))
                .saturating_add(of(value)),
            Statement::Evaluate(value) | Statement::Return(value) => rest.saturating_add(of(value)),
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                let each = [then, otherwise].map(|arm| {
                    let after = if leaves(arm) { 0 } else { rest };
                    of_statements(arm, counts).saturating_add(after)
                });
                of(condition).saturating_add(each[0].max(each[1]))
            }
            Statement::While {
                condition,
                body,
                step,
                ..
            } => rest
                .saturating_add(of(condition))
                .saturating_add(of_statements(body, counts))
                .saturating_add(of_statements(step, counts)),
            Statement::Break | Statement::Continue => rest,
            Statement::Block(inside) => rest.saturating_add(of_statements(inside, counts)),
        };
    }
    rest
}

/// Returns `true` if the flow never gets past the statements.
fn leaves(statements: &[Statement]) -> bool {
    matches!(
        statements.last(),
        Some(Statement::Return(_) | Statement::Break | Statement::Continue)
    )
}

fn of_expression(expression: &Expression, counts: &[u64]) -> u64 {
    let of = |part: &Expression| of_expression(part, counts);
    let of_all = |parts: &[Expression]| parts.iter().map(of).fold(0, u64::saturating_add);
    match &expression.kind {
        ExpressionKind::Int(_)
        | ExpressionKind::Real(_)
        | ExpressionKind::Bool(_)
        | ExpressionKind::Variable(_) => 0,
        ExpressionKind::Index(_, operand)
        | ExpressionKind::Cast(operand)
        | ExpressionKind::Unary(_, operand) => of(operand),
        ExpressionKind::Binary(_, left, right) => of(left).saturating_add(of(right)),
        ExpressionKind::If(condition, then, otherwise) => {
            of(condition).saturating_add(of(then).max(of(otherwise)))
        }
        ExpressionKind::Clc(usages) | ExpressionKind::Rud(_, usages) => {
            let counts = usages.iter().map(|usage| of(&usage.count));
            counts.fold(0, u64::saturating_add)
        }
        ExpressionKind::Call(function, arguments) => counts[function.number()]
            .saturating_add(1)
            .saturating_add(of_all(arguments)),
        ExpressionKind::Builtin(_, arguments)
        | ExpressionKind::Draw(_, arguments)
        | ExpressionKind::Neighbor(_, arguments)
        | ExpressionKind::Interpolate(_, _, arguments) => of_all(arguments),
    }
}
