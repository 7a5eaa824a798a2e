//! Parses the parameters of a run, such as a problem size, which are stored in its recording.

use prophet_text::{Problem, problem};
/// Parses `NAME=NUMBER`.
///
/// # Errors
///
/// Returns an error message if the text is invalid.
pub(crate) fn parameter(text: &str) -> Result<(String, f64), Problem> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| problem!("expected NAME=NUMBER, such as n=1000, found `{text}`"))?;
    let is_name = |it: &str| {
        it.starts_with(|it: char| it.is_ascii_alphabetic())
            && it.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
    };
    if !is_name(name) {
        return Err(problem!(
            "`{name}` is not a valid name: use letters, digits and `_`, starting with a letter"
        ));
    }
    let number = value.parse().ok().filter(|it: &f64| it.is_finite());
    let number = number.ok_or_else(|| problem!("expected a number, found `{value}`"))?;
    Ok((name.to_owned(), number))
}

/// Returns the parameters as lines, in the format of recordings.
pub(crate) fn lines(parameters: &[(String, f64)]) -> String {
    let lines = parameters
        .iter()
        .map(|(name, value)| format!("{name}={value}\n"));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_names_and_numbers() {
        assert_eq!(parameter("n=1e3"), Ok(("n".into(), 1000.0)));
        assert_eq!(
            lines(&[("n".into(), 1000.0), ("x_1".into(), 0.5)]),
            "n=1000\nx_1=0.5\n"
        );
        for (text, expected) in [
            ("n", "expected NAME=NUMBER, such as n=1000, found `n`"),
            (
                "=1",
                "`` is not a valid name: use letters, digits and `_`, starting with a letter",
            ),
            ("n=ten", "expected a number, found `ten`"),
            ("n=inf", "expected a number, found `inf`"),
        ] {
            assert_eq!(parameter(text), Err(expected.into()), "{text}");
        }
    }
}
