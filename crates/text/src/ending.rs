//! Ends of commands.

use std::fmt;
use std::io::{self, Write as _};
use std::process::ExitCode;

use crate::problem::{Context as _, Problem};

/// Exit code of a command: a failure is printed to standard error, hidden characters shown by
/// their numbers, and gives 1.
pub fn exit_code<T: Into<ExitCode>>(outcome: Result<T, impl fmt::Display>) -> ExitCode {
    outcome.map_or_else(
        |error| {
            eprintln!("error: {}", crate::plain::lines(&error.to_string()));
            ExitCode::from(1)
        },
        Into::into,
    )
}

/// Prints the result of a command; a reader that closes the output early is not an error.
///
/// # Errors
///
/// If the result cannot be written for another reason.
pub fn print(text: &str) -> Result<(), Problem> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.cannot("write", "the result"),
    }
}
