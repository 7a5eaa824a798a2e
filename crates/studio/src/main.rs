//! Runs `cargo xtask studio`.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    prophet_studio::command::main(&arguments)
}
