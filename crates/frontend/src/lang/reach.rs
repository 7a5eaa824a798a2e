//! Determines whether the flow can get past statements.

use super::constant::{Constant, constant};
use super::ir::{Expression, Statement};

/// Returns `true` if the flow can't get past the statements, because they return, leave a loop, or
/// run forever.
pub(super) fn ends(statements: &[Statement]) -> bool {
    statements.iter().any(statement_ends)
}

fn statement_ends(statement: &Statement) -> bool {
    match statement {
        Statement::Return(_) | Statement::Break | Statement::Continue => true,
        Statement::If {
            then, otherwise, ..
        } => ends(then) && ends(otherwise),
        Statement::Block(block) => ends(block),
        Statement::While {
            condition,
            body_first,
            body,
            ..
        } => {
            let forever = is_true(condition) && !leaves(body);
            forever || *body_first && ends(body) && !jumps(body)
        }
        Statement::Declare { .. } | Statement::Assign { .. } | Statement::Evaluate(_) => false,
    }
}

pub(super) fn is_true(condition: &Expression) -> bool {
    constant(condition) == Some(Constant::Bool(true))
}

/// Returns `true` if the statements contain a `break` that leaves the loop around them.
fn leaves(statements: &[Statement]) -> bool {
    any_jump(statements, &|statement| {
        matches!(statement, Statement::Break)
    })
}

/// Returns `true` if the statements contain a `break` or `continue` for the loop around them.
fn jumps(statements: &[Statement]) -> bool {
    any_jump(statements, &|statement| {
        matches!(statement, Statement::Break | Statement::Continue)
    })
}

fn any_jump(statements: &[Statement], is_jump: &dyn Fn(&Statement) -> bool) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::If {
            then, otherwise, ..
        } => any_jump(then, is_jump) || any_jump(otherwise, is_jump),
        Statement::Block(block) => any_jump(block, is_jump),
        other => is_jump(other),
    })
}

pub(super) fn prune(statements: &mut Vec<Statement>) {
    if let Some(last) = statements.iter().position(statement_ends) {
        statements.truncate(last + 1);
    }
}
