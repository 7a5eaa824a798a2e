//! Results of programs: the JSON of a prediction, or of a run of a skeleton.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use serde::Deserialize;
use serde_json::Value;

/// Reason for having nothing to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The exit code for it: that of the program that failed, where it has one.
    pub code: u8,
    /// Message about the failure; empty where the program has told it.
    pub message: String,
}

impl Failure {
    /// A failure of that exit code.
    pub fn new(code: u8, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

/// Results that a program prints of its run; all times are seconds.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Outcome {
    /// The model.
    pub model: String,
    /// System that it ran on.
    pub system: System,
    /// The values of the parameters, by name.
    pub parameters: BTreeMap<String, Value>,
    /// The machine, in words.
    pub machine: String,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The predicted or measured time.
    #[serde(alias = "predicted_time_s", alias = "measured_time_s")]
    pub time_s: f64,
    /// The processes by pid; a prediction leaves too many out.
    #[serde(default)]
    pub processes: Vec<Process>,
    /// The elements that were executed.
    pub elements: Vec<Element>,
}

/// The sizes of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct System {
    /// Number of nodes.
    pub nodes: u32,
    /// CPUs of each node.
    pub cpus_per_node: u32,
    /// Processes.
    pub processes: u32,
    /// Threads of each process.
    pub threads: u32,
}

/// A process.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Process {
    /// Number of the process.
    pub pid: u32,
    /// Node of the process.
    pub nid: u32,
    /// Time of its end.
    pub end_s: f64,
}

/// The executions of an element.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Element {
    /// Name in the model.
    pub name: String,
    /// Id in the model.
    pub id: i64,
    /// Stereotype of the element.
    #[serde(rename = "type")]
    pub kind: String,
    /// Number of executions.
    pub count: u64,
    /// The sum of its times.
    pub total_s: f64,
}

/// Runs a simulation with those flags.
///
/// # Errors
///
/// If it cannot be started or fails, with its exit code, or prints no result.
pub fn predict(simulation: &Path, flags: &[OsString]) -> Result<Outcome, Failure> {
    let mut command = Command::new(simulation);
    command.args(flags).args(["--format", "json"]);
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| not_started(&command, &error))?;
    succeeded(&command, output.status)?;
    read(&output.stdout, "the prediction")
}

/// The failure of a program that cannot be started.
pub(super) fn not_started(command: &Command, error: &io::Error) -> Failure {
    let program = command.get_program().to_string_lossy();
    Failure::new(1, format!("cannot start {program}: {error}"))
}

/// Fails as the program did, if so.
pub(super) fn succeeded(command: &Command, status: ExitStatus) -> Result<(), Failure> {
    if status.success() {
        return Ok(());
    }
    let program = command.get_program().to_string_lossy();
    let code = status.code().and_then(|it| u8::try_from(it).ok());
    Err(Failure::new(
        code.filter(|code| (1..=3).contains(code)).unwrap_or(3),
        format!("{program} failed ({status})"),
    ))
}

/// Reads the result that a program printed.
pub(super) fn read(printed: &[u8], of: &str) -> Result<Outcome, Failure> {
    serde_json::from_slice(printed)
        .map_err(|error| Failure::new(1, format!("{of} is no result of a run: {error}")))
}
