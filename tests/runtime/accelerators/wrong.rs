//! Requests that a machine does not allow, and values that are out of range.

use super::*;
use prophet_runtime::{ByMachine, Failure};

fn fails<P>(gpu: Option<Accelerator>, program: P) -> String
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
{
    let mut system = System::new(1, 1, 1, 1);
    system.accelerators = gpu.into_iter().collect();
    let simulation = Simulation::new(&MODEL, system).with_engine(Engine::Auto);
    let failure: Failure = simulation.run(program).expect_err("it fails");
    failure.to_string()
}

#[test]
fn messages_name_the_element_and_the_remedy() {
    let gpu = || Some(gpu());
    let at = |element: &str| format!("\n  at 0 s of simulated time, process 0, {element}");
    let kernel = at("kernel `Kernel` (id 3)");
    let text = fails(None, async |ctx| KERNEL.execute(ctx, 1.0).await);
    let expected = "the machine has no accelerators: add `[[accelerator]]` to its file, and choose \
                    it by --machine";
    assert_eq!(text, format!("{expected}{kernel}"));
    let text = fails(gpu(), async |ctx| KERNEL.execute(ctx, 1.0).device(1).await);
    let expected = "device is 1, but the accelerators are 0 to 0";
    assert_eq!(text, format!("{expected}{kernel}"));
    let text = fails(gpu(), async |ctx| {
        KERNEL.execute(ctx, ByMachine).fp32(1.0).await
    });
    let expected = "the accelerator `gpu` has no peak `fp32`: add it to its entry in the machine's \
                    file, or give the kernel a cost";
    assert_eq!(text, format!("{expected}{kernel}"));
    let text = fails(gpu(), async |ctx| KERNEL.execute(ctx, 1.0).share(1.5).await);
    let expected = "share is 1.5, which is not above 0 and at most 1";
    assert_eq!(text, format!("{expected}{kernel}"));
    let text = fails(gpu(), async |ctx| KERNEL.execute(ctx, 1.0).fp64(-1.0).await);
    let expected = "fp64 is -1, which is not a number of at least 0";
    assert_eq!(text, format!("{expected}{kernel}"));
    let text = fails(gpu(), async |ctx| KERNEL.execute(ctx, -1.0).await);
    assert_eq!(text, format!("negative cost: -1 s{kernel}"));
    let text = fails(gpu(), async |ctx| {
        IN.execute(ctx, ByMachine).bytes(-8).await
    });
    let copy = at("copy `In` (id 1)");
    assert_eq!(text, format!("the size is negative: -8 bytes{copy}"));
    let text = fails(gpu(), async |ctx| {
        IN.execute(ctx, ByMachine).bytes(8).peer(0).await
    });
    let expected = "the accelerator `gpu` has no link to others: add `peer-bandwidth` to its entry \
                    in the machine's file, or copy through the host";
    assert_eq!(text, format!("{expected}{copy}"));
    let text = fails(gpu(), async |ctx| WAIT.execute(ctx).stream(-1).await);
    let wait = at("synchronize `Wait` (id 5)");
    let expected = "stream is -1, which is not from 0 to 65535";
    assert_eq!(text, format!("{expected}{wait}"));
}

#[test]
fn processes_share_the_memory_of_a_device() {
    let small = Accelerator {
        memory: Some(100),
        ..gpu()
    };
    let mut system = System::new(1, 2, 2, 1);
    system.accelerators = [small].into();
    let simulation = Simulation::new(&MODEL, system).with_engine(Engine::Auto);
    let needs = |bytes: i64| {
        simulation.run(async |ctx: &ProcessCtx<'_>| {
            // The same memory is used twice.
            KERNEL.execute(ctx, 1.0).memory(bytes).await?;
            KERNEL.execute(ctx, 1.0).memory(bytes).await
        })
    };
    assert!(needs(50).is_ok());
    let text = needs(51).expect_err("it is too much").to_string();
    let expected = "the processes of the accelerator `gpu` need 102 bytes together, but it has 100";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn operations_that_nobody_waits_for_are_bounded() {
    let text = fails(Some(gpu()), async |ctx| {
        loop {
            KERNEL.execute(ctx, 1.0).await?;
            ctx.hold(1e-9).await?;
        }
    });
    let expected = "more than 65536 operations of an accelerator are not over: synchronize now \
                    and then";
    assert!(text.starts_with(expected), "{text}");
}
