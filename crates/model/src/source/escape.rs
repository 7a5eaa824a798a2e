//! Decodes XML text.
//!
//! All line breaks become `\n`, even escaped ones: tools write `&#xD;&#xA;` in bodies, and authors
//! never mean a carriage return.

use std::borrow::Cow;

/// A decoded character, and the raw bytes that it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) value: char,
}

/// The decoded characters of a raw text. Escapes and CDATA sections are decoded. Comments and
/// processing instructions are skipped. Unknown escapes are kept as text.
#[derive(Debug, Clone)]
pub(crate) struct Pieces<'a> {
    raw: &'a str,
    at: usize,
    in_cdata: bool,
}

const CDATA: &str = "<![CDATA[";

impl<'a> Pieces<'a> {
    pub(crate) const fn new(raw: &'a str) -> Self {
        Self {
            raw,
            at: 0,
            in_cdata: false,
        }
    }

    fn skip(&mut self) {
        loop {
            let rest = &self.raw[self.at..];
            if self.in_cdata {
                if !rest.starts_with("]]>") {
                    return;
                }
                self.in_cdata = false;
                self.at += 3;
            } else if rest.starts_with(CDATA) {
                self.in_cdata = true;
                self.at += CDATA.len();
            } else if rest.starts_with("<!--") {
                self.at += rest.find("-->").map_or(rest.len(), |end| end + 3);
            } else if rest.starts_with("<?") {
                self.at += rest.find("?>").map_or(rest.len(), |end| end + 2);
            } else {
                return;
            }
        }
    }

    /// Decodes the next character without changing line breaks.
    fn step(&mut self) -> Option<Piece> {
        self.skip();
        let rest = &self.raw[self.at..];
        let first = rest.chars().next()?;
        let (value, length) = if first == '&' && !self.in_cdata {
            reference(rest).unwrap_or((first, 1))
        } else {
            (first, first.len_utf8())
        };
        let start = self.at;
        self.at += length;
        Some(Piece {
            start,
            end: self.at,
            value,
        })
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let mut piece = self.step()?;
        if piece.value == '\r' {
            piece.value = '\n';
            let mut ahead = self.clone();
            if let Some(feed) = ahead.step().filter(|next| next.value == '\n') {
                piece.end = feed.end;
                *self = ahead;
            }
        }
        Some(piece)
    }
}

/// Decodes the character reference at the start of `text`. Also returns its length.
pub(crate) fn reference(text: &str) -> Option<(char, usize)> {
    /// Maximum length of a character reference. More leading zeros would be legal, but no tool
    /// writes that many.
    const LENGTH_MAX: usize = 32;
    let length = text.bytes().take(LENGTH_MAX).position(|b| b == b';')?;
    let name = text.get(1..length)?;
    let value = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let (digits, radix) = match number.strip_prefix('x') {
                Some(digits) => (digits, 16),
                None => (number, 10),
            };
            if digits.starts_with('+') {
                return None;
            }
            char::from_u32(u32::from_str_radix(digits, radix).ok()?)?
        }
    };
    Some((value, length + 1))
}

/// Decodes the raw content of an element.
pub fn text(raw: &str) -> Cow<'_, str> {
    if raw.bytes().any(|b| matches!(b, b'&' | b'<' | b'\r')) {
        Pieces::new(raw).map(|piece| piece.value).collect()
    } else {
        Cow::Borrowed(raw)
    }
}

/// Decodes the raw value of an attribute. Unlike in an element, unescaped line breaks and tabs
/// become spaces.
pub fn attribute(raw: &str) -> Cow<'_, str> {
    let plain = |b| !matches!(b, b'&' | b'<' | b'\r' | b'\n' | b'\t');
    if raw.bytes().all(plain) {
        return Cow::Borrowed(raw);
    }
    Pieces::new(raw)
        .map(|piece| match raw.as_bytes().get(piece.start) {
            Some(b'\r' | b'\n' | b'\t') => ' ',
            _ => piece.value,
        })
        .collect()
}

/// Decodes a text that is URI-encoded, such as `%20`, as JavaScript's `encodeURI` does; `None` if
/// the text isn't encoded, or is encoded incorrectly.
pub(crate) fn uri(text: &str) -> Option<String> {
    if !text.contains('%') {
        return None;
    }
    let digit = |b: u8| {
        char::from(b)
            .to_digit(16)
            .and_then(|it| u8::try_from(it).ok())
    };
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        rest = behind;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let [high, low, behind @ ..] = rest else {
            return None;
        };
        bytes.push(digit(*high)? * 16 + digit(*low)?);
        rest = behind;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_uris() {
        assert_eq!(uri("a%20%3C%20b"), Some("a < b".to_owned()));
        assert_eq!(uri("%C3%A9&"), Some("é&".to_owned()));
        assert_eq!(uri("a b"), None);
        for text in ["50%", "%2", "%zz", "%ff", "a %% b"] {
            assert_eq!(uri(text), None, "{text}");
        }
    }

    #[test]
    fn resolves_escapes() {
        assert_eq!(
            text("1 &lt;&#x3c;&#60; 2 &amp;&gt;&quot;&apos;"),
            "1 <<< 2 &>\"'"
        );
    }

    #[test]
    fn leaves_unknown_escapes() {
        assert_eq!(
            text("&nbsp; &; & &#xD800; &#+1;"),
            "&nbsp; &; & &#xD800; &#+1;"
        );
    }

    #[test]
    fn opens_character_data_and_drops_comments() {
        assert_eq!(
            text("a<![CDATA[<&amp;]]>b<!-- c -->d<?e f?>g"),
            "a<&amp;bdg"
        );
        assert_eq!(text("a<!-- never closed"), "a");
    }

    #[test]
    fn normalizes_line_ends() {
        assert_eq!(text("a\r\nb\rc&#xD;&#xA;d&#xD;"), "a\nb\nc\nd\n");
    }

    #[test]
    fn normalizes_white_space_in_attributes() {
        assert_eq!(attribute("a\r\nb\tc\nd&#xA;e"), "a b c d\ne");
    }
}
