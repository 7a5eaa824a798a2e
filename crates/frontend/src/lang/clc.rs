//! Parses calls of `clc` and `rud`. `clc("2*CMLL,N*ARF1")` returns the time of operations. The
//! number before each operation says how often it runs.
//!
//! The text in quotes consists of expressions in the surrounding language. It is split into tokens
//! before the code is screened and parsed, so that the usual limits, places and messages apply to
//! it.

use std::fmt;

use super::check::{At, Checker, TypedExpression, cast, int, typed};
use super::constant::{Constant, constant};
use super::ir::{DeviceName, Expression, ExpressionKind, Type, Usage};
use super::names::{self, CLC, RUD};
use super::screen::Refusal;
use super::token::{Token, TokenKind, Tokens, tokens};
use prophet_model::diagnostic::catalogue::lang as rules;
use prophet_model::model::Language;

/// How to call `rud`, for help texts.
const RUD_FORM: &str = "write `rud(\"disk\", \"N*bytes,2*seeks\")`, or \
                        `rud(\"disk\", \"flash\", \"N*bytes\")` to choose its model";

/// How to call `clc`, for help texts.
const FORM: &str = "write `clc(\"2*CMLL,ANDL\")`";

/// Replaces the string arguments of `clc` and `rud` with the tokens in them.
pub(super) fn open(tokens: &mut Tokens<'_>, language: Language) -> Result<(), Refusal> {
    if !tokens.list.iter().any(|it| [CLC, RUD].contains(&it.text)) {
        return Ok(());
    }
    let closed = std::mem::take(&mut tokens.list);
    for (index, token) in closed.iter().enumerate() {
        let before = |back: usize| index.checked_sub(back).and_then(|at| closed.get(at));
        let is_called = before(1).is_some_and(|it| it.is_mark("("))
            && before(2).is_some_and(|it| it.kind == TokenKind::Word && it.text == CLC);
        let is_alone = closed.get(index + 1).is_some_and(|it| it.is_mark(")"));
        let is_operations = is_called && is_alone || is_of_device(&closed[..index]);
        if is_operations && token.kind == TokenKind::String {
            tokens.list.extend(content(token, language)?);
            tokens.opened.push(*token);
        } else {
            tokens.list.push(*token);
        }
    }
    Ok(())
}

/// Returns `true` if the next token is an argument of `rud`, and all arguments before it are
/// strings.
fn is_of_device(before: &[Token<'_>]) -> bool {
    let mut rest = before;
    while let [others @ .., string, comma] = rest
        && comma.is_mark(",")
        && string.kind == TokenKind::String
    {
        rest = others;
    }
    let [.., name, open] = rest else {
        return false;
    };
    open.is_mark("(") && name.kind == TokenKind::Word && name.text == RUD
}

/// Splits the text of a string into tokens. Their places refer to the whole code.
fn content<'a>(string: &Token<'a>, language: Language) -> Result<Vec<Token<'a>>, Refusal> {
    let refuse = |message: &str| Refusal {
        rule: &rules::SYNTAX,
        start: string.start,
        end: string.end(),
        message: message.to_owned(),
        help: FORM.into(),
    };
    let inner = string.text.get(1..string.text.len() - 1);
    let Some(inner) = inner.filter(|it| !it.contains('\\')) else {
        return Err(refuse(
            "expected the operations as one string without escapes",
        ));
    };
    let mut inside = tokens(inner, language);
    if inside.problem.is_some() || !inside.comments.is_empty() {
        return Err(refuse("expected operations with their counts"));
    }
    if inside.list.is_empty() {
        return Err(refuse("`clc` needs an operation"));
    }
    if inside.list.last().is_some_and(|it| it.is_mark(",")) {
        return Err(refuse("an operation is missing after the comma"));
    }
    let mut depth = 0_usize;
    for token in &mut inside.list {
        token.start += string.start + 1;
        match token.text {
            "(" => depth += 1,
            ")" if depth == 0 => return Err(refuse("the parentheses do not match")),
            ")" => depth -= 1,
            _ => {}
        }
    }
    match depth {
        0 => Ok(inside.list),
        _ => Err(refuse("the parentheses do not match")),
    }
}

impl Checker<'_> {
    /// Returns `true` if `name` is the built-in `clc`, rather than a cost function with that name.
    pub(super) fn is_clc(&self, name: &str) -> bool {
        names::function(name, self.scope) == Some(names::Callee::Clc)
    }

    /// Checks that the operations of a call are in quotes.
    pub(super) fn is_opened(&mut self, call: At, opened: &[Token<'_>]) -> Option<()> {
        let inside = |it: &Token<'_>| (call.start..call.end).contains(&it.start);
        if opened.iter().any(inside) {
            return Some(());
        }
        self.not_one_string(call)
    }

    /// Returns `true` if `name` is the built-in `rud`, rather than a cost function with that name.
    pub(super) fn is_rud(&self, name: &str) -> bool {
        names::function(name, self.scope) == Some(names::Callee::Rud)
    }

    /// Checks a call of `rud`, whose strings have been opened: a device, its model if given, and
    /// resource data.
    pub(super) fn rud(
        &mut self,
        call: At,
        opened: &[Token<'_>],
        mut usages: Vec<Usage>,
    ) -> Option<Expression> {
        let inside = |it: &&Token<'_>| (call.start..call.end).contains(&it.start);
        let names = match opened.iter().filter(inside).count() {
            2 => 1,
            3 => 2,
            _ => return self.not_strings(call),
        };
        if usages.len() <= names || !usages[..names].iter().all(Usage::is_single) {
            return self.not_strings(call);
        }
        let mut named = usages.drain(..names).map(|usage| usage.opcode);
        let device = named.next().unwrap_or_default();
        let model = named.next();
        drop(named);
        for (number, usage) in usages.iter().enumerate() {
            if usages[..number].iter().any(|it| it.opcode == usage.opcode) {
                let message = format!("the resource `{}` is given twice", usage.opcode);
                return self.error(&rules::TYPE_MISMATCH, call, message, RUD_FORM);
            }
        }
        let kind = ExpressionKind::Rud(DeviceName { device, model }, usages);
        Some(typed(kind, Type::Real))
    }

    /// Reports a call of `rud` with an argument that isn't a string.
    pub(super) fn not_strings<T>(&mut self, call: At) -> Option<T> {
        let message =
            "the arguments of `rud` must be literal strings: a device and its resource data";
        self.error(&rules::TYPE_MISMATCH, call, message, RUD_FORM)
    }

    /// Reports that the argument of a `clc` call isn't a single string literal.
    pub(super) fn not_one_string<T>(&mut self, call: At) -> Option<T> {
        let message = "the argument of `clc` must be one literal string";
        self.error(&rules::TYPE_MISMATCH, call, message, FORM)
    }

    /// Checks the count of an operation. Without a count, the operation runs once.
    pub(super) fn usage(&mut self, count: Option<TypedExpression>, opcode: &str) -> Option<Usage> {
        let count = match count {
            None => cast(int(1), &Type::Real),
            Some(count) => {
                let is_int = count.expression.ty == Type::Int;
                if self.is_strict() && !is_int {
                    self.expect_type(&count.expression, &Type::Real, count.at)?;
                }
                let at = count.at;
                let count = cast(count.expression, &Type::Real);
                if let Some(Constant::Real(number)) = constant(&count)
                    && !(0.0..=f64::MAX).contains(&number)
                {
                    let message = format!("the count of `{opcode}` is {number}");
                    let help = "a count must be a finite number, 0 or more";
                    return self.error(&rules::CERTAIN_FAULT, at, message, help);
                }
                count
            }
        };
        Some(Usage {
            count,
            opcode: opcode.to_owned(),
        })
    }

    /// Reports an argument that isn't an operation.
    pub(super) fn no_operation<T>(&mut self, at: At) -> Option<T> {
        // The parsed text has a space in place of the quote.
        let text = self.text_at(at).trim_end_matches(['"', ' ']);
        let end = at.start + text.len();
        let at = At { end, ..at };
        let message = "expected an operation: its name, or its count, `*` and its name";
        self.error(&rules::SYNTAX, at, message, FORM)
    }
}

pub(super) fn time(usages: Vec<Usage>) -> Expression {
    typed(ExpressionKind::Clc(usages), Type::Real)
}

impl fmt::Display for DeviceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.device)?;
        match &self.model {
            Some(model) => write!(f, ", \"{model}\""),
            None => Ok(()),
        }
    }
}

impl Usage {
    /// Writes operations and their counts as the string argument of `clc`.
    pub fn list<'u>(usages: impl IntoIterator<Item = (Option<String>, &'u str)>) -> String {
        let one = |(count, opcode): (Option<String>, &str)| match count {
            Some(count) => format!("{count}*{opcode}"),
            None => opcode.to_owned(),
        };
        let all: Vec<String> = usages.into_iter().map(one).collect();
        all.join(",")
    }

    /// Returns `true` if the count is the constant 1.
    pub fn is_single(&self) -> bool {
        constant(&self.count) == Some(Constant::Real(1.0))
    }
}
