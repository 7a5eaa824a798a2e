//! Recognizes slips: units, powers and decimal commas, as people write them outside of C and Rust.

use super::refusal::Refusal;
use crate::lang::token::{Token, TokenKind};
use prophet_model::diagnostic::catalogue::lang as rules;
use prophet_model::model::Language;

/// Units, and how to write a number of them without the unit.
const UNITS: [(&[&str], &str); 14] = [
    (&["s", "sec", "second", "seconds", "B", "byte", "bytes"], ""),
    (&["ms", "msec", "milliseconds"], "e-3"),
    (&["us", "usec", "microseconds"], "e-6"),
    (&["ns", "nsec", "nanoseconds"], "e-9"),
    (&["min", "minute", "minutes"], " * 60"),
    (&["h", "hour", "hours"], " * 3600"),
    (&["kB", "KB", "kb"], "e3"),
    (&["MB"], "e6"),
    (&["GB"], "e9"),
    (&["TB"], "e12"),
    (&["KiB"], " * 1024"),
    (&["MiB"], " * 1048576"),
    (&["GiB"], " * 1073741824"),
    (&["TiB"], " * 1099511627776"),
];

/// Rejects a slip at the token with this index. `is_inner` says whether it is in brackets.
pub(super) fn slip(
    tokens: &[Token<'_>],
    index: usize,
    is_inner: bool,
    language: Language,
) -> Result<(), Refusal> {
    let [Some(token), next, behind] = [0, 1, 2].map(|step| tokens.get(index + step)) else {
        return Ok(());
    };
    let previous = index.checked_sub(1).and_then(|at| tokens.get(at));
    if token.kind == TokenKind::Number {
        number(token, (next, behind), is_inner, language)?;
    }
    if let (Some(base), Some(star)) = (previous, next)
        && token.is_mark("*")
        && star.is_mark("*")
        && is_glued(token, star)
    {
        let power = behind.map_or("2", |it| it.text);
        let is_simple = base.kind != TokenKind::Mark;
        let base = if is_simple { base.text } else { "x" };
        let help = match language {
            Language::C => format!("write `pow({base}, {power})`"),
            Language::Rust => format!("write `({base} as f64).powi({power})`"),
        };
        return refuse(token, star, "`**` is not an operator".to_owned(), help);
    }
    if let (Some(dot), Some(function)) = (next, behind)
        && language == Language::C
        && dot.is_mark(".")
        && matches!(token.text, "math" | "Math" | "np" | "numpy" | "std")
    {
        let message = format!("`{}` is not needed before a function", token.text);
        return refuse(token, dot, message, format!("write `{}`", function.text));
    }
    Ok(())
}

fn is_glued(a: &Token<'_>, b: &Token<'_>) -> bool {
    a.end() == b.start
}

fn refuse(
    start: &Token<'_>,
    end: &Token<'_>,
    message: String,
    help: String,
) -> Result<(), Refusal> {
    let refusal = Refusal::new(&rules::SYNTAX, start, message, help);
    let end = end.end();
    Err(Refusal { end, ..refusal })
}

/// Rejects a unit, a missing operator or a decimal comma behind the number `token`.
fn number(
    token: &Token<'_>,
    (next, behind): (Option<&Token<'_>>, Option<&Token<'_>>),
    is_inner: bool,
    language: Language,
) -> Result<(), Refusal> {
    let (number, rest) = token.text.split_at(digits(token.text));
    let own = (!rest.is_empty()).then_some((rest, token));
    let word = next.filter(|it| own.is_none() && it.kind == TokenKind::Word);
    let unit = own.or(word.map(|it| (it.text, it)));
    if let Some((unit, end)) = unit
        && let Some((_, plain)) = UNITS.iter().find(|(names, _)| names.contains(&unit))
    {
        let scaled = match plain.strip_prefix('e') {
            Some(_) if number.contains(['e', 'E']) => format!("{number} * 1{plain}"),
            _ => format!("{}{plain}", number.trim_end_matches('.')),
        };
        let message = "numbers have no unit: times are in seconds, and sizes in bytes";
        return refuse(token, end, message.to_owned(), format!("write `{scaled}`"));
    }
    if let Some((name, _)) = own
        && !is_suffix(name, language)
    {
        let message = format!("unexpected `{}`", token.text);
        let help = format!("an operator is missing: write `{number} * {name}`");
        return refuse(token, token, message, help);
    }
    if let (Some(comma), Some(decimals)) = (next, behind)
        && !is_inner
        && comma.is_mark(",")
        && decimals.kind == TokenKind::Number
        && is_glued(token, comma)
        && is_glued(comma, decimals)
    {
        let message = "decimal numbers have a point, not a comma".to_owned();
        let help = format!("write `{}.{}`", token.text, decimals.text);
        return refuse(token, decimals, message, help);
    }
    Ok(())
}

/// Returns the length of the number that a decimal literal starts with. Other literals are numbers
/// as a whole.
fn digits(text: &str) -> usize {
    let bytes = text.as_bytes();
    if text.starts_with('0') && bytes.get(1).is_some_and(u8::is_ascii_alphabetic) {
        return text.len();
    }
    let is_digit = |c: &u8| c.is_ascii_digit() || matches!(c, b'.' | b'_');
    let count = |from: usize| bytes[from..].iter().take_while(|c| is_digit(c)).count();
    let mantissa = count(0);
    if !matches!(bytes.get(mantissa), Some(b'e' | b'E')) {
        return mantissa;
    }
    let sign = usize::from(matches!(bytes.get(mantissa + 1), Some(b'+' | b'-')));
    match count(mantissa + 1 + sign) {
        0 => mantissa,
        exponent => mantissa + 1 + sign + exponent,
    }
}

/// Returns `true` if the language itself gives a number this suffix.
fn is_suffix(suffix: &str, language: Language) -> bool {
    match language {
        Language::C => {
            let lower = suffix.to_ascii_lowercase();
            let is_bits = |it: &str| !it.is_empty() && it.bytes().all(|c| c.is_ascii_digit());
            let sized = lower.strip_prefix(['f', 'd']);
            matches!(
                lower.as_str(),
                "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu" | "f" | "i" | "j"
            ) || sized.is_some_and(|it| is_bits(it.trim_end_matches('x')))
        }
        Language::Rust => {
            let sized = suffix.strip_prefix(['i', 'u', 'f']).unwrap_or_default();
            matches!(sized, "8" | "16" | "32" | "64" | "128" | "size")
        }
    }
}
