//! The program that contains all commands.

fn main() -> std::process::ExitCode {
    xtask_commands::run_command()
}
