//! Describes the command line of the installed program for shells and `man`.

pub(crate) mod completions;
pub(crate) mod pages;

use clap::Command;

const PROGRAM: &str = "performance-prophet";

/// Builds the commands of the program with this name, as used for parsing.
pub(crate) type Commands = fn(&'static str) -> Command;

/// Returns all commands of a program, including those that parse their own arguments.
fn command_line(commands: Commands, program: &'static str) -> Command {
    let mut commands = commands(program)
        .bin_name(program)
        .version(env!("CARGO_PKG_VERSION"))
        .about("Predicts how long parallel programs run, from their UML activity diagrams")
        .disable_help_subcommand(true);
    for whole in of_tools() {
        let name = whole.get_name().to_owned();
        commands = commands.mut_subcommand(&name, |part| {
            let about = part.get_about().cloned();
            whole.about(about.unwrap_or_default())
        });
    }
    commands.build();
    commands
}

fn of_tools() -> Vec<Command> {
    #[allow(
        unused_mut,
        reason = "a build without the tool has none of its commands"
    )]
    let mut tools = vec![
        #[cfg(feature = "calibrate")]
        prophet_calibrate::command::command_line(),
        #[cfg(feature = "compare")]
        prophet_crosscheck::command::command_line(),
        #[cfg(feature = "fit")]
        prophet_fit::command::command_line(),
        #[cfg(feature = "import")]
        prophet_import::command::command_line(),
        #[cfg(feature = "runs")]
        prophet_runs::command::command_line(),
        #[cfg(feature = "sweep")]
        prophet_sweep::command::command_line(),
    ];
    #[cfg(feature = "record")]
    tools.extend(prophet_record::command::command_lines());
    tools
}

#[cfg(test)]
mod tests;
