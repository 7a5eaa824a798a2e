//! Text of strangers in XML, HTML and SVG.

/// A text as the value of an attribute or the content of an element.
///
/// ```
/// let escaped = prophet_text::markup::escaped("<a b=\"c\">&'");
/// assert_eq!(escaped, "&lt;a b=&quot;c&quot;&gt;&amp;&apos;");
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
            c => escaped.push(c),
        }
    }
    escaped
}
