//! Texts of the model as string literals and comments of C.

use std::fmt::Write as _;

/// `text` as a string literal.
pub(super) fn literal(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            // Two question marks begin a trigraph.
            '"' | '\\' | '?' => quoted.extend(['\\', c]),
            c if is_hidden(c) || c.is_control() => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    let _ = write!(quoted, "\\{byte:03o}");
                }
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// How long a comment may become; the rest is cut off.
const LONGEST: usize = 400;

/// `text` in one line, as a comment can have it.
pub(super) fn comment(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars().take(LONGEST) {
        let c = if c.is_whitespace() { ' ' } else { c };
        let ends = line.ends_with('*') && c == '/' || line.ends_with('/') && c == '*';
        if ends || c == ' ' && line.ends_with(' ') {
            line.push(if ends { ' ' } else { continue });
        }
        if !is_hidden(c) && !c.is_control() {
            line.push(c);
        }
    }
    line.trim().to_owned()
}

/// Characters that change the order or look of the text around them, or cannot be seen.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_literal_or_a_comment() {
        assert_eq!(literal("a\"b\\c\n??/é"), r#""a\"b\\c\012\?\?/é""#);
        assert_eq!(literal("a\u{202e}1"), r#""a\342\200\2561""#);
        assert_eq!(comment("a */ b /* c\n  d */"), "a * / b / * c d * /");
        assert_eq!(comment("**//"), "** //");
        assert_eq!(comment(&"x".repeat(9999)).len(), LONGEST);
    }
}
