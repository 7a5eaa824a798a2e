//! Makes names and texts from a model safe in generated text.

use std::fmt::Write as _;

/// Removes characters from a name that would end a code span or a line of documentation.
pub fn plain(name: &str) -> String {
    let name: String = name.chars().filter(|c| !is_hidden(*c)).collect();
    name.replace(['`', '\n', '\r', '\t'], " ")
}

/// Escapes a name for use in Markdown.
pub fn markdown(name: &str) -> String {
    let mut escaped = String::new();
    for c in plain(name).chars() {
        if c.is_ascii_punctuation() && !"=+(),".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Returns `true` for characters that are invisible or that change the order or appearance of the
/// text around them.
pub fn is_hidden(c: char) -> bool {
    prophet_text::plain::is_hidden(c) && !matches!(c, '\n' | '\r' | '\t')
}

/// Quotes `text` for a shell if necessary.
pub fn shell_word(text: &str) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "./_-+".contains(c);
    if text.chars().all(harmless) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// Makes a name safe in a C line comment, so that the comment doesn't continue on the next line.
pub fn c_comment(name: &str) -> String {
    plain(name).replace('\\', "/").replace("??", "? ?")
}

/// Maximum length of a one-line comment in characters. The rest is cut off.
const LONGEST_COMMENT: usize = 400;

/// Puts a text on one line and makes it safe between `/*` and `*/`.
pub fn c_block_comment(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars().take(LONGEST_COMMENT) {
        let c = if c.is_whitespace() { ' ' } else { c };
        if c == ' ' && line.ends_with(' ') || is_hidden(c) {
            continue;
        }
        let ends = line.ends_with('*') && c == '/';
        if ends || line.ends_with('/') && c == '*' {
            line.push(' ');
        }
        line.push(c);
    }
    line.trim().to_owned()
}

/// Writes a text as a C string literal.
pub fn c_string(name: &str) -> String {
    let mut literal = String::from("\"");
    let mut buffer = [0; 4];
    for c in name.chars() {
        match c {
            '"' | '\\' | '?' => literal.extend(['\\', c]),
            ' '..='~' => literal.push(c),
            c if c.is_alphanumeric() => literal.push(c),
            c => {
                for byte in c.encode_utf8(&mut buffer).bytes() {
                    let _ = write!(literal, "\\{byte:03o}");
                }
            }
        }
    }
    literal.push('"');
    literal
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_COMMENT, c_block_comment, c_comment, c_string, markdown};

    #[test]
    fn names_cannot_leave_comments_and_strings() {
        assert_eq!(markdown("*a*\n`b` == c(d)"), r"\*a\*  b  == c(d)");
        assert_eq!(c_comment("a\nb\\"), "a b/");
        assert_eq!(c_comment("a??/"), "a? ?/");
        assert_eq!(
            c_block_comment("a */ b /* c\n  d */"),
            "a * / b / * c d * /"
        );
        assert_eq!(c_block_comment("**//"), "** //");
        assert_eq!(c_block_comment(&"x".repeat(9999)).len(), LONGEST_COMMENT);
        assert_eq!(c_string("a\"b\\\n??"), "\"a\\\"b\\\\\\012\\?\\?\"");
        assert_eq!(c_string("Größe\u{202e}"), "\"Größe\\342\\200\\256\"");
    }
}
