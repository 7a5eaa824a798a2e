//! Closed forms.

use super::*;
use prophet_runtime::ByMachine;

#[test]
fn a_queue_of_kernels_is_bound_by_launches_or_by_the_device() {
    for (launch_s, kernel_s) in [(0.3, 0.1), (0.1, 0.3), (0.2, 0.2)] {
        let gpu = Accelerator { launch_s, ..gpu() };
        let found = time(gpu, async |ctx| {
            for _ in 0..40 {
                KERNEL.execute(ctx, kernel_s).await?;
            }
            WAIT.execute(ctx).await
        });
        let expected = if launch_s > kernel_s {
            40.0 * launch_s + kernel_s
        } else {
            launch_s + 40.0 * kernel_s
        };
        is_near(found, expected, &format!("{launch_s} {kernel_s}"));
    }
}

/// Copies in, computes and copies out in `n` chunks, each in one of two streams.
fn pipelined(gpu: Accelerator, n: i32, (in_s, kernel_s, out_s): (f64, f64, f64)) -> f64 {
    time(gpu, async |ctx| {
        for chunk in 0..n {
            IN.execute(ctx, in_s).stream(i64::from(chunk)).await?;
            KERNEL
                .execute(ctx, kernel_s)
                .stream(i64::from(chunk))
                .await?;
            OUT.execute(ctx, out_s)
                .to_host()
                .stream(i64::from(chunk))
                .await?;
        }
        WAIT.execute(ctx).await
    })
}

#[test]
fn chunks_in_streams_form_a_pipeline() {
    for n in [1, 2, 5, 12] {
        for stages in [
            (0.7_f64, 0.2_f64, 0.1_f64),
            (0.1, 0.7, 0.3),
            (0.2, 0.1, 0.9),
        ] {
            let (in_s, kernel_s, out_s) = stages;
            // Three stages, each at one chunk at a time: the longest is always busy.
            let longest = in_s.max(kernel_s).max(out_s);
            let expected = in_s + kernel_s + out_s + f64::from(n - 1) * longest;
            let found = pipelined(gpu(), n, stages);
            is_near(found, expected, &format!("{n} {stages:?}"));
        }
    }
}

#[test]
fn one_copy_engine_serves_both_directions() {
    let one = Accelerator {
        copy_engines: 1,
        ..gpu()
    };
    // All copies in come first: they are ready first. The kernels hide behind them.
    for n in [2, 5, 12] {
        let chunks = f64::from(n);
        let found = pipelined(one.clone(), n, (1.0, 0.5, 1.0));
        is_near(found, 2.0 * chunks, &format!("{n} chunks"));
        let two = pipelined(gpu(), n, (1.0, 0.5, 1.0));
        is_near(two, chunks + 0.5 + 1.0, &format!("{n} chunks, two engines"));
    }
}

#[test]
fn streams_wait_for_events() {
    // A diamond: one kernel, two beside each other, one that waits for both.
    let found = time(gpu(), async |ctx| {
        let half = |seconds: f64| KERNEL.execute(ctx, seconds).share(0.5);
        half(1.0).stream(1).await?;
        EVENT.execute(ctx).event(0).stream(1).await?;
        WAIT.execute(ctx).event(0).stream(2).await?;
        half(2.0).stream(1).await?;
        half(3.0).stream(2).await?;
        EVENT.execute(ctx).event(1).stream(2).await?;
        WAIT.execute(ctx).event(1).stream(1).await?;
        half(4.0).stream(1).await?;
        // The host goes on meanwhile, until it waits for an event.
        assert_eq!(ctx.now_s().to_bits(), 0.0_f64.to_bits());
        WAIT.execute(ctx).event(1).await?;
        is_near(ctx.now_s(), 4.0, "the event");
        // One that has come, or was never recorded, is no wait.
        WAIT.execute(ctx).event(0).await?;
        WAIT.execute(ctx).event(7).await?;
        is_near(ctx.now_s(), 4.0, "events that have come");
        WAIT.execute(ctx).stream(1).await
    });
    is_near(found, 1.0 + 3.0 + 4.0, "the diamond");
}

#[test]
fn kernels_share_the_device_as_far_as_they_fit() {
    for (share, at_a_time) in [(1.0, 1), (0.6, 1), (0.5, 2), (0.25, 4), (1.0 / 3.0, 3)] {
        let found = time(gpu(), async |ctx| {
            for stream in 0..12 {
                KERNEL.execute(ctx, 1.0).stream(stream).share(share).await?;
            }
            WAIT.execute(ctx).await
        });
        is_near(found, f64::from(12 / at_a_time), &format!("share {share}"));
    }
}

#[test]
fn the_longest_limit_of_a_kernel_is_its_time() {
    let kernel = |flops: f64, bytes: i64, cost: f64, share: f64| {
        time(gpu(), async |ctx| {
            let kernel = KERNEL.execute(ctx, cost).fp64(flops).bytes(bytes);
            kernel.share(share).await?;
            WAIT.execute(ctx).await
        })
    };
    is_near(kernel(7.0, 3, 0.5, 1.0), 7.0, "operations");
    is_near(kernel(2.0, 3, 0.5, 1.0), 3.0, "bytes");
    is_near(kernel(2.0, 3, 9.5, 1.0), 9.5, "cost");
    is_near(kernel(2.0, 3, 5.0, 0.25), 12.0, "a quarter");
    let gpu = Accelerator {
        peer: Some(DeviceLink {
            latency_s: 1.0,
            bandwidth: 4.0,
        }),
        count: 2,
        ..gpu()
    };
    let found = time(gpu, async |ctx| {
        IN.execute(ctx, ByMachine).bytes(8).peer(1).await?;
        WAIT.execute(ctx).await
    });
    is_near(found, 3.0, "another device");
}

#[test]
fn processes_have_devices_in_turn_and_share_them_by_events() {
    let program = async |ctx: &ProcessCtx<'_>| {
        KERNEL.execute(ctx, 1.0 + ctx.pid().real()).await?;
        WAIT.execute(ctx).await
    };
    let two = Accelerator { count: 2, ..gpu() };
    let outcome = run(&system(two, 4), &program);
    let ends: Vec<f64> = outcome.processes.iter().map(|it| it.end_s).collect();
    assert_eq!(ends, [1.0, 2.0, 3.0, 4.0]);
    // The local engine has no order among processes, so that the other one runs this.
    let simulation = Simulation::new(&MODEL, system(gpu(), 2)).with_engine(Engine::Auto);
    let outcome = simulation.run(program).expect("it ends");
    let ends: Vec<f64> = outcome.processes.iter().map(|it| it.end_s).collect();
    assert_eq!(ends, [1.0, 3.0]);
    let why = outcome.evaluation.why_not_local;
    let expected = "the program uses accelerators that processes share";
    assert_eq!(why.as_deref(), Some(expected));
}

#[test]
fn a_wait_is_no_computing_and_a_launch_is() {
    let gpu = Accelerator {
        launch_s: 0.25,
        ..gpu()
    };
    let outcome = run(&system(gpu, 1), &async |ctx: &ProcessCtx<'_>| {
        KERNEL.execute(ctx, 2.0).await?;
        WAIT.execute(ctx).await
    });
    let process = &outcome.processes[0];
    assert_eq!([process.compute_s, process.wait_s], [0.25, 2.0]);
    let totals: Vec<f64> = outcome.elements.iter().map(|it| it.total_s).collect();
    assert_eq!(totals, [0.25, 2.0]);
}
