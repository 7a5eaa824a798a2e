//! Tests that a model can't exhaust the stack or overflow an address.

use prophet_codegen::model::{Code, Language};
use prophet_codegen::source::Text;
use prophet_frontend::lang::ir::{Expression, ExpressionKind, Needs, Signature, Statement, Type};
use prophet_frontend::program::{Diagram, Function, Global, ListPlace as _, Program};

use super::*;

fn empty() -> Program {
    let mut program = Program::default();
    program.diagrams.push(Diagram::default());
    program
}

/// Creates a function that returns a number, or the result of `callee`.
fn function(callee: Option<FunctionIndex>) -> Function {
    let kind = match callee {
        Some(callee) => ExpressionKind::Call(callee, Vec::new()),
        None => ExpressionKind::Real("1.0".to_owned()),
    };
    let result = Expression {
        kind,
        ty: Type::Real,
    };
    Function {
        signature: Signature {
            name: "F".to_owned(),
            arguments: Vec::new(),
            result: Type::Real,
        },
        body: vec![Statement::Return(result)],
        needs: Needs {
            calls: callee.into_iter().collect(),
            ..Needs::default()
        },
        used: true,
        source: Code {
            language: Language::C,
            text: Text::default(),
        },
        comment: None,
    }
}

/// Creates a program with a chain of `length` functions. Each calls the one before it.
fn row(length: usize) -> Program {
    let mut program = empty();
    for at in 0..length {
        let callee = at.checked_sub(1).map(FunctionIndex::new);
        program.functions.push(function(callee));
    }
    program
}

#[test]
fn a_row_of_calls_has_a_limit() {
    assert!(compile(&row(CALLS_MOST), false).is_ok());
    let refused = compile(&row(CALLS_MOST + 1), false).expect_err("it is too deep");
    assert_eq!(
        refused.to_string(),
        "the model has more than 1000 nested cost functions"
    );
}

#[test]
fn variables_have_a_limit() {
    for length in [1 << 31, usize::MAX] {
        let mut program = empty();
        for name in ["A", "B"] {
            program.globals.push(Global {
                name: name.to_owned(),
                ty: Type::Array(Box::new(Type::Int), length),
                declared_type: "Integer".to_owned(),
                value: None,
                comment: None,
            });
        }
        let refused = compile(&program, false).expect_err("it is too large");
        assert_eq!(
            refused.to_string(),
            "the model has variables with more than 1073741824 numbers in a process"
        );
    }
}
