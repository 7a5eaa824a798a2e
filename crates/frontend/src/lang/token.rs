//! Splits C and Rust text into tokens, so that code can be screened before it is parsed.

use prophet_model::model::Language;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name or keyword.
    Word,
    /// A number with its suffix.
    Number,
    /// A string with its quotes.
    String,
    /// An operator, bracket or separator.
    Mark,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind,
    pub(super) text: &'a str,
    pub(super) start: usize,
}

impl Token<'_> {
    /// Returns the position after the last byte of the token.
    pub(super) const fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn is_mark(&self, text: &str) -> bool {
        self.kind == TokenKind::Mark && self.text == text
    }
}

/// Why text can't be split into tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenProblem {
    OpenComment,
    /// A string without a closing quote on its line.
    OpenString,
    /// A `'` quote: a character literal or a lifetime.
    Quote,
    /// A character that can't start a token.
    Character(char),
}

/// The tokens of a piece of code, up to its end or its first problem.
#[derive(Debug, Clone)]
pub(super) struct Tokens<'a> {
    pub(super) list: Vec<Token<'a>>,
    /// Start and end of each comment, in bytes. The end is excluded.
    pub(super) comments: Vec<(usize, usize)>,
    /// Strings that contain code. Their tokens are in `list` instead.
    pub(super) opened: Vec<Token<'a>>,
    /// Why the rest couldn't be split, and the start and end of the problem in bytes. The end is
    /// excluded.
    pub(super) problem: Option<(TokenProblem, usize, usize)>,
}

/// Operators of two or three characters, longer ones first.
const LONG_MARKS: [&str; 26] = [
    "<<=", ">>=", "...", "..=", "->", "=>", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
    "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "..",
];

pub(super) fn tokens(text: &str, language: Language) -> Tokens<'_> {
    let mut result = Tokens {
        list: Vec::new(),
        comments: Vec::new(),
        opened: Vec::new(),
        problem: None,
    };
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let start = text.len() - rest.len();
        let step = match first {
            _ if first.is_ascii_whitespace() => Ok(first.len_utf8()),
            '/' if rest.starts_with("//") || rest.starts_with("/*") => comment(rest, language)
                .inspect(|length| {
                    result.comments.push((start, start + length));
                }),
            _ => token(rest, first, language).map(|(kind, length)| {
                result.list.push(Token {
                    kind,
                    text: &rest[..length],
                    start,
                });
                length
            }),
        };
        match step {
            Ok(length) => rest = &rest[length..],
            Err(problem) => {
                let length = match problem {
                    TokenProblem::OpenComment => 2,
                    TokenProblem::OpenString | TokenProblem::Quote => 1,
                    TokenProblem::Character(character) => character.len_utf8(),
                };
                result.problem = Some((problem, start, start + length));
                break;
            }
        }
    }
    result
}

fn comment(rest: &str, language: Language) -> Result<usize, TokenProblem> {
    if rest.starts_with("//") {
        return Ok(rest.find('\n').unwrap_or(rest.len()));
    }
    let bytes = rest.as_bytes();
    let mut depth = 1_usize;
    let mut at = 2;
    while at + 1 < bytes.len() {
        match (bytes[at], bytes[at + 1]) {
            (b'*', b'/') => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return Ok(at);
                }
            }
            (b'/', b'*') if language == Language::Rust => {
                depth += 1;
                at += 2;
            }
            _ => at += 1,
        }
    }
    Err(TokenProblem::OpenComment)
}

/// Returns the kind and length of the token at the start of `rest`.
fn token(rest: &str, first: char, language: Language) -> Result<(TokenKind, usize), TokenProblem> {
    let second = rest.as_bytes().get(1).copied().unwrap_or(0);
    match first {
        '"' => string(rest).map(|length| (TokenKind::String, length)),
        '\'' => Err(TokenProblem::Quote),
        _ if first.is_ascii_digit() || first == '.' && second.is_ascii_digit() => {
            Ok((TokenKind::Number, number(rest, language)))
        }
        _ if is_word(first, language) => {
            let length = rest.find(|c| !is_word(c, language)).unwrap_or(rest.len());
            Ok((TokenKind::Word, length))
        }
        _ if first.is_ascii_punctuation() => {
            // Most marks have a single character, so longer ones are looked up only if the next
            // character is a mark too.
            let may_be_long = second.is_ascii_punctuation();
            let mut long = LONG_MARKS.iter().filter(|_| may_be_long);
            let long = long.find(|mark| rest.starts_with(**mark));
            Ok((TokenKind::Mark, long.map_or(1, |mark| mark.len())))
        }
        _ => Err(TokenProblem::Character(first)),
    }
}

/// Returns `true` if the character can be part of a name. That includes digits.
fn is_word(c: char, language: Language) -> bool {
    c == '_' || c.is_ascii_alphanumeric() || language == Language::Rust && c.is_alphanumeric()
}

fn string(rest: &str) -> Result<usize, TokenProblem> {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => break,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Ok(at + 1),
            _ => {}
        }
    }
    Err(TokenProblem::OpenString)
}

fn number(rest: &str, language: Language) -> usize {
    let bytes = rest.as_bytes();
    let hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied().unwrap_or(0);
        let exponent = match bytes[at - 1] {
            b'e' | b'E' => !hexadecimal,
            b'p' | b'P' => hexadecimal,
            _ => false,
        };
        let part = match byte {
            b'.' if language == Language::Rust => {
                next != b'.' && next != b'_' && !next.is_ascii_alphabetic()
            }
            b'.' => next != b'.',
            b'+' | b'-' => exponent && next.is_ascii_digit(),
            _ => byte == b'_' || byte.is_ascii_alphanumeric(),
        };
        if !part {
            break;
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, language: Language) -> Vec<&str> {
        tokens(text, language).list.iter().map(|t| t.text).collect()
    }

    #[test]
    fn tokens_are_cut_as_in_their_language() {
        let c = cut("a+=0x1.8p-3*1e+5/x1;// c\n/* /* */b", Language::C);
        assert_eq!(c, ["a", "+=", "0x1.8p-3", "*", "1e+5", "/", "x1", ";", "b"]);
        let rust = cut("0..=n 1.max(2) 1.5e3/* /* */ */0xe+1", Language::Rust);
        assert_eq!(
            rust,
            [
                "0", "..=", "n", "1", ".", "max", "(", "2", ")", "1.5e3", "0xe", "+", "1"
            ]
        );
    }

    #[test]
    fn text_that_has_no_tokens_is_told() {
        for (text, problem) in [
            ("1 /* 2", (TokenProblem::OpenComment, 2, 4)),
            ("f(\"x)", (TokenProblem::OpenString, 2, 3)),
            ("a'b'", (TokenProblem::Quote, 1, 2)),
            ("a€", (TokenProblem::Character('€'), 1, 4)),
            ("a\0", (TokenProblem::Character('\0'), 1, 2)),
        ] {
            assert_eq!(tokens(text, Language::C).problem, Some(problem), "{text}");
        }
    }
}
