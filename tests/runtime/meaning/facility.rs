//! Tests facilities: order, ties, and waits that are dropped.

use std::cell::RefCell;

use prophet_runtime::Facility;

use crate::meaning::{ends, give_up, run, waste};

#[test]
fn servers_are_given_first_come_first_served() {
    let desk = Facility::new("desk", 2);
    let outcome = run(5, async |ctx| desk.use_for(ctx, 1.0).await);
    assert_eq!(ends(&outcome), [1.0, 1.0, 2.0, 2.0, 3.0]);
    assert_eq!((desk.free(), desk.queue_len()), (2, 0));
}

#[test]
fn who_waits_gets_a_released_server_before_who_asks_at_that_time() {
    let desk = Facility::new("desk", 1);
    let order = RefCell::new(Vec::new());
    let outcome = run(3, async |ctx| {
        let pid = ctx.pid().0;
        if pid == 2 {
            // Requests a server at 1 s, when the first unit releases it and before the second one
            // has run.
            ctx.hold(1.0).await?;
        }
        let server = desk.reserve(ctx).await?;
        order.borrow_mut().push(pid);
        ctx.hold(1.0).await?;
        server.release();
        if pid == 0 {
            desk.use_for(ctx, 1.0).await
        } else {
            Ok(())
        }
    });
    assert_eq!(order.into_inner(), [0, 1, 2]);
    assert_eq!(outcome.predicted_time_s, 4.0);
}

#[test]
fn a_dropped_wait_leaves_the_queue() {
    let desk = Facility::new("desk", 1);
    let outcome = run(3, async |ctx| match ctx.pid().0 {
        1 => {
            give_up(desk.reserve(ctx)).await;
            assert_eq!(desk.queue_len(), 0);
            Ok(())
        }
        _ => desk.use_for(ctx, 1.0).await,
    });
    assert_eq!(ends(&outcome), [1.0, 0.0, 2.0]);
}

#[test]
fn a_server_given_to_a_wait_that_is_dropped_goes_to_the_next() {
    let desk = Facility::new("desk", 1);
    let outcome = run(4, async |ctx| match ctx.pid().0 {
        1 | 2 => {
            waste(desk.reserve(ctx)).await;
            Ok(())
        }
        _ => desk.use_for(ctx, 1.0).await,
    });
    assert_eq!(ends(&outcome), [1.0, 1.0, 1.0, 2.0]);
    assert_eq!((desk.free(), desk.queue_len()), (1, 0));
}

#[test]
fn a_server_held_at_the_end_of_its_process_is_released() {
    let desk = Facility::new("desk", 1);
    let outcome = run(2, async |ctx| {
        let _server = desk.reserve(ctx).await?;
        ctx.hold(1.0).await
    });
    assert_eq!(ends(&outcome), [1.0, 2.0]);
}

#[test]
fn a_use_dropped_half_way_releases_its_server() {
    let desk = Facility::new("desk", 1);
    let outcome = run(2, async |ctx| {
        if ctx.pid() == 0 {
            give_up(desk.use_for(ctx, 9.0)).await;
            return Ok(());
        }
        desk.use_for(ctx, 1.0).await
    });
    assert_eq!(ends(&outcome), [0.0, 1.0]);
}
