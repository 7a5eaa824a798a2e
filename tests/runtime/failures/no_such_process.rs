//! Processes and sizes out of range.

use prophet_runtime::{BRecv, BSend, Broadcast, ByMachine, Message, NBSend};

use crate::failures::failure;

const SEND: BSend = BSend::new(0, "Send", 10);
const LATER: NBSend = NBSend::new(1, "Later", 11);
const RECV: BRecv = BRecv::new(2, "Recv", 12);
const SPREAD: Broadcast = Broadcast::new(3, "Spread", 13);

#[test]
fn a_destination_beyond_the_last_process_is_reported() {
    let text = failure(2, async |ctx| {
        SEND.execute(ctx, ctx.pid() + 1, Message::bytes(8), ByMachine)
            .await
    });
    assert_eq!(
        text,
        "dest is 2, but the processes are 0 to 1\n  \
         at 0 s of simulated time, process 1, bsend `Send` (id 10)"
    );
}

#[test]
fn negative_ones_are_reported() {
    let text = failure(2, async |ctx| {
        RECV.execute(ctx, ctx.pid() - 2, Message::any_size(), ByMachine)
            .await
    });
    assert!(
        text.starts_with("source is -2, but the processes are 0 to 1\n"),
        "{text}"
    );
    let text = failure(1, async |ctx| SPREAD.execute(ctx, i64::MAX, 8, 1.0).await);
    assert!(
        text.starts_with("root is 9223372036854775807, but"),
        "{text}"
    );
}

#[test]
fn a_negative_size_is_reported() {
    let text = failure(1, async |ctx| {
        LATER.execute(ctx, 0, Message::bytes(-8), 1.0).await
    });
    assert_eq!(
        text,
        "the size is negative: -8 bytes\n  \
         at 0 s of simulated time, process 0, nbsend `Later` (id 11)"
    );
    let text = failure(1, async |ctx| SPREAD.execute(ctx, 0, -1, ByMachine).await);
    assert!(
        text.starts_with("the size is negative: -1 bytes\n"),
        "{text}"
    );
}
