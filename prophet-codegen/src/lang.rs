//! The cost language: C or Rust text, checked and typed, to one small intermediate form.
//!
//! Model text is data from strangers. Whatever is not arithmetic, control flow or a name in scope is
//! an error with its place, so nothing that a handler prints can run code of the model's author.

mod c;
pub mod constant;
pub mod ir;
mod rust;
pub mod scope;
pub mod walk;

use crate::diagnostic::Diagnostics;
use crate::model::Code;
use crate::source::Source;
use ir::{Expression, Signature, Statement, Type};
use scope::Scope;

/// Where a piece of code stands, for messages.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The model file.
    pub source: &'a Source,
    /// The element that owns the code, as `Model::Main::A1`.
    pub element: &'a str,
}

/// Reads `code` as an expression of the type `expected` (C converts, Rust must have it exactly).
///
/// `None` once it has reported what is wrong.
pub fn expression(
    _code: &Code,
    _expected: &Type,
    _scope: &Scope,
    _place: Place<'_>,
    _diagnostics: &mut Diagnostics,
) -> Option<Expression> {
    unimplemented!()
}

/// Reads `code` as statements: the code fragment of an element.
pub fn fragment(
    _code: &Code,
    _scope: &Scope,
    _place: Place<'_>,
    _diagnostics: &mut Diagnostics,
) -> Option<Vec<Statement>> {
    unimplemented!()
}

/// Reads `code` as the body of a function; `scope` has its arguments.
///
/// In C a bare expression stands for `return expression;`.
pub fn function_body(
    _code: &Code,
    _signature: &Signature,
    _scope: &Scope,
    _place: Place<'_>,
    _diagnostics: &mut Diagnostics,
) -> Option<Vec<Statement>> {
    unimplemented!()
}
