//! Proves that at least one of several guards always holds.
//!
//! The proof succeeds if guards that compare the same two values cover `<`, `=` and `>`. It also
//! succeeds if guards that compare variables with constants cover all values that make a
//! difference. Otherwise, all guards may fail.

use crate::lang::constant::{Constant, constant};
use crate::lang::ir::{BinaryOp, Expression, ExpressionKind, System, Type, UnaryOp, Variable};

const COMBINATIONS_MAX: usize = 4096;

/// Returns `true` if at least one guard holds for every combination of values. `values` returns the
/// possible values of a model variable if they are known.
pub(super) fn cover(guards: &[Expression], values: &dyn Fn(&str) -> Option<Vec<Constant>>) -> bool {
    let always = |guard: &Expression| constant(guard) == Some(Constant::Bool(true));
    guards.iter().any(always)
        || covers_an_order(guards)
        || contradicts(guards)
        || covers_all_values(guards, values)
}

/// Returns `true` if a guard is the negation of another.
fn contradicts(guards: &[Expression]) -> bool {
    guards.iter().any(|guard| match &guard.kind {
        ExpressionKind::Unary(UnaryOp::Not, inside) => guards.iter().any(|it| *it == **inside),
        _ => false,
    })
}

/// Whether a comparison holds if its left operand is less than, equal to, or greater than the right
/// one.
type Orderings = [bool; 3];

/// Returns a comparison's operands, and the orderings that it holds for.
fn comparison(guard: &Expression) -> Option<(&Expression, &Expression, Orderings)> {
    let ExpressionKind::Binary(op, left, right) = &guard.kind else {
        return None;
    };
    let order = match op {
        BinaryOp::Less => [true, false, false],
        BinaryOp::LessEqual => [true, true, false],
        BinaryOp::Equal => [false, true, false],
        BinaryOp::NotEqual => [true, false, true],
        BinaryOp::GreaterEqual => [false, true, true],
        BinaryOp::Greater => [false, false, true],
        _ => return None,
    };
    Some((left, right, order))
}

fn covers_an_order(guards: &[Expression]) -> bool {
    let all: Vec<_> = guards.iter().filter_map(comparison).collect();
    all.iter().any(|(left, right, _)| {
        let mut covered = [false; 3];
        for (other_left, other_right, order) in &all {
            let mut order = *order;
            if (left, right) == (other_right, other_left) && left != right {
                order.reverse();
            } else if (left, right) != (other_left, other_right) {
                continue;
            }
            for (covered, holds) in covered.iter_mut().zip(order) {
                *covered |= holds;
            }
        }
        covered == [true; 3]
    })
}

fn covers_all_values(
    guards: &[Expression],
    values: &dyn Fn(&str) -> Option<Vec<Constant>>,
) -> bool {
    let mut atoms: Vec<Atom> = Vec::new();
    if !guards.iter().all(|guard| collect(guard, &mut atoms)) {
        return false;
    }
    let domains: Vec<Vec<Constant>> = atoms.iter().map(|it| it.domain(values)).collect();
    let combinations = domains
        .iter()
        .try_fold(1_usize, |count, domain| count.checked_mul(domain.len()));
    if combinations.is_none_or(|count| count > COMBINATIONS_MAX) {
        return false;
    }
    (0..combinations.unwrap_or(0)).all(|combination| {
        let mut rest = combination;
        let chosen: Vec<(&Expression, Constant)> = atoms
            .iter()
            .zip(&domains)
            .map(|(atom, domain)| {
                let value = domain[rest % domain.len()];
                rest /= domain.len();
                (&atom.expression, value)
            })
            .collect();
        guards
            .iter()
            .any(|guard| constant(&substitute(guard, &chosen)) == Some(Constant::Bool(true)))
    })
}

/// A variable, or the remainder of a division, that guards compare with constants.
struct Atom {
    expression: Expression,
    compared_with: Vec<i64>,
}

impl Atom {
    /// Returns all values of the atom that can make a difference to a guard.
    fn domain(&self, values: &dyn Fn(&str) -> Option<Vec<Constant>>) -> Vec<Constant> {
        let least = match &self.expression.kind {
            ExpressionKind::Variable(Variable::Local(name)) => {
                if let Some(values) = values(name) {
                    return values;
                }
                i64::MIN
            }
            ExpressionKind::Variable(Variable::System(system)) => i64::from(counts(*system)),
            ExpressionKind::Binary(BinaryOp::Remainder, _, divisor) => {
                if let ExpressionKind::Int(divisor @ 1..=64) = divisor.kind {
                    return (0..divisor).map(Constant::Int).collect();
                }
                i64::MIN
            }
            _ => i64::MIN,
        };
        if self.expression.ty == Type::Bool {
            return vec![Constant::Bool(false), Constant::Bool(true)];
        }
        let mut domain: Vec<i64> = Vec::new();
        for &value in &self.compared_with {
            domain.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
        }
        domain.retain(|value| *value >= least);
        domain.sort_unstable();
        domain.dedup();
        domain.into_iter().map(Constant::Int).collect()
    }
}

/// Returns `true` if a system name is a count, and therefore at least 1. Other system names are at
/// least 0.
fn counts(system: System) -> bool {
    matches!(
        system,
        System::NumNodes | System::NumCpus | System::NumProcesses | System::NumThreads
    )
}

/// Collects a guard's comparisons with constants. Returns `true` if the guard contains nothing
/// else.
fn collect(guard: &Expression, atoms: &mut Vec<Atom>) -> bool {
    match &guard.kind {
        ExpressionKind::Bool(_) => true,
        ExpressionKind::Unary(UnaryOp::Not, inside) => collect(inside, atoms),
        ExpressionKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
            collect(left, atoms) && collect(right, atoms)
        }
        ExpressionKind::Variable(_) if guard.ty == Type::Bool => {
            note(guard, None, atoms);
            true
        }
        // C treats a number as a condition.
        ExpressionKind::Cast(inside) if guard.ty == Type::Bool && is_atom(inside) => {
            note(inside, Some(0), atoms);
            true
        }
        _ => {
            let Some((left, right, _)) = comparison(guard) else {
                return false;
            };
            let (atom, value) = match (integer(left), integer(right)) {
                (None, Some(value)) => (left, value),
                (Some(value), None) => (right, value),
                _ => return false,
            };
            if is_atom(atom) {
                note(atom, Some(value), atoms);
            }
            is_atom(atom)
        }
    }
}

fn integer(expression: &Expression) -> Option<i64> {
    match constant(expression)? {
        Constant::Int(value) => Some(value),
        _ => None,
    }
}

fn is_atom(expression: &Expression) -> bool {
    let is_int = expression.ty == Type::Int;
    match &expression.kind {
        ExpressionKind::Variable(_) => is_int,
        ExpressionKind::Binary(BinaryOp::Remainder, left, right) => {
            let is_variable = matches!(left.kind, ExpressionKind::Variable(_));
            is_int && is_variable && matches!(right.kind, ExpressionKind::Int(1..))
        }
        _ => false,
    }
}

fn note(expression: &Expression, value: Option<i64>, atoms: &mut Vec<Atom>) {
    match atoms.iter_mut().find(|it| it.expression == *expression) {
        Some(atom) => atom.compared_with.extend(value),
        None => atoms.push(Atom {
            expression: expression.clone(),
            compared_with: value.into_iter().collect(),
        }),
    }
}

/// Replaces the atoms in a guard with values.
fn substitute(guard: &Expression, chosen: &[(&Expression, Constant)]) -> Expression {
    if let Some((_, value)) = chosen.iter().find(|(atom, _)| *atom == guard) {
        let kind = match value {
            Constant::Int(value) => ExpressionKind::Int(*value),
            Constant::Bool(value) => ExpressionKind::Bool(*value),
            Constant::Real(value) => ExpressionKind::Real(format!("{value:?}")),
        };
        let ty = guard.ty.clone();
        return Expression { kind, ty };
    }
    let inside = |it: &Expression| Box::new(substitute(it, chosen));
    let kind = match &guard.kind {
        ExpressionKind::Unary(op, operand) => ExpressionKind::Unary(*op, inside(operand)),
        ExpressionKind::Cast(operand) => ExpressionKind::Cast(inside(operand)),
        ExpressionKind::Binary(op, left, right) => {
            ExpressionKind::Binary(*op, inside(left), inside(right))
        }
        other => other.clone(),
    };
    let ty = guard.ty.clone();
    Expression { kind, ty }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::scope::{Binding, Scope};
    use crate::lang::{self, CodePlace};
    use prophet_model::diagnostic::Diagnostics;
    use prophet_model::model::{Code, Language};
    use prophet_model::source::{Source, Text};

    /// Returns `true` if the guards cover all cases. `V` is an integer that can be 0, 1 or 2.
    fn covers(guards: &[&str]) -> bool {
        let mut scope = Scope::default();
        for (name, ty) in [
            ("I", Type::Int),
            ("V", Type::Int),
            ("X", Type::Real),
            ("B", Type::Bool),
        ] {
            let binding = Binding {
                variable: Variable::Local(name.to_owned()),
                ty,
                writable: true,
            };
            scope.variables.insert(name.to_owned(), binding);
        }
        let source = Source::new(String::new(), String::new());
        let expressions: Vec<Expression> = guards
            .iter()
            .map(|guard| {
                let text = Text {
                    value: (*guard).to_owned(),
                    ..Text::default()
                };
                let code = Code {
                    language: Language::C,
                    text,
                };
                let place = CodePlace {
                    source: &source,
                    element: "",
                };
                let mut problems = Diagnostics::new();
                lang::expression(&code, &Type::Bool, &scope, place, &mut problems)
                    .unwrap_or_else(|| panic!("{guard} is C: {problems:?}"))
            })
            .collect();
        let values = |name: &str| (name == "V").then(|| (0..3).map(Constant::Int).collect());
        cover(&expressions, &values)
    }

    #[test]
    fn what_covers_everything_is_known() {
        for guards in [
            &["I < 3", "I >= 3"][..],
            &["I < pid", "I == pid", "pid < I"],
            &["X < 0.5", "X >= 0.5"],
            &["X * 2 < I", "!(X * 2 < I)"],
            &["B", "!B"],
            &["I", "I == 0"],
            &["pid % 3 == 0", "pid % 3 == 1", "pid % 3 == 2"],
            &["pid == 0", "pid > 0"],
            &["pid == 0", "pid >= 1 && pid < 4", "pid >= 4"],
            &["V == 0", "V == 1", "V == 2"],
            &["I < 0 || I > 5", "I >= 0 && B", "I <= 5 && !B"],
            &["true", "I > 1"],
        ] {
            assert!(covers(guards), "{guards:?}");
        }
    }

    #[test]
    fn what_may_fail_is_known() {
        for guards in [
            &["I < 3", "I > 3"][..],
            &["pid == 0", "pid == 1"],
            &["V == 0", "V == 2"],
            &["pid % 3 == 0", "pid % 3 == 1"],
            &["X < 0.5", "X > 0.5"],
            &["B"],
            &["I == 0 && B", "I != 0"],
            &["uniform(0, 1) < 0.5", "uniform(0, 1) > 0.5"],
        ] {
            assert!(!covers(guards), "{guards:?}");
        }
    }
}
