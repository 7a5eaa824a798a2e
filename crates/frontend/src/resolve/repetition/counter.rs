//! Determines how a loop's content depends on the loop's variable. If the variable occurs only in
//! remainders, such as `k % 4` or `k / 2 % n`, the pattern repeats after a certain number of
//! iterations.
//!
//! The proof is arithmetic. k and k + n have the same remainder modulo each divisor of n, and so do
//! sums and products that contain k. A quotient k / q has the same remainder if n is a multiple of
//! q times the divisor. Both hold for nonnegative numbers that don't overflow.

use std::collections::BTreeSet;

use super::view::{Content, View};
use crate::lang::ir::{BinaryOp, Expression, ExpressionKind, System, Type, Variable};
use crate::lang::walk;
use crate::program::{DiagramIndex, FunctionIndex, Local, Step, all_steps};

/// The factors of a number of iterations after which something repeats.
pub(super) type Period = Vec<Expression>;

/// Maximum number of bits in a loop's variable. The runtime doesn't compare iterations of longer
/// loops, which would take too long to simulate anyway.
const COUNTER_BITS: u32 = 40;
/// Number of bits in system-defined numbers.
const SYSTEM_BITS: u32 = 32;
/// Number of bits in an int, without the sign.
const INT_BITS: u32 = 63;

/// How a value changes between the iterations of a loop.
#[derive(Debug, Default)]
struct Course {
    /// Whether the value can be different in every iteration.
    grows: bool,
    /// After how many iterations the value repeats. For a growing value, after how many its
    /// remainders repeat, divided by the remainder's divisor.
    periods: Vec<Period>,
    /// Maximum number of bits of an int that can't be negative; `None` for other values.
    bits: Option<u32>,
}

impl Course {
    /// Creates a value that is the same in all iterations.
    fn constant(bits: Option<u32>) -> Self {
        Self {
            bits,
            ..Self::default()
        }
    }

    /// Combines the courses of two operands. `bits` is the maximum number of bits in the result.
    fn of(left: Self, right: Self, bits: Option<u32>) -> Self {
        let mut periods = left.periods;
        join(&mut periods, right.periods);
        Self {
            grows: left.grows || right.grows,
            periods,
            bits: bits.filter(|bits| *bits <= INT_BITS),
        }
    }

    fn multiply(&mut self, factor: &Expression) {
        if self.periods.is_empty() {
            self.periods.push(Period::new());
        }
        for period in &mut self.periods {
            period.push(factor.clone());
        }
    }
}

fn join(periods: &mut Vec<Period>, more: Vec<Period>) {
    for period in more {
        if !periods.contains(&period) {
            periods.push(period);
        }
    }
}

pub(super) struct Counter<'v> {
    view: &'v View<'v>,
    name: &'v str,
    content: &'v Content,
    inner: BTreeSet<&'v str>,
}

impl<'v> Counter<'v> {
    /// Prepares to examine the variable of a loop. `content` contains the effects of the loop's
    /// body.
    pub(super) fn new(view: &'v View<'v>, name: &'v str, content: &'v Content) -> Self {
        Self {
            view,
            name,
            content,
            inner: BTreeSet::new(),
        }
    }

    /// Returns the periods of everything in the body that depends on the variable; `None` if
    /// something doesn't repeat.
    pub(super) fn periods(mut self, body: &'v [Step]) -> Option<Vec<Period>> {
        let mut blocks = vec![body];
        let mut open: Vec<DiagramIndex> = self.content.diagrams.iter().copied().collect();
        let mut seen: BTreeSet<DiagramIndex> = open.iter().copied().collect();
        let mut locals: Vec<&'v Local> = Vec::new();
        while let Some(index) = open.pop() {
            let diagram = &self.view.program.diagrams[index];
            if !diagram.outer.iter().any(|outer| outer.name == self.name) {
                continue;
            }
            blocks.push(&diagram.steps);
            locals.extend(&diagram.locals);
            let below = self.view.diagrams[index].diagrams.iter().copied();
            open.extend(below.filter(|it| seen.insert(*it)));
        }
        let steps: Vec<&Step> = blocks.into_iter().flat_map(all_steps).collect();
        self.inner
            .extend(steps.iter().filter_map(|step| match step {
                Step::Repeat(repeat) => repeat.variable.as_deref(),
                _ => None,
            }));
        let mut periods = Some(Vec::new());
        let mut see = |value: &Expression| self.add(value, &mut periods);
        { locals.iter().filter_map(|it| it.value.as_ref()) }.for_each(&mut see);
        for step in steps {
            values_of(step, &mut see);
        }
        periods.and_then(simplify)
    }

    /// Adds the periods of an expression, or sets `None` if the expression doesn't repeat.
    fn add(&self, value: &Expression, periods: &mut Option<Vec<Period>>) {
        let course = self.course(value);
        match periods {
            Some(periods) if !course.grows => join(periods, course.periods),
            _ => *periods = None,
        }
    }

    fn course(&self, value: &Expression) -> Course {
        match &value.kind {
            ExpressionKind::Int(value) => {
                Course::constant(u64::try_from(*value).ok().map(|it| 64 - it.leading_zeros()))
            }
            ExpressionKind::Variable(variable) => self.variable(variable),
            ExpressionKind::Binary(op, left, right) if left.ty == Type::Int => {
                self.binary(*op, left, right)
            }
            ExpressionKind::If(condition, then, otherwise) => {
                let (then, otherwise) = (self.course(then), self.course(otherwise));
                let bits = then.bits.zip(otherwise.bits);
                let value = Course::of(then, otherwise, bits.map(|(a, b)| a.max(b)));
                let condition = self.course(condition);
                let bits = value.bits.filter(|_| !condition.grows);
                Course::of(value, condition, bits)
            }
            kind => {
                let operands = operands(kind).into_iter().map(|it| self.course(it));
                operands.fold(Course::default(), |all, one| Course::of(all, one, None))
            }
        }
    }

    fn variable(&self, variable: &Variable) -> Course {
        match variable {
            Variable::Local(name) if name == self.name => Course {
                grows: true,
                ..Course::constant(Some(COUNTER_BITS))
            },
            Variable::Local(name) if self.inner.contains(&**name) => {
                Course::constant(Some(COUNTER_BITS))
            }
            Variable::System(system) if *system != System::Any => {
                Course::constant(Some(SYSTEM_BITS))
            }
            _ => Course::constant(None),
        }
    }

    fn binary(&self, op: BinaryOp, left: &Expression, right: &Expression) -> Course {
        let (a, b) = (self.course(left), self.course(right));
        let bits = a.bits.zip(b.bits);
        match op {
            BinaryOp::Add => Course::of(a, b, bits.map(|(a, b)| a.max(b) + 1)),
            BinaryOp::Multiply => Course::of(a, b, bits.map(|(a, b)| a + b)),
            BinaryOp::Divide if a.grows => self.reduce(a, b, right, true),
            BinaryOp::Remainder if a.grows => self.reduce(a, b, right, false),
            BinaryOp::Divide | BinaryOp::Remainder if !b.grows => {
                Course::of(a, b, bits.map(|(a, _)| a))
            }
            _ => Course::of(a, b, None),
        }
    }

    /// Returns the course of a growing value's quotient or remainder.
    fn reduce(&self, value: Course, by: Course, divisor: &Expression, grows: bool) -> Course {
        let bits = value.bits.filter(|_| self.stays(divisor));
        let Some(bits) = bits else {
            return Course::of(value, by, None);
        };
        let mut value = Course {
            grows,
            bits: by.bits.map(|_| bits),
            ..value
        };
        value.multiply(divisor);
        value
    }

    /// Returns `true` if a value is known before the loop starts, and doesn't change in the loop.
    fn stays(&self, value: &Expression) -> bool {
        let mut stays = true;
        value.visit(&mut |part| {
            stays &= match &part.kind {
                ExpressionKind::Variable(variable) | ExpressionKind::Index(variable, _) => {
                    self.variable_stays(variable)
                }
                ExpressionKind::Call(function, _) => self.function_stays(*function),
                ExpressionKind::Draw(..) => false,
                _ => true,
            };
        });
        stays
    }

    fn variable_stays(&self, variable: &Variable) -> bool {
        match variable {
            Variable::Global(_) => !self.content.assigned.contains(variable),
            Variable::Parameter(_) => true,
            Variable::System(system) => *system != System::Any,
            // They may not have a value before the loop.
            Variable::Local(_) | Variable::Own(_) => false,
        }
    }

    fn function_stays(&self, function: FunctionIndex) -> bool {
        let mut open = vec![function];
        let mut seen: BTreeSet<FunctionIndex> = open.iter().copied().collect();
        let mut stays = true;
        while let Some(index) = open.pop() {
            let (function, content) = (
                &self.view.program.functions[index],
                &self.view.functions[index],
            );
            stays &= content.why.is_none() && content.assigned.is_empty();
            walk::statements(&function.body, &mut |variable, _| {
                stays &= matches!(variable, Variable::Own(_)) || self.variable_stays(variable);
            });
            let calls = function.needs.calls.iter().copied();
            open.extend(calls.filter(|it| seen.insert(*it)));
        }
        stays
    }
}

fn operands(kind: &ExpressionKind) -> Vec<&Expression> {
    match kind {
        ExpressionKind::Int(_)
        | ExpressionKind::Real(_)
        | ExpressionKind::Bool(_)
        | ExpressionKind::Variable(_) => Vec::new(),
        ExpressionKind::Index(_, inside)
        | ExpressionKind::Cast(inside)
        | ExpressionKind::Unary(_, inside) => vec![inside],
        ExpressionKind::Binary(_, left, right) => vec![left, right],
        ExpressionKind::If(condition, then, otherwise) => vec![condition, then, otherwise],
        ExpressionKind::Call(_, arguments)
        | ExpressionKind::Builtin(_, arguments)
        | ExpressionKind::Draw(_, arguments)
        | ExpressionKind::Neighbor(_, arguments)
        | ExpressionKind::Interpolate(_, _, arguments) => arguments.iter().collect(),
        ExpressionKind::Clc(usages) | ExpressionKind::Rud(_, usages) => {
            usages.iter().map(|usage| &usage.count).collect()
        }
    }
}

/// Calls `see` for each expression in a step, without nested steps.
fn values_of(step: &Step, see: &mut dyn FnMut(&Expression)) {
    match step {
        Step::Code(code) => walk::expressions(&code.statements, see),
        Step::Execute(execute) => execute.action.expressions().for_each(see),
        Step::Scope(scope) => {
            let values = scope.locals.iter().filter_map(|local| local.value.as_ref());
            values.for_each(see);
        }
        Step::Branch(branch) => branch.arms.iter().for_each(|arm| see(&arm.guard)),
        Step::Repeat(repeat) => see(&repeat.iterations),
        Step::While(one) => see(&one.condition),
        Step::Region(region) => region.expressions().for_each(see),
        Step::Call(_)
        | Step::Pass(_)
        | Step::Loop(_)
        | Step::Labeled(..)
        | Step::Break(_)
        | Step::Continue(_)
        | Step::Return
        | Step::Dispatch(_)
        | Step::Goto(..) => {}
    }
}

/// Combines all periods that consist of literals into one.
fn simplify(periods: Vec<Period>) -> Option<Vec<Period>> {
    let mut literal = 1;
    let mut others = Vec::new();
    for period in periods {
        match literals(&period) {
            Some(factors) => {
                let product = factors
                    .iter()
                    .try_fold(1, |all: i64, it| all.checked_mul(*it))?;
                literal = least_common_multiple(literal, product)?;
            }
            None => others.push(period),
        }
    }
    if literal > 1 {
        let literal = Expression {
            kind: ExpressionKind::Int(literal),
            ty: Type::Int,
        };
        others.insert(0, vec![literal]);
    }
    Some(others)
}

/// Returns the factors of a period; `None` if they aren't all literals.
fn literals(period: &Period) -> Option<Vec<i64>> {
    let literal = |factor: &Expression| match factor.kind {
        ExpressionKind::Int(value) => Some(value),
        _ => None,
    };
    period.iter().map(literal).collect()
}

fn least_common_multiple(a: i64, b: i64) -> Option<i64> {
    let (mut divisor, mut rest) = (a, b);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    a.checked_mul(b / divisor).filter(|it| *it > 0)
}
