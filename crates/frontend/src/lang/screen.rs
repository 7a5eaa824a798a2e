//! Screens a piece of code before it is parsed.
//!
//! Both parsers are recursive, so deeply nested text would overflow the stack. They also accept far
//! more than the cost language. Code that this module rejects never reaches a parser.
//!
//! The limits are based on measurements in debug builds, where stack frames are largest. A bracket
//! takes up to 14 KiB of stack in lang-c and 26 KiB in syn. An operator that binds more tightly
//! than the one before it takes up to 19 KiB, a prefix operator 4 KiB, a cast 17 KiB, and a
//! statement's keyword 14 KiB. [`refusal::MAX_NESTING`] of the most expensive constructs take about
//! half of a thread's default 2 MiB. With limited nesting, the time to parse is linear in the
//! length (5 to 20 us per byte in debug builds).

mod nesting;
mod refusal;
mod slips;

use nesting::Nesting;
#[cfg(test)]
pub(super) use refusal::MAX_NESTING;
pub(super) use refusal::{Refusal, is_c_type};

use super::token::{Token, TokenKind, TokenProblem, Tokens};
use prophet_model::diagnostic::catalogue::lang as rules;
use prophet_model::model::Language;

/// Maximum size of a piece of code, in bytes.
pub(super) const MAX_BYTES: usize = 16 * 1024;
/// Checks the length of the text. Call it before any other check.
pub(super) fn length(text: &str) -> Result<(), Refusal> {
    if text.len() <= MAX_BYTES {
        return Ok(());
    }
    Err(Refusal {
        rule: &rules::LIMIT,
        start: 0,
        end: 0,
        message: format!(
            "the code has {} bytes, but at most {MAX_BYTES} are allowed",
            text.len()
        ),
        help: "move parts of it to cost functions".into(),
    })
}

/// Checks that the tokens belong to the cost language, that brackets match, and that nesting is
/// within the limits.
pub(super) fn screen(tokens: &Tokens<'_>, language: Language) -> Result<(), Refusal> {
    let mut nesting = Nesting::new(language);
    let mut previous = None;
    for (index, token) in tokens.list.iter().enumerate() {
        let next = tokens.list.get(index + 1);
        let prefix = stands_before_operand(previous, language);
        slips::slip(&tokens.list, index, nesting.is_inner(), language)?;
        foreign(token, previous, next, prefix, language)?;
        if language == Language::Rust {
            rust_type(&tokens.list, index)?;
        }
        nesting.token(token, next, prefix)?;
        previous = Some(token);
    }
    if let Some((problem, start, end)) = tokens.problem {
        return Err(unreadable(problem, start, end, language));
    }
    nesting.end()
}

/// Returns `true` if an operator after `previous` is unary.
fn stands_before_operand(previous: Option<&Token<'_>>, language: Language) -> bool {
    match previous {
        None => true,
        Some(token) => match token.kind {
            TokenKind::Number | TokenKind::String => false,
            TokenKind::Word => precedes_operand(token.text, language),
            TokenKind::Mark => !matches!(token.text, ")" | "]"),
        },
    }
}

/// Returns `true` if a word is a keyword that an operand can follow.
fn precedes_operand(word: &str, language: Language) -> bool {
    match language {
        Language::C => matches!(word, "return" | "else" | "do" | "const") || is_c_type(word),
        Language::Rust => matches!(
            word,
            "as" | "break" | "else" | "if" | "in" | "let" | "loop" | "mut" | "return" | "while"
        ),
    }
}

/// Creates the refusal of text that can't be split into tokens.
fn unreadable(problem: TokenProblem, start: usize, end: usize, language: Language) -> Refusal {
    let (rule, message, help) = match problem {
        TokenProblem::OpenComment => (&rules::SYNTAX, "the comment is not closed".to_owned(), ""),
        TokenProblem::OpenString => (&rules::SYNTAX, "the string is not closed".to_owned(), ""),
        TokenProblem::Quote if language == Language::Rust => (
            &rules::NOT_ALLOWED,
            "the cost language does not support lifetimes, labels or characters".to_owned(),
            "",
        ),
        TokenProblem::Quote => (
            &rules::NOT_ALLOWED,
            "the cost language does not support characters".to_owned(),
            "write the number",
        ),
        TokenProblem::Character(c) => (
            &rules::SYNTAX,
            format!("unexpected character {:?}", c.to_string()),
            "",
        ),
    };
    Refusal {
        rule,
        start,
        end,
        message,
        help: help.into(),
    }
}

/// Rejects C or Rust that isn't part of the cost language, if a token shows it.
fn foreign(
    token: &Token<'_>,
    previous: Option<&Token<'_>>,
    next: Option<&Token<'_>>,
    prefix: bool,
    language: Language,
) -> Result<(), Refusal> {
    let found = match token.kind {
        TokenKind::Word => foreign_word(token, next, language),
        TokenKind::Mark => foreign_mark(token, previous, next, prefix, language),
        TokenKind::String => glued(token, previous).then_some(("strings of this kind", "")),
        TokenKind::Number => None,
    };
    match found {
        None => Ok(()),
        Some((what, help)) => {
            let message = match what {
                "" => format!("the cost language does not support `{}`", token.text),
                _ => format!("the cost language does not support {what}"),
            };
            Err(Refusal::new(&rules::NOT_ALLOWED, token, message, help))
        }
    }
}

/// Rejects Rust types except names and arrays of names, because parsing types recurses most deeply.
fn rust_type(tokens: &[Token<'_>], index: usize) -> Result<(), Refusal> {
    let text = |back: usize| {
        let token = index.checked_sub(back).and_then(|at| tokens.get(at));
        token.map_or("", |t| t.text)
    };
    let introduces = |text: &str| matches!(text, ":" | "as");
    let Some(token) = tokens.get(index) else {
        return Ok(());
    };
    let here = introduces(text(1)) || text(1) == "[" && introduces(text(2));
    let behind = introduces(text(2)) || text(2) == "[" && introduces(text(3));
    if here && token.kind != TokenKind::Word && !(introduces(text(1)) && token.is_mark("[")) {
        let message = "the cost language does not support types of this kind".to_owned();
        let help = "the supported types are `i64`, `f64`, `bool` and arrays of them";
        return Err(Refusal::new(&rules::NOT_ALLOWED, token, message, help));
    }
    if behind && token.kind == TokenKind::Mark && token.text.starts_with('<') {
        let message = "the cost language does not support generic types".to_owned();
        let help = "to compare or shift a converted value, write `(x as i64) < y`";
        return Err(Refusal::new(&rules::NOT_ALLOWED, token, message, help));
    }
    Ok(())
}

/// Returns `true` if `token` directly follows a word, without a space.
fn glued(token: &Token<'_>, previous: Option<&Token<'_>>) -> bool {
    previous.is_some_and(|p| p.kind == TokenKind::Word && p.end() == token.start)
}

/// Describes a word that isn't part of the cost language, and what to write instead. If the
/// description is empty, messages quote the word.
fn foreign_word(
    token: &Token<'_>,
    next: Option<&Token<'_>>,
    language: Language,
) -> Option<(&'static str, &'static str)> {
    let next = next.map_or("", |n| n.text);
    if language == Language::Rust {
        return match token.text {
            "fn" => Some(("functions within code", "add a cost function to the model")),
            "match" => Some(("", "write `if … else if …`")),
            "const" | "static" => Some(("", "write `let`")),
            "abstract" | "async" | "await" | "become" | "box" | "crate" | "do" | "dyn" | "enum"
            | "extern" | "final" | "gen" | "impl" | "macro" | "mod" | "move" | "override"
            | "priv" | "pub" | "ref" | "self" | "Self" | "struct" | "super" | "trait" | "try"
            | "type" | "typeof" | "unsafe" | "unsized" | "use" | "virtual" | "where" | "yield" => {
                Some(("", ""))
            }
            _ => None,
        };
    }
    match token.text {
        "switch" | "case" => Some(("", "write `if … else if …`")),
        "static_cast" | "const_cast" | "reinterpret_cast" | "dynamic_cast" if next == "<" => {
            Some(("", "write a conversion as `(double) x`"))
        }
        "sizeof" | "_Alignof" | "alignof" if next == "(" => Some(("", "write the number of bytes")),
        "char" => Some(("", "write `int`")),
        "auto" => Some(("", "write the type")),
        "void" => Some(("", "a cost function returns a value")),
        "struct" | "union" | "enum" | "typedef" | "goto" | "asm" | "extern" | "static"
        | "register" | "volatile" | "restrict" | "inline" | "sizeof" | "default" | "_Alignas"
        | "_Alignof" | "_Atomic" | "_Complex" | "_Generic" | "_Imaginary" | "_Noreturn"
        | "_Static_assert" | "_Thread_local" => Some(("", "")),
        word if word.starts_with("__") || word.starts_with("_Float") => Some(("", "")),
        word if word.starts_with("_Decimal") => Some(("", "")),
        _ => None,
    }
}

/// Describes an operator that isn't part of the cost language, and what to write instead.
fn foreign_mark(
    token: &Token<'_>,
    previous: Option<&Token<'_>>,
    next: Option<&Token<'_>>,
    prefix: bool,
    language: Language,
) -> Option<(&'static str, &'static str)> {
    let before = previous.map_or("", |p| p.text);
    let after = next.map_or("", |n| n.text);
    if token.text == "::" {
        return Some(("paths", "write only the name, as in `sqrt(x)`"));
    }
    if language == Language::Rust {
        return match token.text {
            "#" => Some(("attributes", "")),
            "|" | "||" if prefix => Some(("closures", "")),
            "&" | "&&" | "*" if prefix => Some(("references", "use the value")),
            "!" if matches!(after, "(" | "[" | "{") && glued(token, previous) => {
                let keyword = precedes_operand(before, language);
                (!keyword).then_some(("macros", ""))
            }
            "<" if prefix => Some(("paths", "write only the name, as in `sqrt(x)`")),
            "++" | "--" if !prefix => Some(("", "write `x += 1`")),
            "?" | "@" | "$" | "->" | "\\" | "`" | "..." | "~" => Some(("", "")),
            "=>" => Some(("", "did you mean `>=`?")),
            _ => None,
        };
    }
    match token.text {
        "#" => Some(("preprocessor lines", "")),
        "{" if before == "(" => Some(("statements within expressions", "")),
        "&" | "&&" | "*" if prefix => Some(("pointers or references", "use the variable's name")),
        "->" | "." => Some(("structures", "")),
        // lang-c tries two ways for each such operator, so a long row of them takes practically
        // forever.
        "++" | "--" if prefix && next.is_none_or(|next| next.kind != TokenKind::Word) => {
            Some(("`++` or `--` except on a variable's name", "write `x += 1`"))
        }
        "=>" => Some(("", "did you mean `>=`?")),
        "..." | ".." | "..=" | "\\" | "@" | "$" | "`" => Some(("", "")),
        _ => None,
    }
}
