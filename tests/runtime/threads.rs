//! Tests threads (teams, what they share, and locks) against known answers and simple
//! reimplementations.
#![expect(clippy::float_cmp, reason = "times are exact sums")]

mod chaos;
mod crowds;
mod flows;
mod locks;
mod loops;
mod others;
use crate::traced;
use prophet_runtime::ProcessProgram;
mod traces;
mod trees;

use prophet_runtime::{Failure, Model, Outcome, Simulation, System};

const MODEL: Model = Model::new("Threads", &[], 16);

/// Runs a process with this many threads and CPUs.
fn run(threads: u32, cpus: u32, program: impl ProcessProgram) -> Result<Outcome, Failure> {
    Simulation::new(&MODEL, System::new(1, cpus, 1, threads)).run(program)
}

fn time_s(threads: u32, cpus: u32, program: impl ProcessProgram) -> f64 {
    let outcome = run(threads, cpus, program).expect("the program ends");
    outcome.predicted_time_s
}

/// Converts quarters of a second to seconds, whose sums are exact.
fn quarters(count: u8) -> f64 {
    f64::from(count) * 0.25
}
