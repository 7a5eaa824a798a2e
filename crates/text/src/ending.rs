//! Prints results to standard output, and remarks and failures to standard error.
//!
//! Nothing else in the product prints (`tests/tests/tidy.rs`), because `println!` and `eprintln!`
//! panic if a stream is full or closed: a program that has done its work would end with 101.

use std::fmt;
use std::io::{self, Write as _};
use std::process::ExitCode;

use crate::problem::{Context as _, Problem};

/// Returns the exit code of a command. Prints a failure to standard error, with hidden characters
/// escaped, and returns 1 for it.
pub fn exit_code<T: Into<ExitCode>>(outcome: Result<T, impl fmt::Display>) -> ExitCode {
    outcome.map_or_else(
        |error| {
            say(format_args!("error: {error}"));
            ExitCode::from(1)
        },
        Into::into,
    )
}

/// Prints the result of a command; a reader that closes the output early is not an error.
///
/// # Errors
///
/// Returns an error if the result cannot be written for another reason.
pub fn print(text: &str) -> Result<(), Problem> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.cannot("write", "the result"),
    }
}

/// Prints a line to standard error, with hidden characters escaped. [`tell!`](crate::tell) formats
/// it.
///
/// A remark that cannot be printed is dropped, and the command goes on.
pub fn say(line: fmt::Arguments<'_>) {
    say_styled(&(crate::plain::lines(&line.to_string()) + "\n"));
}

/// Prints a text with styles or several lines to standard error, unchanged.
pub fn say_styled(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

/// Prints a line to standard error, like `eprintln!`, but ignores a full or closed stream, and
/// escapes hidden characters so that untrusted text cannot change the terminal.
///
/// ```
/// prophet_text::tell!("wrote {}", "model\u{1b}[2J.uml");
/// ```
#[macro_export]
macro_rules! tell {
    ($($text:tt)*) => {
        $crate::say(::std::format_args!($($text)*))
    };
}
