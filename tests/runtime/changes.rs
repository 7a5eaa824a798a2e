//! Machines that change during a run: what is under way goes on as the machine is then.

mod lines;
mod nodes;
mod operations;
mod wrong;

use prophet_runtime::{ActionPlus, Engine, Machine, Model, Opcode, Outcome};
use prophet_runtime::{Simulation, System};

use prophet_runtime::ProcessProgram;

use crate::ends;

const IADD: Opcode = Opcode::new(0, "IADD");
const MODEL: Model = Model::new("Changes", &[], 1);
const PRICED: Model = Model::new("Prices", &[], 1).opcodes(&[IADD]);
const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);

/// Machine of `nodes` nodes, with more entries.
fn machine(nodes: u32, entries: &str) -> String {
    format!("name = \"mine\"\nsource = \"a test\"\nnodes = {nodes}\n{entries}")
}

/// System of `processes` processes on the machine of a text, with one CPU a node.
fn system(text: &str, processes: u32) -> System {
    let machine = Machine::parse(text, "machine.toml").expect("it is a machine");
    let nodes = machine.nodes.expect("it has a size");
    System::on(machine, nodes, 1, processes, 1)
}

/// Change of the nodes of a pattern.
fn change(at: &str, node: &str, entry: &str) -> String {
    format!("[[change]]\nat = \"{at}\"\nnode = \"{node}\"\n{entry}\n")
}

fn run_on(model: &Model, system: System, program: impl ProcessProgram) -> Outcome {
    let simulation = Simulation::new(model, system).with_engine(Engine::Auto);
    simulation.run(program).expect("the program ends")
}

/// Runs a block of `cost_s` seconds in each process.
fn run_block(system: System, cost_s: f64) -> Outcome {
    run_on(&MODEL, system, async |ctx| WORK.execute(ctx, cost_s).await)
}
