//! Tests failures of runs. There is a module for each kind, with the whole text that the user sees.

mod fault;
mod livelock;
mod places;
mod waits;

use prophet_runtime::{Model, ProcessProgram, Simulation, System};

const MODEL: Model = Model::new("Failing", &[], 4);

/// Runs a program that fails, with a CPU for each process. Returns the text of its failure.
fn failure(processes: u32, program: impl ProcessProgram) -> String {
    let simulation = Simulation::new(&MODEL, System::new(1, processes, processes, 1));
    simulation
        .run(program)
        .expect_err("the program fails")
        .to_string()
}

/// Returns the message about a system whose parameters contradict each other.
fn problem(change: impl FnOnce(&mut System)) -> String {
    let mut system = System::new(2, 1, 4, 1);
    change(&mut system);
    let run = Simulation::new(&MODEL, system).run(async |_| Ok(()));
    run.expect_err("the system is wrong").to_string()
}

#[test]
fn what_does_not_fit_is_reported() {
    assert_eq!(
        problem(|system| system.processes = 0),
        "there are no processes"
    );
    assert_eq!(
        problem(|system| system.mapping[1] = 2),
        "a process is mapped to node 2, but the number of nodes is 2"
    );
    assert_eq!(
        problem(|system| system.mapping.truncate(3)),
        "the mapping lists 3 processes, but the run has 4"
    );
    assert_eq!(
        problem(|system| system.processes = u32::MAX),
        "4294967295 processes are too many; the maximum is 134217728"
    );
}
