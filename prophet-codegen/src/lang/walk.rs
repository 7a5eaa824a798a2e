//! Visits every variable that a piece of code names.

use super::ir::{Expression, ExpressionKind, Statement, Variable};

/// What a piece of code does with a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// It uses its value, or an element of it.
    Read,
    /// It assigns to it; to an element of it counts as reading.
    Write,
}

/// Calls `note` for each variable in `expression`.
pub fn expression(expression: &Expression, note: &mut dyn FnMut(&Variable, Access)) {
    match &expression.kind {
        ExpressionKind::Int(_) | ExpressionKind::Real(_) | ExpressionKind::Bool(_) => {}
        ExpressionKind::Variable(variable) => note(variable, Access::Read),
        ExpressionKind::Index(variable, index) => {
            note(variable, Access::Read);
            self::expression(index, note);
        }
        ExpressionKind::Cast(inside)
        | ExpressionKind::Unary(_, inside)
        | ExpressionKind::Interpolate(_, inside) => self::expression(inside, note),
        ExpressionKind::Binary(_, left, right) => {
            self::expression(left, note);
            self::expression(right, note);
        }
        ExpressionKind::If(condition, then, otherwise) => {
            self::expression(condition, note);
            self::expression(then, note);
            self::expression(otherwise, note);
        }
        ExpressionKind::Call(_, arguments)
        | ExpressionKind::Builtin(_, arguments)
        | ExpressionKind::Draw(_, arguments) => {
            for argument in arguments {
                self::expression(argument, note);
            }
        }
    }
}

/// Calls `note` for each variable in `statements`, those declared in them included.
pub fn statements(statements: &[Statement], note: &mut dyn FnMut(&Variable, Access)) {
    for statement in statements {
        match statement {
            Statement::Declare { value, .. } => {
                if let Some(value) = value {
                    expression(value, note);
                }
            }
            Statement::Assign {
                target,
                index,
                value,
            } => {
                note(
                    target,
                    if index.is_some() {
                        Access::Read
                    } else {
                        Access::Write
                    },
                );
                if let Some(index) = index {
                    expression(index, note);
                }
                expression(value, note);
            }
            Statement::Evaluate(value) | Statement::Return(value) => expression(value, note),
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                expression(condition, note);
                self::statements(then, note);
                self::statements(otherwise, note);
            }
            Statement::While {
                condition,
                body,
                step,
                ..
            } => {
                expression(condition, note);
                self::statements(body, note);
                self::statements(step, note);
            }
            Statement::Break | Statement::Continue => {}
            Statement::Block(inside) => self::statements(inside, note),
        }
    }
}
