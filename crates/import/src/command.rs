//! Command `import`, and `run` for traces.

mod import;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::{ImportedTrace, replay, trace};
use import::Import;
use prophet_text::Problem;
use std::path::PathBuf;

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
        Some(Command::Replay(arguments)) => replay_trace(arguments),
        None => import::run(&arguments.import),
    };
    prophet_text::exit_code(outcome)
}

#[derive(Debug, clap::Args)]
struct ReplayCommand {
    /// The trace: a file, a file that lists the ranks' files, or the folder of these files
    trace: PathBuf,
    /// Flags of a generated program
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<OsString>,
}

/// Replays the trace; returns the exit code.
fn replay_trace(arguments: &ReplayCommand) -> Result<u8, Problem> {
    let outputs = prophet_runtime::written_files(&arguments.flags);
    let outputs = outputs.iter().map(|(flag, path)| (*flag, path));
    trace::inputs(&arguments.trace).refuse(outputs)?;
    let trace = ImportedTrace::open(&arguments.trace)?;
    for note in trace.notes() {
        prophet_text::tell!("note: {note}");
    }
    replay::replay(&trace, &arguments.trace, &arguments.flags)
}
