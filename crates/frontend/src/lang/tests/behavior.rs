//! Tests the meaning of code: conversions, statements, needs and constants.

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

/// Creates a machine with the variables in the tests' scope: `n` is 5, `GV` is 7, `P` is 2.5, `NAT`
/// is 32, and `pid` is 3.
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

fn needs(text: &str) -> String {
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
    let words: Vec<&str> = flags.iter().filter(|it| it.0).map(|it| it.1).collect();
    words.join(" ")
}

fn types(text: &str) -> String {
    let mut types = Vec::new();
    value(text, Language::C).visit(&mut |part: &Expression| types.push(part.ty.clone()));
    format!("{types:?}")
}

fn read_as(text: &str, read_as: As) -> Vec<Statement> {
    let (statements, messages) = read(text, Language::C, read_as);
    statements.unwrap_or_else(|| panic!("{text}: {messages:?}"))
}

/// Each line of a case is an example for the case's title.
#[test]
fn code_means_what_it_says() {
    assert_cases("tests/cases/meaning.txt", |case| {
        let tell: fn(&str) -> String = match &*case.title {
            "literals" => |text| format!("{:?}", value(text, Language::C).kind),
            "types of an expression and its parts" => types,
            "what expressions need" => needs,
            "what expressions in Rust need" => |text| {
                let needs = value(text, Language::Rust).needs();
                format!("fallible {}", needs.fallible)
            },
            "statements that can fail" => {
                |text| Needs::of(&read_as(text, As::Fragment)).fallible.to_string()
            }
            "constants" => |text| format!("{:?}", constant(&value(text, Language::C))),
            "statements that assign to x" => {
                |text| assigns(&read_as(text, As::Fragment)[1..], "x").to_string()
            }
            "statements that are reached" => |text| read_as(text, As::Body).len().to_string(),
            "messages" => |text| read(text, Language::C, As::Real).1.join("\n"),
            title => panic!("{title}?"),
        };
        let told = |text: &str| format!("{}: {text}\n", tell(text));
        case.input.lines().map(told).collect()
    });
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
    // Keywords of one language can be names in the other, even before an operator.
    let text = "int in = 2, as = 3, loop = 4; return in * as * loop - loop & let(as);";
    let (_, messages) = read(text, Language::C, As::Body);
    assert_eq!(
        messages,
        ["PM0205 `let`: unknown function `let`; docs/cost-language.md lists the functions"]
    );
    let text = "let long = 3; let int = long * 2; (int * -1 & if true { !0 } else { 0 }) as f64";
    assert_eq!(call(text, Language::Rust), Ok(Constant::Real(-6.0)));
    // A declaration hides a global, a system-defined name, or a constant of C.
    let text = "int GV = 1, pid = 2; double M_PI = 3; return GV + pid + M_PI;";
    assert_eq!(call(text, Language::C), Ok(Constant::Real(6.0)));
}

/// Users copy the examples in `docs/cost-language.md`.
#[test]
fn the_examples_of_the_manual_are_correct() {
    let manual = include_str!("../../../../../docs/cost-language.md");
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
