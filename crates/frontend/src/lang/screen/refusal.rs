//! Defines why a text can be rejected, and how deeply it can be nested.

use std::borrow::Cow;

use crate::lang::token::Token;
use prophet_model::diagnostic::Rule;

/// Maximum number of open brackets, statements, prefix operators and precedence levels.
pub(crate) const MAX_NESTING: usize = 48;
pub(crate) const MAX_OPERATORS: usize = 96;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) rule: &'static Rule,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) message: String,
    pub(crate) help: Cow<'static, str>,
}

impl Refusal {
    pub(super) fn new(
        rule: &'static Rule,
        token: &Token<'_>,
        message: String,
        help: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            rule,
            start: token.start,
            end: token.end(),
            message,
            help: help.into(),
        }
    }
}

/// Returns `true` if the word is a keyword in C's types.
pub(crate) fn is_c_type(word: &str) -> bool {
    matches!(
        word,
        "int" | "long" | "short" | "signed" | "unsigned" | "float" | "double" | "bool" | "_Bool"
    )
}
