//! Asserts with messages that show what was found.

use std::fmt::Display;
use std::process::{Command, Output};

/// Asserts that a text contains all of these parts.
///
/// # Panics
///
/// Panics with the text if a part is missing.
#[track_caller]
pub fn assert_says(text: impl Display, parts: &[impl AsRef<str>]) {
    let text = text.to_string();
    for part in parts.iter().map(AsRef::as_ref) {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

/// Asserts that a text starts with a part.
///
/// # Panics
///
/// Panics with the text if it doesn't.
#[track_caller]
pub fn assert_starts(text: &str, part: &str) {
    assert!(text.starts_with(part), "`{part}` does not begin\n{text}");
}

/// Asserts that a number equals the expected one except for rounding.
///
/// # Panics
///
/// Panics with both numbers if the relative error is more than 1e-9.
#[track_caller]
pub fn assert_close(found: f64, expected: f64) {
    assert_near(found, expected, 1e-9);
}

/// Asserts that a number's relative error is at most `most`.
///
/// # Panics
///
/// Panics with both numbers if the error is larger.
#[track_caller]
pub fn assert_near(found: f64, expected: f64, most: f64) {
    let error = (found / expected - 1.0).abs();
    assert!(error <= most, "{found} instead of {expected}");
}

/// Returns the output of a command that succeeds.
///
/// # Panics
///
/// Panics with the command's error output if it can't be started or fails.
#[track_caller]
pub fn succeeded(command: &mut Command) -> Output {
    let output = command.output();
    let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", stderr(&output));
    output
}

/// Returns what a program wrote to standard error.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn what_is_not_so_is_told() {
        assert_says("one and two", &["one", "two"]);
        assert!(catch_unwind(|| assert_says("one", &["one", "two"])).is_err());
        assert_close(0.1 + 0.2, 0.3);
        assert!(catch_unwind(|| assert_close(1.1, 1.0)).is_err());
        assert_near(1.1, 1.0, 0.2);
        assert!(catch_unwind(|| assert_near(f64::NAN, 1.0, 0.01)).is_err());
        let cargo = || Command::new(env!("CARGO"));
        assert_says(stderr(&succeeded(cargo().arg("--version"))), &[""]);
        assert!(catch_unwind(|| succeeded(cargo().arg("--unknown"))).is_err());
        assert!(catch_unwind(|| succeeded(&mut Command::new("/no/program"))).is_err());
    }
}
