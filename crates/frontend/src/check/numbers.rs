//! Determines which numbers an expression can produce, based on its operators.

use crate::lang::constant::{Constant, constant};
use crate::lang::ir::{BinaryOp, Builtin, Expression, ExpressionKind, System, Type, Variable};

/// Returns `true` if an expression's operators can produce a fraction: a real division, or a
/// literal with a fractional part. Variables and function results don't count, because they may be
/// whole numbers.
pub(super) fn is_fraction(expression: &Expression) -> bool {
    if let Some(value) = constant(expression) {
        return matches!(value, Constant::Real(value) if value.fract().abs() > 0.0);
    }
    if expression.ty != Type::Real {
        return false;
    }
    match &expression.kind {
        ExpressionKind::Binary(BinaryOp::Divide, ..) => true,
        ExpressionKind::Binary(_, left, right) => is_fraction(left) || is_fraction(right),
        ExpressionKind::Unary(_, operand) => is_fraction(operand),
        ExpressionKind::If(_, then, otherwise) => is_fraction(then) || is_fraction(otherwise),
        ExpressionKind::Builtin(Builtin::Fmax | Builtin::Fmin, operands) => {
            operands.iter().any(is_fraction)
        }
        ExpressionKind::Int(_)
        | ExpressionKind::Real(_)
        | ExpressionKind::Bool(_)
        | ExpressionKind::Variable(_)
        | ExpressionKind::Index(..)
        | ExpressionKind::Cast(_)
        | ExpressionKind::Call(..)
        | ExpressionKind::Builtin(..)
        | ExpressionKind::Draw(..)
        | ExpressionKind::Neighbor(..)
        | ExpressionKind::Clc(_)
        | ExpressionKind::Rud(..)
        | ExpressionKind::Interpolate(..) => false,
    }
}

/// Returns the constant that an expression adds to `pid`; `None` if it is not `pid` plus or minus a
/// nonzero constant.
pub(super) fn offset(expression: &Expression) -> Option<i64> {
    let ExpressionKind::Binary(op, left, right) = &expression.kind else {
        return None;
    };
    let is_pid = |it: &Expression| {
        let pid = Variable::System(System::Pid);
        matches!(&it.kind, ExpressionKind::Variable(variable) if *variable == pid)
    };
    let added = match op {
        BinaryOp::Add if is_pid(left) => constant(right),
        BinaryOp::Add if is_pid(right) => constant(left),
        BinaryOp::Subtract if is_pid(left) => match constant(right) {
            Some(Constant::Int(value)) => value.checked_neg().map(Constant::Int),
            _ => None,
        },
        _ => None,
    };
    match added {
        Some(Constant::Int(value)) if value != 0 => Some(value),
        _ => None,
    }
}

/// Returns a lower bound of an integer expression; `None` if the operators don't imply a bound.
pub(super) fn least(expression: &Expression) -> Option<i64> {
    if let Some(Constant::Int(value)) = constant(expression) {
        return Some(value);
    }
    let natural = |it: &Expression| least(it).filter(|it| *it >= 0);
    match &expression.kind {
        ExpressionKind::Variable(Variable::System(system)) => match system {
            System::Uid | System::Pid | System::Tid | System::Nid | System::Any => Some(0),
            System::NumNodes | System::NumCpus | System::NumProcesses | System::NumThreads => {
                Some(1)
            }
            System::ProcNull => Some(-1),
        },
        ExpressionKind::Binary(op, left, right) => match (op, constant(right)) {
            (BinaryOp::Add, _) => least(left)?.checked_add(least(right)?),
            (BinaryOp::Subtract, Some(Constant::Int(value))) => least(left)?.checked_sub(value),
            (BinaryOp::Remainder | BinaryOp::ShiftRight, _) => natural(left).map(|_| 0),
            (BinaryOp::Multiply, _) => natural(left)?.checked_mul(natural(right)?),
            (BinaryOp::Divide | BinaryOp::BitOr | BinaryOp::BitXor, _) => {
                natural(left).and(natural(right)).map(|_| 0)
            }
            (BinaryOp::BitAnd, _) => natural(left).or(natural(right)).map(|_| 0),
            _ => None,
        },
        ExpressionKind::If(_, then, otherwise) => Some(least(then)?.min(least(otherwise)?)),
        _ => None,
    }
}
