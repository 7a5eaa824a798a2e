//! A program as functions, statements and expressions, as far as the analysis understands them.

use std::collections::BTreeMap;

use crate::tree::Place;

/// Index of a variable.
pub(crate) type Var = usize;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expr {
    Int(i64),
    Real(f64),
    Var(Var),
    At(Var, Box<Expr>),
    Unary(String, Box<Expr>),
    Binary(String, Box<Expr>, Box<Expr>),
    Choose(Box<[Expr; 3]>),
    Call(String, Vec<Expr>),
    Address(Box<Expr>),
    /// A word of the command line, and that word as a number.
    Argument(usize),
    Given(usize),
    /// Operator (empty for `=`), target, value.
    Assign(String, Box<Expr>, Box<Expr>),
    /// `++` or `--`: whether it comes after, difference, target.
    Step(bool, i64, Box<Expr>),
    List(Vec<Expr>),
    Comma(Vec<Expr>),
    /// Another object, such as a datatype.
    Named(String),
    Text(String),
    /// An operation that the cost language can't express, with its operands.
    Open(Vec<Expr>),
}

impl Expr {
    pub(crate) fn binary(of: &str, one: Self, other: Self) -> Self {
        use Expr::{Binary, Int};
        match (of, &one, &other) {
            ("+", Int(a), Int(b)) => Int(a.wrapping_add(*b)),
            ("-", Int(a), Int(b)) => Int(a.wrapping_sub(*b)),
            ("*", Int(a), Int(b)) => Int(a.wrapping_mul(*b)),
            ("<<", Int(a), Int(b @ 0..=62)) => Int(a << b),
            ("/", Int(a), Int(b)) if *b > 0 => Int(a / b),
            ("==", Int(a), Int(b)) => Int(i64::from(a == b)),
            ("!=", Int(a), Int(b)) => Int(i64::from(a != b)),
            ("<", Int(a), Int(b)) => Int(i64::from(a < b)),
            (">", Int(a), Int(b)) => Int(i64::from(a > b)),
            ("*", _, Int(0)) | ("*", Int(0), _) => Int(0),
            ("*", Int(1), _) | ("+", Int(0), _) => other,
            ("*" | "/", _, Int(1)) | ("+" | "-", _, Int(0)) => one,
            _ => Binary(of.to_owned(), Box::new(one), Box::new(other)),
        }
    }

    /// Returns the sum with equal terms added up, and the same in its factors.
    pub(crate) fn summed(&self) -> Self {
        let mut terms: Vec<(f64, Self)> = Vec::new();
        self.add_terms(1.0, &mut terms);
        let number = |it: f64| {
            #[expect(clippy::cast_possible_truncation, reason = "it is an integer")]
            let whole = it as i64;
            if it.fract() == 0.0 && it.abs() < 1e15 {
                Self::Int(whole)
            } else {
                Self::Real(it)
            }
        };
        let one = |(factor, of)| match of {
            Self::Int(1) => number(factor),
            of => Self::binary("*", number(factor), of),
        };
        let terms = terms.into_iter().filter(|it| it.0 != 0.0).map(one);
        let sum = terms.reduce(|sum, it| Self::binary("+", sum, it));
        sum.unwrap_or(Self::Int(0))
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of operations are small")]
    fn add_terms(&self, factor: f64, terms: &mut Vec<(f64, Self)>) {
        let of = match self {
            Self::Int(value) => return add_term(factor * *value as f64, &Self::Int(1), terms),
            Self::Real(value) => return add_term(factor * value, &Self::Int(1), terms),
            Self::Binary(by, one, other) => match (by.as_str(), &**one, &**other) {
                ("+" | "-", one, other) => {
                    let sign = if by == "-" { -1.0 } else { 1.0 };
                    one.add_terms(factor, terms);
                    return other.add_terms(sign * factor, terms);
                }
                ("*", Self::Int(value), of) | ("*", of, Self::Int(value)) => {
                    return of.add_terms(factor * *value as f64, terms);
                }
                ("*", Self::Real(value), of) | ("*", of, Self::Real(value)) => {
                    return of.add_terms(factor * value, terms);
                }
                ("*", one, other) => Self::binary("*", one.summed(), other.summed()),
                _ => self.clone(),
            },
            Self::Choose(of) => {
                let [then, other] = [1, 2].map(|it| of[it].summed());
                match of[0] {
                    Self::Int(0) => return other.add_terms(factor, terms),
                    Self::Int(_) => return then.add_terms(factor, terms),
                    _ => Self::Choose(Box::new([of[0].clone(), then, other])),
                }
            }
            _ => self.clone(),
        };
        if matches!(of, Self::Int(_)) {
            of.add_terms(factor, terms);
        } else {
            add_term(factor, &of, terms);
        }
    }

    pub(crate) fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Int(_)
            | Self::Real(_)
            | Self::Var(_)
            | Self::Argument(_)
            | Self::Given(_)
            | Self::Named(_)
            | Self::Text(_) => Vec::new(),
            Self::At(_, of) | Self::Unary(_, of) | Self::Address(of) | Self::Step(_, _, of) => {
                vec![of]
            }
            Self::Binary(_, one, other) | Self::Assign(_, one, other) => vec![one, other],
            Self::Choose(of) => of.iter().collect(),
            Self::Call(_, of) | Self::List(of) | Self::Comma(of) | Self::Open(of) => {
                of.iter().collect()
            }
        }
    }

    /// Returns the expression and all parts of it.
    pub(crate) fn all(&self) -> Vec<&Self> {
        with_parts(self, Self::parts)
    }
}

/// Returns a tree's root and all of its parts, by level.
fn with_parts<T>(root: &T, parts: impl Fn(&T) -> Vec<&T>) -> Vec<&T> {
    let mut all = vec![root];
    let mut at = 0;
    while at < all.len() {
        all.extend(parts(all[at]));
        at += 1;
    }
    all
}

fn add_term(factor: f64, of: &Expr, terms: &mut Vec<(f64, Expr)>) {
    match terms.iter_mut().find(|it| it.1 == *of) {
        Some(term) => term.0 += factor,
        None => terms.push((factor, of.clone())),
    }
}

#[derive(Debug, Clone)]
pub(crate) enum What {
    Block(Vec<Stmt>),
    If(Expr, Box<Stmt>, Box<Stmt>),
    Loop(Box<Loop>),
    Do(Expr),
    Return(Option<Expr>),
    Break,
    Continue,
    /// A statement that is left open, such as `goto`.
    Open(String),
    /// A directive of OpenMP: its kind, its clauses, and its statement.
    Parallel(String, Vec<(String, String)>, Box<Stmt>),
}

#[derive(Debug, Clone)]
pub(crate) struct Stmt {
    pub(crate) what: What,
    pub(crate) place: Place,
}

#[derive(Debug, Clone)]
pub(crate) struct Loop {
    pub(crate) init: Vec<Stmt>,
    pub(crate) condition: Option<Expr>,
    pub(crate) step: Vec<Stmt>,
    pub(crate) body: Stmt,
    pub(crate) is_tested_last: bool,
}

impl Loop {
    /// Returns whether the loop only groups statements.
    pub(crate) fn is_once(&self) -> bool {
        let is_jump = |it: &&Stmt| matches!(it.what, What::Break | What::Continue);
        let never = self.condition == Some(Expr::Int(0));
        self.is_tested_last && never && !self.body.all().iter().any(is_jump)
    }
}

impl Stmt {
    pub(crate) fn parts(&self) -> Vec<&Self> {
        match &self.what {
            What::Block(of) => of.iter().collect(),
            What::If(_, then, other) => vec![then, other],
            What::Loop(of) => {
                let mut parts: Vec<&Self> = of.init.iter().collect();
                parts.push(&of.body);
                parts.extend(&of.step);
                parts
            }
            What::Parallel(_, _, of) => vec![of],
            _ => Vec::new(),
        }
    }

    /// Returns the statement and all parts of it.
    pub(crate) fn all(&self) -> Vec<&Self> {
        with_parts(self, Self::parts)
    }

    /// Returns the expressions of this statement, without the expressions in its parts.
    pub(crate) fn own(&self) -> Vec<&Expr> {
        match &self.what {
            What::If(of, ..) | What::Do(of) | What::Return(Some(of)) => vec![of],
            What::Loop(of) => of.condition.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Returns all expressions and their parts.
    pub(crate) fn expressions(&self) -> Vec<&Expr> {
        let own = self.all().into_iter().flat_map(Self::own);
        own.flat_map(Expr::all).collect()
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) of: String,
    /// The function that declares the variable; empty for a global one.
    pub(crate) function: String,
    /// Number of elements; 0 if it isn't an array.
    pub(crate) length: usize,
    pub(crate) is_parameter: bool,
    /// The variable whose member this is, and the member's name.
    pub(crate) member: Option<(Var, String)>,
    /// What a global variable begins with.
    pub(crate) initial: Option<Expr>,
}

impl Variable {
    /// Returns the type without its qualifiers, lengths and pointers.
    pub(crate) fn element(&self) -> &str {
        let of = self.of.split(['[', '*']).next().unwrap_or_default();
        let of = of.trim().trim_start_matches("const ");
        of.trim_start_matches("static ")
            .trim_start_matches("volatile ")
            .trim()
    }

    pub(crate) fn is_integer(&self) -> bool {
        is_integer(self.element())
    }

    pub(crate) fn is_number(&self) -> bool {
        self.is_integer() || matches!(self.element(), "double" | "float" | "long double")
    }

    pub(crate) fn is_pointer(&self) -> bool {
        self.of.contains('*')
    }
}

pub(crate) fn is_integer(of: &str) -> bool {
    let words = [
        "int", "long", "short", "unsigned", "signed", "_Bool", "bool", "size_t",
    ];
    of.starts_with("enum ") || (!of.is_empty() && of.split(' ').all(|it| words.contains(&it)))
}

#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) parameters: Vec<Var>,
    /// Variable of the result.
    pub(crate) result: Var,
    pub(crate) body: Stmt,
    pub(crate) place: Place,
}

#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) functions: BTreeMap<String, Function>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) files: Vec<String>,
    /// Values of words of the command line if they are missing, as literals.
    pub(crate) defaults: BTreeMap<usize, Expr>,
    /// Things that were not understood, with their places.
    pub(crate) notes: Vec<String>,
}

impl Program {
    pub(crate) fn place(&self, place: Place) -> String {
        let file = self.files.get(place.file).map_or("", String::as_str);
        let file = file.rsplit('/').next().unwrap_or(file);
        format!("{file}:{}", place.line)
    }
}
