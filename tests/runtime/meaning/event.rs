//! Tests events: who is woken, ties, and waits that are dropped.

use std::cell::RefCell;

use prophet_runtime::Event;

use crate::meaning::{ends, give_up, run, waste};

#[test]
fn all_that_wait_go_on_in_their_order_even_if_it_is_cleared_at_once() {
    let start = Event::new("start");
    let order = RefCell::new(Vec::new());
    let outcome = run(4, async |ctx| {
        let pid = ctx.pid().0;
        if pid == 0 {
            ctx.hold(1.0).await?;
            start.set(ctx);
            start.clear();
            return Ok(());
        }
        ctx.hold(f64::from(4 - u8::try_from(pid).expect("small")) / 8.0)
            .await?;
        start.wait(ctx).await?;
        order.borrow_mut().push(pid);
        Ok(())
    });
    assert_eq!(order.into_inner(), [3, 2, 1]);
    assert_eq!(ends(&outcome), [1.0; 4]);
}

#[test]
fn an_event_that_is_set_makes_nobody_wait_until_it_is_cleared() {
    let done = Event::new("done");
    let outcome = run(2, async |ctx| {
        if ctx.pid() == 0 {
            done.set(ctx);
            ctx.hold(1.0).await?;
            done.clear();
            ctx.hold(1.0).await?;
            done.set(ctx);
            return Ok(());
        }
        done.wait(ctx).await?;
        assert!(done.is_set());
        ctx.hold(1.5).await?;
        done.wait(ctx).await
    });
    assert_eq!(ends(&outcome), [2.0, 2.0]);
}

#[test]
fn dropped_waits_are_forgotten() {
    let start = Event::new("start");
    let outcome = run(3, async |ctx| match ctx.pid().0 {
        0 => {
            ctx.hold(1.0).await?;
            assert_eq!(start.queue_len(), 1);
            start.set(ctx);
            Ok(())
        }
        1 => {
            give_up(start.wait(ctx)).await;
            ctx.hold(3.0).await
        }
        _ => {
            waste(start.wait(ctx)).await;
            ctx.hold(1.0).await
        }
    });
    assert_eq!(ends(&outcome), [1.0, 3.0, 2.0]);
}
