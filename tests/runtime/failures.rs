//! Failures of runs: one module for each way, with the whole text that the user sees.

mod fault;
mod livelock;
mod places;
mod system;
mod waits;

use prophet_runtime::{Model, ProcessProgram, Simulation, System};

const MODEL: Model = Model::new("Failing", &[], 4);

/// Runs a program that fails, a CPU for each process, and returns the text of its failure.
fn failure(processes: u32, program: impl ProcessProgram) -> String {
    let simulation = Simulation::new(&MODEL, System::new(1, processes, processes, 1));
    simulation
        .run(program)
        .expect_err("the program fails")
        .to_string()
}
