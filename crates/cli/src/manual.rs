//! Describes the command line of the installed program for shells and `man`.

pub(crate) mod completions;
pub(crate) mod pages;

use clap::Command;

const PROGRAM: &str = "performance-prophet";

/// Builds the commands of the program with this name, as used for parsing.
pub(crate) type Commands = fn(&'static str) -> Command;

/// Returns all commands of a program.
fn command_line(commands: Commands, program: &'static str) -> Command {
    let mut commands = commands(program)
        .bin_name(program)
        .version(env!("CARGO_PKG_VERSION"))
        .about("Predicts how long parallel programs run, from their UML activity diagrams")
        .disable_help_subcommand(true);
    commands.build();
    commands
}

#[cfg(test)]
mod tests;
