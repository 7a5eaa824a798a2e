//! Tests the energy of runs: files, and `SimGrid`'s plugin. Closed forms are tested in scenarios.

mod files;
mod simgrid;

use prophet_runtime::{ActionPlus, Barrier, Energy, Machine, Model, Outcome, Simulation, System};
use prophet_testing::assert_near;

use prophet_runtime::ProcessProgram;

const MODEL: Model = Model::new("Energy", &[], 8);
const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
const MEET: Barrier = Barrier::new(1, "Meet", 2);

/// Nodes with four CPUs. They use 100 W when idle, 120 W with one busy CPU, and 180 W with all CPUs
/// busy.
const STEP: &str = "nodes = 4\ncpus-per-node = 4\n[power]\nidle = \"100W\"\none-cpu = \"120W\"\n\
                    all-cpus = \"180W\"\n";

fn machine(lines: &str) -> Machine {
    let text = format!("name = \"m\"\nsource = \"a test\"\n{lines}");
    Machine::parse(&text, "m.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn run(system: System, program: impl ProcessProgram) -> Outcome {
    let run = Simulation::new(&MODEL, system).run(program);
    run.expect("the program ends")
}

fn energy(outcome: &Outcome) -> &Energy {
    outcome.energy.as_ref().expect("the machine has powers")
}
