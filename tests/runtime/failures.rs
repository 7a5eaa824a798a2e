//! Failures of runs: one module for each way, with the whole text that the user sees.

mod deadlock;
mod fault;
mod foreign_await;
mod livelock;
mod places;
mod system;
mod two_waits;

use prophet_runtime::{Model, Simulation, System};

use prophet_runtime::ProcessProgram;

const MODEL: Model = Model::new("Failing", &[], 4);

/// Runs a program that fails, a CPU for each process, and returns the text of its failure.
fn failure(processes: u32, program: impl ProcessProgram) -> String {
    let simulation = Simulation::new(&MODEL, System::new(1, processes, processes, 1));
    simulation
        .run(program)
        .expect_err("the program fails")
        .to_string()
}
