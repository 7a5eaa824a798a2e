//! Parses declarations of variables: `in$x`, `in$x = 590`, `out $y : Real`.

use std::ops::Range;

use super::parse::ValueParser;
use super::scan::TokenKind;
use super::{Value, ValueProblem};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// An input of the analysis, the default.
    In,
    Out,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Declaration<'t> {
    pub direction: Direction,
    /// The name, and its byte range in the text.
    pub name: (&'t str, Range<usize>),
    pub value: Option<Value<'t>>,
}

/// Parses declarations separated by commas or semicolons. Skips type names, because all VSL numbers
/// count as reals here.
pub(crate) fn declarations(text: &str) -> Result<Vec<Declaration<'_>>, ValueProblem> {
    let mut parser = ValueParser::of(text)?;
    let mut all = vec![declaration(&mut parser)?];
    while !parser.is_done() {
        if parser.symbol(",").or_else(|| parser.symbol(";")).is_none() {
            return parser.expected("`=` and a value");
        }
        all.push(declaration(&mut parser)?);
    }
    Ok(all)
}

fn declaration<'t>(parser: &mut ValueParser<'t>) -> Result<Declaration<'t>, ValueProblem> {
    let direction = match parser.take(TokenKind::Name) {
        None | Some(("in" | "inout", _)) => Direction::In,
        Some(("out", _)) => Direction::Out,
        Some((other, at)) => {
            let message = format!("unknown direction `{other}`; use `in`, `out` or `inout`");
            return ValueProblem::new(&at, message);
        }
    };
    let Some(name) = parser.take(TokenKind::Variable) else {
        return parser.expected("the name of a variable after `$`");
    };
    if parser.symbol(":").is_some() && parser.take(TokenKind::Name).is_none() {
        return parser.expected("the name of a type");
    }
    let value = match parser.symbol("=") {
        Some(_) => Some(parser.value()?),
        None => None,
    };
    Ok(Declaration {
        direction,
        name,
        value,
    })
}
