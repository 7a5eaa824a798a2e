//! Costs that are not times.

use prophet_runtime::{ActionPlus, BSend, Barrier, ByMachine, Message};

use crate::failures::failure;

const WORK: ActionPlus = ActionPlus::new(0, "Work", 10);
const SEND: BSend = BSend::new(1, "Send", 11);
const MEET: Barrier = Barrier::new(2, "Meet", 12);

#[test]
fn a_negative_cost_is_reported_with_its_element() {
    let text = failure(2, async |ctx| {
        WORK.execute(ctx, 1.5).await?;
        if ctx.pid() == 1 {
            WORK.execute(ctx, -0.25).await
        } else {
            Ok(())
        }
    });
    assert_eq!(
        text,
        "negative cost: -0.25 s\n  \
         at 1.5 s of simulated time, process 1, action+ `Work` (id 10)"
    );
}

#[test]
fn costs_that_are_not_finite_are_reported() {
    let infinite = failure(1, async |ctx| MEET.execute(ctx, f64::INFINITY).await);
    assert!(
        infinite.starts_with("the cost is not a finite number: inf\n"),
        "{infinite}"
    );
    let nan = failure(1, async |ctx| {
        SEND.execute(ctx, 0, Message::bytes(8), f64::NAN).await
    });
    assert!(
        nan.starts_with("the cost is not a finite number: NaN\n"),
        "{nan}"
    );
}

#[test]
fn a_negative_hold_is_reported() {
    let text = failure(1, async |ctx| ctx.hold(-1.0).await);
    assert_eq!(
        text,
        "negative cost: -1 s\n  at 0 s of simulated time, process 0"
    );
}

#[test]
fn an_action_needs_a_cost() {
    let text = failure(1, async |ctx| WORK.execute(ctx, ByMachine).await);
    assert!(
        text.starts_with("an element that occupies a CPU has no cost\n"),
        "{text}"
    );
}

#[test]
fn a_process_that_overlooks_its_failure_is_stopped_all_the_same() {
    let text = failure(1, async |ctx| {
        let _ = WORK.execute(ctx, -1.0).await;
        Ok(())
    });
    assert!(text.starts_with("negative cost"), "{text}");
}
