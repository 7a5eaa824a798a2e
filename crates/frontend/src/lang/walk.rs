//! Visits all variables or expressions in a piece of code.

use super::ir::{Expression, ExpressionKind, Statement, Variable};

/// How a piece of code uses a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// The code reads the variable, or one of its elements.
    Read,
    /// The code assigns to the variable. Assigning to an array element counts as a read.
    Write,
}

/// Calls `note` for each use of a variable in `expression`.
pub fn expression(expression: &Expression, note: &mut dyn FnMut(&Variable, Access)) {
    expression.visit(&mut |part| {
        if let ExpressionKind::Variable(variable) | ExpressionKind::Index(variable, _) = &part.kind
        {
            note(variable, Access::Read);
        }
    });
}

/// Calls `note` for each use of a variable in `statements`, including declarations.
pub fn statements(statements: &[Statement], note: &mut dyn FnMut(&Variable, Access)) {
    parts(statements, &mut |part| match part {
        Part::Target(variable, access) => note(variable, access),
        Part::Expression(value) => expression(value, note),
    });
}

/// Calls `visit` for each expression in `statements` that isn't part of another expression.
pub fn expressions(statements: &[Statement], visit: &mut dyn FnMut(&Expression)) {
    parts(statements, &mut |part| {
        if let Part::Expression(value) = part {
            visit(value);
        }
    });
}

/// Returns `true` if the code contains a loop.
pub fn has_loop(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::While { .. } => true,
        Statement::If {
            then, otherwise, ..
        } => has_loop(then) || has_loop(otherwise),
        Statement::Block(inside) => has_loop(inside),
        Statement::Declare { .. }
        | Statement::Assign { .. }
        | Statement::Evaluate(_)
        | Statement::Break
        | Statement::Continue
        | Statement::Return(_) => false,
    })
}

enum Part<'s> {
    Target(&'s Variable, Access),
    Expression(&'s Expression),
}

fn parts(statements: &[Statement], see: &mut dyn FnMut(Part<'_>)) {
    for statement in statements {
        match statement {
            Statement::Declare { value, .. } => {
                if let Some(value) = value {
                    see(Part::Expression(value));
                }
            }
            Statement::Assign {
                target,
                index,
                value,
            } => {
                let access = if index.is_some() {
                    Access::Read
                } else {
                    Access::Write
                };
                see(Part::Target(target, access));
                if let Some(index) = index {
                    see(Part::Expression(index));
                }
                see(Part::Expression(value));
            }
            Statement::Evaluate(value) | Statement::Return(value) => see(Part::Expression(value)),
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                see(Part::Expression(condition));
                parts(then, see);
                parts(otherwise, see);
            }
            Statement::While {
                condition,
                body,
                step,
                ..
            } => {
                see(Part::Expression(condition));
                parts(body, see);
                parts(step, see);
            }
            Statement::Break | Statement::Continue => {}
            Statement::Block(inside) => parts(inside, see),
        }
    }
}
