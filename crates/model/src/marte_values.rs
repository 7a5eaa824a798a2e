//! Reads values in MARTE's value specification language (VSL, annex B of the OMG's MARTE 1.1) from
//! the tags of MARTE stereotypes: `(expr=$x*2, unit=ms, statQ=mean, source=est)`.
//!
//! | module | turns | into |
//! |---|---|---|
//! | `scan` | text | tokens |
//! | `parse` | tokens | a [`Value`] |
//! | `declaration` | `in$x = 590` | a variable with its value |
//! | `quantity` | a tuple | an expression, its unit, its statistic |
//! | `code` | an expression | the cost language, with the places of its names |

mod code;
mod declaration;
mod parse;
mod quantity;
mod scan;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub(crate) use code::{CodeWriter, Scale, constant};
pub(crate) use declaration::{Direction, declarations};
pub(crate) use parse::parse;
pub(crate) use quantity::{Dimension, Quantity, Statistic, quantity};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ValueProblem {
    /// Byte range of the problem in the value's text.
    pub at: Range<usize>,
    /// One line that says what is wrong, without the name of the tag.
    pub message: String,
}

impl ValueProblem {
    fn new<T>(at: &Range<usize>, message: impl Into<String>) -> Result<T, Self> {
        Err(Self {
            at: at.clone(),
            message: message.into(),
        })
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Value<'t> {
    pub kind: ValueKind<'t>,
    pub at: Range<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ValueKind<'t> {
    /// `590` or `2e-3`
    Number(&'t str),
    /// A quoted text. The value excludes the quotes.
    Text(&'t str),
    /// An enumeration literal, such as `ms` or `mean`.
    Name(&'t str),
    /// `$x`. The value is the name without `$`.
    Variable(&'t str),
    /// `exp(10)`, `open(arrivalRate=…)` or `closed=(population=…)`
    Call(&'t str, Vec<Item<'t>>),
    /// `(value=5, unit=ms)` or `(5, ms)`
    Tuple(Vec<Item<'t>>),
    /// `{1, 2, 3}`
    List(Vec<Value<'t>>),
    /// `-x` or `not x`
    Unary(Operator, Box<Value<'t>>),
    /// `x + y`
    Binary(Operator, Box<[Value<'t>; 2]>),
    /// `(c) ? (x) : (y)`
    Conditional(Box<[Value<'t>; 3]>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item<'t> {
    pub name: Option<&'t str>,
    pub value: Value<'t>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Operator {
    /// The operator's name in the cost language.
    pub name: &'static str,
    /// Precedence. Operators with a higher value bind more tightly.
    pub precedence: u8,
}
