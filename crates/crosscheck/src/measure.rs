//! Runs programs, and measures what they cost.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use prophet_codegen::generate;
use prophet_result::Evaluation;
use prophet_text::{Problem, problem};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Why two simulators can't be compared.
#[derive(Debug)]
pub enum CompareFailure {
    /// The model can't be generated as programs.
    Model(generate::GenerateFailure),
    /// A tool is missing or fails, or a file can't be read or written.
    Tool(Problem),
    /// A flag requests something that the other simulator doesn't support.
    Flags(Problem),
    /// One of the programs stopped without a result, and printed why.
    Run(StoppedProgram),
}

/// A program that stopped without a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoppedProgram {
    /// Exit code; 3 if the program was killed.
    pub code: u8,
    /// What the program printed.
    pub message: String,
}

/// A completed run of a program, with a result of type `R`.
#[derive(Debug, Clone)]
pub struct Measured<R> {
    pub result: R,
    /// Wall time from start to end, in seconds.
    pub process_wall_s: f64,
}

/// The result of the `SimGrid` program, as `templates/simgrid/run.hpp` prints it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct SimGridResult {
    /// In seconds.
    pub predicted_time_s: f64,
    pub evaluation: Evaluation,
    /// The processes, by pid.
    pub processes: Vec<SimulatedProcess>,
}

/// A process, as simulated by the `SimGrid` program.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct SimulatedProcess {
    /// When the process ends, in simulated seconds.
    pub end_s: f64,
}

/// Runs `program`.
///
/// # Errors
///
/// Returns an error if the program can't be started, or ends without a result.
#[expect(
    clippy::disallowed_methods,
    reason = "what a process takes is in real seconds"
)]
pub fn run<R: DeserializeOwned>(
    program: &Path,
    flags: impl IntoIterator<Item = OsString>,
) -> Result<Measured<R>, CompareFailure> {
    let start = Instant::now();
    let output = Command::new(program)
        .args(flags)
        .output()
        .map_err(|error| {
            CompareFailure::Tool(problem!("cannot start {}: {error}", program.display()))
        })?;
    let process_wall_s = start.elapsed().as_secs_f64();
    if !output.status.success() {
        let code = output
            .status
            .code()
            .and_then(|code| u8::try_from(code).ok());
        return Err(CompareFailure::Run(StoppedProgram {
            code: code.unwrap_or(3),
            message: String::from_utf8_lossy(&output.stderr)
                .trim_end()
                .to_owned(),
        }));
    }
    let result = serde_json::from_slice(&output.stdout).map_err(|error| {
        CompareFailure::Tool(problem!("{} printed no result: {error}", program.display()))
    })?;
    Ok(Measured {
        result,
        process_wall_s,
    })
}
