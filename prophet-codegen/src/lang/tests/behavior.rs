//! Meaning of code: conversions, statements, needs, constants.

use super::{As, read, value};
use crate::index::{GlobalIndex, Place as _, TableIndex};
use crate::lang::constant::{Constant, constant};
use crate::lang::evaluate::{Fault, Flow, Function, Machine, Value};
use crate::lang::ir::{Expression, ExpressionKind, Needs, Signature, Statement, Type, Variable};
use crate::lang::needs::assigns;
use crate::lang::{Place, function_body};
use prophet_model::diagnostic::Diagnostics;
use prophet_model::model::Language;

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

fn returns(language: Language, cases: &[(&str, f64)]) {
    for (text, expected) in cases {
        assert_eq!(
            call(text, language),
            Ok(Constant::Real(*expected)),
            "{text}"
        );
    }
}

#[test]
fn c_converts_as_c_does() {
    returns(
        Language::C,
        &[
            ("121/P", 48.4),
            ("32/(pid+1)", 8.0),
            ("7/2", 3.0),
            ("-7/2", -3.0),
            ("-7%3", -1.0),
            ("7/2.0", 3.5),
            ("(double)7/2", 3.5),
            ("(double)(7/2)", 3.0),
            ("(int)2.9 + (int)-2.9", 0.0),
            ("(long)1e300 == 9223372036854775807", 1.0),
            ("(bool)0.5 + (bool)0", 1.0),
            ("(int)0.5", 0.0),
            ("ok + ok", 2.0),
            ("-ok", -1.0),
            ("~ok", -2.0),
            ("!GV", 0.0),
            ("!P + !0.0", 1.0),
            ("(1 < 2) + (2 < 1)", 1.0),
            ("(1 < 2) / 2", 0.0),
            ("3 < 2 < 1", 1.0),
            ("GV == 7.0", 1.0),
            ("P && GV", 1.0),
            ("0 && 1/(GV-7)", 0.0),
            ("1 || 1/(GV-7)", 1.0),
            ("ok & 3", 1.0),
            ("(GV > 1) & (P > 1)", 1.0),
            ("(1 < 2) ^ (1 < 3)", 0.0),
            ("6 & 3 | 8 ^ 1", 11.0),
            ("1 << 3 >> 1", 4.0),
            ("-8 >> 1", -4.0),
            ("1 << 65", 2.0),
            ("ok << 2", 4.0),
            ("GV ? 1 : 2.5", 1.0),
            ("0 ? 1 : 5/2", 2.0),
            ("ok ? ok : 3", 1.0),
            ("9223372036854775807 + 1 == -9223372036854775808", 1.0),
            ("abs(-3)/2", 1.0),
            ("abs(-3.0)/2", 1.5),
            ("max(1, 2)/4", 0.0),
            ("max(1, 2.0)/4", 0.5),
            ("fmax(1, 2)/4", 0.5),
            ("min(ok, 5) + llround(2.5)/2", 2.0),
            ("A[3] + A[ok] + I[3]/2", 8.0),
            ("0x10 + 010 + 10u + 10L + 10ull", 54.0),
            ("1.5f + 1.5L + .5 + 1. + 0x1.8p1", 7.5),
            ("M_PI > 3 && M_E < 3", 1.0),
            ("sqrt(16) + pow(2, 3) + fmod(7, 4) + floor(-0.5)", 14.0),
            ("NAT + k + NUM_NODES", 42.0),
            ("return GV; ", 7.0),
            ("GV + 0.5;", 7.5),
            ("bool b = 0.5; return b;", 1.0),
            ("int i = 2.9; return i;", 2.0),
            ("int i = 7; i /= 2.0; return i;", 3.0),
            ("int i = 7; i *= 0.5; return i;", 3.0),
            ("int8_t i = 300; size_t j = 1; return i + j;", 301.0),
            ("n = 2.5; return n;", 2.0),
        ],
    );
}

#[test]
fn c_statements_run_as_in_c() {
    returns(
        Language::C,
        &[
            ("double s = 0; for (int i = 0; i < n; i++) s += A[i]; return s;", 5.0),
            ("int i = 0; do i++; while (i < 3); return i;", 3.0),
            ("int i = 9; do { i++; continue; } while (i < 3); return i;", 10.0),
            (
                "int s = 0; for (int i = 0, j = 9; i < j; ++i, --j) { if (i % 2) continue; s += j; }
                return s;",
                21.0,
            ),
            ("int s = 0; for (int i = 0; i < 3; i++) { int i = 7; s += i; } return s;", 21.0),
            ("int a[] = {1, 2.9, 3}; a[0] <<= 4; a[n - 4]--; return a[0] + a[1] + a[2];", 20.0),
            ("double a[3] = {1}; int i = 2; a[i] = n; return a[0] + a[1] + a[2];", 6.0),
            ("int x = 1; { int x = 2; x++; } return x;", 1.0),
            ("if (n > 9) return 1; else if (n == 5) return 2; else return 3;", 2.0),
            ("if (n > 9) { return 1; } return 3; return 4;", 3.0),
            ("while (true) { n--; if (n < -1) { return n; } }", -2.0),
            ("const double c = 2; ; {} return c * c;", 4.0),
            ("GV = 3; ok = P; k += GV; return GV + ok + k;", 11.0),
        ],
    );
}

#[test]
fn rust_means_what_it_says() {
    returns(
        Language::Rust,
        &[
            ("121.0 / P", 48.4),
            ("(32 / (pid + 1)) as f64", 8.0),
            ("2.9 as i64 as f64", 2.0),
            ("ok as i64 as f64 + !GV as f64", -7.0),
            ("if ok && !(GV > 9) { 1.0 } else { 2.0 }", 1.0),
            ("-9223372036854775808 as f64", -9_223_372_036_854_775_808.0),
            (
                "1_000.5_f64 + 1f64 + 0x10 as f64 + 0b11 as f64 + 0o7i64 as f64",
                1027.5,
            ),
            ("A[3] + A[k as usize] + I[(n - 5)] as f64", 13.5),
            ("P.max(1.0).sqrt().powi(2).round()", 3.0),
            ("(-3_i64).abs().min(2) as f64", 2.0),
            ("max(1, 2) as f64 + sqrt(4.0)", 4.0),
            ("5.5 % 2.0", 1.5),
            ("{ 1.0 }", 1.0),
            (
                "if n > 3 { let x = 2.0; x * 2.0 } else { return 7.0; }",
                4.0,
            ),
            ("if n > 9 { 1.0 } else if n > 3 { 2.0 } else { 3.0 }", 2.0),
            ("return 1.0;", 1.0),
            ("let mut s = 0.0; for i in 0..n { s += A[i]; } s", 5.0),
            (
                "let mut s = 0; for i in 1..=3 { if i == 2 { continue; } s += i; } s as f64",
                4.0,
            ),
            (
                "let i = 2; let mut s = 0; for i in i..i + 2 { s += i; } s as f64",
                5.0,
            ),
            (
                "let mut s = 0; for i in 0..3 { let i = i * 10; s += i; } s as f64",
                30.0,
            ),
            ("let mut s = 0; for _ in 0..NAT { s += 1; } s as f64", 32.0),
            ("for i in 0..GV { GV = 3; k = i; } k as f64", 6.0),
            ("let x = 1; let x = x as f64 + 0.5; x", 1.5),
            ("let x = 1; { let x = 2; let _ = x; } x as f64", 1.0),
            (
                "let mut i = 0; loop { i += 1; if i > 3 { break; } } i as f64",
                4.0,
            ),
            ("let mut i = 0; while i * i < 50 { i += 1; } i as f64", 8.0),
            (
                "let mut i = 0; loop { i += 1; if i > 3 { return i as f64; } }",
                4.0,
            ),
            (
                "let mut a: [i64; 3] = [0, 2, 3]; a[0] <<= 4; a[n - 4] -= 1; a[1] as f64",
                1.0,
            ),
            ("let a = [1.5; 4]; a[0] + a[3]", 3.0),
            ("GV = 3; ok = false; GV as f64", 3.0),
        ],
    );
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
        let place = Place {
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
