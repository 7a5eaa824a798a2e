//! Compares a prediction with a measurement: runs the skeleton of the model's program on this
//! machine, and compares measured with predicted times.
//!
//! The prediction comes first. The skeleton then runs with the system and parameters that are in
//! the prediction's result, so only the prediction parses the flags.

mod comparison;
mod limited;
mod network;
mod program;
mod result;
mod table;

pub use comparison::{Comparison, Element, Process};
pub use network::Network;
pub use program::{CompiledSkeleton, Costs, Manner, Mpi};
pub use result::{Measurement, ValidateFailure, predict, prediction};

use std::ffi::OsString;
use std::path::PathBuf;

use prophet_result::RunResult;

/// What to compare, and how to run the skeleton.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    pub predicted: &'a RunResult<'a>,
    pub skeleton: &'a CompiledSkeleton,
    /// Flags of the prediction's run.
    pub flags: &'a [OsString],
    /// How the skeleton spends costs, and how long it may run.
    pub manner: Manner,
    /// How many times to run the skeleton. The fastest run counts.
    pub runs: u32,
}

/// Runs the skeleton with the same parameters as the prediction, and compares the results.
///
/// # Errors
///
/// Returns an error if the skeleton fails or prints unexpected output.
pub fn validate(request: &Request<'_>) -> Result<Comparison, ValidateFailure> {
    let predicted = request.predicted;
    let mut fastest: Option<Measurement> = None;
    for _ in 0..request.runs.max(1) {
        let machine = machine_file(request.flags);
        let run = { request.skeleton }.run(predicted, machine.as_deref(), request.manner)?;
        let is_faster = |it: &Measurement| run.measured_time_s < it.measured_time_s;
        if fastest.as_ref().is_none_or(is_faster) {
            fastest = Some(run);
        }
    }
    let measured = fastest.ok_or_else(|| ValidateFailure::new(1, "nothing was run"))?;
    Ok(Comparison::new(predicted, &measured, request))
}

/// Finds the machine file among the flags of a prediction, because the skeleton reads the prices of
/// operations from it.
fn machine_file(flags: &[OsString]) -> Option<PathBuf> {
    let mut file = None;
    let mut flags = flags.iter().map(|flag| flag.to_string_lossy());
    while let Some(flag) = flags.next() {
        match flag.split_once('=') {
            Some(("--machine", value)) => file = Some(PathBuf::from(value)),
            None if flag == "--machine" => file = flags.next().map(|it| it.as_ref().into()),
            _ => {}
        }
    }
    file.filter(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::machine_file;

    #[test]
    fn the_machine_is_found_among_the_flags_if_it_is_a_file() {
        // Tests run in the folder of their package.
        let file = "Cargo.toml";
        let joined = format!("--machine={file}");
        for (flags, found) in [
            (&["--nodes", "2", "--machine", file][..], true),
            (&[&joined, "--nodes=2"][..], true),
            (&["--machine", "gescher"][..], false),
            (&["--nodes=2", "--machine"][..], false),
        ] {
            let flags: Vec<_> = flags.iter().map(Into::into).collect();
            assert_eq!(machine_file(&flags).is_some(), found, "{flags:?}");
        }
    }
}
