//! Evaluates a command line for a caller in the same program. Returns a prediction or an error
//! instead of printing text.

use std::ffi::OsString;
use std::fmt;

use prophet_report::page::Data;
use prophet_text::Problem;

use super::{Evaluate, Prediction, RunHandle, Terminal, WRONG_USAGE, evaluated};
use crate::command::cli::Options;
use crate::command::cli::configuration::Configuration;
use crate::engine::process::ProcessProgram;
use crate::language::model::Model;

/// The result of evaluating a command line: a prediction, with warnings and the data for a report.
#[derive(Debug)]
pub struct Ran {
    /// The prediction.
    pub prediction: Prediction,
    /// Data for the report, or `None` if the command line didn't ask for one.
    pub explanation: Option<Data>,
    /// Warnings and notes, one per line.
    pub notes: String,
    /// Why the prediction is partial, or why a file couldn't be written; `None` if all went well.
    pub failed: Option<RunError>,
}

/// Why evaluating a command line didn't return a prediction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunError {
    /// The exit code for this error: 1 for an invalid file, 2 for an invalid command line, 3 for a
    /// run that couldn't continue. It is 0 if the command line asked for something other than a
    /// run, such as help. The message is then the answer.
    pub code: u8,
    /// The message for the user.
    pub message: String,
    /// Warnings and notes from before the error, one per line.
    pub notes: String,
}

impl RunError {
    /// Returns `true` if the run was stopped before the program ended.
    #[must_use]
    pub const fn is_stopped(&self) -> bool {
        self.code == super::STOPPED
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RunError {}

impl From<RunError> for Problem {
    fn from(error: RunError) -> Self {
        error.message.into()
    }
}

/// How a command line ended: with an exit code, a prediction, and possibly the data for a report,
/// or only with an exit code.
type Ended = Result<(u8, Prediction, Option<Data>), u8>;

/// Runs an interpreted program with these command-line arguments. The first one is the program's
/// name. You can end the run early with `handle`. Writes the files that the command line asks for,
/// but prints nothing.
///
/// # Errors
///
/// Returns an error if the command line is invalid, or if the run couldn't continue.
pub fn evaluate_interpreted<P: ProcessProgram + Sync>(
    model: &Model,
    program: P,
    arguments: impl IntoIterator<Item = OsString>,
    handle: &RunHandle,
) -> Result<Ran, RunError> {
    kept_interpreted(model, &program, handle, |terminal, evaluate| {
        terminal.predict(model, &mut arguments.into_iter(), evaluate)
    })
}

/// Runs like [`evaluate_interpreted`], but with a configuration, so that no command line has to be
/// parsed.
///
/// # Errors
///
/// Returns an error if the configuration is invalid, or if the run couldn't continue.
pub fn evaluate_configured<P: ProcessProgram + Sync>(
    model: &Model,
    program: P,
    configuration: &Configuration,
    handle: &RunHandle,
) -> Result<Ran, RunError> {
    kept_interpreted(
        model,
        &program,
        handle,
        |terminal, evaluate| match Options::configured(configuration) {
            Ok(options) => terminal.evaluate(model, options, evaluate),
            Err(problem) => Err(terminal.fail(WRONG_USAGE, problem)),
        },
    )
}

/// Runs an interpreted program, and returns its output instead of printing it.
fn kept_interpreted<P: ProcessProgram + Sync>(
    model: &Model,
    program: &P,
    handle: &RunHandle,
    run: impl FnOnce(&mut Terminal<'_>, &Evaluate<'_>) -> Ended,
) -> Result<Ran, RunError> {
    kept(handle, |terminal| {
        run(terminal, &|system, method, watching| {
            evaluated(model, program, true, (system, method), watching)
        })
    })
}

/// Runs a program, and returns its output instead of printing it.
pub(super) fn kept(
    handle: &RunHandle,
    run: impl FnOnce(&mut Terminal<'_>) -> Ended,
) -> Result<Ran, RunError> {
    let mut notes = Vec::new();
    let mut terminal = Terminal::of_handle(None, &mut notes, handle);
    let ran = run(&mut terminal);
    let failed = terminal.failed.take();
    let notes = String::from_utf8_lossy(&notes).into_owned();
    match (ran, failed) {
        (Ok((_, prediction, explanation)), failed) => Ok(Ran {
            prediction,
            explanation,
            notes,
            failed: failed.map(|(code, message)| RunError {
                code,
                message,
                notes: String::new(),
            }),
        }),
        (Err(code), failed) => {
            let (code, message) = failed.unwrap_or((code, String::new()));
            Err(RunError {
                code,
                message,
                notes,
            })
        }
    }
}
