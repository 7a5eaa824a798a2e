//! Splits expressions into tokens.

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token<'a> {
    Number(f64),
    Name(&'a str),
    Text(&'a str),
    Mark(&'static str),
    End,
}

/// Start and end in a text, in bytes.
pub(super) type Place = (usize, usize);

/// Operators and brackets, longer ones first.
const MARKS: [&str; 20] = [
    "<=", ">=", "==", "!=", "&&", "||", "<", ">", "!", "+", "-", "*", "/", "%", "(", ")", "?", ":",
    ",", "=",
];

/// Returns the token at the start of `rest`, and its length in bytes.
pub(super) fn token(rest: &str) -> Result<(Token<'_>, usize), (usize, String)> {
    let Some(first) = rest.chars().next() else {
        return Ok((Token::End, 0));
    };
    if first.is_ascii_digit() || first == '.' {
        return number(rest);
    }
    if first.is_alphabetic() || first == '_' {
        let length = length(rest, |c| c.is_alphanumeric() || c == '_' || c == '.');
        return Ok((Token::Name(&rest[..length]), length));
    }
    if first == '"' || first == '\'' {
        let end = rest[1..].find(first);
        let end = end.ok_or_else(|| (rest.len(), "this text has no closing quote".to_owned()))?;
        return Ok((Token::Text(&rest[1..=end]), end + 2));
    }
    let mark = MARKS.into_iter().find(|mark| rest.starts_with(mark));
    mark.map(|mark| (Token::Mark(mark), mark.len()))
        .ok_or_else(|| (first.len_utf8(), unknown(first)))
}

fn unknown(character: char) -> String {
    match character {
        '^' => "write a power as pow(base, exponent)".to_owned(),
        '&' => "write `and` as &&".to_owned(),
        '|' => "write `or` as ||".to_owned(),
        _ => "expressions cannot contain this character".to_owned(),
    }
}

/// Returns how many leading bytes belong together.
fn length(rest: &str, belongs: impl Fn(char) -> bool) -> usize {
    rest.find(|c| !belongs(c)).unwrap_or(rest.len())
}

fn number(rest: &str) -> Result<(Token<'_>, usize), (usize, String)> {
    let mut end = length(rest, |c| c.is_alphanumeric() || c == '.' || c == '_');
    // This is the sign of an exponent.
    if rest[..end].ends_with(['e', 'E']) && rest[end..].starts_with(['+', '-']) {
        end += 1 + length(&rest[end + 1..], |c| c.is_alphanumeric() || c == '.');
    }
    let text = &rest[..end];
    let digits = text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    match text.parse::<f64>() {
        Ok(value) if digits && value.is_finite() => Ok((Token::Number(value), end)),
        Ok(_) => Err((end, "this number is too large".to_owned())),
        Err(_) => {
            let why = "this is not a number; numbers do not have units: times are in seconds";
            Err((end, why.to_owned()))
        }
    }
}
