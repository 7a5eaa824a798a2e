//! Runs the commands `record` and `learn`, and `validate` for recordings.

mod learn;
mod validate;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use prophet_import::Recording;
use prophet_text::Problem;

use crate::{library, parameters, places, run, summary, system};
pub use learn::{Learn, run as learn};
pub use validate::{Validated, run as validate};

/// Record a program's MPI calls, for `run`, `import` and `learn`
#[derive(Debug, Parser)]
#[command(name = "record", version)]
pub struct Record {
    /// Write the recording to this folder, with one file per rank
    #[arg(long, value_name = "FOLDER", default_value = "recording")]
    out: PathBuf,
    /// Set the value of a parameter in this run, for `learn`, such as n=1000. Can be repeated
    #[arg(long = "param", value_name = "NAME=NUMBER", value_parser = parameters::parameter)]
    parameters: Vec<(String, f64)>,
    /// Use this compiler for the program's MPI [default: mpicc]
    #[arg(long, value_name = "PROGRAM")]
    mpicc: Option<OsString>,
    /// Record at most this many MiB per rank
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    limit: u32,
    /// Replace a recording that is already in the folder
    #[arg(long)]
    force: bool,
    /// The command that starts the program, such as mpirun -n 4 ./app
    #[arg(trailing_var_arg = true, required = true, value_name = "COMMAND")]
    words: Vec<OsString>,
}

/// Records a command. Returns its exit code, even if the recording fails.
///
/// # Errors
///
/// Returns an error if the command can't be recorded.
pub fn record(arguments: &Record) -> Result<ExitCode, Problem> {
    let out = &*arguments.out;
    if !cfg!(target_os = "linux") {
        return Err("only programs on Linux can be recorded".into());
    }
    let compiler = arguments.mpicc.as_deref().unwrap_or(run::compiler());
    let library = library::library(compiler)?;
    let folder = run::prepared(out, arguments.force)?;
    let parameters = parameters::lines(&arguments.parameters);
    let limit_bytes = u64::from(arguments.limit) << 20;
    let words = &arguments.words;
    let status = run::run(words, &library, &folder.path, &parameters, limit_bytes);
    let is_empty = || std::fs::read_dir(&folder.path).is_ok_and(|mut it| it.next().is_none());
    if is_empty() {
        // A folder without a recording is useless.
        let _ = std::fs::remove_dir(&folder.path);
    }
    let status = status?;
    let recording = if folder.path.is_dir() {
        Recording::open_early(&folder.path)
    } else {
        Err(run::nothing(words, status))
    };
    let code = system::exit_code(status);
    let named = recording.and_then(|it| {
        places::name_functions(&folder.path, &it)?;
        Ok(it)
    });
    match named {
        Ok(recording) => {
            tell(&summary::lines(out, &recording));
            if !status.success() {
                tell(&format!("note: the command ended with {status}\n"));
            }
        }
        Err(problem) if code > 0 => tell(&format!("error: {problem}\n")),
        Err(problem) => return Err(problem),
    }
    Ok(code.into())
}

/// Prints lines about a program that has ended. Write errors are ignored, because the program's
/// exit code matters more.
fn tell(lines: &str) {
    prophet_text::say_styled(&prophet_text::plain::lines(lines));
}
