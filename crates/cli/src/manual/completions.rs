//! Command `completions`.

use std::process::ExitCode;

use clap_complete::{Shell, generate};

use super::{PROGRAM, command_line};
use crate::Outcome;
use crate::check::print;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    print(&script(arguments.shell))?;
    Ok(ExitCode::SUCCESS)
}

/// Completions of all commands, in the language of a shell.
pub(super) fn script(shell: Shell) -> String {
    match shell {
        Shell::Bash => bash(),
        shell => generated(shell, PROGRAM),
    }
}

/// Name for Bash without a hyphen, since clap does not complete the flags of commands of a program
/// with one (<https://github.com/clap-rs/clap/issues/6421>).
const WORD: &str = "performance_prophet";

fn bash() -> String {
    let script = generated(Shell::Bash, WORD);
    format!("{script}complete -F _{WORD} -o bashdefault -o default {PROGRAM}\n")
}

fn generated(shell: Shell, name: &'static str) -> String {
    let mut text = Vec::new();
    generate(shell, &mut command_line(name), name, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}
