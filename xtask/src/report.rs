//! `cargo xtask report`.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;

use prophet_codegen::build;

use crate::run::become_program;
use crate::{Outcome, Stop, workspace};

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
    let folder = workspace()?.root.join("prophet-report");
    let program = build::release(&folder).map_err(Stop::input)?;
    let out = arguments
        .out
        .as_deref()
        .map_or(OsStr::new(""), AsRef::as_ref);
    let mut command = Command::new(&program);
    command
        .arg(&arguments.format)
        .arg(out)
        .args(&arguments.files);
    become_program(&mut command)
        .map_err(|error| Stop::input(format!("cannot start {}: {error}", program.display())))
}
