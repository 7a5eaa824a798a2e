//! Processes that wait outside of the elements; scenarios have the others.

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
