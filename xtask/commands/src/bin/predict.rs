//! The program that contains the commands for a first prediction.

fn main() -> std::process::ExitCode {
    xtask_commands::run_command()
}
