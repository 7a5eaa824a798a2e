//! Decodes the bytes of a file into text.

#[cfg(feature = "archives")]
pub(super) mod form;

const MARK: &str = "\u{feff}";

/// Decodes a file according to its byte order mark or XML declaration. Without either, the file
/// must be UTF-8.
///
/// # Errors
///
/// Returns an error if the encoding is unknown, or if the bytes don't match it.
pub(super) fn decode(bytes: Vec<u8>) -> Result<String, String> {
    if is_utf_8(&bytes) {
        return utf_8(bytes);
    }
    #[cfg(feature = "archives")]
    return form::decode(bytes);
    #[cfg(not(feature = "archives"))]
    Err("it is not in UTF-8; this build reads other encodings only from a named file".to_owned())
}

/// Returns `true` unless the first bytes or the XML declaration say that the encoding isn't UTF-8.
pub(super) fn is_utf_8(bytes: &[u8]) -> bool {
    let others: [&[u8]; 4] = [b"\xfe\xff", b"\xff\xfe", b"<\0", b"\0<"];
    !others.iter().any(|it| bytes.starts_with(it))
        && label(bytes).is_none_or(|it| it.eq_ignore_ascii_case("utf-8"))
}

/// Decodes UTF-8 without its byte order mark.
fn utf_8(bytes: Vec<u8>) -> Result<String, String> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = error.as_bytes().get(..at).unwrap_or_default();
        let line = before.split(|&b| b == b'\n').count();
        format!("it is not in UTF-8: line {line} contains other bytes; declare the file's encoding")
    })?;
    Ok(match text.strip_prefix(MARK) {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// Returns the encoding in the XML declaration; `None` if there is no declaration, or if it can't
/// be read byte by byte.
fn label(bytes: &[u8]) -> Option<String> {
    let rest = bytes.strip_prefix(b"<?xml")?;
    let end = rest.iter().position(|&b| b == b'>').unwrap_or(rest.len());
    let declaration = String::from_utf8_lossy(rest.get(..end).unwrap_or_default()).into_owned();
    let (_, rest) = declaration.split_once("encoding")?;
    let rest = rest.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    Some(rest.get(1..)?.split_once(quote)?.0.to_owned())
}
