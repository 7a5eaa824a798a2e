//! Parses expressions into code for a stack machine.

use prophet_text::did_you_mean;

use super::evaluate::{Binary, Function, Op};
use super::token::{Place, Token, token};
use super::{Kind, Value};

/// Maximum nesting depth.
const DEPTH_MAX: usize = 100;

type Problem = (Place, String);

/// Returns the code for a text, and the kind of value that it computes.
pub(super) fn parse(text: &str, names: &[(&str, Value<'_>)]) -> Result<(Kind, Vec<Op>), Problem> {
    let mut parser = Parser {
        text,
        names,
        code: Vec::new(),
        token: Token::End,
        place: (0, 0),
        before: 0,
        depth: 0,
    };
    parser.advance()?;
    let kind = parser.choice()?;
    if parser.token != Token::End {
        return Err(parser.unexpected("the end, or an operator"));
    }
    Ok((kind, parser.code))
}

struct Parser<'a> {
    text: &'a str,
    names: &'a [(&'a str, Value<'a>)],
    code: Vec<Op>,
    token: Token<'a>,
    place: Place,
    before: usize,
    depth: usize,
}

impl Parser<'_> {
    fn advance(&mut self) -> Result<(), Problem> {
        self.before = self.place.1;
        let rest = &self.text[self.before..];
        let start = self.text.len() - rest.trim_start().len();
        let (token, length) =
            token(&self.text[start..]).map_err(|(length, why)| ((start, start + length), why))?;
        self.token = token;
        self.place = (start, start + length);
        Ok(())
    }

    /// Takes the next token if it is one of these operators.
    fn take(&mut self, marks: &[&str]) -> Result<Option<&'static str>, Problem> {
        match self.token {
            Token::Mark(mark) if marks.contains(&mark) => {
                self.advance()?;
                Ok(Some(mark))
            }
            _ => Ok(None),
        }
    }

    fn expect(&mut self, mark: &str) -> Result<(), Problem> {
        match self.take(&[mark])? {
            Some(_) => Ok(()),
            None => Err(self.unexpected(&format!("`{mark}`"))),
        }
    }

    fn unexpected(&self, expected: &str) -> Problem {
        let why = match self.token {
            Token::Mark("=") => "compare values with `==`".to_owned(),
            _ => format!("expected {expected}"),
        };
        (self.place, why)
    }

    /// Rejects the expression that starts at `start` unless it is of the needed kind.
    fn require(&self, start: usize, kind: Kind, needed: Kind) -> Result<(), Problem> {
        if kind == needed {
            return Ok(());
        }
        let why = format!("this is {}, not {}", kind.words(), needed.words());
        Err(((start, self.before), why))
    }

    fn choice(&mut self) -> Result<Kind, Problem> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            let why = format!("this is nested more than {DEPTH_MAX} times");
            return Err((self.place, why));
        }
        let start = self.place.0;
        let mut kind = self.any()?;
        if self.take(&["?"])?.is_some() {
            self.require(start, kind, Kind::Condition)?;
            kind = self.choice()?;
            self.expect(":")?;
            let other = self.place.0;
            let second = self.choice()?;
            self.require(other, second, kind)?;
            if kind == Kind::Text {
                return Err((
                    (start, self.before),
                    "the values of a choice must be numbers".to_owned(),
                ));
            }
            self.code.push(Op::Choose);
        }
        self.depth -= 1;
        Ok(kind)
    }

    fn any(&mut self) -> Result<Kind, Problem> {
        self.chain(&["||"], Kind::Condition, Self::all)
    }

    fn all(&mut self) -> Result<Kind, Problem> {
        self.chain(&["&&"], Kind::Condition, Self::comparison)
    }

    fn sum(&mut self) -> Result<Kind, Problem> {
        self.chain(&["+", "-"], Kind::Number, Self::product)
    }

    fn product(&mut self) -> Result<Kind, Problem> {
        self.chain(&["*", "/", "%"], Kind::Number, Self::unary)
    }

    /// Parses operands of the same kind with operators between them, grouped from left to right.
    fn chain(
        &mut self,
        marks: &[&str],
        kind: Kind,
        operand: fn(&mut Self) -> Result<Kind, Problem>,
    ) -> Result<Kind, Problem> {
        let start = self.place.0;
        let first = operand(self)?;
        let mut found = first;
        let mut end = self.before;
        while let Some(mark) = self.take(marks)? {
            if found != kind {
                let why = format!("this is {}, not {}", found.words(), kind.words());
                return Err(((start, end), why));
            }
            let next = self.place.0;
            let second = operand(self)?;
            self.require(next, second, kind)?;
            self.code.push(Op::Binary(Binary::of(mark)));
            (found, end) = (kind, self.before);
        }
        Ok(found)
    }

    fn comparison(&mut self) -> Result<Kind, Problem> {
        const COMPARISONS: [&str; 6] = ["<=", ">=", "==", "!=", "<", ">"];
        let start = self.place.0;
        let kind = self.sum()?;
        let Some(mark) = self.take(&COMPARISONS)? else {
            return Ok(kind);
        };
        let next = self.place.0;
        let second = self.sum()?;
        self.require(next, second, kind)?;
        match (kind, mark) {
            (Kind::Condition, _) => {
                let why = "conditions are combined with && and ||, not compared";
                return Err(((start, self.before), why.to_owned()));
            }
            (Kind::Text, "==" | "!=") => self.code.push(Op::Same(mark == "==")),
            (Kind::Text, _) => {
                let why = "texts can only be compared with == or !=";
                return Err(((start, self.before), why.to_owned()));
            }
            (Kind::Number, _) => self.code.push(Op::Binary(Binary::of(mark))),
        }
        if self.take(&COMPARISONS)?.is_some() {
            let why = "comparisons are combined with &&, such as 1 < nodes && nodes < 8";
            return Err(((start, self.before), why.to_owned()));
        }
        Ok(Kind::Condition)
    }

    fn unary(&mut self) -> Result<Kind, Problem> {
        let mut signs = Vec::new();
        while let Some(mark) = self.take(&["-", "+", "!"])? {
            signs.push(mark);
        }
        let start = self.place.0;
        let kind = self.primary()?;
        for mark in signs.into_iter().rev() {
            let (needed, op) = match mark {
                "!" => (Kind::Condition, Some(Op::Not)),
                "-" => (Kind::Number, Some(Op::Negate)),
                _ => (Kind::Number, None),
            };
            self.require(start, kind, needed)?;
            self.code.extend(op);
        }
        Ok(kind)
    }

    fn primary(&mut self) -> Result<Kind, Problem> {
        let (token, place) = (self.token, self.place);
        self.advance()?;
        match token {
            Token::Number(value) => {
                self.code.push(Op::Number(value));
                Ok(Kind::Number)
            }
            Token::Text(text) => {
                self.code.push(Op::Text(text.to_owned()));
                Ok(Kind::Text)
            }
            Token::Name(name) if self.token == Token::Mark("(") => self.call(name, place),
            Token::Name(name) => self.name(name, place),
            Token::Mark("(") => {
                let kind = self.choice()?;
                self.expect(")")?;
                Ok(kind)
            }
            Token::Mark("=") => Err((place, "compare values with `==`".to_owned())),
            Token::Mark(_) | Token::End => {
                let why = "expected a number, a name or `(`";
                Err((place, why.to_owned()))
            }
        }
    }

    fn name(&mut self, name: &str, place: Place) -> Result<Kind, Problem> {
        let found = self.names.iter().position(|(known, _)| *known == name);
        let Some(index) = found else {
            let known: Vec<&str> = self.names.iter().map(|(known, _)| *known).collect();
            let near = did_you_mean(name, known.iter().copied());
            let mut longer = known.iter().filter(|it| it.split('_').any(|it| it == name));
            let hint = if let Some(longer) = longer.next() {
                format!("; did you mean `{longer}`?")
            } else if near.is_empty() {
                format!("; there are {}", known.join(", "))
            } else {
                near
            };
            let why = format!("`{name}` is neither a result nor a parameter of this sweep{hint}");
            return Err((place, why));
        };
        self.code.push(Op::Name(index));
        Ok(match self.names[index].1 {
            Value::Number(_) => Kind::Number,
            Value::Text(_) => Kind::Text,
        })
    }

    fn call(&mut self, name: &str, place: Place) -> Result<Kind, Problem> {
        let Some(function) = Function::of(name) else {
            let names = || Function::ALL.into_iter().map(Function::name);
            let near = did_you_mean(name, names());
            let hint = if near.is_empty() {
                format!("; there are {}", names().collect::<Vec<_>>().join(", "))
            } else {
                near
            };
            return Err((place, format!("unknown function `{name}`{hint}")));
        };
        self.expect("(")?;
        let mut count = 0;
        loop {
            let start = self.place.0;
            let kind = self.choice()?;
            self.require(start, kind, Kind::Number)?;
            count += 1;
            // With more than two arguments, combine the result for two with the next one.
            if function.is_open() && count > 1 {
                self.code.push(Op::Call(function));
            }
            if self.take(&[","])?.is_none() {
                break;
            }
        }
        self.expect(")")?;
        let needed = function.arguments();
        if function.is_open() && count >= needed {
            return Ok(Kind::Number);
        }
        if count != needed {
            let plural = if needed == 1 { "" } else { "s" };
            let why = format!("{name} takes {needed} argument{plural}, not {count}");
            return Err(((place.0, self.before), why));
        }
        self.code.push(Op::Call(function));
        Ok(Kind::Number)
    }
}
