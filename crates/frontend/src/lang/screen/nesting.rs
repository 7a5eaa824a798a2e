//! Measures how deeply a text is nested: counts brackets, and the constructs between them that the
//! parsers recurse on.

use super::refusal::{MAX_NESTING, MAX_OPERATORS, Refusal, is_c_type};
use crate::lang::token::{Token, TokenKind};
use prophet_model::diagnostic::catalogue::lang as rules;
use prophet_model::model::Language;

/// The content of an open bracket so far.
#[derive(Debug, Clone, Default)]
struct Level {
    open: &'static str,
    start: usize,
    /// Whether the bracket contains a type, as in a cast or declaration.
    cast: bool,
    /// Precedence levels of the operators in the current expression, as a bit set.
    precedences: u32,
    /// Number of prefix operators and casts before the current operand.
    prefixes: usize,
    /// Number of conditionals and assignments in the current expression.
    rights: usize,
    operators: usize,
    /// Number of keywords at the start of the current statement.
    statements: usize,
}

impl Level {
    fn weight(&self) -> usize {
        self.precedences.count_ones() as usize + self.prefixes + self.rights + self.statements
    }

    fn operand(&mut self) {
        self.precedences = 0;
        self.prefixes = 0;
        self.rights = 0;
        self.operators = 0;
    }
}

/// The open brackets around a token.
#[derive(Debug)]
pub(super) struct Nesting {
    language: Language,
    /// The first level is for the text outside all brackets.
    levels: Vec<Level>,
    /// Total weight of all levels except the last.
    weight: usize,
    /// Total number of operators in all levels except the last.
    operators: usize,
}

impl Nesting {
    pub(super) fn new(language: Language) -> Self {
        Self {
            language,
            levels: vec![Level::default()],
            weight: 0,
            operators: 0,
        }
    }

    pub(super) fn token(
        &mut self,
        token: &Token<'_>,
        next: Option<&Token<'_>>,
        prefix: bool,
    ) -> Result<(), Refusal> {
        match token.kind {
            TokenKind::Mark => match token.text {
                "(" => self.open("(", token, next),
                "[" => self.open("[", token, next),
                "{" => self.open("{", token, next),
                ")" => self.close("(", token)?,
                "]" => self.close("[", token)?,
                "}" => self.close("{", token)?,
                _ => {}
            },
            TokenKind::Word | TokenKind::Number | TokenKind::String => {}
        }
        let rust = self.language == Language::Rust;
        let Some(level) = self.levels.last_mut() else {
            return Ok(());
        };
        let else_follows = next.is_some_and(|n| n.text == "else");
        match (token.kind, token.text) {
            (TokenKind::Word, "if" | "while" | "for") => level.statements += 1,
            (TokenKind::Word, "do") if !rust => level.statements += 1,
            (TokenKind::Word, "loop") if rust => level.statements += 1,
            (TokenKind::Word, "return" | "else") => level.rights += 1,
            (TokenKind::Word, "break" | "let" | "in") if rust => level.rights += 1,
            (TokenKind::Mark, ";" | "}") => {
                level.operand();
                if !else_follows {
                    level.statements = 0;
                }
            }
            (TokenKind::Mark, ",") => level.operand(),
            (TokenKind::Mark, "(" | "[" | "{" | ")" | "]") => {}
            (TokenKind::Mark, _) if prefix => {
                level.prefixes += 1;
                level.operators += 1;
            }
            (TokenKind::Mark, mark) => {
                level.prefixes = 0;
                level.operators += 1;
                match precedence(mark) {
                    Some(bit) => level.precedences |= 1 << bit,
                    None => level.rights += 1,
                }
            }
            (TokenKind::Word, "as") if rust => level.operators += 1,
            _ => {}
        }
        let weight = self.weight + level.weight() + self.levels.len();
        self.check(token, weight)
    }

    /// Returns `true` if a bracket is open.
    pub(super) const fn is_inner(&self) -> bool {
        self.levels.len() > 1
    }

    fn check(&self, token: &Token<'_>, weight: usize) -> Result<(), Refusal> {
        let operators = self.operators + self.levels.last().map_or(0, |l| l.operators);
        let (message, help) = if weight > MAX_NESTING {
            (
                format!("the code is nested more than {MAX_NESTING} levels deep here"),
                "move the inner part to a variable or a cost function",
            )
        } else if operators > MAX_OPERATORS {
            (
                format!("the expression has more than {MAX_OPERATORS} operators"),
                "split it with a variable or a cost function",
            )
        } else {
            return Ok(());
        };
        Err(Refusal::new(&rules::LIMIT, token, message, help))
    }

    fn open(&mut self, open: &'static str, token: &Token<'_>, next: Option<&Token<'_>>) {
        if let Some(level) = self.levels.last_mut() {
            level.operators += 1;
            self.weight += level.weight();
            self.operators += level.operators;
        }
        self.levels.push(Level {
            open,
            start: token.start,
            cast: next.is_some_and(|n| n.kind == TokenKind::Word && is_c_type(n.text)),
            ..Level::default()
        });
    }

    fn close(&mut self, open: &'static str, token: &Token<'_>) -> Result<(), Refusal> {
        let closed = match self.levels.last() {
            Some(level) if level.open == open => self.levels.pop(),
            _ => None,
        };
        let Some(closed) = closed else {
            let message = format!("`{}` does not close anything", token.text);
            return Err(Refusal::new(&rules::SYNTAX, token, message, ""));
        };
        if let Some(level) = self.levels.last_mut() {
            self.weight -= level.weight();
            self.operators -= level.operators;
            level.prefixes += usize::from(closed.cast);
        }
        Ok(())
    }

    /// Reports a bracket that is still open at the end of the text.
    pub(super) fn end(self) -> Result<(), Refusal> {
        match self.levels.last() {
            Some(level) if !level.open.is_empty() => Err(Refusal {
                rule: &rules::SYNTAX,
                start: level.start,
                end: level.start + 1,
                message: format!("`{}` is not closed", level.open),
                help: "".into(),
            }),
            _ => Ok(()),
        }
    }
}

/// Returns the precedence level of a binary operator; `None` for operators that group to the right.
fn precedence(mark: &str) -> Option<u32> {
    Some(match mark {
        "||" => 0,
        "&&" => 1,
        "|" => 2,
        "^" => 3,
        "&" => 4,
        "==" | "!=" => 5,
        "<" | ">" | "<=" | ">=" => 6,
        "<<" | ">>" => 7,
        "+" | "-" => 8,
        "*" | "/" | "%" => 9,
        "." | "++" | "--" => 10,
        ".." | "..=" => 11,
        _ => return None,
    })
}
