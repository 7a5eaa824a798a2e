//! Escapes text for XML, HTML and SVG.

use std::fmt::Write as _;

use crate::plain::is_hidden;

/// Escapes a text for the value of an attribute or the content of an element. Hidden characters
/// become numeric references, so that they have no effect in terminals and editors. Characters that
/// XML doesn't allow become U+FFFD.
///
/// ```
/// let escaped = prophet_text::markup::escaped("<a b=\"c\">&'\n\u{202e}\u{1b}");
/// assert_eq!(escaped, "&lt;a b=&quot;c&quot;&gt;&amp;&apos;&#10;&#8238;\u{fffd}");
/// ```
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            c if c < ' ' && !matches!(c, '\n' | '\r' | '\t') => escaped.push('\u{fffd}'),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c if is_hidden(c) => {
                let _ = write!(escaped, "&#{};", u32::from(c));
            }
            c => escaped.push(c),
        }
    }
    escaped
}
