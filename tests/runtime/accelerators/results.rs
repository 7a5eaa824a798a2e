//! Results of runs with accelerators: how busy they are, traces, what-ifs and threads.

use std::num::NonZero;

use super::*;
use prophet_runtime::{AcceleratorOutcome, Trace};

async fn program(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    IN.execute(ctx, 1.0).stream(1).await?;
    KERNEL.execute(ctx, 2.0).stream(1).await?;
    KERNEL.execute(ctx, 0.5).stream(2).await?;
    OUT.execute(ctx, 1.5).to_host().stream(1).await?;
    WAIT.execute(ctx).await?;
    // Nobody waits for this one, of which a quarter of a second is part of the run.
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

#[test]
fn both_engines_write_the_same_trace() {
    let folder = tempfile::tempdir().expect("there is room");
    let bytes = |engine: Engine| {
        let path = folder.path().join(engine.to_string());
        let simulation = Simulation::new(&MODEL, system(two(), 4)).with_engine(engine);
        let mut trace = Trace::new(&path);
        simulation.run_traced(program, &mut trace).expect("it ends");
        assert!(trace.written().is_ok());
        std::fs::read(path).expect("it is there")
    };
    assert!(bytes(Engine::Event) == bytes(Engine::Local));
}
