//! Tests results of runs with accelerators: utilization, traces, what-ifs, and threads.

use std::num::NonZero;

use super::*;
use prophet_runtime::{AcceleratorOutcome, Trace, TraceFilter};
use prophet_trace::{Operation, TraceReader};

async fn program(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    IN.execute(ctx, 1.0).stream(1).await?;
    KERNEL.execute(ctx, 2.0).stream(1).await?;
    KERNEL.execute(ctx, 0.5).stream(2).await?;
    OUT.execute(ctx, 1.5).to_host().stream(1).await?;
    WAIT.execute(ctx).await?;
    // No process waits for this kernel. A quarter of a second of it is within the run.
    KERNEL.execute(ctx, 8.0).await?;
    ctx.hold(0.25).await
}

fn two() -> Accelerator {
    let launch_s = 0.125;
    Accelerator {
        count: 2,
        launch_s,
        ..gpu()
    }
}

#[test]
fn results_tell_how_busy_devices_are() {
    let system = system(two(), 4);
    let outcome = run(&system, &program);
    let expected = AcceleratorOutcome {
        name: "gpu".to_owned(),
        devices: 4,
        copy_engines: 2,
        kernels_s: 4.0 * (2.0 + 0.5 + 0.25),
        copies_s: 4.0 * (1.0 + 1.5),
        memory_bytes: 0,
    };
    assert_eq!(outcome.accelerators, [expected]);
    let simulation = Simulation::new(&MODEL, system).with_engine(Engine::Local);
    let threads = NonZero::new(3).expect("it is not 0");
    let divided = simulation.run_on(threads, program).expect("it ends");
    assert_eq!(divided.evaluation.threads, 3);
    assert_eq!(divided.accelerators, outcome.accelerators);
    assert_eq!(divided.processes, outcome.processes);
}

#[test]
fn a_what_if_changes_the_time_on_the_device() {
    let time = |factor| {
        let simulation = Simulation::new(&MODEL, system(two(), 1)).with_scaled(2, factor);
        let run = simulation.run(async |ctx| {
            KERNEL.execute(ctx, 2.0).await?;
            WAIT.execute(ctx).await
        });
        run.expect("it ends").predicted_time_s
    };
    assert_eq!([time(1.0), time(0.5)], [2.125, 1.125]);
}

fn traced(engine: Engine, filter: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("run.arrow");
    let simulation = Simulation::new(&MODEL, system(two(), 4)).with_engine(engine);
    let mut chosen = TraceFilter::default();
    for part in filter {
        chosen.add(part).expect("it is a filter");
    }
    let mut trace = Trace::new(&path).with_filter(chosen);
    simulation.run_traced(program, &mut trace).expect("it ends");
    assert!(trace.written().is_ok());
    std::fs::read(path).expect("it is there")
}

fn operations(bytes: Vec<u8>) -> Vec<Operation> {
    let mut reader = TraceReader::new(std::io::Cursor::new(bytes)).expect("it is a trace");
    let (mut all, mut batch) = (Vec::new(), Vec::new());
    let mut rows = reader.operations();
    while rows.next_batch(&mut batch).expect("it has rows") {
        all.append(&mut batch);
    }
    all
}

#[test]
fn both_engines_write_the_same_trace() {
    let bytes = traced(Engine::Event, &[]);
    assert!(bytes == traced(Engine::Local, &[]));
    let all = operations(bytes);
    assert_eq!(all.len(), 4 * 5);
    let spans = all.iter().filter(|it| it.pid == 3);
    let spans = spans.map(|it| {
        (
            it.node, it.device, it.engine, it.stream, it.start_s, it.end_s,
        )
    });
    // The end of the run cuts off the last kernel.
    let expected = [
        (1, 1, 0, 2, 0.375, 0.875),
        (1, 1, 1, 1, 0.125, 1.125),
        (1, 1, 0, 1, 1.125, 3.125),
        (1, 1, 2, 1, 3.125, 4.625),
        (1, 1, 0, 0, 4.75, 5.0),
    ];
    assert!(spans.eq(expected), "{all:#?}");
    let some = operations(traced(Engine::Local, &["pid=3", "time=4.7s.."]));
    assert_eq!(some, all[19..]);
}
