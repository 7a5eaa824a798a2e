//! Runs `cargo xtask runs` and `cargo xtask run --save`.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    prophet_runs::command::main("cargo xtask runs", &arguments)
}
