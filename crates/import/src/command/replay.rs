//! Replay of a trace, on the engine or by the rules of `LogGOPSim`.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::PathBuf;

use prophet_text::{Problem, count, time};

use crate::loggops::{Ends, Parameters};
use crate::{ImportedTrace, replay, trace};

/// Flag that chooses the rules of `LogGOPSim`.
const LOGGOPS: &str = "--loggops";

/// Most ranks that are listed.
const LISTED: usize = 16;

#[derive(Debug, clap::Args)]
pub(super) struct ReplayCommand {
    /// The trace: a file, a file that lists the ranks' files, or the folder of these files
    trace: PathBuf,
    /// Flags of a generated program; `--loggops L=2500,o=1500,g=1000,G=6,O=0,S=65535` instead
    /// simulates a GOAL schedule by these rules, in nanoseconds and bytes
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
    let Some(parameters) = loggops(&arguments.flags)? else {
        return replay::replay(&trace, &arguments.trace, &arguments.flags);
    };
    let ends = trace.loggops(parameters);
    let ends = ends.ok_or("`--loggops` is for GOAL schedules; leave it out")??;
    prophet_text::print(&shown(&ends, parameters))?;
    Ok(0)
}

/// The parameters of `LogGOPS`, if the flags choose its rules: they are the only flag then.
fn loggops(flags: &[OsString]) -> Result<Option<Parameters>, Problem> {
    let words: Vec<&str> = flags.iter().filter_map(|it| it.to_str()).collect();
    let text = match words.as_slice() {
        [LOGGOPS] => "",
        [LOGGOPS, text] => text,
        [word] if word.starts_with("--loggops=") => &word[LOGGOPS.len() + 1..],
        words if words.iter().any(|it| it.starts_with(LOGGOPS)) => {
            return Err("`--loggops` stands alone, with its parameters".into());
        }
        _ => return Ok(None),
    };
    text.parse().map(Some)
}

fn shown(ends: &Ends, parameters: Parameters) -> String {
    let seconds = |ns: u64| {
        #[expect(clippy::cast_precision_loss, reason = "it is shown with few digits")]
        let ns = ns as f64;
        time(ns * 1e-9)
    };
    let last = ends.ranks.iter().copied().max().unwrap_or(0);
    let mut text = format!(
        "Predicted time  {} ({last} ns)\nLogGOPS         {parameters}\nEvents          {}\n",
        seconds(last),
        count(ends.events)
    );
    for (rank, end) in ends.ranks.iter().enumerate().take(LISTED) {
        let _ = writeln!(text, "Rank {rank:<10} {end} ns");
    }
    if ends.ranks.len() > LISTED {
        let _ = writeln!(text, "… {} more", ends.ranks.len() - LISTED);
    }
    text
}
