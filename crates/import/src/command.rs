//! Command `import`, and `run` for traces.

mod import;
mod replay;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use import::Import;
use replay::ReplayCommand;

/// Folds a trace of another tool into a model: time-independent traces, GOAL, liballprof, OTF2,
/// Chakra, Kineto
#[derive(Debug, Parser)]
#[command(
    name = "import",
    version,
    disable_help_subcommand = true,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    import: Import,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Replay a trace, as `run` does
    Replay(ReplayCommand),
}

/// Command line of `import`, for manuals and shells.
pub fn command_line() -> clap::Command {
    Arguments::command()
}

/// Runs the command. `program` is the name by which the user called it, as in `cargo xtask import`.
pub fn main(program: &str, arguments: &[OsString]) -> ExitCode {
    let words = std::iter::once(program.into()).chain(arguments.iter().cloned());
    let command = Arguments::command().bin_name(program);
    let arguments = Arguments::from_arg_matches(&command.get_matches_from(words))
        .unwrap_or_else(|error| error.exit());
    let outcome = match &arguments.command {
        Some(Command::Replay(arguments)) => replay::run(arguments),
        None => import::run(&arguments.import),
    };
    prophet_text::exit_code(outcome)
}
