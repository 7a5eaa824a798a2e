//! Makes untrusted text, such as names in models, traces and databases, safe for terminals and
//! spreadsheets.
//!
//! Terminals act on control characters, and some other characters reorder the text that follows.
//! Spreadsheets evaluate text that looks like a formula.

/// Returns `true` if a character is invisible, or changes the text around it.
///
/// ```
/// assert!(prophet_text::plain::is_hidden('\u{1b}') && prophet_text::plain::is_hidden('\u{202e}'));
/// assert!(!prophet_text::plain::is_hidden('é'));
/// ```
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// Renders a text as a single line, with hidden characters escaped.
///
/// ```
/// assert_eq!(prophet_text::plain::line("a\u{1b}[2J\u{202e}b\n"), r"a\u{1b}[2J\u{202e}b\n");
/// ```
pub fn line(text: &str) -> String {
    shown(text, is_hidden)
}

/// Renders a text of several lines. Each line is rendered like [`line`](fn@line) does.
///
/// ```
/// assert_eq!(prophet_text::plain::lines("a\n\tb\r"), "a\n\tb\\r");
/// ```
pub fn lines(text: &str) -> String {
    shown(text, |c| is_hidden(c) && !matches!(c, '\n' | '\t'))
}

/// Renders a document in JSON, or in TOML with double-quoted strings. Hidden characters are
/// escaped; they can occur only in strings.
///
/// ```
/// assert_eq!(prophet_text::plain::json("{\n\"a\": \"\u{202e}b\"}"), "{\n\"a\": \"\\u202eb\"}");
/// ```
pub fn json(text: &str) -> String {
    escaped(text, |c| format!("\\u{:04x}", u32::from(c)))
}

/// Renders a text as the content of a double-quoted TOML string.
///
/// ```
/// assert_eq!(prophet_text::plain::between_quotes("a\"\\\n"), r#"a\"\\\\n"#);
/// ```
pub fn between_quotes(text: &str) -> String {
    line(text).replace('\\', "\\\\").replace('"', "\\\"")
}

fn escaped(text: &str, escape: impl Fn(char) -> String) -> String {
    let is_plain = |it: u8| matches!(it, b' '..=b'~' | b'\n' | b'\t' | b'\r');
    if text.bytes().all(is_plain) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) && !matches!(c, '\n' | '\t' | '\r') {
            out.push_str(&escape(c));
        } else {
            out.push(c);
        }
    }
    out
}

fn shown(text: &str, is_hidden: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Renders a text as a CSV cell (RFC 4180), with quotes if necessary.
///
/// If a spreadsheet could take the text for a formula, it starts with an apostrophe, as OWASP
/// advises ("CSV Injection"). Numbers don't change. Hidden characters other than newlines and tabs
/// are escaped.
///
/// ```
/// use prophet_text::plain::cell;
///
/// assert_eq!(cell("a \"b\", c"), "\"a \"\"b\"\", c\"");
/// assert_eq!(cell("=1+2"), "'=1+2");
/// assert_eq!(cell("-2,5"), "\"'-2,5\"");
/// assert_eq!(cell("a\u{1b}[2J"), r"a\u{1b}[2J");
/// ```
pub fn cell(text: &str) -> String {
    let formula = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    let before = if text.starts_with(formula) { "'" } else { "" };
    let text = escaped(text, |c| c.escape_default().to_string());
    if text.contains([',', ';', '"', '\n', '\r', '\t']) {
        format!("\"{before}{}\"", text.replace('"', "\"\""))
    } else {
        format!("{before}{text}")
    }
}

/// Quotes a word for a POSIX shell if necessary.
///
/// ```
/// use prophet_text::plain::shell;
///
/// assert_eq!(shell("../a-b_c.uml"), "../a-b_c.uml");
/// // Quotes surround everything that a shell could interpret.
/// for (text, quoted) in [("", "''"), ("$(rm -rf /)", "'$(rm -rf /)'"), ("a;b", "'a;b'")] {
///     assert_eq!(shell(text), quoted);
/// }
/// assert_eq!([shell("~"), shell("é")], ["'~'", "'é'"]);
/// ```
pub fn shell(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}
