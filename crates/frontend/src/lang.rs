//! Parses and type-checks the cost language: turns C or Rust text into a small intermediate
//! representation.
//!
//! Model text is untrusted. Everything except arithmetic, control flow and names in scope is an
//! error, so the code that handlers print can't do anything else.

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

/// Parses `code` as an expression of the type `expected`. C code is converted to that type. Rust
/// code must have exactly that type.
///
/// Reports problems, and returns `None` if there are any.
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

/// Returns the names in a piece of code, in order, without resolving them. Strings and comments
/// contain no names, except for the string arguments of `clc` and `rud`.
pub fn names(text: &str, language: Language) -> impl Iterator<Item = &str> {
    let mut tokens = token::tokens(text, language);
    if clc::open(&mut tokens, language).is_err() {
        // The problem is reported when the code is parsed.
        tokens = token::tokens(text, language);
    }
    let words = tokens
        .list
        .into_iter()
        .filter(|it| it.kind == token::TokenKind::Word);
    words.map(|word| word.text)
}

/// Parses `code` as the statements of a code fragment.
///
/// Reports problems, and returns `None` if there are any.
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

/// Parses `code` as the body of a function with its arguments in `scope`. Every path through the
/// result ends with a `return`, or runs forever.
///
/// In C, a single expression means `return expression;`. Reports problems, and returns `None` if
/// there are any.
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
