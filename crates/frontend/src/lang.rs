//! The cost language: C or Rust text, checked and typed, to one small intermediate form.
//!
//! Model text is data from strangers. Anything but arithmetic, control flow and names in scope is
//! an error with its place, so nothing that a handler prints can run code of the model's author.

mod c;
mod check;
mod clc;
pub mod constant;
mod cut;
#[cfg(test)]
mod evaluate;
pub mod ir;
mod literal;
mod names;
pub mod needs;
mod reach;
mod rust;
pub mod scope;
mod screen;
#[cfg(test)]
mod tests;
mod token;
pub mod walk;

use check::Checker;
pub use check::CodePlace;
use ir::{Expression, Signature, Statement, Type};
pub use names::functions;
use prophet_model::diagnostic::Diagnostics;
use prophet_model::model::{Code, Language};
use scope::Scope;

/// Reads `code` as an expression of the type `expected` (C converts, Rust must have it exactly).
///
/// `None` once it has reported the problems.
pub fn expression(
    code: &Code,
    expected: &Type,
    scope: &Scope,
    place: CodePlace<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Expression> {
    let mut checker = Checker::new(code, scope, place, diagnostics);
    match code.language {
        Language::C => c::expression(&mut checker, expected),
        Language::Rust => rust::expression(&mut checker, expected),
    }
}

/// Names in a piece of code, in order, with any meaning. Strings and comments contain no names,
/// except the strings of `clc` and `rud`.
pub fn names(text: &str, language: Language) -> impl Iterator<Item = &str> {
    let mut tokens = token::tokens(text, language);
    if clc::open(&mut tokens, language).is_err() {
        // That is reported where the code is read.
        tokens = token::tokens(text, language);
    }
    let words = tokens
        .list
        .into_iter()
        .filter(|it| it.kind == token::TokenKind::Word);
    words.map(|word| word.text)
}

/// Reads `code` as statements: the code fragment of an element.
///
/// `None` once it has reported the problems.
pub fn fragment(
    code: &Code,
    scope: &Scope,
    place: CodePlace<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Statement>> {
    let mut checker = Checker::new(code, scope, place, diagnostics);
    match code.language {
        Language::C => c::fragment(&mut checker),
        Language::Rust => rust::fragment(&mut checker),
    }
}

/// Reads `code` as the body of a function; `scope` has its arguments. The result always ends in a
/// `return`, or never ends.
///
/// In C a bare expression stands for `return expression;`. `None` once it has reported the
/// problems.
pub fn function_body(
    code: &Code,
    signature: &Signature,
    scope: &Scope,
    place: CodePlace<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Statement>> {
    let mut checker = Checker::new(code, scope, place, diagnostics);
    match code.language {
        Language::C => c::function_body(&mut checker, signature),
        Language::Rust => rust::function_body(&mut checker, signature),
    }
}
