//! Parses code for tests, here and of the C printers.

use prophet_frontend::index::{
    FunctionIndex, GlobalIndex, ListPlace as _, ParameterIndex, TableIndex,
};
use prophet_frontend::lang::ir::{Expression, Signature, Statement, Type, Variable};
use prophet_frontend::lang::scope::{Binding, Scope};
use prophet_frontend::lang::{CodePlace, expression, fragment, function_body};
use prophet_model::diagnostic::{Diagnostics, Span};
use prophet_model::model::{Code, Language};
use prophet_model::source::{Source, Text};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum As {
    /// As an expression of type real.
    Real,
    Fragment,
    /// As the body of `double work(int n)`.
    Body,
}

pub(crate) fn code(text: &str, language: Language) -> (Source, Code) {
    let source = Source::new("model.uml", format!("<b> {text}"));
    let span = Span::new(4, source.text.len());
    let text = Text::new(text.to_owned(), span);
    (source, Code { language, text })
}

/// Returns a scope with globals `GV` (int), `P` (double), `ok` (bool), `A` (double[8]) and `I`
/// (int[4]), the parameter `NAT`, the local variable `k`, the functions `FA1()`, `FSA2(int)`,
/// `F(double)` and `even(int)`, and a table.
pub(crate) fn scope() -> Scope {
    let mut scope = Scope::default();
    let real8 = Type::Array(Box::new(Type::Real), 8);
    let int4 = Type::Array(Box::new(Type::Int), 4);
    let globals = [
        ("GV", Type::Int),
        ("P", Type::Real),
        ("ok", Type::Bool),
        ("A", real8),
        ("I", int4),
    ];
    for (index, (name, ty)) in globals.into_iter().enumerate() {
        bind(
            &mut scope,
            name,
            Variable::Global(GlobalIndex::new(index)),
            ty,
            true,
        );
    }
    bind(
        &mut scope,
        "NAT",
        Variable::Parameter(ParameterIndex::new(0)),
        Type::Int,
        false,
    );
    let local = Variable::Local("k".to_owned());
    bind(&mut scope, "k", local, Type::Int, true);
    let functions = [
        ("FA1", None, Type::Real),
        ("FSA2", Some(Type::Int), Type::Real),
        ("F", Some(Type::Real), Type::Real),
        ("even", Some(Type::Int), Type::Bool),
    ];
    for (index, (name, argument, result)) in functions.into_iter().enumerate() {
        let signature = Signature {
            name: name.to_owned(),
            arguments: argument
                .into_iter()
                .map(|ty| ("x".to_owned(), ty))
                .collect(),
            result,
        };
        scope
            .functions
            .insert(name.to_owned(), (FunctionIndex::new(index), signature));
    }
    scope
        .tables
        .insert("table.csv".to_owned(), (TableIndex::new(0), Some(1)));
    scope
        .tables
        .insert("grid.csv".to_owned(), (TableIndex::new(1), Some(2)));
    scope
}

pub(crate) fn bind(scope: &mut Scope, name: &str, variable: Variable, ty: Type, writable: bool) {
    let binding = Binding {
        variable,
        ty,
        writable,
    };
    scope.variables.insert(name.to_owned(), binding);
}

/// Parses code in this way. An expression becomes a `return`.
pub(crate) fn read(
    text: &str,
    language: Language,
    read_as: As,
) -> (Option<Vec<Statement>>, Vec<String>) {
    let (source, code) = code(text, language);
    let mut scope = scope();
    let mut diagnostics = Diagnostics::new();
    let place = CodePlace {
        source: &source,
        element: "Model::Main::A1",
    };
    let result = match read_as {
        As::Real => expression(&code, &Type::Real, &scope, place, &mut diagnostics)
            .map(|value| vec![Statement::Return(value)]),
        As::Fragment => fragment(&code, &scope, place, &mut diagnostics),
        As::Body => {
            let variable = Variable::Own("n".to_owned());
            bind(&mut scope, "n", variable, Type::Int, true);
            let signature = Signature {
                name: "work".to_owned(),
                arguments: vec![("n".to_owned(), Type::Int)],
                result: Type::Real,
            };
            function_body(&code, &signature, &scope, place, &mut diagnostics)
        }
    };
    let has_errors = diagnostics.has_errors();
    let messages: Vec<String> = diagnostics
        .sorted()
        .into_iter()
        .map(|d| {
            assert_eq!(d.element, "Model::Main::A1");
            let place = &source.text[d.span.range()];
            let help = if d.help.is_empty() { "" } else { "; " };
            format!("{} `{place}`: {}{help}{}", d.code, d.message, d.help)
        })
        .collect();
    assert_eq!(result.is_none(), has_errors, "{text}: {messages:?}");
    (result, messages)
}

pub(crate) fn value(text: &str, language: Language) -> Expression {
    match read(text, language, As::Real) {
        (Some(mut statements), messages) if messages.is_empty() => match statements.pop() {
            Some(Statement::Return(value)) => value,
            other => panic!("{other:?}"),
        },
        (_, messages) => panic!("{text}: {messages:?}"),
    }
}
