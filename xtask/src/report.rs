//! `cargo xtask report`.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::Outcome;
use crate::run::become_tool;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Traces, or results in JSON; several are compared with the first
    #[arg(required = true, value_name = "TRACE|RUN.json")]
    files: Vec<PathBuf>,
    /// The page to write: one file that works offline
    #[arg(long, value_name = "FILE.html")]
    out: Option<PathBuf>,
    /// How to print the findings: human, json
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "human",
        value_parser = ["human", "json"],
        hide_possible_values = true
    )]
    format: String,
}

/// Starts the program that does it, which is compiled when it is used first.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let out = arguments.out.clone().unwrap_or_default();
    let mut command: Vec<OsString> = vec![arguments.format.clone().into(), out.into()];
    command.extend(arguments.files.iter().map(OsString::from));
    become_tool("prophet-report", &command)
}
