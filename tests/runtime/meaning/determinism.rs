//! Tests that the same inputs give the same outcome, and that the layout only matters where it
//! should.

use prophet_runtime::{ActionPlus, AllReduce, BRecv, BSend, ByMachine, Message, Network, Outcome};
use prophet_runtime::{ProcessCtx, Stopped, System};

use crate::meaning::{ends, run_on};

const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
const SUM: AllReduce = AllReduce::new(1, "Sum", 2);
const SEND: BSend = BSend::new(2, "Send", 3);
const RECV: BRecv = BRecv::new(3, "Recv", 4);

async fn program(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    let (pid, processes) = (ctx.pid().0, ctx.num_processes().0);
    for round in 0..20 {
        WORK.execute(ctx, ctx.stream(&WORK).exponential(1e-4))
            .await?;
        let bytes = Message::bytes(100 * round);
        SEND.execute(ctx, (pid + 1) % processes, bytes, ByMachine)
            .await?;
        let source = (pid + processes - 1) % processes;
        RECV.execute(ctx, source, Message::any_size(), ByMachine)
            .await?;
        SUM.execute(ctx, 64, ByMachine).await?;
    }
    Ok(())
}

fn outcome(seed: u64) -> Outcome {
    // 24 processes on 3 nodes with 5 CPUs, so they queue.
    let mut system = System::new(3, 5, 24, 1);
    system.network = Network::LogGp {
        l_s: 2e-6,
        o_s: 1e-6,
        g_s: 1e-7,
        gap_per_byte_s: 1e-9,
    };
    system.intranode = system.network;
    system.seed = seed;
    run_on(system, program)
}

#[test]
fn a_run_is_a_function_of_its_inputs() {
    let first = outcome(1);
    assert_eq!(first, outcome(1));
    assert_ne!(ends(&first), ends(&outcome(2)));
}

#[test]
fn the_three_parts_of_a_process_sum_to_its_end() {
    for process in outcome(3).processes {
        let parts_s = process.compute_s + process.communication_s + process.wait_s;
        assert!((parts_s - process.end_s).abs() < 1e-12, "{process:?}");
        assert!(process.compute_s > 0.0 && process.communication_s > 0.0 && process.wait_s > 0.0);
    }
}

#[test]
fn parameters_come_from_the_system_or_the_model() {
    use prophet_runtime::{Model, Parameter, Simulation, Value};
    const MODEL: Model = Model::new(
        "Parameters",
        &[
            Parameter::new("N", Value::Int(3)),
            Parameter::new("X", Value::Real(0.5)),
            Parameter::new("B", Value::Bool(true)),
        ],
        0,
    );
    let mut system = System::new(2, 3, 4, 2);
    system.parameters = vec![Value::Int(-7)];
    let run = Simulation::new(&MODEL, system).run(async |ctx| {
        assert_eq!(ctx.int_parameter(0), -7);
        assert_eq!(ctx.real_parameter(1).to_bits(), 0.5_f64.to_bits());
        assert!(ctx.bool_parameter(2) && !ctx.bool_parameter(9));
        assert_eq!(ctx.uid(), ctx.pid().0 * 2);
        assert_eq!(ctx.nid(), ctx.pid().0 / 2);
        assert_eq!(
            (ctx.num_nodes().0, ctx.num_cpus().0, ctx.num_threads().0),
            (2, 3, 2)
        );
        Ok(())
    });
    assert!(run.is_ok());
}
