//! Runs Performance Prophet on machines without cargo.

use std::process::ExitCode;

fn main() -> ExitCode {
    cargo_prophet::run_command_line("performance-prophet", std::env::args_os().collect())
}
