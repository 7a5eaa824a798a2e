//! Processes that wait for each other.

use prophet_runtime::{BRecv, BSend, Barrier, ByMachine, Event, Facility, Mailbox, Message};

use crate::failures::failure;

const FIRST: BRecv = BRecv::new(0, "First", 10);
const SECOND: BRecv = BRecv::new(1, "Second", 11);
const SEND: BSend = BSend::new(2, "Send", 12);
const MEET: Barrier = Barrier::new(3, "Meet", 13);

#[test]
fn a_cycle_of_receives_is_told() {
    let text = failure(3, async |ctx| {
        ctx.hold(0.5).await?;
        let any = Message::any_size();
        match ctx.pid().0 {
            0 => FIRST.execute(ctx, 1, any, ByMachine).await?,
            1 => SECOND.execute(ctx, 0, any.tag(7), ByMachine).await?,
            _ => return Ok(()),
        }
        SEND.execute(ctx, 1 - ctx.pid().0, Message::bytes(8), ByMachine)
            .await
    });
    assert_eq!(
        text,
        "deadlock: 2 of 3 processes never resume\n  \
         at 500 ms of simulated time\n  \
         process 0 at brecv `First` (id 10) waits for a message with tag 0 from process 1\n  \
         process 1 at brecv `Second` (id 11) waits for a message with tag 7 from process 0\n  \
         they wait for each other: 0 -> 1 -> 0"
    );
}

#[test]
fn a_cycle_through_a_barrier_with_a_cost_is_told() {
    let text = failure(3, async |ctx| {
        if ctx.pid() == 2 {
            FIRST
                .execute(ctx, 0, Message::any_size(), ByMachine)
                .await?;
        }
        MEET.execute(ctx, 1.0).await
    });
    assert_eq!(
        text,
        "deadlock: 3 of 3 processes never resume\n  \
         at 0 s of simulated time\n  \
         process 0 at barrier `Meet` (id 13) waits for process 2 to join\n  \
         process 1 at barrier `Meet` (id 13) waits for process 2 to join\n  \
         process 2 at brecv `First` (id 10) waits for a message with tag 0 from process 0\n  \
         they wait for each other: 0 -> 2 -> 0"
    );
}

#[test]
fn a_collective_without_a_cost_tells_whose_message_is_missing() {
    let text = failure(2, async |ctx| {
        if ctx.pid() == 0 {
            MEET.execute(ctx, ByMachine).await
        } else {
            Ok(())
        }
    });
    assert_eq!(
        text,
        "deadlock: 1 of 2 processes never resumes\n  \
         at 0 s of simulated time\n  \
         process 0 at barrier `Meet` (id 13) waits for its part from process 1, which has ended\n  \
         no process is left that could answer"
    );
}

#[test]
fn only_the_first_ten_are_named() {
    let text = failure(5000, async |ctx| {
        let next = (ctx.pid().0 + 1) % 5000;
        FIRST
            .execute(ctx, next, Message::any_size(), ByMachine)
            .await
    });
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "deadlock: 5000 of 5000 processes never resume");
    assert_eq!(lines[12], "  and 4990 more");
    assert!(
        lines[13].starts_with("  they wait for each other: 0 -> 1 -> 2 -> "),
        "{}",
        lines[13]
    );
    assert!(
        lines[13].ends_with("-> 9 -> ... -> 0 (5000 processes)"),
        "{}",
        lines[13]
    );
    assert_eq!(lines.len(), 14);
}

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
