//! How often loops repeat.

use super::Facts;
use crate::program::{Expr, Loop, Stmt, Var, What};

impl Facts<'_> {
    /// Collects what the number of iterations of a loop without messages depends on: not the loop's
    /// own variable.
    pub(super) fn bounds(&self, of: &Loop, open: &mut Vec<Var>) {
        let steps = of.step.iter().flat_map(Stmt::expressions);
        let own: Vec<Var> = steps
            .flat_map(|it| self.set_by(it))
            .map(|it| it.0)
            .collect();
        let begins = of.init.iter().flat_map(Stmt::expressions);
        for part in of
            .condition
            .iter()
            .filter(|it| self.is_known(it))
            .chain(begins)
        {
            let sides = match part {
                Expr::Binary(_, one, other) => vec![&**one, &**other],
                Expr::Assign(_, to, value) => match **to {
                    Expr::Var(to) if own.contains(&to) => vec![&**value],
                    _ => Vec::new(),
                },
                _ => Vec::new(),
            };
            let is_own = |it: &&Expr| matches!(it, Expr::Var(it) if own.contains(it));
            for side in sides.into_iter().filter(|it| !is_own(it)) {
                self.mentioned(side, open);
            }
        }
    }
}

/// A loop whose variable goes from a begin by equal steps.
#[derive(Debug, Clone)]
pub(crate) struct Iterations<'l> {
    pub(crate) var: Var,
    /// What the variable is compared with.
    pub(crate) end: &'l Expr,
    pub(crate) begin: Expr,
    pub(crate) by: i64,
    pub(crate) number: Expr,
}

/// Returns how often a loop with affine bounds repeats.
pub(crate) fn iterations<'l>(facts: &Facts<'_>, of: &'l Loop) -> Option<Iterations<'l>> {
    let [step] = &of.step[..] else {
        return None;
    };
    let (var, by) = match &step.what {
        What::Do(Expr::Step(_, by, to)) => (to, *by),
        What::Do(Expr::Assign(operator, to, by)) => match (operator.as_str(), &**by) {
            ("+", Expr::Int(by)) => (to, *by),
            ("-", Expr::Int(by)) => (to, -by),
            _ => return None,
        },
        _ => return None,
    };
    let (Expr::Var(var), Some(Expr::Binary(operator, one, end))) = (&**var, &of.condition) else {
        return None;
    };
    let is_own = |it: &Expr| matches!(it, Expr::Var(own) if own == var);
    let (operator, end) = match (is_own(one), operator.as_str()) {
        (true, operator) => (operator, end),
        (false, "<") if is_own(end) => (">", one),
        (false, ">") if is_own(end) => ("<", one),
        (false, "<=") if is_own(end) => (">=", one),
        (false, ">=") if is_own(end) => ("<=", one),
        _ => return None,
    };
    let init: Vec<&Stmt> = of.init.iter().flat_map(Stmt::all).collect();
    let begin = init.iter().find_map(|it| match &it.what {
        What::Do(Expr::Assign(operator, to, value)) if operator.is_empty() && is_own(to) => {
            Some((**value).clone())
        }
        _ => None,
    });
    let begin = begin.unwrap_or(Expr::Var(*var));
    let far = |one: &Expr, other: &Expr| Expr::binary("-", one.clone(), other.clone());
    let way = match (operator, by > 0) {
        ("<", true) => far(end, &begin),
        ("<=", true) => Expr::binary("+", far(end, &begin), Expr::Int(1)),
        (">", false) => far(&begin, end),
        (">=", false) => Expr::binary("+", far(&begin, end), Expr::Int(1)),
        ("!=", true) if by == 1 => far(end, &begin),
        _ => return None,
    };
    let size = by.abs();
    let number = if size > 1 {
        let up = Expr::binary("+", way, Expr::Int(size - 1));
        Expr::binary("/", up, Expr::Int(size))
    } else {
        way
    };
    is_steady(facts, of, *var, end).then_some(Iterations {
        var: *var,
        end,
        begin,
        by,
        number,
    })
}

/// Returns whether a loop's body changes neither its variable nor its end.
fn is_steady(facts: &Facts<'_>, of: &Loop, var: Var, end: &Expr) -> bool {
    let mut fixed = vec![facts.plain(var)];
    fixed.extend(end.all().into_iter().filter_map(|it| match it {
        Expr::Var(var) | Expr::At(var, _) => Some(facts.plain(*var)),
        _ => None,
    }));
    let mut bodies = vec![&of.body];
    let mut seen = std::collections::BTreeSet::new();
    let has_call = end
        .all()
        .into_iter()
        .any(|it| matches!(it, Expr::Call(..) | Expr::Step(..)));
    while let Some(body) = bodies.pop() {
        for expression in body.expressions() {
            let sets = facts.set_by(expression);
            if sets.iter().any(|it| fixed.contains(&facts.plain(it.0))) {
                return false;
            }
            if let Expr::Call(name, _) = expression
                && let Some(function) = facts.program.functions.get(name)
                && seen.insert(name)
            {
                bodies.push(&function.body);
            }
        }
    }
    !has_call
}
