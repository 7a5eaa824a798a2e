//! Runs `cargo xtask fit`.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    prophet_fit::command::main("cargo xtask fit", &arguments)
}
