//! Parses the attributes of a start tag.

/// Name (with prefix) and raw value of an attribute, as byte ranges in the scanned text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RawAttribute {
    pub(super) name: (usize, usize),
    pub(super) value: (usize, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AttributeError {
    pub(super) at: usize,
    pub(super) problem: &'static str,
}

/// Parses the attributes in `text`, a start tag without brackets and name.
pub(super) fn scan(text: &str, attributes: &mut Vec<RawAttribute>) -> Result<(), AttributeError> {
    let bytes = text.as_bytes();
    let error = |at, problem| Err(AttributeError { at, problem });
    let mut at = skip_space(bytes, 0);
    while at < bytes.len() {
        let name_start = at;
        let is_name = |b: &u8| !b.is_ascii_whitespace() && !b"=\"'<>".contains(b);
        at += bytes[at..].iter().take_while(|b| is_name(b)).count();
        let name = (name_start, at);
        if name_start == at {
            let problem = match bytes[at] {
                b'<' => "the tag before this one is not closed; end it with `>` or `/>`",
                _ => "expected an attribute name",
            };
            return error(at, problem);
        }
        at = skip_space(bytes, at);
        if bytes.get(at) != Some(&b'=') {
            return error(name_start, "an attribute has no value");
        }
        at = skip_space(bytes, at + 1);
        let Some(&quote) = bytes.get(at).filter(|b| b"\"'".contains(b)) else {
            return error(name_start, "an attribute value has no quotes");
        };
        at += 1;
        let Some(length) = bytes[at..].iter().position(|&b| b == quote) else {
            return error(name_start, "an attribute value has no closing quote");
        };
        if let Some(less) = bytes[at..at + length].iter().position(|&b| b == b'<') {
            return error(at + less, "`<` in an attribute value must be `&lt;`");
        }
        attributes.push(RawAttribute {
            name,
            value: (at, at + length),
        });
        at += length + 1;
        let behind = at;
        at = skip_space(bytes, at);
        if at == behind && at < bytes.len() {
            return error(at, "expected white space between attributes");
        }
    }
    Ok(())
}

fn skip_space(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|b| b.is_ascii_whitespace()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanned(text: &str) -> String {
        let mut attributes = Vec::new();
        if let Err(error) = scan(text, &mut attributes) {
            return format!("{}: {}", error.problem, &text[error.at..]);
        }
        let of = |(start, end): (usize, usize)| &text[start..end];
        let shown = attributes
            .iter()
            .map(|it| format!("{}={}", of(it.name), of(it.value)));
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn reads_attributes() {
        assert_eq!(scanned(" a='1'\n b:c = \"x>'y\" "), "a=1 b:c=x>'y");
        assert_eq!(scanned(""), "");
        assert_eq!(scanned(" é=\"ü\""), "é=ü");
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        assert_eq!(scanned(" a"), "an attribute has no value: a");
        assert_eq!(scanned(" a=1"), "an attribute value has no quotes: a=1");
        assert_eq!(
            scanned(" a=\"1"),
            "an attribute value has no closing quote: a=\"1"
        );
        assert_eq!(scanned(" =\"1\""), "expected an attribute name: =\"1\"");
        assert_eq!(
            scanned(" a='1' </b"),
            "the tag before this one is not closed; end it with `>` or `/>`: </b"
        );
        assert_eq!(
            scanned(" a='1'b='2'"),
            "expected white space between attributes: b='2'"
        );
        assert_eq!(
            scanned(" a='1<2'"),
            "`<` in an attribute value must be `&lt;`: <2'"
        );
    }
}
