//! Parses VSL expressions.

use std::ops::Range;

use super::scan::{Token, TokenKind, scan};
use super::{Item, Operator, Value, ValueKind, ValueProblem};

/// Maximum nesting depth of a value.
const NESTING_MAX: usize = 24;

/// Maximum length of a value in bytes, the same as in the cost language.
const BYTES_MAX: usize = 16_384;

const PREFIX: u8 = 7;

pub(crate) fn parse(text: &str) -> Result<Value<'_>, ValueProblem> {
    if text.len() > BYTES_MAX {
        return ValueProblem::new(&(0..1), format!("it has more than {BYTES_MAX} bytes"));
    }
    ValueParser::of(text)?.whole()
}

pub(super) struct ValueParser<'t> {
    tokens: Vec<Token<'t>>,
    next: usize,
    depth: usize,
    end: usize,
}

impl<'t> ValueParser<'t> {
    pub(super) fn of(text: &'t str) -> Result<Self, ValueProblem> {
        Ok(Self {
            tokens: scan(text)?,
            next: 0,
            depth: 0,
            end: text.trim_end().len(),
        })
    }

    /// Parses a single value. Nothing must follow it.
    fn whole(&mut self) -> Result<Value<'t>, ValueProblem> {
        let value = self.value()?;
        match self.peek() {
            None => Ok(value),
            Some(token) => ValueProblem::new(&token.at, format!("unexpected `{}`", token.text)),
        }
    }

    pub(super) fn value(&mut self) -> Result<Value<'t>, ValueProblem> {
        let item = self.item()?;
        Ok(self.with_unit(named(item)))
    }

    /// Parses a unit after a number, as in `5 ms`. VSL doesn't allow this, but it is common.
    fn with_unit(&mut self, value: Value<'t>) -> Value<'t> {
        let unit = self.peek().filter(|it| it.kind == TokenKind::Name).cloned();
        let (ValueKind::Number(_), Some(unit)) = (&value.kind, unit) else {
            return value;
        };
        self.next += 1;
        let at = value.at.start..unit.at.end;
        let unit = Value {
            kind: ValueKind::Name(unit.text),
            at: unit.at,
        };
        let items = [value, unit].map(|value| Item { name: None, value });
        let kind = ValueKind::Tuple(items.into());
        Value { kind, at }
    }

    fn peek(&self) -> Option<&Token<'t>> {
        self.tokens.get(self.next)
    }

    /// Skips the next token if it is this symbol, and returns its place.
    pub(super) fn symbol(&mut self, symbol: &str) -> Option<Range<usize>> {
        let is_it = |it: &&Token| it.kind == TokenKind::Symbol && it.text == symbol;
        let at = self.peek().filter(is_it)?.at.clone();
        self.next += 1;
        Some(at)
    }

    pub(super) fn take(&mut self, kind: TokenKind) -> Option<(&'t str, Range<usize>)> {
        let token = self.peek().filter(|it| it.kind == kind)?;
        let taken = (token.text, token.at.clone());
        self.next += 1;
        Some(taken)
    }

    pub(super) fn is_done(&self) -> bool {
        self.next >= self.tokens.len()
    }

    pub(super) fn expected<T>(&self, what: &str) -> Result<T, ValueProblem> {
        match self.peek() {
            Some(token) => {
                let message = format!("expected {what}, not `{}`", token.text);
                ValueProblem::new(&token.at, message)
            }
            None => ValueProblem::new(&(self.end..self.end), format!("expected {what} at the end")),
        }
    }

    /// Parses `name = value` or `value`.
    fn item(&mut self) -> Result<Item<'t>, ValueProblem> {
        let is_named = self.peek().is_some_and(|it| it.kind == TokenKind::Name)
            && (self.tokens.get(self.next + 1)).is_some_and(|it| it.text == "=");
        if !is_named {
            let (name, value) = (None, self.expression(0)?);
            return Ok(Item { name, value });
        }
        let name = self.take(TokenKind::Name).map(|(name, _)| name);
        self.next += 1;
        let value = self.expression(0)?;
        Ok(Item { name, value })
    }

    /// Parses an expression with operators of at least the precedence `least`.
    fn expression(&mut self, least: u8) -> Result<Value<'t>, ValueProblem> {
        self.depth += 1;
        if self.depth > NESTING_MAX {
            let message = format!("it is nested more than {NESTING_MAX} levels deep");
            let at = self.peek().map_or(self.end..self.end, |it| it.at.clone());
            return ValueProblem::new(&at, message);
        }
        let mut left = self.prefixed()?;
        while let Some(operator) = self.infix(least) {
            self.next += 1;
            let right = self.expression(operator.precedence + 1)?;
            let at = left.at.start..right.at.end;
            let kind = ValueKind::Binary(operator, Box::new([left, right]));
            left = Value { kind, at };
        }
        if least == 0 && self.symbol("?").is_some() {
            let first = self.expression(0)?;
            if self.symbol(":").is_none() {
                return self.expected("`:`");
            }
            let second = self.expression(0)?;
            let at = left.at.start..second.at.end;
            let kind = ValueKind::Conditional(Box::new([left, first, second]));
            left = Value { kind, at };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn infix(&self, least: u8) -> Option<Operator> {
        let token = self.peek()?;
        let (name, precedence) = match token.text {
            _ if matches!(token.kind, TokenKind::Text | TokenKind::Variable) => return None,
            "or" | "||" => ("||", 1),
            "and" | "&&" => ("&&", 2),
            "==" | "=" => ("==", 3),
            "!=" | "<>" => ("!=", 3),
            "<" => ("<", 4),
            "<=" => ("<=", 4),
            ">" => (">", 4),
            ">=" => (">=", 4),
            "+" => ("+", 5),
            "-" => ("-", 5),
            "*" => ("*", 6),
            "/" => ("/", 6),
            "mod" | "%" => ("%", 6),
            _ => return None,
        };
        (precedence >= least).then_some(Operator { name, precedence })
    }

    fn prefixed(&mut self) -> Result<Value<'t>, ValueProblem> {
        let Some(token) = self.peek().cloned() else {
            return self.expected("a value");
        };
        let name = match (token.kind, token.text) {
            (TokenKind::Symbol, "-") => "-",
            (TokenKind::Symbol, "!") | (TokenKind::Name, "not") => "!",
            _ => return self.primary(token),
        };
        self.next += 1;
        let value = self.expression(PREFIX)?;
        let at = token.at.start..value.at.end;
        let precedence = PREFIX;
        let kind = ValueKind::Unary(Operator { name, precedence }, Box::new(value));
        Ok(Value { kind, at })
    }

    fn primary(&mut self, token: Token<'t>) -> Result<Value<'t>, ValueProblem> {
        self.next += 1;
        let Token { kind, text, at } = token;
        let kind = match (kind, text) {
            (TokenKind::Number, _) => ValueKind::Number(text),
            (TokenKind::Text, _) => ValueKind::Text(text),
            (TokenKind::Variable, _) => ValueKind::Variable(text),
            (TokenKind::Name, _) => {
                if self.symbol("(").is_none() {
                    ValueKind::Name(text)
                } else {
                    let (items, end) = self.items(")")?;
                    let (kind, at) = (ValueKind::Call(text, items), at.start..end);
                    return Ok(Value { kind, at });
                }
            }
            (TokenKind::Symbol, "(") => {
                let (items, end) = self.items(")")?;
                return Ok(grouped(items, at.start..end));
            }
            (TokenKind::Symbol, "{") => {
                let (items, end) = self.items("}")?;
                let values = items.into_iter().map(named).collect();
                let (kind, at) = (ValueKind::List(values), at.start..end);
                return Ok(Value { kind, at });
            }
            _ => {
                self.next -= 1;
                return self.expected("a value");
            }
        };
        Ok(Value { kind, at })
    }

    /// Parses items up to a closing bracket, and returns them with the end of the bracket.
    fn items(&mut self, close: &str) -> Result<(Vec<Item<'t>>, usize), ValueProblem> {
        let mut items = Vec::new();
        loop {
            if let Some(at) = self.symbol(close) {
                return Ok((items, at.end));
            }
            let is_next =
                items.is_empty() || self.symbol(",").or_else(|| self.symbol(";")).is_some();
            if !is_next {
                return self.expected(&format!("`,` or `{close}`"));
            }
            items.push(self.item()?);
        }
    }
}

/// Creates the value for parentheses. Around a single value without a name, they only group.
fn grouped(mut items: Vec<Item<'_>>, at: Range<usize>) -> Value<'_> {
    let is_group = items.len() == 1 && items.iter().all(|it| it.name.is_none());
    let only = if is_group { items.pop() } else { None };
    let kind = only.map_or(ValueKind::Tuple(items), |item| item.value.kind);
    Value { kind, at }
}

/// Returns the value of an item. `open=(…)` means the same as `open(…)`.
fn named(item: Item<'_>) -> Value<'_> {
    let Some(name) = item.name else {
        return item.value;
    };
    let Value { kind, at } = item.value;
    let items = match kind {
        ValueKind::Tuple(items) => items,
        kind => {
            let at = at.clone();
            let (name, value) = (None, Value { kind, at });
            vec![Item { name, value }]
        }
    };
    let kind = ValueKind::Call(name, items);
    Value { kind, at }
}
