//! Translates Rust to the intermediate representation with the syn parser.

mod declaration;
mod expression;
mod statement;

use std::borrow::Cow;

use syn::parse::Parser as _;
use syn::spanned::Spanned;

use super::check::{At, Checker};
use super::ir::{Expression, Signature, Statement, Type};
use super::reach;
use super::token::Token;
use prophet_model::diagnostic::catalogue::lang as rules;
use prophet_model::model::Language;

struct RustFront<'a, 'c> {
    checker: &'c mut Checker<'a>,
    tokens: Vec<Token<'a>>,
    /// Strings whose content was split into tokens (see [`super::clc`]).
    opened: Vec<Token<'a>>,
    /// The code, with spaces in place of the quotes of `opened` strings.
    text: Cow<'a, str>,
}

pub(super) fn expression(checker: &mut Checker<'_>, expected: &Type) -> Option<Expression> {
    let mut front = RustFront::new(checker)?;
    let mut text = &*front.text;
    if let Some(last) = front.tokens.last()
        && last.is_mark(";")
    {
        text = text.get(..last.start).unwrap_or(text);
    }
    if front.tokens.is_empty() {
        let at = front.checker.whole();
        let message = "missing expression";
        return front.checker.error(&rules::SYNTAX, at, message, "");
    }
    let parsed = match syn::parse_str(text) {
        Ok(parsed) => parsed,
        Err(error) => return front.syntax_error(&error),
    };
    let value = front.value(&parsed)?;
    let value = front.checker.coerce(value, expected)?;
    front.checker.is_clean().then_some(value)
}

/// Parses statements that don't return a value.
pub(super) fn fragment(checker: &mut Checker<'_>) -> Option<Vec<Statement>> {
    let mut front = RustFront::new(checker)?;
    let parsed = front.parse()?;
    let statements = front.statements(&parsed, false);
    front.checker.is_clean().then_some(statements)
}

/// Parses the body of a function, with or without its braces.
pub(super) fn function_body(
    checker: &mut Checker<'_>,
    signature: &Signature,
) -> Option<Vec<Statement>> {
    checker.result = Some(signature.result.clone());
    let mut front = RustFront::new(checker)?;
    if front.tokens.is_empty() {
        let at = front.checker.whole();
        let message = "the function body is missing";
        return front.checker.error(&rules::SYNTAX, at, message, "");
    }
    let parsed = front.parse()?;
    let statements = front.statements(&parsed, true);
    if !front.checker.is_clean() {
        return None;
    }
    if !reach::ends(&statements) {
        let at = front.last();
        let message = format!("`{}` can end without returning a value", signature.name);
        let help = "end it with a value, without `;`";
        return front
            .checker
            .error(&rules::MISSING_RETURN, at, message, help);
    }
    Some(statements)
}

impl<'a, 'c> RustFront<'a, 'c> {
    /// Splits the code into tokens, and rejects tokens that the parser must not see.
    fn new(checker: &'c mut Checker<'a>) -> Option<Self> {
        let text = checker.text();
        let tokens = checker.tokens(Language::Rust)?;
        Some(Self {
            checker,
            text: without_quotes(text, &tokens.opened),
            tokens: tokens.list,
            opened: tokens.opened,
        })
    }

    fn parse(&mut self) -> Option<Vec<syn::Stmt>> {
        match syn::Block::parse_within.parse_str(&self.text) {
            Ok(statements) => Some(statements),
            Err(error) => self.syntax_error(&error),
        }
    }

    fn syntax_error<T>(&mut self, error: &syn::Error) -> Option<T> {
        let range = error.span().byte_range();
        let found = self
            .tokens
            .iter()
            .find(|token| token.end() > range.start && range.end > 0);
        let (at, message) = match found {
            Some(token) => {
                let at = At {
                    start: token.start,
                    end: token.end(),
                };
                (at, format!("unexpected `{}`: {error}", token.text))
            }
            None => (self.last(), format!("the code ends too early: {error}")),
        };
        self.checker.error(&rules::SYNTAX, at, message, "")
    }

    fn last(&self) -> At {
        self.tokens.last().map_or(self.checker.whole(), |token| At {
            start: token.start,
            end: token.end(),
        })
    }

    /// Returns the place of a syntax node in the code.
    fn at(&self, node: &impl Spanned) -> At {
        let range = node.span().byte_range();
        let length = self.checker.text().len();
        At {
            start: range.start.min(length),
            end: range.end.min(length),
        }
    }
}

/// Replaces the quotes of these strings with spaces.
fn without_quotes<'a>(text: &'a str, strings: &[Token<'_>]) -> Cow<'a, str> {
    if strings.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bare = String::with_capacity(text.len());
    for string in strings {
        bare.push_str(&text[bare.len()..string.start]);
        bare.push(' ');
        bare.push_str(&text[bare.len()..string.end() - 1]);
        bare.push(' ');
    }
    bare.push_str(&text[bare.len()..]);
    Cow::Owned(bare)
}
