//! Processes in collectives that do not belong together.

use prophet_runtime::{AllReduce, Barrier, Broadcast, ByMachine};

use crate::failures::failure;

const MEET: Barrier = Barrier::new(0, "Meet", 10);
const SUM: AllReduce = AllReduce::new(1, "Sum", 11);
const SPREAD: Broadcast = Broadcast::new(2, "Spread", 12);
const OTHER: Broadcast = Broadcast::new(3, "Other", 13);

#[test]
fn another_collective_is_reported_with_both_elements() {
    let text = failure(2, async |ctx| {
        MEET.execute(ctx, ByMachine).await?;
        ctx.hold(1.0).await?;
        if ctx.pid() == 0 {
            SUM.execute(ctx, 8, 0.5).await
        } else {
            MEET.execute(ctx, 0.5).await
        }
    });
    assert_eq!(
        text,
        "processes are in different collectives\n  \
         at 1 s of simulated time, process 1, barrier `Meet` (id 10)\n  \
         call 2 of a collective is barrier with a cost here, \
         but allreduce of 8 bytes with a cost in process 0, allreduce `Sum` (id 11)"
    );
}

#[test]
fn another_root_is_reported() {
    let text = failure(3, async |ctx| {
        let root = ctx.pid().0 / 2;
        SPREAD.execute(ctx, root, 64, ByMachine).await
    });
    assert!(
        text.ends_with(
            "broadcast of 64 bytes from 1 without a cost here, but broadcast of 64 bytes from 0 \
             without a cost in process 0, broadcast `Spread` (id 12)"
        ),
        "{text}"
    );
}

#[test]
fn another_size_is_reported() {
    let text = failure(2, async |ctx| {
        SUM.execute(ctx, 8 + ctx.pid().0, ByMachine).await
    });
    assert!(
        text.contains("allreduce of 9 bytes without a cost here, but"),
        "{text}"
    );
}

#[test]
fn a_cost_on_some_sides_only_is_reported() {
    let text = failure(2, async |ctx| {
        if ctx.pid() == 0 {
            MEET.execute(ctx, 1.0).await
        } else {
            MEET.execute(ctx, ByMachine).await
        }
    });
    assert!(
        text.contains("barrier without a cost here, but barrier with a cost"),
        "{text}"
    );
}

#[test]
fn two_elements_may_make_one_collective() {
    let model = prophet_runtime::Model::new("Two", &[], 4);
    let system = prophet_runtime::System::new(1, 2, 2, 1);
    let outcome = prophet_runtime::Simulation::new(&model, system).run(async |ctx| {
        if ctx.pid() == 0 {
            SPREAD.execute(ctx, 0, 8, 1.0).await
        } else {
            OTHER.execute(ctx, 0, 8, 2.0).await
        }
    });
    assert_eq!(outcome.map(|outcome| outcome.predicted_time_s), Ok(2.0));
}
