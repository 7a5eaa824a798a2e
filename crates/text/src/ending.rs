//! What commands say: results on standard output, remarks and failures on standard error.
//!
//! Nothing else in the product prints (`tests/tests/tidy.rs`): `println!` and `eprintln!` panic if
//! a stream is full or closed, and then a program that has done its work ends with 101.

use std::fmt;
use std::io::{self, Write as _};
use std::process::ExitCode;

use crate::problem::{Context as _, Problem};

/// Exit code of a command: a failure is printed to standard error, hidden characters shown by
/// their numbers, and gives 1.
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
/// If the result cannot be written for another reason.
pub fn print(text: &str) -> Result<(), Problem> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.cannot("write", "the result"),
    }
}

/// Says a line on standard error, with hidden characters shown by their numbers.
/// [`tell!`](crate::tell) formats it.
///
/// Remarks are no results: where nobody can read them, they are lost, and the command goes on.
pub fn say(line: fmt::Arguments<'_>) {
    say_styled(&(crate::plain::lines(&line.to_string()) + "\n"));
}

/// Says a text on standard error as it is: with styles, or with line ends of its own.
pub fn say_styled(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

/// Says a line on standard error, as `eprintln!` does: but a stream that is full or closed is no
/// reason to fail, and text of strangers cannot change the terminal.
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
