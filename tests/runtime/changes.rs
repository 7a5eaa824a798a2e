//! Tests machines that change during a run. Whatever is in progress continues at the new speed.

mod lines;
mod nodes;
mod wrong;

use prophet_runtime::{ActionPlus, Engine, Machine, Model, Opcode, Outcome, ProcessProgram};
use prophet_runtime::{Simulation, System};

use crate::ends;

const IADD: Opcode = Opcode::new(0, "IADD");
const MODEL: Model = Model::new("Changes", &[], 1);
const PRICED: Model = Model::new("Prices", &[], 1).opcodes(&[IADD]);
const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);

fn machine(nodes: u32, entries: &str) -> String {
    format!("name = \"mine\"\nsource = \"a test\"\nnodes = {nodes}\n{entries}")
}

/// A system of `processes` processes on the machine in `text`, with one CPU per node.
fn system(text: &str, processes: u32) -> System {
    let machine = Machine::parse(text, "machine.toml").expect("it is a machine");
    let nodes = machine.nodes.expect("it has a size");
    System::on(machine, nodes, 1, processes, 1)
}

/// Writes a change of the nodes that match a pattern.
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

const PRICES: &str = "[operations]\nunit = \"s\"\nIADD = 1\n";

fn new_price(at: &str, cost: &str) -> String {
    format!("[[change]]\nat = \"{at}\"\noperation = \"IADD\"\ncost = \"{cost}\"\n")
}

#[test]
fn blocks_that_begin_later_pay_the_new_price() {
    let entries =
        new_price("0s", "2s") + &new_price("1s", "500ms") + &new_price("3s", "4s") + PRICES;
    let outcome = run_on(&PRICED, system(&machine(1, &entries), 1), async |ctx| {
        // At its start, an operation took 2 s.
        WORK.execute(ctx, ctx.clc(&[(1.0, IADD)])).await?;
        WORK.execute(ctx, ctx.clc(&[(2.0, IADD)])).await?;
        assert_eq!(ctx.now_s().to_bits(), 3.0_f64.to_bits());
        WORK.execute(ctx, ctx.clc(&[(1.0, IADD)])).await
    });
    assert_eq!(ends(&outcome), [7.0]);
}
