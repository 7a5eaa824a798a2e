//! Evaluates expressions in scenarios, such as `pid//2+1`. They consist of real numbers and of
//! names that the caller knows.

/// Left-associative operators by precedence, weakest first.
const LEVELS: [&[&str]; 3] = [&["==", "<"], &["+", "-"], &["*", "//", "/", "%", "^"]];

pub(super) fn value(text: &str, name: &dyn Fn(&str) -> Option<f64>) -> f64 {
    for level in LEVELS {
        if let Some((left, operator, right)) = split(text, level) {
            return apply(operator, value(left, name), value(right, name));
        }
    }
    if let Some(rest) = text.strip_prefix('-') {
        return -value(rest, name);
    }
    let inner = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    if let Some(inner) = inner {
        return value(inner, name);
    }
    let number = text.parse().ok().or_else(|| name(text));
    number.unwrap_or_else(|| panic!("`{text}` is no number and no name"))
}

/// Splits a text at a level's last operator outside of parentheses.
fn split<'t>(text: &'t str, level: &[&'static str]) -> Option<(&'t str, &'static str, &'t str)> {
    let mut depth = 0;
    let mut found = None;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        let left = &text[..at];
        let is_operand = left.ends_with(|it: char| it.is_alphanumeric() || it == ')');
        let is_exponent = left.ends_with('e') && left.starts_with(|it: char| it.is_ascii_digit());
        let operator = level.iter().find(|it| text[at..].starts_with(**it));
        if let Some(operator) = operator
            && depth == 0
            && is_operand
            && !is_exponent
        {
            found = Some((left, *operator, &text[at + operator.len()..]));
        }
    }
    found
}

fn apply(operator: &str, left: f64, right: f64) -> f64 {
    match operator {
        "==" => f64::from(u8::from(left == right)),
        "<" => f64::from(u8::from(left < right)),
        "+" => left + right,
        "-" => left - right,
        "*" => left * right,
        "//" => (left / right).floor(),
        "/" => left / right,
        "%" => left.rem_euclid(right),
        _ => {
            let (left, right) = (whole(left), whole(right));
            u32::try_from(left ^ right).map_or(f64::NAN, f64::from)
        }
    }
}

/// Converts a value to a whole number. If it is out of range, returns the largest or the smallest
/// one.
#[expect(clippy::cast_possible_truncation, reason = "whole numbers are written")]
pub(super) fn whole(value: f64) -> i64 {
    value as i64
}

#[test]
fn expressions_have_the_values_of_c_s() {
    let name = |name: &str| (name == "pid").then_some(5.0);
    for (text, expected) in [
        ("1-2-3", -4.0),
        ("1+2*pid", 11.0),
        ("(1+2)*-pid", -15.0),
        ("pid//2+pid/2", 4.5),
        ("pid%3", 2.0),
        ("(pid-7)%4", 2.0),
        ("pid^1", 4.0),
        ("2e-3", 0.002),
        ("pid==4+1", 1.0),
        ("pid<5", 0.0),
        ("inf", f64::INFINITY),
    ] {
        assert_eq!(value(text, &name), expected, "{text}");
    }
}
