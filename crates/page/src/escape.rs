//! Escapes untrusted text in HTML and in scripts.

use std::fmt::Write as _;

/// Escapes text for elements and attributes in HTML.
pub(super) fn html(text: &str, page: &mut String) {
    for character in text.chars() {
        match character {
            '<' => page.push_str("&lt;"),
            '>' => page.push_str("&gt;"),
            '&' => page.push_str("&amp;"),
            '"' => page.push_str("&quot;"),
            '\'' => page.push_str("&#39;"),
            hidden if prophet_text::plain::is_hidden(hidden) => page.push('\u{fffd}'),
            _ => page.push(character),
        }
    }
}

/// Escapes JSON so that it can't end the enclosing script element. The result is pure ASCII, which
/// browsers store in one byte per character. With columns of megabytes, this matters.
pub(super) fn json(json: &str, page: &mut String) {
    let mut rest = json;
    while let Some(place) = rest.find(|c: char| matches!(c, '<' | '>' | '&') || !c.is_ascii()) {
        page.push_str(&rest[..place]);
        let character = rest[place..].chars().next().expect("one was found");
        for unit in character.encode_utf16(&mut [0; 2]) {
            write!(page, "\\u{unit:04x}").expect("strings take all");
        }
        rest = &rest[place + character.len_utf8()..];
    }
    page.push_str(rest);
}
