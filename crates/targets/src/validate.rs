//! Prediction and reality: runs the skeleton of a model's program on this machine, and compares
//! its times with those that the simulation predicts.
//!
//! The prediction comes first; what it says of its system and its parameters is what the skeleton
//! is run with, so that no flag is read twice.

mod comparison;
mod limited;
mod network;
mod program;
mod result;
mod table;

pub use comparison::{Comparison, Element, Process};
pub use network::Network;
pub use program::{Costs, Manner, Mpi, Skeleton};
pub use result::{Failure, Measurement, predict};

use std::ffi::OsString;
use std::path::Path;

/// Request for a comparison: the programs to run, and the manner of it.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The simulation.
    pub simulation: &'a Path,
    /// The skeleton.
    pub skeleton: &'a Skeleton,
    /// The flags of the prediction.
    pub flags: &'a [OsString],
    /// Manner of the skeleton's runs.
    pub manner: Manner,
    /// Number of runs of the skeleton; the fastest counts.
    pub runs: u32,
}

/// Predicts, runs and compares.
///
/// # Errors
///
/// If one of the programs fails, or does not say what it should.
pub fn validate(request: &Request<'_>) -> Result<Comparison, Failure> {
    let predicted = predict(request.simulation, request.flags)?;
    let mut fastest: Option<Measurement> = None;
    for _ in 0..request.runs.max(1) {
        let run = request.skeleton.run(&predicted, request.manner)?;
        let is_faster = |it: &Measurement| run.measured_time_s < it.measured_time_s;
        if fastest.as_ref().is_none_or(is_faster) {
            fastest = Some(run);
        }
    }
    let measured = fastest.ok_or_else(|| Failure::new(1, "nothing was run"))?;
    Ok(Comparison::new(&predicted, &measured, request))
}
