//! Tests the printer, and that its text can be read back.

// Shared with the front end's tests.
#[path = "../../../../crates/frontend/src/lang/tests/compiled.rs"]
mod compiled;
#[path = "../../../../crates/frontend/src/lang/tests/expressions.rs"]
mod expressions;
#[path = "../../../../crates/frontend/src/lang/tests/reading.rs"]
mod reading;

use proptest::prelude::*;

use expressions::random_expression;
use reading::{As, read, value};

use super::{Dialect, Divisor, Printer};
use crate::emit::Listing;
use prophet_frontend::index::{FunctionIndex, ListPlace as _, TableIndex};
use prophet_frontend::lang::ir::{
    BinaryOp, Curve, Expression, ExpressionKind as Kind, Statement, Type, UnaryOp, Usage, Variable,
};
use prophet_model::model::Language;

struct Plain;

impl Dialect for Plain {
    fn variable(&self, variable: &Variable) -> String {
        match variable {
            Variable::Global(index) => ["GV", "P", "ok", "A", "I"][index.number()].to_owned(),
            Variable::Parameter(_) => "NAT".to_owned(),
            Variable::Local(name) | Variable::Own(name) => name.clone(),
            Variable::System(system) => system.name().to_owned(),
        }
    }
    fn function(&self, index: FunctionIndex) -> String {
        ["FA1", "FSA2", "F", "even"][index.number()].to_owned()
    }
    fn interpolate(&self, _table: TableIndex, _curve: Curve, at: &[String]) -> String {
        format!("interpolate(\"table.csv\", {})", at.join(", "))
    }
    fn clc(&self, usages: &[(Option<String>, &str)]) -> String {
        format!("clc(\"{}\")", Usage::list(usages.iter().cloned()))
    }
}

/// A dialect that replaces everything that can fail with function calls.
struct Exact;

impl Dialect for Exact {
    fn variable(&self, variable: &Variable) -> String {
        Plain.variable(variable)
    }
    fn function(&self, index: FunctionIndex) -> String {
        Plain.function(index)
    }
    fn leading_arguments(&self, _function: FunctionIndex) -> Vec<String> {
        vec!["unit".to_owned()]
    }
    fn ty(&self, ty: &Type) -> &'static str {
        match ty {
            Type::Int => "int64_t",
            other => Plain.ty(other),
        }
    }
    fn int(&self, value: u64, _wide: bool) -> String {
        format!("INT64_C({value})")
    }
    fn cast(&self, from: &Type, to: &Type, operand: &str) -> Option<String> {
        let truncates = (from, to) == (&Type::Real, &Type::Int);
        truncates.then(|| format!("truncate({operand})"))
    }
    fn binary(&self, op: BinaryOp, ty: &Type, left: &str, right: Divisor<'_>) -> Option<String> {
        let divides = op == BinaryOp::Divide && *ty == Type::Int;
        divides.then(|| format!("div({left}, {})", right.text))
    }
    fn item(&self, array: &str, index: &str) -> String {
        format!("{array}[at({index}, {array})]")
    }
    fn interpolate(&self, table: TableIndex, _curve: Curve, at: &[String]) -> String {
        format!("interpolate({table}, {})", at.join(", "))
    }
    fn clc(&self, usages: &[(Option<String>, &str)]) -> String {
        Plain.clc(usages)
    }
    fn turn(&self) -> Option<String> {
        Some("count();".to_owned())
    }
}

fn text(dialect: &dyn Dialect, c: &str) -> String {
    Printer::new(dialect).converted(&value(c, Language::C))
}

fn fragment(dialect: &dyn Dialect, code: &str, language: Language) -> String {
    let (statements, messages) = read(code, language, As::Fragment);
    let mut lines = Listing::new(0);
    let statements = statements.unwrap_or_else(|| panic!("{code}: {messages:?}"));
    Printer::fragment(dialect, &statements, &mut lines);
    lines.into()
}

#[test]
fn expressions_are_written_as_their_authors_do() {
    for (model, printed) in [
        ("121/P", "121 / P"),
        ("32/(pid+1)", "32 / (pid + 1)"),
        ("3.14 + 2.71*P", "3.14 + 2.71 * P"),
        ("(double) GV / k", "(double)GV / k"),
        ("GV / (double) k", "(double)GV / k"),
        ("((GV - k) - 1) - (k - 2)", "GV - k - 1 - (k - 2)"),
        ("-(-GV)", "-(-GV)"),
        (
            "GV % 3 == 0 && (ok || P > 1)",
            "GV % 3 == 0 && (ok || P > 1)",
        ),
        ("GV && k || ok", "(GV && k) || ok"),
        ("(GV + 1) << 2", "(GV + 1) << 2"),
        ("(GV & 1) + 1", "(GV & 1) + 1"),
        ("!(GV == k)", "!(GV == k)"),
        ("!GV == ok", "(!GV) == ok"),
        ("ok ? 1 : P", "ok ? 1 : P"),
        ("1 << 40", "1L << 40"),
        ("100000 * 100000", "100000L * 100000"),
        ("(ok ? 1 : 2) * 3", "(long)(ok ? 1 : 2) * 3"),
        ("(long) P", "(long)P"),
        ("A[GV + 1] * sqrt(2)", "A[GV + 1] * sqrt(2)"),
        ("max(1, (long) P)", "max(1, (long)P)"),
        ("FSA2(2.5)", "FSA2(2.5)"),
        ("abs(GV)", "labs(GV)"),
        ("uniform(0, 1)", "uniform(0, 1)"),
        (
            "interpolate(\"table.csv\", GV)",
            "interpolate(\"table.csv\", GV)",
        ),
        ("-9223372036854775808", "-9223372036854775807L - 1"),
        ("GV * k || ok", "GV * k != 0 || ok"),
    ] {
        assert_eq!(text(&Plain, model), printed, "{model}");
    }
}

#[test]
fn a_dialect_replaces_operators() {
    for (model, printed) in [
        ("GV / k + FA1()", "div(GV, k) + FA1(unit)"),
        ("(long) P / (k + 1)", "div(truncate(P), k + INT64_C(1))"),
        ("I[k]", "I[at(k, I)]"),
        ("(double) GV / k", "(double)GV / k"),
    ] {
        assert_eq!(text(&Exact, model), printed, "{model}");
    }
    let printed = fragment(&Exact, "I[k] /= 2; while (k < 3) k++;", Language::C);
    let expected = "I[at(k, I)] = div(I[at(k, I)], INT64_C(2));\n\
        while (k < INT64_C(3))\n{\n    count();\n    k++;\n}\n";
    assert_eq!(printed, expected);
}

#[test]
fn statements_are_written_as_their_authors_do() {
    let code = "GV = 1; P = 3.14; long n = 2, unused; double a[3] = {1, 2}; bool b[2];
        for (long i = 0; i < n; i++) { if (i == 1) continue; else if (ok) break; else P += i; }
        do { a[n - 1] *= 2; b[0] = ok; } while (a[1] < 9); { long n = 3; GV = n; }";
    let expected = include_str!("tests/statements.c");
    assert_eq!(fragment(&Plain, code, Language::C), expected);
}

#[test]
fn names_that_c_takes_otherwise_are_changed() {
    let code = "let P = P + 1.0; let P = P * 2.0; let class = GV; GV = class; P_ = P;";
    let code = code.replace("P_ = P;", "let sqrt = P.sqrt(); A[0] = sqrt;");
    let expected = include_str!("tests/names.c");
    assert_eq!(fragment(&Plain, &code, Language::Rust), expected);
}

/// Removes what C text doesn't show: signs of literals, and conversions to bool.
fn canonical(expression: &Expression) -> Expression {
    let whole = |kind| Expression {
        kind,
        ty: expression.ty.clone(),
    };
    let boxed = |it: &Expression| Box::new(canonical(it));
    let all = |them: &[Expression]| them.iter().map(canonical).collect();
    match &expression.kind {
        Kind::Int(i64::MIN) => canonical(&value_of("-9223372036854775807 - 1")),
        Kind::Int(value) if *value < 0 => whole(Kind::Unary(
            UnaryOp::Negate,
            Box::new(whole(Kind::Int(-value))),
        )),
        Kind::Cast(inside) if expression.ty == Type::Bool => {
            let zero = Expression {
                kind: Kind::Int(0),
                ty: Type::Int,
            };
            let zero = match inside.ty {
                Type::Real => Expression {
                    kind: Kind::Cast(Box::new(zero)),
                    ty: Type::Real,
                },
                _ => zero,
            };
            whole(Kind::Binary(
                BinaryOp::NotEqual,
                boxed(inside),
                Box::new(zero),
            ))
        }
        Kind::Cast(inside) => whole(Kind::Cast(boxed(inside))),
        Kind::Index(array, index) => whole(Kind::Index(array.clone(), boxed(index))),
        Kind::Unary(op, inside) => whole(Kind::Unary(*op, boxed(inside))),
        Kind::Binary(op, left, right) => whole(Kind::Binary(*op, boxed(left), boxed(right))),
        Kind::If(condition, then, otherwise) => {
            whole(Kind::If(boxed(condition), boxed(then), boxed(otherwise)))
        }
        Kind::Call(function, arguments) => whole(Kind::Call(*function, all(arguments))),
        Kind::Builtin(builtin, arguments) => whole(Kind::Builtin(*builtin, all(arguments))),
        Kind::Draw(variate, arguments) => whole(Kind::Draw(*variate, all(arguments))),
        Kind::Neighbor(of, arguments) => whole(Kind::Neighbor(*of, all(arguments))),
        Kind::Interpolate(table, curve, at) => whole(Kind::Interpolate(*table, *curve, all(at))),
        other => whole(other.clone()),
    }
}

/// Returns the int expression that this text is read as.
fn value_of(text: &str) -> Expression {
    match value(text, Language::C).kind {
        Kind::Cast(inside) => *inside,
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: prophet_testing::cases(2000),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_is_printed_means_what_was_read(seed in any::<u64>()) {
        if let Some(text) = random_expression(seed) {
            let first = value(&text, Language::C);
            let printed = Printer::new(&Plain).converted(&first);
            let second = value(&printed, Language::C);
            prop_assert_eq!(
                canonical(&first), canonical(&second), "{} printed as {}", text, printed
            );
        }
    }
}

#[test]
fn what_is_printed_means_the_same_to_a_c_compiler() {
    if !prophet_testing::has("gcc", "--version") {
        return;
    }
    let cases = compiled::cases();
    let forms = |c: &str| vec![c.to_owned(), text(&Plain, c)];
    for ((c, ..), values) in cases.iter().zip(compiled::values(&cases, forms)) {
        let bits: Vec<u64> = values.into_iter().map(f64::to_bits).collect();
        assert_eq!(bits[0], bits[1], "{c} printed as {}", text(&Plain, c));
    }
}

#[test]
fn functions_that_are_printed_mean_what_was_read() {
    for body in [
        "double sum = 0; for (int i = 0, j = 9; i < n; i++, j--) sum += j * A[i % 8]; return sum;",
        "if (n > 3) return 1; else if (n) { int k = n; while (k > 0) k -= 2; return k; } return 0;",
        "int i = 3; do { i--; if (i == 2) continue; n = n / i; } while (i); return n;",
        "for (;;) { n <<= 1; if (n > 100) break; } return (n & 7) == 3 ? n : -n;",
    ] {
        let (first, messages) = read(body, Language::C, As::Body);
        let first = first.unwrap_or_else(|| panic!("{body}: {messages:?}"));
        let mut lines = Listing::new(0);
        Printer::fragment(&Plain, &first, &mut lines);
        let printed = String::from(lines);
        let (second, messages) = read(&printed, Language::C, As::Body);
        let second = second.unwrap_or_else(|| panic!("{printed}: {messages:?}"));
        assert_eq!(statements(&first), statements(&second), "{printed}");
    }
}

fn statements(all: &[Statement]) -> Vec<String> {
    let mut parts = vec![format!("{}", all.len())];
    prophet_frontend::lang::walk::expressions(all, &mut |it| {
        parts.push(format!("{:?}", canonical(it)));
    });
    parts
}
