//! M. Harris: *How to Overlap Data Transfers in CUDA C/C++*, 2012: four streams of equal chunks, in
//! the order of streams (version 1) or of stages (version 2).

use super::*;

/// Seconds of a copy in, a kernel and a copy out of one of the four chunks.
const STAGES: (f64, f64, f64) = (1.0, 1.5, 1.0);

#[derive(Clone, Copy)]
enum Order {
    Sequential,
    Streams,
    Stages,
}

fn harris(gpu: Accelerator, order: Order) -> f64 {
    let (in_s, kernel_s, out_s) = STAGES;
    time(gpu, async |ctx| {
        match order {
            Order::Sequential => {
                IN.execute(ctx, 4.0 * in_s).await?;
                KERNEL.execute(ctx, 4.0 * kernel_s).await?;
                OUT.execute(ctx, 4.0 * out_s).to_host().await?;
            }
            Order::Streams => {
                for stream in 1..=4 {
                    IN.execute(ctx, in_s).stream(stream).await?;
                    KERNEL.execute(ctx, kernel_s).stream(stream).await?;
                    OUT.execute(ctx, out_s).to_host().stream(stream).await?;
                }
            }
            Order::Stages => {
                for stream in 1..=4 {
                    IN.execute(ctx, in_s).stream(stream).await?;
                }
                for stream in 1..=4 {
                    KERNEL.execute(ctx, kernel_s).stream(stream).await?;
                }
                for stream in 1..=4 {
                    OUT.execute(ctx, out_s).to_host().stream(stream).await?;
                }
            }
        }
        WAIT.execute(ctx).await
    })
}

#[test]
fn orders_overlap_as_published() {
    let (in_s, kernel_s, out_s) = STAGES;
    let sequential = 4.0 * (in_s + kernel_s + out_s);
    // The kernels follow each other without gaps, once the first chunk is there.
    let pipeline = in_s + 4.0 * kernel_s + out_s;
    let of = |copy_engines, queues| Accelerator {
        copy_engines,
        queues,
        ..gpu()
    };
    // C1060: one copy engine, one queue each. Version 1 is as slow as the sequential one.
    let c1060 = of(1, Queues::Engine);
    // K20c: two copy engines, and a queue for each stream (Hyper-Q): both orders overlap.
    let k20c = of(2, Queues::Stream);
    for (gpu, order, expected, what) in [
        (&c1060, Order::Sequential, sequential, "C1060, sequential"),
        (&c1060, Order::Streams, sequential, "C1060, version 1"),
        (&c1060, Order::Stages, pipeline, "C1060, version 2"),
        (&k20c, Order::Sequential, sequential, "K20c, sequential"),
        (&k20c, Order::Streams, pipeline, "K20c, version 1"),
        (&k20c, Order::Stages, pipeline, "K20c, version 2"),
        (
            &of(2, Queues::Engine),
            Order::Streams,
            pipeline,
            "C2050, version 1",
        ),
    ] {
        is_near(harris(gpu.clone(), order), expected, what);
    }
}
