//! Evaluates expressions with values that are known before a run.

use super::ir::{BinaryOp, Expression, ExpressionKind, Type, UnaryOp, Variable};
use crate::index::FunctionIndex;

/// The value of a constant scalar expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant {
    /// An integer.
    Int(i64),
    /// A real number.
    Real(f64),
    /// A truth value.
    Bool(bool),
}

impl Constant {
    /// Returns `true` if the value makes a condition hold: `true`, or a number other than 0.
    pub fn holds(self) -> bool {
        match self {
            Self::Int(value) => value != 0,
            Self::Real(value) => value != 0.0,
            Self::Bool(value) => value,
        }
    }
}

/// Provides the values of the variables and functions that are known before a run.
pub trait Known {
    /// Returns a variable's value; `None` if it is unknown.
    fn variable(&self, variable: &Variable) -> Option<Constant>;
    /// Returns the result of a cost function for these arguments; `None` if it is unknown.
    fn call(&self, function: FunctionIndex, arguments: &[Constant]) -> Option<Constant>;
}

/// Knows no variables and no functions.
struct Nothing;

impl Known for Nothing {
    fn variable(&self, _: &Variable) -> Option<Constant> {
        None
    }

    fn call(&self, _: FunctionIndex, _: &[Constant]) -> Option<Constant> {
        None
    }
}

/// Evaluates an expression of literals and operators. Returns `None` for anything else, and if
/// evaluating it would stop the run.
pub fn constant(expression: &Expression) -> Option<Constant> {
    value(expression, &Nothing)
}

/// Evaluates an expression of literals, operators and `known` values. Returns `None` for anything
/// else, and if evaluating it would stop the run.
pub fn value(expression: &Expression, known: &dyn Known) -> Option<Constant> {
    let value = |expression| value(expression, known);
    match &expression.kind {
        ExpressionKind::Int(value) => Some(Constant::Int(*value)),
        ExpressionKind::Real(digits) => digits.parse().ok().map(Constant::Real),
        ExpressionKind::Bool(value) => Some(Constant::Bool(*value)),
        ExpressionKind::Variable(variable) => known.variable(variable),
        ExpressionKind::Cast(operand) => cast(value(operand)?, &expression.ty),
        ExpressionKind::Unary(op, operand) => unary(*op, value(operand)?),
        ExpressionKind::Binary(op, left, right) => {
            let left = value(left)?;
            match (op, left) {
                (BinaryOp::And, Constant::Bool(false)) | (BinaryOp::Or, Constant::Bool(true)) => {
                    Some(left)
                }
                _ => binary(*op, left, value(right)?),
            }
        }
        ExpressionKind::If(condition, then, otherwise) => {
            if value(condition)?.holds() {
                value(then)
            } else {
                value(otherwise)
            }
        }
        ExpressionKind::Call(function, arguments) => {
            let arguments: Option<Vec<Constant>> = arguments.iter().map(value).collect();
            known.call(*function, &arguments?)
        }
        ExpressionKind::Index(..)
        | ExpressionKind::Builtin(..)
        | ExpressionKind::Draw(..)
        | ExpressionKind::Neighbor(..)
        | ExpressionKind::Clc(_)
        | ExpressionKind::Rud(..)
        | ExpressionKind::Interpolate(..) => None,
    }
}

/// Converts a constant to the type `ty`; `None` for arrays.
pub fn cast(value: Constant, ty: &Type) -> Option<Constant> {
    Some(match (value, ty) {
        (_, Type::Bool) => Constant::Bool(value.holds()),
        (Constant::Int(_), Type::Int) | (Constant::Real(_), Type::Real) => value,
        #[expect(
            clippy::cast_precision_loss,
            reason = "C rounds to the nearest double as well"
        )]
        (Constant::Int(value), Type::Real) => Constant::Real(value as f64),
        #[expect(
            clippy::cast_possible_truncation,
            reason = "towards zero and saturating"
        )]
        (Constant::Real(value), Type::Int) => Constant::Int(value as i64),
        (Constant::Bool(value), Type::Int) => Constant::Int(i64::from(value)),
        (Constant::Bool(value), Type::Real) => Constant::Real(f64::from(u8::from(value))),
        (_, Type::Array(..)) => return None,
    })
}

pub(super) fn unary(op: UnaryOp, value: Constant) -> Option<Constant> {
    Some(match (op, value) {
        (UnaryOp::Negate, Constant::Int(value)) => Constant::Int(value.wrapping_neg()),
        (UnaryOp::Negate, Constant::Real(value)) => Constant::Real(-value),
        (UnaryOp::Not, Constant::Bool(value)) => Constant::Bool(!value),
        (UnaryOp::Complement, Constant::Int(value)) => Constant::Int(!value),
        _ => return None,
    })
}

/// Applies an operator to two operands. Returns `None` if the operator isn't defined for their
/// types, or if it divides by zero.
pub fn binary(op: BinaryOp, left: Constant, right: Constant) -> Option<Constant> {
    match (left, right) {
        (Constant::Int(left), Constant::Int(right)) => ints(op, left, right),
        (Constant::Real(left), Constant::Real(right)) => reals(op, left, right),
        (Constant::Bool(left), Constant::Bool(right)) => bools(op, left, right),
        _ => None,
    }
}

fn ints(op: BinaryOp, left: i64, right: i64) -> Option<Constant> {
    let distance = (right & 63).unsigned_abs();
    let distance = u32::try_from(distance).unwrap_or(0);
    let value = match op {
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Subtract => left.wrapping_sub(right),
        BinaryOp::Multiply => left.wrapping_mul(right),
        BinaryOp::Divide | BinaryOp::Remainder if right == 0 => return None,
        BinaryOp::Divide => left.wrapping_div(right),
        BinaryOp::Remainder => left.wrapping_rem(right),
        BinaryOp::ShiftLeft => left.wrapping_shl(distance),
        BinaryOp::ShiftRight => left.wrapping_shr(distance),
        BinaryOp::BitAnd => left & right,
        BinaryOp::BitOr => left | right,
        BinaryOp::BitXor => left ^ right,
        _ => return compare(op, &left, &right),
    };
    Some(Constant::Int(value))
}

fn reals(op: BinaryOp, left: f64, right: f64) -> Option<Constant> {
    let value = match op {
        BinaryOp::Add => left + right,
        BinaryOp::Subtract => left - right,
        BinaryOp::Multiply => left * right,
        BinaryOp::Divide => left / right,
        BinaryOp::Remainder => left % right,
        _ => return compare(op, &left, &right),
    };
    Some(Constant::Real(value))
}

fn bools(op: BinaryOp, left: bool, right: bool) -> Option<Constant> {
    let value = match op {
        BinaryOp::BitAnd | BinaryOp::And => left & right,
        BinaryOp::BitOr | BinaryOp::Or => left | right,
        BinaryOp::BitXor => left ^ right,
        _ => return compare(op, &left, &right),
    };
    Some(Constant::Bool(value))
}

fn compare<T: PartialOrd>(op: BinaryOp, left: &T, right: &T) -> Option<Constant> {
    let value = match op {
        BinaryOp::Equal => left == right,
        BinaryOp::NotEqual => left != right,
        BinaryOp::Less => left < right,
        BinaryOp::LessEqual => left <= right,
        BinaryOp::Greater => left > right,
        BinaryOp::GreaterEqual => left >= right,
        _ => return None,
    };
    Some(Constant::Bool(value))
}
