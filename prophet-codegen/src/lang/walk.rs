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
    expression.visit(&mut |part| {
        if let ExpressionKind::Variable(variable) | ExpressionKind::Index(variable, _) = &part.kind
        {
            note(variable, Access::Read);
        }
    });
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
