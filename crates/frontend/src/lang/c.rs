//! Translates C to the intermediate representation with the lang-c parser.
//!
//! lang-c parses only complete translation units without comments and directives. Therefore the
//! code is placed in a function body, on separate lines, and comments become blanks of the same
//! length. An offset in the parsed text is then the offset in the code plus the length of the text
//! before it.

mod declaration;
mod expression;
mod literal;
mod plain;
mod statement;

use lang_c::ast::{
    BlockItem, Expression as CExpression, ExternalDeclaration, Statement as CStatement,
};
use lang_c::driver::{Config, Flavor, parse_preprocessed};
use lang_c::span::{Node, Span as CSpan};

use super::check::{At, Checker, TypedExpression};
use super::ir::{Expression, Signature, Statement, Type};
use super::reach;
use super::scope::is_sized;
use super::screen::is_c_type;
use super::token::{Token, TokenKind, Tokens};
use prophet_model::diagnostic::catalogue::lang as rules;
use prophet_model::model::Language;

/// The C front end: a checker, and the data to find places of the parsed text in the code.
struct CFront<'a, 'c> {
    checker: &'c mut Checker<'a>,
    tokens: Vec<Token<'a>>,
    /// Strings whose content was split into tokens (see [`super::clc`]).
    opened: Vec<Token<'a>>,
    /// Number of bytes that precede the code in the parsed text.
    offset: usize,
}

pub(super) fn expression(checker: &mut Checker<'_>, expected: &Type) -> Option<Expression> {
    let (mut front, mut tokens) = CFront::new(checker)?;
    if tokens.list.last().is_some_and(|t| t.is_mark(";")) {
        tokens.list.pop();
    }
    let value = front.bare_expression(&tokens)?;
    let value = front.checker.coerce(value, expected)?;
    front.checker.is_clean().then_some(value)
}

/// Parses statements that don't return a value.
pub(super) fn fragment(checker: &mut Checker<'_>) -> Option<Vec<Statement>> {
    let (mut front, tokens) = CFront::new(checker)?;
    let items = front.items(&tokens, "")?;
    let statements = front.statements(&items);
    front.checker.is_clean().then_some(statements)
}

pub(super) fn function_body(
    checker: &mut Checker<'_>,
    signature: &Signature,
) -> Option<Vec<Statement>> {
    checker.result = Some(signature.result.clone());
    let (mut front, tokens) = CFront::new(checker)?;
    let statement = |t: &Token<'_>| t.is_mark(";") || t.is_mark("}");
    if !tokens.list.last().is_some_and(statement) {
        let keyword = |t: &Token<'_>| t.kind == TokenKind::Word && t.text == "return";
        if !tokens.list.first().is_some_and(keyword) {
            let value = front.bare_expression(&tokens)?;
            let value = front.checker.coerce(value, &signature.result)?;
            return front
                .checker
                .is_clean()
                .then(|| vec![Statement::Return(value)]);
        }
    }
    let items = front.items(&tokens, "")?;
    let statements = match items.as_slice() {
        [item] if let Some(value) = as_value(item) => {
            let value = front.expression(value)?;
            let value = front.checker.coerce(value, &signature.result)?;
            vec![Statement::Return(value)]
        }
        items => front.statements(items),
    };
    if !front.checker.is_clean() {
        return None;
    }
    if !reach::ends(&statements) {
        let at = front.checker.whole();
        let at = At {
            start: at.end.saturating_sub(1).max(at.start),
            end: at.end,
        };
        let message = format!("`{}` can end without returning a value", signature.name);
        let help = "add `return …;` at the end";
        return front
            .checker
            .error(&rules::MISSING_RETURN, at, message, help);
    }
    Some(statements)
}

/// Returns the expression of a statement that only computes a value.
fn as_value(item: &Node<BlockItem>) -> Option<&Node<CExpression>> {
    match &item.node {
        BlockItem::Statement(Node {
            node: CStatement::Expression(Some(expression)),
            ..
        }) if !statement::is_change(&expression.node) => Some(expression),
        _ => None,
    }
}

impl<'a, 'c> CFront<'a, 'c> {
    /// Splits the code into tokens, and rejects tokens that the parser must not see.
    fn new(checker: &'c mut Checker<'a>) -> Option<(Self, Tokens<'a>)> {
        let tokens = checker.tokens(Language::C)?;
        let front = Self {
            checker,
            tokens: tokens.list.clone(),
            opened: tokens.opened.clone(),
            offset: 0,
        };
        Some((front, tokens))
    }

    /// Parses and checks code that consists of a single expression.
    fn bare_expression(&mut self, tokens: &Tokens<'a>) -> Option<TypedExpression> {
        if tokens.list.is_empty() {
            let at = self.checker.whole();
            let message = "missing expression";
            return self.checker.error(&rules::SYNTAX, at, message, "");
        }
        if let Some(first) = tokens.list.first()
            && first.kind == TokenKind::Word
            && first.text == "return"
        {
            let message = "expected an expression without `return`";
            return self
                .checker
                .error(&rules::SYNTAX, place(first), message, "");
        }
        if self.opened.is_empty()
            && type_definitions(&tokens.list).is_empty()
            && let Some(plain) = plain::expression(&tokens.list)
        {
            return self.expression(&plain);
        }
        let items = self.items(tokens, "return ")?;
        match items.as_slice() {
            [
                Node {
                    node:
                        BlockItem::Statement(Node {
                            node: CStatement::Return(Some(expression)),
                            ..
                        }),
                    ..
                },
            ] => self.expression(expression),
            [_, second, ..] => {
                let at = self.at(&second.span);
                let message = "expected an expression, found statements";
                self.checker.error(&rules::SYNTAX, at, message, "")
            }
            _ => {
                let at = self.checker.whole();
                let message = "expected an expression";
                self.checker.error(&rules::SYNTAX, at, message, "")
            }
        }
    }

    /// Parses the tokens as the items of a block that starts with the text `before`.
    fn items(&mut self, tokens: &Tokens<'a>, before: &str) -> Option<Vec<Node<BlockItem>>> {
        let mut source = String::new();
        for (word, definition) in type_definitions(&tokens.list) {
            source.push_str("typedef ");
            source.push_str(definition);
            source.push(' ');
            source.push_str(word);
            source.push(';');
        }
        source.push_str("double f(void){");
        source.push_str(before);
        source.push('\n');
        self.offset = source.len();
        source.push_str(&blank(tokens, self.checker.text().len()));
        if !before.is_empty() {
            source.push(';');
        }
        source.push_str("\n}");
        let config = Config {
            cpp_command: String::new(),
            cpp_options: Vec::new(),
            flavor: Flavor::StdC11,
        };
        let parse = match parse_preprocessed(&config, source) {
            Ok(parse) => parse,
            Err(error) => return self.syntax_error(error.offset.saturating_sub(self.offset)),
        };
        let function = parse.unit.0.into_iter().next_back().map(|d| d.node);
        match function {
            Some(ExternalDeclaration::FunctionDefinition(Node { node, .. })) => {
                match node.statement.node {
                    CStatement::Compound(items) => Some(items),
                    _ => Some(Vec::new()),
                }
            }
            _ => Some(Vec::new()),
        }
    }

    /// Reports a syntax error at `offset`, where the parser stopped.
    fn syntax_error<T>(&mut self, offset: usize) -> Option<T> {
        let index = self.tokens.iter().position(|t| t.end() > offset);
        let Some(token) = index.and_then(|index| self.tokens.get(index)).copied() else {
            let end = self.checker.whole();
            let at = At {
                start: end.end.saturating_sub(1).max(end.start),
                end: end.end,
            };
            let at = self.tokens.last().map_or(at, place);
            return self.ends_early(at);
        };
        let previous = index
            .and_then(|index| index.checked_sub(1))
            .and_then(|index| self.tokens.get(index));
        let operand = |t: &Token<'_>| t.kind != TokenKind::Mark || matches!(t.text, ")" | "]");
        let starts = |t: &Token<'_>| t.kind != TokenKind::Mark || matches!(t.text, "(" | "{");
        let conversion = token.is_mark("(") && previous.is_some_and(|p| is_c_type(p.text));
        let help = if conversion || is_c_type(token.text) {
            "write a conversion as `(double) x`"
        } else if previous.is_some_and(operand) && starts(&token) {
            "an operator or `;` is missing before it"
        } else {
            ""
        };
        let message = format!("unexpected `{}`", token.text);
        self.checker
            .error(&rules::SYNTAX, place(&token), message, help)
    }

    /// Reports that the code ends too early, after its last token at `at`.
    fn ends_early<T>(&mut self, at: At) -> Option<T> {
        let count = |mark: &str| self.tokens.iter().filter(|it| it.is_mark(mark)).count();
        let is_open = |it: &Token<'_>| it.kind == TokenKind::Mark && !matches!(it.text, ")" | "]");
        let what = if count("?") > count(":") {
            let code = self.checker.text().trim().trim_end_matches(';').trim_end();
            format!("`:` and a second value are missing: write `{code} : 0`")
        } else {
            let missing = if self.tokens.last().is_some_and(is_open) {
                "an operand"
            } else {
                "`;`"
            };
            format!("{missing} is missing after `{}`", self.checker.text_at(at))
        };
        let message = "the code ends too early";
        self.checker.error(&rules::SYNTAX, at, message, what)
    }

    /// Converts a span of the parsed text to a place in the code, without spaces at its end.
    fn at(&self, span: &CSpan) -> At {
        let text = self.checker.text();
        let start = span.start.saturating_sub(self.offset).min(text.len());
        let end = span.end.saturating_sub(self.offset).min(text.len());
        let inside = text.get(start..end).unwrap_or_default();
        At {
            start,
            end: start + inside.trim_end().len(),
        }
    }

    fn string_at(&self, at: At) -> Option<&Token<'a>> {
        let index = self
            .tokens
            .binary_search_by_key(&at.start, |token| token.start)
            .ok()?;
        self.tokens.get(index)
    }
}

const fn place(token: &Token<'_>) -> At {
    At {
        start: token.start,
        end: token.end(),
    }
}

/// Lists the words that C's headers define as types, with their definitions, if the tokens contain
/// them.
fn type_definitions<'a>(tokens: &[Token<'a>]) -> Vec<(&'a str, &'static str)> {
    let mut words: Vec<(&str, &str)> = Vec::new();
    for token in tokens.iter().filter(|t| t.kind == TokenKind::Word) {
        let definition = match token.text {
            "bool" => "_Bool",
            word if is_sized(word) => "long",
            _ => continue,
        };
        if !words.iter().any(|(word, _)| *word == token.text) {
            words.push((token.text, definition));
        }
    }
    words
}

/// Writes each token at its place, with spaces in between. Strings are filled with letters, so that
/// the parser sees only ASCII.
fn blank(tokens: &Tokens<'_>, length: usize) -> String {
    let mut text = String::with_capacity(length);
    for token in &tokens.list {
        text.extend(std::iter::repeat_n(' ', token.start - text.len()));
        if token.kind == TokenKind::String {
            let inner = token.text.len().saturating_sub(2);
            text.push('"');
            text.extend(std::iter::repeat_n('a', inner));
            text.push('"');
        } else {
            text.push_str(token.text);
        }
    }
    text
}
