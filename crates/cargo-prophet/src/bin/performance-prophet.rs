//! Performance Prophet for machines without cargo.

use std::process::ExitCode;

fn main() -> ExitCode {
    cargo_prophet::main("performance-prophet", std::env::args_os().collect())
}
