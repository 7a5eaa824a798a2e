//! Implements the `completions` command.
//!
//! The flags after `--` belong to the program of the model, which has its own command line.
//! `clap_complete` writes completions for both command lines, and `shells` contains shell functions
//! that choose between them.

mod fish;

use std::process::ExitCode;

use clap::{Arg, Command};
use clap_complete::{Shell, generate};

use super::{Commands, PROGRAM, command_line};
use crate::CommandOutcome;
use crate::format::print;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments, commands: Commands) -> CommandOutcome {
    print(&script(arguments.shell, commands))?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn script(shell: Shell, commands: Commands) -> String {
    match shell {
        Shell::Bash => bash(commands),
        Shell::Zsh => zsh(commands),
        Shell::Fish => {
            let commands = command_line(commands, PROGRAM);
            let more = fish::completions(&commands, &prophet_runtime::command_line());
            generated(shell, commands, PROGRAM) + &more
        }
        shell => generated(shell, command_line(commands, PROGRAM), PROGRAM),
    }
}

/// Writes completions for Bash. Their names don't contain hyphens, because clap doesn't complete
/// the flags of commands if the program's name contains one
/// (<https://github.com/clap-rs/clap/issues/6421>).
fn bash(commands: Commands) -> String {
    let word = "performance_prophet";
    let commands = generated(Shell::Bash, command_line(commands, word), word);
    commands + &of_program(Shell::Bash, "performance_prophet_program") + CHOOSE_BASH
}

const CHOOSE_BASH: &str = include_str!("shells/choose.bash");

fn zsh(commands: Commands) -> String {
    let name = "performance-prophet-commands";
    // After the first argument that can be a list, zsh completes nothing else.
    let one = |arg: Arg| {
        if arg.is_last_set() {
            arg.num_args(1)
        } else {
            arg
        }
    };
    let commands = command_line(commands, name).mut_subcommands(|command| command.mut_args(one));
    let commands = generated(Shell::Zsh, commands, name);
    let flags = of_program(Shell::Zsh, "performance-prophet-program");
    // Zsh reads only the first line.
    format!("#compdef {PROGRAM}\n{commands}{flags}{CHOOSE_ZSH}")
}

const CHOOSE_ZSH: &str = include_str!("shells/choose.zsh");

fn of_program(shell: Shell, name: &'static str) -> String {
    generated(shell, prophet_runtime::command_line(), name)
}

fn generated(shell: Shell, mut command: Command, name: &'static str) -> String {
    let mut text = Vec::new();
    generate(shell, &mut command, name, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}
