//! The program of first predictions.

fn main() -> std::process::ExitCode {
    xtask_commands::run_command()
}
