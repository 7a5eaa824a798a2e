//! A process that awaits something outside the simulation.

use std::future::{pending, poll_fn};
use std::pin::Pin;
use std::task::Poll;

use crate::failures::failure;

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
