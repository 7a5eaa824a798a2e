//! Decoding: from the bytes of a file to its text.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Decodes a file by its byte order mark, else by its XML declaration, else as UTF-8.
///
/// # Errors
///
/// If its encoding is unknown, or it is not in that encoding.
pub(super) fn decode(bytes: Vec<u8>) -> Result<String, String> {
    let encoding = match Encoding::for_bom(&bytes) {
        Some((encoding, _)) => encoding,
        None if bytes.starts_with(b"<\0") => UTF_16LE,
        None if bytes.starts_with(b"\0<") => UTF_16BE,
        None => declared(&bytes)?,
    };
    if encoding == UTF_8 {
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let before = error.as_bytes().get(..at).unwrap_or_default();
            let line = before.split(|&b| b == b'\n').count();
            format!("it is not in UTF-8: line {line} has other bytes; declare its encoding")
        })?;
        return Ok(match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        });
    }
    let (text, used, had_errors) = encoding.decode(&bytes);
    if had_errors {
        return Err(format!("it is not in {}, as it says", used.name()));
    }
    Ok(text.into_owned())
}

/// Finds the encoding that the XML declaration names; UTF-8 without a declaration.
fn declared(bytes: &[u8]) -> Result<&'static Encoding, String> {
    let Some(rest) = bytes.strip_prefix(b"<?xml") else {
        return Ok(UTF_8);
    };
    let end = rest.iter().position(|&b| b == b'>').unwrap_or(rest.len());
    let declaration = String::from_utf8_lossy(rest.get(..end).unwrap_or_default()).into_owned();
    let label = declaration
        .split_once("encoding")
        .and_then(|(_, rest)| rest.trim_start().strip_prefix('='))
        .map(str::trim_start)
        .and_then(|rest| {
            let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            Some(rest.get(1..)?.split_once(quote)?.0)
        });
    let Some(label) = label else {
        return Ok(UTF_8);
    };
    let encoding = Encoding::for_label(label.as_bytes())
        .ok_or_else(|| format!("its encoding `{}` is unknown", label.escape_debug()))?;
    // The declaration was readable byte by byte, so the file has been converted since.
    Ok(if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else {
        encoding
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn refuses_what_it_cannot_read() {
        let error = |bytes: &[u8]| decode(bytes.to_vec()).expect_err("it is not text");
        assert!(error(b"<?xml encoding='klingon'?>").contains("`klingon` is unknown"));
        assert!(error(b"<a>\n\xff</a>").contains("line 2"));
        assert!(error(b"\xff\xfe\x00\xd8").contains("UTF-16LE"));
    }
}
