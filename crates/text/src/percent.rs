//! Decodes percent-encoded addresses (RFC 3986, section 2.1).

/// Decodes percent-encoded text, such as `%20` for a space, to bytes.
///
/// # Errors
///
/// If escapes are malformed, returns the decoded bytes as the error. They contain these escapes
/// unchanged.
pub fn percent_decoded(text: &str) -> Result<Vec<u8>, Vec<u8>> {
    let mut bytes = Vec::new();
    let mut is_right = true;
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let digit = |at: usize| char::from(*behind.get(at)?).to_digit(16);
        if let (b'%', Some(high), Some(low)) = (first, digit(0), digit(1)) {
            bytes.extend(u8::try_from(16 * high + low));
            rest = &behind[2..];
        } else {
            is_right &= first != b'%';
            bytes.push(first);
            rest = behind;
        }
    }
    if is_right { Ok(bytes) } else { Err(bytes) }
}

#[cfg(test)]
mod tests {
    use super::percent_decoded;

    #[test]
    fn wrong_escapes_stay() {
        assert_eq!(percent_decoded("a%20b%c3%BC"), Ok("a b\u{fc}".into()));
        assert_eq!(percent_decoded("%20%z0%2"), Err(" %z0%2".into()));
    }
}
