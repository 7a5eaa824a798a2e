//! Decodes encodings other than UTF-8, and encodes changed files.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use prophet_text::{Problem, problem};

use super::{MARK, label};

/// Decodes a file according to its byte order mark or XML declaration.
///
/// # Errors
///
/// Returns an error if the encoding is unknown, or if the bytes don't match it.
pub(super) fn decode(bytes: Vec<u8>) -> Result<String, String> {
    let encoding = EncodingForm::of(&bytes)?.encoding;
    if encoding == UTF_8 {
        return super::utf_8(bytes);
    }
    let (text, used, had_errors) = encoding.decode(&bytes);
    if had_errors {
        return Err(format!(
            "it is not in {}, although it declares that encoding",
            used.name()
        ));
    }
    Ok(text.into_owned())
}

/// The encoding of a file, for writing changed text to the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodingForm {
    encoding: &'static Encoding,
    /// Whether the file starts with a byte order mark.
    is_marked: bool,
    /// The highest byte in ASCII or Latin 1; `None` for other encodings. Both are decoded as
    /// windows-1252.
    last: Option<u8>,
}

impl EncodingForm {
    /// Detects the encoding of a file. It must not be an archive.
    ///
    /// # Errors
    ///
    /// Returns an error if the declared encoding is unknown.
    pub fn of(bytes: &[u8]) -> Result<Self, Problem> {
        let is_marked = Encoding::for_bom(bytes).is_some();
        let of = |encoding| Self {
            encoding,
            is_marked,
            last: None,
        };
        match Encoding::for_bom(bytes) {
            Some((encoding, _)) => Ok(of(encoding)),
            None if bytes.starts_with(b"<\0") => Ok(of(UTF_16LE)),
            None if bytes.starts_with(b"\0<") => Ok(of(UTF_16BE)),
            None => declared(bytes),
        }
    }

    /// Encodes a text. Characters that the encoding doesn't contain become character references.
    #[must_use]
    pub fn encode(self, text: &str) -> Vec<u8> {
        let mark = if self.is_marked { MARK } else { "" };
        let units = || mark.encode_utf16().chain(text.encode_utf16());
        match (self.encoding, self.last) {
            (_, Some(last)) => narrow(text, last),
            (it, _) if it == UTF_16LE => units().flat_map(u16::to_le_bytes).collect(),
            (it, _) if it == UTF_16BE => units().flat_map(u16::to_be_bytes).collect(),
            (it, _) if it == UTF_8 => [mark, text].concat().into_bytes(),
            (it, _) => it.encode(text).0.into_owned(),
        }
    }
}

/// Encodes characters up to `last` as a single byte with the same number.
fn narrow(text: &str, last: u8) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for it in text.chars() {
        match u8::try_from(it) {
            Ok(byte) if byte <= last => bytes.push(byte),
            _ => bytes.extend(format!("&#{};", u32::from(it)).into_bytes()),
        }
    }
    bytes
}

/// Returns the encoding in the XML declaration. Without a declaration, this is UTF-8.
fn declared(bytes: &[u8]) -> Result<EncodingForm, Problem> {
    let of = |encoding, last| EncodingForm {
        encoding,
        is_marked: false,
        last,
    };
    let Some(label) = label(bytes) else {
        return Ok(of(UTF_8, None));
    };
    let encoding = Encoding::for_label(label.as_bytes())
        .ok_or_else(|| problem!("its encoding `{}` is unknown", label.escape_debug()))?;
    // A declaration in UTF-16 can't be read byte by byte, so the file has been converted since it
    // was declared.
    if encoding == UTF_16LE || encoding == UTF_16BE {
        return Ok(of(UTF_8, None));
    }
    let last = match label.to_ascii_lowercase() {
        it if it.contains("1252") => None,
        it if it.contains("ascii") => Some(0x7f),
        _ => (encoding == WINDOWS_1252).then_some(0xff),
    };
    Ok(of(encoding, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xmi::encoding::decode;

    #[test]
    fn reads_utf_8_with_and_without_a_mark() {
        assert_eq!(decode(b"<a/>".to_vec()), Ok("<a/>".to_owned()));
        assert_eq!(decode("\u{feff}<ä/>".into()), Ok("<ä/>".to_owned()));
    }

    #[test]
    fn reads_utf_16() {
        let text = "<?xml version='1.0' encoding='UTF-16'?><ä/>";
        for (little, mark) in [(true, true), (false, true), (true, false), (false, false)] {
            let units = mark
                .then_some(0xfeff)
                .into_iter()
                .chain(text.encode_utf16());
            let bytes = units.flat_map(|unit: u16| {
                if little {
                    unit.to_le_bytes()
                } else {
                    unit.to_be_bytes()
                }
            });
            assert_eq!(decode(bytes.collect()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn reads_the_encoding_that_is_declared() {
        for label in ["windows-1252", "ISO-8859-1"] {
            let mut bytes = format!("<?xml version=\"1.0\" encoding = \"{label}\"?><").into_bytes();
            bytes.extend(b"\xe4/>");
            let text = decode(bytes).expect("Latin text is always valid");
            assert!(text.ends_with("<ä/>"), "{text}");
        }
        let ascii = b"<?xml version='1.0' encoding='utf-16'?><a/>";
        assert!(decode(ascii.to_vec()).is_ok());
    }

    #[test]
    fn files_are_encoded_as_they_were() {
        let wide = |order: fn(u16) -> [u8; 2], text: &str| -> Vec<u8> {
            text.encode_utf16().flat_map(order).collect()
        };
        let declared = b"<?xml version='1.0' encoding='windows-1252'?><\xe4 b='\x80'/>";
        for file in [
            "<\u{e4}/>".into(),
            "\u{feff}<\u{e4}/>".into(),
            wide(u16::to_le_bytes, "\u{feff}<\u{e4}\u{1f980}/>"),
            wide(u16::to_be_bytes, "\u{feff}<\u{e4}/>"),
            wide(u16::to_le_bytes, "<\u{e4}/>"),
            wide(u16::to_be_bytes, "<\u{e4}/>"),
            declared.to_vec(),
        ] {
            let form = EncodingForm::of(&file).expect("it is known");
            let text = decode(file.clone()).expect("it is text");
            assert_eq!(form.encode(&text), file, "{text}");
        }
        let form = EncodingForm::of(declared).expect("it is known");
        assert_eq!(form.encode("\u{e4}\u{20ac}\u{3b1}"), b"\xe4\x80&#945;");
        let encoded = |label: &str| {
            let file = format!("<?xml version='1.0' encoding='{label}'?><a/>");
            let form = EncodingForm::of(file.as_bytes()).expect("it is known");
            form.encode("\u{e4}\u{20ac}")
        };
        assert_eq!(encoded("ISO-8859-1"), b"\xe4&#8364;");
        assert_eq!(encoded("US-ASCII"), b"&#228;&#8364;");
    }

    #[test]
    fn refuses_what_it_cannot_read() {
        let error = |bytes: &[u8]| decode(bytes.to_vec()).expect_err("it is not text");
        assert!(error(b"<?xml encoding='klingon'?>").contains("`klingon` is unknown"));
        assert!(error(b"<a>\n\xff</a>").contains("line 2"));
        assert!(error(b"\xff\xfe\x00\xd8").contains("UTF-16LE"));
    }
}
