//! Runs `cargo xtask calibrate`.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    prophet_calibrate::command::main("cargo xtask calibrate", &arguments)
}
