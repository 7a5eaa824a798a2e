//! Replay of a trace.

use std::ffi::OsString;
use std::path::PathBuf;

use prophet_text::Problem;

use crate::{ImportedTrace, replay, trace};

#[derive(Debug, clap::Args)]
pub(super) struct ReplayCommand {
    /// The trace: a file, a file that lists the ranks' files, or the folder of these files
    trace: PathBuf,
    /// Flags of a generated program
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<OsString>,
}

/// Replays the trace; returns the exit code.
pub(super) fn run(arguments: &ReplayCommand) -> Result<u8, Problem> {
    let outputs = prophet_runtime::written_files(&arguments.flags);
    let outputs = outputs.iter().map(|(flag, path)| (*flag, path));
    trace::inputs(&arguments.trace).refuse(outputs)?;
    let trace = ImportedTrace::open(&arguments.trace)?;
    for note in trace.notes() {
        prophet_text::tell!("note: {note}");
    }
    replay::replay(&trace, &arguments.trace, &arguments.flags)
}
