//! Prints results to standard output, and remarks and errors to standard error.
//!
//! All printing in Performance Prophet goes through this module (`tests/tests/tidy.rs`), because
//! `println!` and `eprintln!` panic if the stream is full or closed. A program that has done its
//! work would then end with exit code 101.

use std::fmt;
use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use crate::problem::{Context as _, Problem};

/// Returns the exit code of a command. If the command failed, prints the error to standard error,
/// with hidden characters escaped. The exit code is then 1.
pub fn exit_code<T: Into<ExitCode>>(outcome: Result<T, impl fmt::Display>) -> ExitCode {
    outcome.map_or_else(
        |error| {
            say(format_args!("error: {error}"));
            ExitCode::from(1)
        },
        Into::into,
    )
}

/// Defines the `main` of a program with a single command, which the tests of the command's crate
/// start. Users have one program with all commands.
#[macro_export]
macro_rules! main_of_command {
    ($program:literal, $arguments:ty, $run:expr) => {
        fn main() -> std::process::ExitCode {
            use clap::{CommandFactory as _, FromArgMatches as _};
            let matches = <$arguments>::command().bin_name($program).get_matches();
            let arguments = <$arguments>::from_arg_matches(&matches);
            $crate::exit_code($run(&arguments.unwrap_or_else(|error| error.exit())))
        }
    };
}

/// Prints the result of a command to standard output. If a reader closes the output early, this
/// isn't an error.
///
/// # Errors
///
/// Returns an error if the result can't be written for another reason.
pub fn print(text: &str) -> Result<(), Problem> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.cannot("write", "the result"),
    }
}

/// Prints a line to standard error, with hidden characters escaped. Use [`tell!`](crate::tell) to
/// format it.
///
/// If the line can't be printed, it is dropped, and the command continues.
pub fn say(line: fmt::Arguments<'_>) {
    say_styled(&(crate::plain::lines(&line.to_string()) + "\n"));
}

/// Tells a user who waits at a terminal what takes long. Logs and pipes don't get the line.
///
/// ```
/// prophet_text::announce("measuring round trips");
/// ```
pub fn announce(line: &str) {
    if io::stderr().is_terminal() {
        say(format_args!("{line}"));
    }
}

/// Prints a text to standard error without changes. It can contain styles and several lines.
pub fn say_styled(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

/// Prints a line to standard error, like `eprintln!`. Unlike `eprintln!`, it ignores a full or
/// closed stream, and escapes hidden characters, so that untrusted text can't control the terminal.
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
