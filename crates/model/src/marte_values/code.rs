//! Translates VSL expressions to the cost language.

use super::{Item, Operator, Value, ValueKind, ValueProblem};
use crate::source::{Origin, Source, Span, Text};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    One,
    Times(&'static str),
    Over(&'static str),
}

impl Scale {
    fn operation(self) -> Option<(Operator, &'static str)> {
        let of = |name, factor| {
            (
                Operator {
                    name,
                    precedence: PRODUCT,
                },
                factor,
            )
        };
        match self {
            Self::One => None,
            Self::Times(factor) => Some(of("*", factor)),
            Self::Over(factor) => Some(of("/", factor)),
        }
    }
}

const PRODUCT: u8 = 6;

/// Distributions in MARTE's library of non-functional properties: name, number of parameters, and
/// equivalent in the cost language. `0`, `1` and `2` stand for the parameters.
const DISTRIBUTIONS: [(&str, usize, &str); 7] = [
    ("exp", 1, "exponential(0)"),
    ("normal", 2, "normal(0, 1)"),
    ("uniform", 2, "uniform(0, 1)"),
    ("gamma", 2, "gamma(0, 1 / 0)"),
    ("poisson", 1, "poisson(0)"),
    ("bernoulli", 1, "bernoulli(0)"),
    ("triangular", 3, "triangular(0, 2, 1)"),
];

/// Functions of VSL that the cost language has too: name, number of parameters, and name in the
/// cost language.
const FUNCTIONS: [(&str, usize, &str); 9] = [
    ("sqrt", 1, "sqrt"),
    ("log", 1, "log"),
    ("floor", 1, "floor"),
    ("ceil", 1, "ceil"),
    ("round", 1, "round"),
    ("abs", 1, "fabs"),
    ("min", 2, "fmin"),
    ("max", 2, "fmax"),
    ("pow", 2, "pow"),
];

pub(crate) struct CodeWriter<'a> {
    text: &'a Text,
    source: &'a Source,
    value: String,
    origins: Vec<Origin>,
    /// Variables in the code, with their places.
    pub variables: Vec<(String, Span)>,
    /// Whether evaluating the code draws random numbers.
    pub is_random: bool,
}

impl<'a> CodeWriter<'a> {
    /// Translates a value, multiplied by a factor.
    pub(crate) fn of(
        value: &Value<'_>,
        scale: Scale,
        text: &'a Text,
        source: &'a Source,
    ) -> Result<Self, ValueProblem> {
        let mut code = Self {
            text,
            source,
            value: String::new(),
            origins: Vec::new(),
            variables: Vec::new(),
            is_random: false,
        };
        match scale.operation() {
            None => code.expression(value, 0)?,
            Some((operator, factor)) => {
                code.expression(value, operator.precedence)?;
                for word in [" ", operator.name, " ", factor] {
                    code.value.push_str(word);
                }
            }
        }
        Ok(code)
    }

    pub(crate) fn text(&self) -> Text {
        Text {
            value: self.value.clone(),
            span: self.text.span,
            origins: self.origins.clone(),
        }
    }

    /// Appends a word that translates part of the value, and records its place.
    fn word(&mut self, value: &Value<'_>, word: &str) {
        let start = self.value.len();
        self.value.push_str(word);
        let span = self.text.locate(self.source, value.at.start, value.at.end);
        let end = self.value.len();
        self.origins.push(Origin { start, end, span });
    }

    /// Translates an expression. If its operators bind less tightly than `least`, adds parentheses.
    fn expression(&mut self, value: &Value<'_>, least: u8) -> Result<(), ValueProblem> {
        let precedence = match &value.kind {
            ValueKind::Binary(operator, _) | ValueKind::Unary(operator, _) => operator.precedence,
            ValueKind::Conditional(_) => 0,
            _ => u8::MAX,
        };
        let is_bracketed = precedence < least;
        if is_bracketed {
            self.value.push('(');
        }
        self.bare(value)?;
        if is_bracketed {
            self.value.push(')');
        }
        Ok(())
    }

    fn bare(&mut self, value: &Value<'_>) -> Result<(), ValueProblem> {
        match &value.kind {
            ValueKind::Number(number) => self.word(value, &real(number)),
            ValueKind::Variable(name) => {
                let span = self.text.locate(self.source, value.at.start, value.at.end);
                self.variables.push(((*name).to_owned(), span));
                self.word(value, name);
            }
            ValueKind::Name(name @ ("true" | "false")) => self.word(value, name),
            ValueKind::Unary(operator, inner) => {
                self.value.push_str(operator.name);
                // Without parentheses, `--x` would be a different operator.
                self.expression(inner, operator.precedence + 1)?;
            }
            ValueKind::Binary(operator, sides) => self.binary(*operator, sides)?,
            ValueKind::Conditional(parts) => {
                let [condition, first, second] = &**parts;
                self.expression(condition, 1)?;
                self.value.push_str(" ? ");
                self.expression(first, 1)?;
                self.value.push_str(" : ");
                self.expression(second, 1)?;
            }
            ValueKind::Call(name, items) => self.call(name, items, value)?,
            ValueKind::Name(name) => {
                let message = format!("`{name}` is not a number; write variables as `${name}`");
                return ValueProblem::new(&value.at, message);
            }
            ValueKind::Text(_) => {
                return ValueProblem::new(&value.at, "expected a number, found a text");
            }
            ValueKind::Tuple(_) => {
                return ValueProblem::new(&value.at, "expected a number, found a tuple");
            }
            ValueKind::List(_) => {
                return ValueProblem::new(&value.at, "expected a number, found a list");
            }
        }
        Ok(())
    }

    fn binary(&mut self, operator: Operator, sides: &[Value<'_>; 2]) -> Result<(), ValueProblem> {
        let [left, right] = sides;
        if operator.name == "%" {
            self.value.push_str("fmod(");
            self.expression(left, 1)?;
            self.value.push_str(", ");
            self.expression(right, 1)?;
            self.value.push(')');
            return Ok(());
        }
        self.expression(left, operator.precedence)?;
        for word in [" ", operator.name, " "] {
            self.value.push_str(word);
        }
        self.expression(right, operator.precedence + 1)
    }

    fn call(
        &mut self,
        name: &str,
        items: &[Item<'_>],
        value: &Value<'_>,
    ) -> Result<(), ValueProblem> {
        let function = FUNCTIONS.iter().find(|it| it.0 == name);
        let distribution = DISTRIBUTIONS.iter().find(|it| it.0 == name);
        let Some(&(_, count, _)) = function.or(distribution) else {
            let all: Vec<&str> = DISTRIBUTIONS
                .iter()
                .chain(&FUNCTIONS)
                .map(|it| it.0)
                .collect();
            let message = format!(
                "unknown function `{name}`; the functions are {}",
                all.join(", ")
            );
            return ValueProblem::new(&value.at, message);
        };
        if items.len() != count {
            let values = if count == 1 { "value" } else { "values" };
            let message = format!("`{name}` takes {count} {values}, not {}", items.len());
            return ValueProblem::new(&value.at, message);
        }
        if let Some((.., own)) = function {
            self.value.push_str(own);
            self.value.push('(');
            for (index, item) in items.iter().enumerate() {
                self.value.push_str(if index == 0 { "" } else { ", " });
                self.expression(&item.value, 1)?;
            }
            self.value.push(')');
        } else if let Some((.., variate)) = distribution {
            self.is_random = true;
            for c in variate.chars() {
                match c.to_digit(10).and_then(|it| items.get(it as usize)) {
                    Some(item) => self.expression(&item.value, PRODUCT + 1)?,
                    None => self.value.push(c),
                }
            }
        }
        Ok(())
    }
}

/// Writes a number as a real, because dividing integers in VSL results in a real.
fn real(number: &str) -> String {
    let is_real = number.contains(['.', 'e', 'E']);
    let end = if is_real { "" } else { ".0" };
    format!("{number}{end}")
}

/// Evaluates an expression of numbers, `+ - * /` and known variables; `None` for other expressions.
pub(crate) fn constant(value: &Value<'_>, known: &dyn Fn(&str) -> Option<f64>) -> Option<f64> {
    match &value.kind {
        ValueKind::Number(number) => number.parse().ok(),
        ValueKind::Variable(name) => known(name),
        ValueKind::Unary(operator, inner) if operator.name == "-" => Some(-constant(inner, known)?),
        ValueKind::Binary(operator, sides) => {
            let [left, right] = &**sides;
            let (left, right) = (constant(left, known)?, constant(right, known)?);
            match operator.name {
                "+" => Some(left + right),
                "-" => Some(left - right),
                "*" => Some(left * right),
                "/" => Some(left / right),
                _ => None,
            }
        }
        _ => None,
    }
}
