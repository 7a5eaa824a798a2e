//! Runs Performance Prophet as a cargo command: `cargo prophet run model.uml`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments: Vec<_> = std::env::args_os().collect();
    // Cargo passes the command's name.
    if arguments.get(1).is_some_and(|first| first == "prophet") {
        arguments.remove(1);
    }
    cargo_prophet::run_command_line("cargo prophet", arguments)
}
