//! A process that awaits two things at the same time.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use crate::failures::failure;

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
