//! Implements the `report` command.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser as _;
use prophet_codegen::trace_map::{TraceMap, map_path};
use prophet_files::{Folder, check_ending};
use prophet_runs::command::{Arguments as Runs, run as runs};
use prophet_text::Context as _;

use crate::format::Format;
use crate::outputs::{self, NamedOutput};
use crate::{CommandOutcome, Door, Stop};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Traces, JSON results, or numbers of kept runs; several are compared with the first
    #[arg(required = true, value_name = "TRACE|RESULT.json|RUN")]
    files: Vec<PathBuf>,
    /// Repository of the runs [default: the repository of `runs`]
    #[arg(long, value_name = "FILE|URL")]
    repository: Option<OsString>,
    /// Write a page: one file that works offline
    #[arg(long, value_name = "FILE.html")]
    out: Option<PathBuf>,
    /// Show lines of the model, using the generated file that ran: `generated/NAME/src/lib.rs`
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Format of the findings: human, json
    #[arg(long, value_enum, default_value_t = Format::Human, hide_possible_values = true)]
    format: Format,
}

pub(crate) fn run(door: &dyn Door, arguments: &Arguments) -> CommandOutcome {
    let out: Vec<NamedOutput> = { arguments.out.iter() }
        .map(|it| ("--out", it.clone()))
        .collect();
    if let Some(out) = &arguments.out {
        check_ending("--out", out, "a web page", &["html", "htm"])?;
    }
    let map = match &arguments.map {
        Some(file) => {
            outputs::refuse(&out, [file])?;
            // This explains what is wrong with a map, and how to make one.
            TraceMap::of(file)?;
            Some(map_path(file))
        }
        None => None,
    };
    let report = |files: &[PathBuf]| {
        let is_json = arguments.format == Format::Json;
        prophet_report::command::run(is_json, arguments.out.as_deref(), map.as_deref(), files)
    };
    if !arguments.files.iter().any(|file| is_run(file)) {
        report(&arguments.files)?;
        return Ok(ExitCode::SUCCESS);
    }
    outputs::refuse_repository(&out, arguments.repository.as_deref().unwrap_or_default())?;
    let folder = Folder::temporary("prophet-report").cannot("make", "a temporary folder")?;
    let files = export(door, arguments, folder.path())?;
    report(&files)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns `true` if `file` refers to a saved run, not to a file.
fn is_run(file: &Path) -> bool {
    let number = file
        .to_str()
        .is_some_and(|text| text.parse::<u32>().is_ok());
    number && !file.exists()
}

/// Returns the files for the report. Saved runs are first exported to a folder.
fn export(door: &dyn Door, arguments: &Arguments, folder: &Path) -> Result<Vec<PathBuf>, Stop> {
    let mut files = Vec::new();
    for file in &arguments.files {
        if !is_run(file) {
            files.push(file.clone());
            continue;
        }
        let exported = folder.join(file);
        let mut command: Vec<OsString> = vec!["runs".into(), "export".into(), file.into()];
        command.extend(["--out".into(), exported.clone().into()]);
        if let Some(repository) = &arguments.repository {
            command.extend(["--repository".into(), repository.clone()]);
        }
        let program = format!("{} runs", door.program());
        runs(&Runs::parse_from(command), &program)?;
        files.push(exported);
    }
    Ok(files)
}
