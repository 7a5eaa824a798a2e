//! Provides assertions with messages that show the actual value.

use std::fmt::Display;
use std::process::{Command, Output};

/// Asserts that `text` contains all of these parts.
///
/// # Panics
///
/// Panics if a part is missing, with a message that includes `text`.
#[track_caller]
pub fn assert_says(text: impl Display, parts: &[impl AsRef<str>]) {
    let text = text.to_string();
    for part in parts.iter().map(AsRef::as_ref) {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

/// Asserts that `text` starts with `part`.
///
/// # Panics
///
/// Panics if it doesn't, with a message that includes `text`.
#[track_caller]
pub fn assert_starts(text: &str, part: &str) {
    assert!(text.starts_with(part), "`{part}` does not begin\n{text}");
}

/// Asserts that `found` equals `expected`, except for rounding errors.
///
/// # Panics
///
/// Panics if the relative error is greater than 1e-9, with a message that includes both numbers.
#[track_caller]
pub fn assert_close(found: f64, expected: f64) {
    assert_near(found, expected, 1e-9);
}

/// Asserts that the relative error of `found` is at most `most`.
///
/// # Panics
///
/// Panics if it is larger, with a message that includes both numbers.
#[track_caller]
pub fn assert_near(found: f64, expected: f64, most: f64) {
    let error = (found / expected - 1.0).abs();
    assert!(error <= most, "{found} instead of {expected}");
}

/// Runs a command that must succeed, and returns its output.
///
/// # Panics
///
/// Panics if the command can't be started or fails, with a message that includes its error output.
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
