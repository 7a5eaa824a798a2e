//! Ends of commands.

use std::fmt;
use std::process::ExitCode;

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
