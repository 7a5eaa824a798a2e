//! Reads the JSON results of predictions and skeletons.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use prophet_result::{ElementOutcome, ProcessOutcome, RunResult};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Why there are no results to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidateFailure {
    /// The exit code to report. If a program failed, this is its exit code.
    pub code: u8,
    /// What failed; empty if the failed program has already said so.
    pub message: String,
}

impl ValidateFailure {
    pub fn new(code: u8, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

/// The part of a skeleton's result to compare (`templates/mpi-c/prophet_result.c`). Processes and
/// elements have the same format as in a prediction. Times are measured, in seconds.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Measurement {
    /// Machine that the skeleton ran on.
    pub machine: String,
    pub measured_time_s: f64,
    /// The processes, ordered by pid.
    pub processes: Vec<ProcessOutcome>,
    /// The elements that were executed.
    pub elements: Vec<ElementOutcome>,
}

/// Runs a simulation with these flags, and returns its prediction.
///
/// # Errors
///
/// Returns an error if the simulation can't be started, fails (with its exit code), or doesn't
/// print a result.
pub fn predict(
    simulation: &Path,
    flags: &[OsString],
) -> Result<RunResult<'static>, ValidateFailure> {
    let mut command = Command::new(simulation);
    command.args(flags).args(["--format", "json"]);
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| not_started(&command, &error))?;
    succeeded(&command, output.status)?;
    prediction(&output.stdout)
}

/// Parses the result that a simulation printed.
///
/// # Errors
///
/// Returns an error if the text isn't a result.
pub fn prediction(printed: &[u8]) -> Result<RunResult<'static>, ValidateFailure> {
    RunResult::from_json(printed).map_err(|error| no_result("the prediction", &error))
}

pub(super) fn not_started(command: &Command, error: &io::Error) -> ValidateFailure {
    let program = command.get_program().to_string_lossy();
    ValidateFailure::new(1, format!("cannot start {program}: {error}"))
}

pub(super) fn succeeded(command: &Command, status: ExitStatus) -> Result<(), ValidateFailure> {
    if status.success() {
        return Ok(());
    }
    let program = command.get_program().to_string_lossy();
    let code = status.code().and_then(|it| u8::try_from(it).ok());
    Err(ValidateFailure::new(
        code.filter(|code| (1..=3).contains(code)).unwrap_or(3),
        format!("{program} failed ({status}); see its message"),
    ))
}

pub(super) fn read_result<T: DeserializeOwned>(
    printed: &[u8],
    of: &str,
) -> Result<T, ValidateFailure> {
    serde_json::from_slice(printed).map_err(|error| no_result(of, &error))
}

fn no_result(of: &str, error: &serde_json::Error) -> ValidateFailure {
    let why = prophet_text::json_mistake(error);
    ValidateFailure::new(1, format!("{of} is not the result of a run: {why}"))
}
