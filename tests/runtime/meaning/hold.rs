//! Holds: exact times, ties, drops.

use std::cell::RefCell;

use crate::meaning::{ends, give_up, run, waste};

#[test]
fn a_hold_is_one_addition() {
    let outcome = run(1, async |ctx| {
        for _ in 0..10 {
            ctx.hold(0.1).await?;
        }
        Ok(())
    });
    let expected = (0..10).fold(0.0, |now, _| now + 0.1);
    assert_eq!(outcome.predicted_time_s.to_bits(), f64::to_bits(expected));
}

#[test]
fn processes_that_are_due_at_one_time_go_on_in_the_order_of_their_holds() {
    let order = RefCell::new(Vec::new());
    run(4, async |ctx| {
        // All are due at 1 s; those that hold in one go have begun first.
        if ctx.pid().0 < 2 {
            ctx.hold(0.5).await?;
            ctx.hold(0.5).await?;
        } else {
            ctx.hold(1.0).await?;
        }
        order.borrow_mut().push(ctx.pid().0);
        ctx.hold(0.0).await?;
        order.borrow_mut().push(10 + ctx.pid().0);
        Ok(())
    });
    assert_eq!(order.into_inner(), [2, 3, 0, 1, 12, 13, 10, 11]);
}

#[test]
fn a_dropped_hold_takes_no_time() {
    let outcome = run(2, async |ctx| {
        for _ in 0..1000 {
            give_up(ctx.hold(50.0)).await;
        }
        ctx.hold(1.0).await?;
        give_up(ctx.hold(0.0)).await;
        waste(ctx.hold(0.0)).await;
        waste(ctx.hold(1.0)).await;
        Ok(())
    });
    assert_eq!(ends(&outcome), [2.0, 2.0]);
    assert!(outcome.evaluation.events < 20, "{:?}", outcome.evaluation);
}

#[test]
fn a_hold_too_short_for_the_clock_still_ends() {
    let outcome = run(1, async |ctx| {
        ctx.hold(1e9).await?;
        ctx.hold(1e-9).await
    });
    assert_eq!(ends(&outcome), [1e9]);
}
