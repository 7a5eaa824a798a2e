//! Performance Prophet as a command of cargo: `cargo prophet run model.uml`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments: Vec<_> = std::env::args_os().collect();
    // Cargo passes the name of the command.
    if arguments.get(1).is_some_and(|first| first == "prophet") {
        arguments.remove(1);
    }
    cargo_prophet::run_command_line("cargo prophet", arguments)
}
