//! Runs the commands for first predictions.

fn main() -> std::process::ExitCode {
    xtask_commands::run_command()
}
