//! Splits VSL text into tokens.

use std::ops::Range;

use super::ValueProblem;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub kind: TokenKind,
    pub text: &'t str,
    pub at: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Number,
    /// A quoted text. The token excludes the quotes.
    Text,
    Name,
    /// `$x`. The token is the name without `$`.
    Variable,
    Symbol,
}

const PAIRS: [&str; 7] = ["==", "!=", "<>", "<=", ">=", "&&", "||"];

const SYMBOLS: &str = "(){}=,;:?+-*/%<>!";

pub(super) fn scan(text: &str) -> Result<Vec<Token<'_>>, ValueProblem> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|it| !it.is_empty()) {
        let space = rest.len() - rest.trim_start().len();
        if space > 0 {
            at += space;
            continue;
        }
        let (kind, skipped, length) = token(rest, at)?;
        let start = at + skipped;
        let range = start..start + length;
        tokens.push(Token {
            kind,
            text: text.get(range.clone()).unwrap_or_default(),
            at: range,
        });
        let quote = usize::from(kind == TokenKind::Text);
        at = start + length + quote;
    }
    Ok(tokens)
}

/// Returns the kind of the first token, the number of bytes before its content, and the length of
/// its content.
fn token(rest: &str, at: usize) -> Result<(TokenKind, usize, usize), ValueProblem> {
    let first = rest.chars().next().unwrap_or_default();
    let name = |text: &str| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        text.find(|c| !is_part(c)).unwrap_or(text.len())
    };
    if first.is_ascii_digit() || (first == '.' && second_is_digit(rest)) {
        return Ok((TokenKind::Number, 0, number(rest)));
    }
    if first.is_ascii_alphabetic() || first == '_' {
        return Ok((TokenKind::Name, 0, name(rest)));
    }
    if first == '$' {
        let behind = rest.get(1..).unwrap_or_default();
        let is_name = behind.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if is_name {
            return Ok((TokenKind::Variable, 1, name(behind)));
        }
        let what = "expected a variable name after `$` (letters, digits and `_`)";
        return ValueProblem::new(&(at..at + 1), what);
    }
    if first == '"' || first == '\'' {
        let behind = rest.get(1..).unwrap_or_default();
        return match behind.find(first) {
            Some(length) => Ok((TokenKind::Text, 1, length)),
            None => ValueProblem::new(&(at..at + 1), "a text is missing its closing quote"),
        };
    }
    if PAIRS.iter().any(|pair| rest.starts_with(pair)) {
        return Ok((TokenKind::Symbol, 0, 2));
    }
    if SYMBOLS.contains(first) {
        return Ok((TokenKind::Symbol, 0, 1));
    }
    let message = format!("`{}` has no meaning in VSL", first.escape_default());
    ValueProblem::new(&(at..at + first.len_utf8()), message)
}

fn second_is_digit(text: &str) -> bool {
    text.chars().nth(1).is_some_and(|c| c.is_ascii_digit())
}

/// Returns the length of the number at the start of a text. In `1..5`, the number is 1.
fn number(text: &str) -> usize {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        rest.bytes().take_while(u8::is_ascii_digit).count()
    };
    let byte = |at: usize| text.as_bytes().get(at).copied().unwrap_or_default();
    let mut end = digits(0);
    if byte(end) == b'.' && byte(end + 1) != b'.' {
        end += 1 + digits(end + 1);
    }
    if matches!(byte(end), b'e' | b'E') {
        let sign = usize::from(matches!(byte(end + 1), b'+' | b'-'));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    end
}
