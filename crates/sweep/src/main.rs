//! Runs `cargo xtask sweep`.

use std::ffi::OsString;
use std::process::ExitCode;

use prophet_sweep::Models;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    prophet_sweep::command::main("cargo xtask sweep", &arguments, &Models)
}
