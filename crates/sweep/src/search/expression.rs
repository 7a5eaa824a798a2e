//! Parses and evaluates expressions of named numbers and texts. They serve as objectives, and as
//! conditions that results must meet.
//!
//! All numbers are reals, so `nodes / 4` is never rounded. Operators have the same precedence as in
//! C.

mod evaluate;
mod parse;
mod token;

use std::fmt;

use evaluate::{Item, Op};

pub use evaluate::Value;

/// A parsed expression, ready to be evaluated many times.
///
/// ```
/// use prophet_sweep::search::{Expression, Value};
///
/// let names = [("nodes", Value::Number(0.0)), ("network", Value::Text(""))];
/// let price = "nodes * (network == \"fast\" ? 1.5 : 1)";
/// let price = Expression::number(price, &names)?;
/// let values = [Value::Number(4.0), Value::Text("fast")];
/// assert_eq!(price.value(&values), 6.0);
///
/// let small = Expression::condition("nodes <= 8 && nodes > 1", &names)?;
/// assert!(small.margin(&values) <= 0.0);
/// # Ok::<(), prophet_sweep::search::Misfit>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    text: String,
    code: Vec<Op>,
}

/// Why a text isn't a valid expression, and the position of the problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit {
    text: String,
    /// Start and end of the token, in bytes.
    place: (usize, usize),
    why: String,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.text.trim().is_empty() {
            return f.write_str("the expression is empty");
        }
        let before = self.text[..self.place.0].chars().count();
        let marked = self.text[self.place.0..self.place.1].chars().count();
        let (indent, mark) = (" ".repeat(before), "^".repeat(marked.max(1)));
        write!(f, "{}\n  {}\n  {indent}{mark}", self.why, self.text)
    }
}

impl std::error::Error for Misfit {}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Condition,
    Text,
}

impl Kind {
    const fn words(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Condition => "a condition, true or false",
            Self::Text => "a text",
        }
    }
}

impl Expression {
    /// Parses a numeric expression over these names. Their values only show whether a name is a
    /// number or a text.
    ///
    /// # Errors
    ///
    /// Returns a [`Misfit`] that says what is wrong, and where.
    pub fn number(text: &str, names: &[(&str, Value<'_>)]) -> Result<Self, Misfit> {
        let why = "an objective must be a number, such as `predicted_time_s * nodes`";
        Self::read(text, names, Kind::Number, why)
    }

    /// Parses a condition over these names. Their values only show whether a name is a number or a
    /// text.
    ///
    /// # Errors
    ///
    /// Returns a [`Misfit`] that says what is wrong, and where.
    pub fn condition(text: &str, names: &[(&str, Value<'_>)]) -> Result<Self, Misfit> {
        let why = "a constraint must be a comparison, such as `predicted_time_s < 120`";
        Self::read(text, names, Kind::Condition, why)
    }

    fn read(
        text: &str,
        names: &[(&str, Value<'_>)],
        expected: Kind,
        why: &str,
    ) -> Result<Self, Misfit> {
        let misfit = |place, why| Misfit {
            text: text.to_owned(),
            place,
            why,
        };
        let (kind, code) = parse::parse(text, names).map_err(|(place, why)| misfit(place, why))?;
        if kind != expected {
            let why = format!("this is {}; {why}", kind.words());
            return Err(misfit((0, text.len()), why));
        }
        Ok(Self {
            text: text.to_owned(),
            code,
        })
    }

    /// Returns the text that the expression was parsed from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the indices of the names that the expression uses.
    pub fn names(&self) -> Vec<usize> {
        let mut names: Vec<usize> = self.code.iter().filter_map(Op::name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Evaluates the expression. `values` are the values of the names, in order. Returns NaN if the
    /// result is undefined or a value has the wrong kind.
    pub fn value(&self, values: &[Value<'_>]) -> f64 {
        self.item(values).number
    }

    /// Returns how far a condition is from holding: greater than 0 if it doesn't hold, and NaN if
    /// it is undefined.
    ///
    /// For a comparison of positive numbers, this is the logarithm of their ratio; otherwise, their
    /// difference.
    pub fn margin(&self, values: &[Value<'_>]) -> f64 {
        self.item(values).margin
    }

    fn item(&self, values: &[Value<'_>]) -> Item {
        evaluate::evaluate(&self.code, values)
    }
}

#[cfg(test)]
mod tests;
