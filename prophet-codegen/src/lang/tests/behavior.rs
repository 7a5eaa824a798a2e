//! Meaning of code: conversions, statements, needs, constants.

use super::{As, read, value};
use crate::index::{GlobalIndex, ListPlace as _, TableIndex};
use crate::lang::constant::{Constant, constant};
use crate::lang::evaluate::{Fault, Flow, Function, Machine, Value};
use crate::lang::ir::{Expression, ExpressionKind, Needs, Signature, Statement, Type, Variable};
use crate::lang::needs::assigns;
use crate::lang::{CodePlace, function_body};
use prophet_model::diagnostic::Diagnostics;
use prophet_model::model::Language;
use prophet_testing::assert_cases;

/// A machine with the variables of the tests' scope: `n` is 5, `GV` 7, `P` 2.5, `NAT` 32, `pid` 3.
fn machine() -> Machine {
    Machine {
        globals: [
            Value::Scalar(Constant::Int(7)),
            Value::Scalar(Constant::Real(2.5)),
            Value::Scalar(Constant::Bool(true)),
            Value::Array(
                (0..8_u8)
                    .map(|i| Constant::Real(f64::from(i) / 2.0))
                    .collect(),
            ),
            Value::Array((10..14).map(Constant::Int).collect()),
        ]
        .into(),
        parameters: [Constant::Int(32)].into(),
        locals: [("k".to_owned(), Value::Scalar(Constant::Int(4)))].into(),
        pid: 2, // The first of the system's names is `uid`.
        ..Machine::default()
    }
}

/// Calls the code as the function `work(5)`.
fn call(text: &str, language: Language) -> Result<Constant, Fault> {
    let (body, messages) = read(text, language, As::Body);
    let body = body.unwrap_or_else(|| panic!("{text}: {messages:?}"));
    let mut machine = machine();
    let function = machine.functions.push(Function {
        arguments: vec!["n".to_owned()],
        body,
    });
    machine.call(function, vec![Constant::Int(5)])
}

#[test]
fn code_has_its_values() {
    assert_cases("tests/cases/values.txt", |case| {
        let language = match &*case.title {
            "Rust means what it says" => Language::Rust,
            _ => Language::C,
        };
        let value = |text: &str| match call(text, language) {
            Ok(Constant::Real(value)) => format!("{value}: {text}\n"),
            other => format!("{other:?}: {text}\n"),
        };
        case.input.lines().map(value).collect()
    });
}

#[test]
fn what_cannot_go_on_stops() {
    for (text, fault) in [
        ("1/(GV-7)", Fault::DivisionByZero),
        ("GV %= n - 5; return 1;", Fault::DivisionByZero),
        ("A[n+3]", Fault::IndexOutOfRange),
        ("A[-n]", Fault::IndexOutOfRange),
        ("I[GV] = 1; return 1;", Fault::IndexOutOfRange),
        ("while (n) GV++; return 1;", Fault::TooManySteps),
        ("uniform(0, 1)", Fault::Unavailable),
    ] {
        assert_eq!(call(text, Language::C), Err(fault), "{text}");
    }
    assert_eq!(
        call("1/(P-2.5)", Language::C),
        Ok(Constant::Real(f64::INFINITY))
    );
}

#[test]
fn functions_of_the_model_are_called() {
    let mut machine = machine();
    for (arguments, text) in [(vec![], "2.5"), (vec!["x".to_owned()], "NAT/2")] {
        let body = vec![Statement::Return(value(text, Language::C))];
        machine.functions.push(Function { arguments, body });
    }
    let sum = value("FA1() + FSA2(1)", Language::C);
    assert_eq!(machine.evaluate(&sum), Ok(Constant::Real(18.5)));
    let hidden = read("FA1();", Language::C, As::Fragment).0.unwrap();
    assert_eq!(machine.run(&hidden), Ok(Flow::Next));
}

fn kind(text: &str) -> ExpressionKind {
    value(text, Language::C).kind
}

#[test]
fn literals_stay_as_written() {
    for (text, digits) in [
        ("3.14", "3.14"),
        ("1e-6", "1e-6"),
        (".5f", "0.5"),
        ("2.L", "2.0"),
        ("0x1p-1", "0.5"),
    ] {
        assert_eq!(
            kind(text),
            ExpressionKind::Real(digits.to_owned()),
            "{text}"
        );
    }
    let ExpressionKind::Cast(int) = kind("-9223372036854775808") else {
        panic!("an int becomes a real by a cast");
    };
    assert_eq!(int.kind, ExpressionKind::Int(i64::MIN));
}

#[test]
fn draws_and_tables_have_their_arguments_converted() {
    let types = |text: &str| {
        let mut types = Vec::new();
        value(text, Language::C).visit(&mut |part: &Expression| types.push(part.ty.clone()));
        format!("{types:?}")
    };
    assert_eq!(types("erlang(2.0, 3)"), "[Real, Int, Real, Real, Int]");
    assert_eq!(types("poisson(2.0)"), "[Real, Int, Real]");
    assert_eq!(types("bernoulli(0.5)"), "[Real, Bool, Real]");
    assert_eq!(
        types("interpolate(\"table.csv\", pid)"),
        "[Real, Real, Int]"
    );
    assert_eq!(
        types("interpolate(\"grid.csv\", 2.0, pid, \"monotone\")"),
        "[Real, Real, Real, Int]"
    );
    for text in [
        "uniform(0, 1)",
        "exponential(1)",
        "normal(0, 1)",
        "lognormal(0, 1)",
        "gamma(1, 2)",
        "erlang(2, 1)",
        "weibull(1, 2)",
        "triangular(0, 1, 2)",
        "poisson(3)",
        "bernoulli(0.5)",
    ] {
        assert!(value(text, Language::C).needs().stream, "{text}");
    }
}

#[test]
fn needs_are_told() {
    let needs = |text: &str| {
        let needs = value(text, Language::C).needs();
        let calls: Vec<usize> = needs.calls.iter().map(|it| it.number()).collect();
        let calls = format!("{calls:?}");
        let flags = [
            (needs.globals, "globals"),
            (needs.system, "system"),
            (needs.stream, "stream"),
            (needs.fallible, "fallible"),
            (!needs.calls.is_empty(), calls.as_str()),
        ];
        let words: Vec<&str> = flags.iter().filter(|f| f.0).map(|f| f.1).collect();
        words.join(" ")
    };
    for (text, expected) in [
        ("1 + k", ""),
        ("P", "globals"),
        ("NAT", "globals"),
        ("pid", "system"),
        ("k / 2", ""),
        ("k % -2", ""),
        ("k / 2.5", ""),
        ("k / (1 + 1)", "fallible"),
        ("k / k", "fallible"),
        ("A[0]", "globals fallible"),
        ("uniform(0, 1)", "stream fallible"),
        ("FA1() + F(FSA2(pid))", "system [0, 1, 2]"),
        ("interpolate(\"table.csv\", k)", "system"),
    ] {
        assert_eq!(needs(text), expected, "{text}");
    }
    for (text, fallible) in [
        ("k = 1;", false),
        ("while (k) k--;", true),
        ("A[1] = 2;", true),
        ("if (k) { int x = 1 / k; k = x; }", true),
    ] {
        let statements = read(text, Language::C, As::Fragment).0.unwrap();
        assert_eq!(Needs::of(&statements).fallible, fallible, "{text}");
    }
}

#[test]
fn constants_are_known() {
    for (text, expected) in [
        ("1 + 2 * 3", Some(7.0)),
        ("7 / 2 + 0.5", Some(3.5)),
        ("1 ? 2 : pid", Some(2.0)),
        ("0 && pid", Some(0.0)),
        ("pid", None),
        ("sqrt(4)", None),
    ] {
        let constant = constant(&value(text, Language::C));
        assert_eq!(constant, expected.map(Constant::Real), "{text}");
    }
}

#[test]
fn assignments_are_found_where_rust_wants_mut() {
    for (text, expected) in [
        ("int x = 1; GV = x;", false),
        ("int x = 1; x = 2;", true),
        ("int x = 1; { int x = 2; x = 3; }", false),
        ("int x = 1; while (GV) { GV--; if (P) { x++; } }", true),
        ("int x = 1; for (GV = 1; GV; x--) {}", true),
    ] {
        let statements = read(text, Language::C, As::Fragment).0.unwrap();
        assert_eq!(assigns(&statements[1..], "x"), expected, "{text}");
    }
}

#[test]
fn unreachable_statements_are_dropped() {
    let body = |text: &str| read(text, Language::C, As::Body).0.unwrap();
    assert_eq!(body("return 1; GV = 2;").len(), 1);
    assert_eq!(body("while (1) { n++; } return 1;").len(), 1);
    assert_eq!(body("if (n) return 1; else return 2; return 3;").len(), 1);
    assert_eq!(body("do { return 1; } while (n); return 3;").len(), 1);
    assert_eq!(
        body("do { if (n) continue; return 1; } while (n); return 3;").len(),
        2
    );
}

#[test]
fn names_of_the_model_hide_those_of_the_language() {
    let argument = read("return n + GV;", Language::C, As::Body).0.unwrap();
    let mut variables = Vec::new();
    let Statement::Return(value) = &argument[0] else {
        panic!("{argument:?}");
    };
    value.visit(&mut |part| {
        if let ExpressionKind::Variable(variable) = &part.kind {
            variables.push(variable.clone());
        }
    });
    let own = Variable::Own("n".to_owned());
    assert_eq!(variables, [own, Variable::Global(GlobalIndex::new(0))]);
    // Keywords of one language are names in the other, also before an operator.
    let text = "int in = 2, as = 3, loop = 4; return in * as * loop - loop & let(as);";
    let (_, messages) = read(text, Language::C, As::Body);
    assert_eq!(messages, ["PM0205 `let`: there is no function `let`"]);
    let text = "let long = 3; let int = long * 2; (int * -1 & if true { !0 } else { 0 }) as f64";
    assert_eq!(call(text, Language::Rust), Ok(Constant::Real(-6.0)));
    // A declaration hides a global, a system name and a constant of C.
    let text = "int GV = 1, pid = 2; double M_PI = 3; return GV + pid + M_PI;";
    assert_eq!(call(text, Language::C), Ok(Constant::Real(6.0)));
}

/// The examples of `docs/cost-language.md`, which users are to copy, are correct.
#[test]
fn the_examples_of_the_manual_are_correct() {
    let manual = include_str!("../../../../docs/cost-language.md");
    let mut scope = super::scope();
    for name in ["m", "n", "N"] {
        super::bind(
            &mut scope,
            name,
            Variable::Own(name.to_owned()),
            Type::Int,
            true,
        );
    }
    scope
        .tables
        .insert("startup.csv".to_owned(), (TableIndex::new(1), None));
    let signature = Signature {
        name: "example".to_owned(),
        arguments: Vec::new(),
        result: Type::Real,
    };
    for (fence, language) in [("```c\n", Language::C), ("```rust\n", Language::Rust)] {
        let (_, rest) = manual.split_once(fence).expect("there is an example");
        let (text, _) = rest.split_once("```").expect("it ends");
        let (source, code) = super::code(text, language);
        let place = CodePlace {
            source: &source,
            element: "",
        };
        let mut diagnostics = Diagnostics::new();
        let body = function_body(&code, &signature, &scope, place, &mut diagnostics);
        assert!(body.is_some(), "{:?}", diagnostics.sorted());
    }
    for text in ["pid % 2 == 0 && GV > 0", "normal(2.5e-3, 1e-4)"] {
        assert!(manual.contains(text));
        value(text, Language::C);
    }
}

#[test]
fn neighbors_and_nobody_are_written_in_both_languages() {
    for (text, language) in [
        ("grid_left(pid, 4, k, true) + PROC_NULL", Language::C),
        ("grid_down(pid, 4, GV, k > 2) != PROC_NULL", Language::C),
        ("grid_back(2.0 * pid, 4, GV, NAT, 0)", Language::C),
        (
            "(grid_right(pid, 4, false) - PROC_NULL) as f64",
            Language::Rust,
        ),
        ("grid_up(pid, NAT, 2, ok) as f64", Language::Rust),
    ] {
        assert!(value(text, language).needs().fallible, "{text}");
    }
    let nobody = value("PROC_NULL", Language::C);
    assert!(!nobody.needs().system, "it is the same in all processes");
}

#[test]
fn wrong_sizes_of_grids_are_told() {
    let cases = [
        (
            "grid_up(pid, 4, true)",
            "PM0206 `grid_up`: `grid_up` takes a process, two or three sizes of the grid and \
             whether that is periodic, not 3 arguments; write it as `grid_up(pid, nx, ny, false)`",
        ),
        (
            "grid_left(pid, 0, true)",
            "PM0212 `0`: a grid of 0 processes has no process; each size of a grid is at least 1",
        ),
        (
            "grid_back(pid, 4, NAT, 2 - 5, true)",
            "PM0212 `2 - 5`: a grid of -3 processes has no process; each size of a grid is at \
             least 1",
        ),
    ];
    for (text, expected) in cases {
        let (_, messages) = read(text, Language::C, As::Real);
        assert_eq!(messages, [expected], "{text}");
    }
}
