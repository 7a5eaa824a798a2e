//! Tests processes that wait outside of elements, outside of the simulation, or for two things at
//! the same time. All other failures are tested in scenarios.

use std::future::{pending, poll_fn};
use std::pin::Pin;
use std::task::Poll;

use prophet_runtime::{Event, Facility, Mailbox};

use crate::failures::failure;

#[test]
fn waits_outside_the_elements_are_told_too() {
    let teller = Facility::new("teller", 1);
    let orders = Mailbox::<u32>::new("orders");
    let start = Event::new("start");
    let text = failure(4, async |ctx| match ctx.pid().0 {
        0 => {
            let _server = teller.reserve(ctx).await?;
            start.wait(ctx).await
        }
        1 => teller.use_for(ctx, 1.0).await,
        2 => orders.receive(ctx).await.map(|_| ()),
        _ => Ok(()),
    });
    assert_eq!(
        text,
        "deadlock: 3 of 4 processes never resume\n  \
         at 0 s of simulated time\n  \
         process 0 waits for event `start`\n  \
         process 1 waits for a server of facility `teller`\n  \
         process 2 waits for a value in mailbox `orders`\n  \
         no process is left that could answer"
    );
    assert_eq!(
        (teller.free(), teller.queue_len()),
        (1, 0),
        "teardown gives all back"
    );
}

#[test]
fn a_foreign_future_is_reported() {
    let text = failure(2, async |ctx| {
        ctx.hold(1.0).await?;
        if ctx.pid() == 1 {
            pending::<()>().await;
        }
        Ok(())
    });
    assert_eq!(
        text,
        "foreign await: the process awaits something outside the simulation\n  \
         at 1 s of simulated time, process 1"
    );
}

#[test]
fn a_wait_that_is_dropped_does_not_count() {
    let text = failure(1, async |ctx| {
        let mut hold = Some(ctx.hold(1.0));
        poll_fn(|cx| {
            if let Some(mut hold) = hold.take() {
                assert!(Pin::new(&mut hold).poll(cx).is_pending());
            }
            Poll::<()>::Pending
        })
        .await;
        Ok(())
    });
    assert!(text.starts_with("foreign await"), "{text}");
}

#[test]
fn two_waits_at_once_are_reported() {
    let text = failure(1, async |ctx| {
        let (mut one, mut two) = (ctx.hold(1.0), ctx.hold(2.0));
        poll_fn(|cx| {
            let _ = Pin::new(&mut one).poll(cx);
            let _ = Pin::new(&mut two).poll(cx);
            Poll::<()>::Pending
        })
        .await;
        Ok(())
    });
    assert_eq!(
        text,
        "the process awaits two things at the same time\n  at 0 s of simulated time, process 0"
    );
}
