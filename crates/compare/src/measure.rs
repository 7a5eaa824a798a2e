//! Execution of a program, with measurement of its costs.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use crate::Failure;

/// A completed run.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Result that it printed.
    pub result: Value,
    /// Time from its start to its end, in seconds.
    pub process_wall_s: f64,
}

/// A program that ended without a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// Exit code; 3 if it was killed.
    pub code: u8,
    /// Message that it printed.
    pub message: String,
}

impl Measured {
    /// The predicted time, in seconds.
    pub fn predicted_time_s(&self) -> f64 {
        self.result["predicted_time_s"].as_f64().unwrap_or(f64::NAN)
    }

    /// A number of the evaluation that the program printed.
    pub(crate) fn evaluation(&self, name: &str) -> f64 {
        self.result["evaluation"][name].as_f64().unwrap_or(f64::NAN)
    }

    /// End of each process, in seconds; empty if the result leaves them out.
    pub fn ends_s(&self) -> Vec<f64> {
        let processes = self.result["processes"].as_array();
        let ends = processes.into_iter().flatten();
        ends.filter_map(|it| it["end_s"].as_f64()).collect()
    }
}

/// Runs `program`.
///
/// # Errors
///
/// If it cannot be started, or ends without a result.
#[expect(
    clippy::disallowed_methods,
    reason = "what a process takes is in real seconds"
)]
pub fn run(program: &Path, flags: impl IntoIterator<Item = OsString>) -> Result<Measured, Failure> {
    let start = Instant::now();
    let output = Command::new(program)
        .args(flags)
        .output()
        .map_err(|error| Failure::Tool(format!("cannot start {}: {error}", program.display())))?;
    let process_wall_s = start.elapsed().as_secs_f64();
    if !output.status.success() {
        let code = output
            .status
            .code()
            .and_then(|code| u8::try_from(code).ok());
        return Err(Failure::Run(Stopped {
            code: code.unwrap_or(3),
            message: String::from_utf8_lossy(&output.stderr)
                .trim_end()
                .to_owned(),
        }));
    }
    let result = serde_json::from_slice(&output.stdout).map_err(|error| {
        Failure::Tool(format!("{} printed no result: {error}", program.display()))
    })?;
    Ok(Measured {
        result,
        process_wall_s,
    })
}
