//! Finds the variables that statements assign to, and what their values depend on.

use std::collections::BTreeSet;

use crate::index::ListPlace as _;
use crate::lang::ir::{Expression, ExpressionKind, Statement, Variable};
use prophet_model::model::CostFunction;

pub(super) fn assigned(statements: &[Statement]) -> BTreeSet<String> {
    let mut assigned = BTreeSet::new();
    each(statements, &mut |statement| {
        if let Statement::Assign { target, .. } = statement {
            assigned.extend(name_of(target).map(str::to_owned));
        }
    });
    assigned
}

/// Returns the values that statements assign to the model variable `name`. An assignment to an
/// array element counts as `None`.
pub(super) fn values<'s>(statements: &'s [Statement], name: &str) -> Vec<Option<&'s Expression>> {
    let mut values = Vec::new();
    each(statements, &mut |statement| {
        if let Statement::Assign {
            target,
            index,
            value,
        } = statement
            && name_of(target) == Some(name)
        {
            values.push(index.is_none().then_some(value));
        }
    });
    values
}

/// Returns the model variables that depend on a name in `varying`, through an assigned value or
/// through a condition on the assignment.
pub(super) fn targets(
    statements: &[Statement],
    functions: &[CostFunction],
    varying: &BTreeSet<String>,
) -> BTreeSet<String> {
    let mut spread = Spread {
        functions,
        varying,
        own: BTreeSet::new(),
        targets: BTreeSet::new(),
    };
    loop {
        let known = spread.own.len();
        spread.statements(statements, false);
        // A loop may read a variable before the statement that makes it vary, so repeat until
        // nothing is added.
        if spread.own.len() == known {
            return spread.targets;
        }
    }
}

struct Spread<'a> {
    functions: &'a [CostFunction],
    varying: &'a BTreeSet<String>,
    /// The fragment's local variables that vary.
    own: BTreeSet<String>,
    targets: BTreeSet<String>,
}

impl Spread<'_> {
    fn statements(&mut self, statements: &[Statement], depends: bool) {
        for statement in statements {
            match statement {
                Statement::Declare { name, value, .. } => {
                    if depends || value.as_ref().is_some_and(|it| self.varies(it)) {
                        self.own.insert(name.clone());
                    }
                }
                Statement::Assign {
                    target,
                    index,
                    value,
                } => {
                    let index = index.as_ref();
                    if depends || self.varies(value) || index.is_some_and(|it| self.varies(it)) {
                        self.note(target);
                    }
                }
                Statement::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let depends = depends || self.varies(condition);
                    self.statements(then, depends);
                    self.statements(otherwise, depends);
                }
                Statement::While {
                    condition,
                    body,
                    step,
                    ..
                } => {
                    let depends = depends || self.varies(condition);
                    self.statements(body, depends);
                    self.statements(step, depends);
                }
                Statement::Block(inside) => self.statements(inside, depends),
                Statement::Evaluate(_)
                | Statement::Return(_)
                | Statement::Break
                | Statement::Continue => {}
            }
        }
    }

    fn note(&mut self, target: &Variable) {
        match target {
            Variable::Own(name) => self.own.insert(name.clone()),
            other => match name_of(other) {
                Some(name) => self.targets.insert(name.to_owned()),
                None => false,
            },
        };
    }

    fn varies(&self, expression: &Expression) -> bool {
        let mut varies = false;
        expression.visit(&mut |part| {
            varies |= match &part.kind {
                ExpressionKind::Variable(variable) | ExpressionKind::Index(variable, _) => {
                    match variable {
                        Variable::Own(name) => self.own.contains(name),
                        Variable::System(system) => self.varying.contains(system.name()),
                        other => name_of(other).is_some_and(|name| self.varying.contains(name)),
                    }
                }
                ExpressionKind::Call(function, _) => self
                    .functions
                    .get(function.number())
                    .is_some_and(|it| self.varying.contains(&it.name.value)),
                ExpressionKind::Draw(..) => true,
                _ => false,
            };
        });
        varies
    }
}

fn name_of(variable: &Variable) -> Option<&str> {
    match variable {
        Variable::Local(name) => Some(name),
        _ => None,
    }
}

fn each<'s>(statements: &'s [Statement], note: &mut dyn FnMut(&'s Statement)) {
    for statement in statements {
        note(statement);
        match statement {
            Statement::If {
                then, otherwise, ..
            } => {
                each(then, note);
                each(otherwise, note);
            }
            Statement::While { body, step, .. } => {
                each(body, note);
                each(step, note);
            }
            Statement::Block(inside) => each(inside, note),
            _ => {}
        }
    }
}
