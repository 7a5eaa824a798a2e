//! Escapes text for XML.

use std::fmt::{self, Display, Write};

/// A text to write as an attribute's value in double quotes. Characters that XML doesn't allow
/// become U+FFFD.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Value<'t>(pub(crate) &'t str);

impl Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                // Readers would turn these into spaces.
                '\t' | '\n' | '\r' => write!(f, "&#{};", u32::from(c))?,
                '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                c if prophet_text::plain::is_hidden(c) => write!(f, "&#{};", u32::from(c))?,
                _ => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn what_xml_means_otherwise_is_escaped() {
        let text = "a<b> & \"c\"\n\té\0\u{1b}\u{fffe}";
        let expected = "a&lt;b&gt; &amp; &quot;c&quot;&#10;&#9;é\u{fffd}\u{fffd}\u{fffd}";
        assert_eq!(Value(text).to_string(), expected);
    }
}
