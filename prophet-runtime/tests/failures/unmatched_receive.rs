//! A receive that nobody answers.

use prophet_runtime::{BRecv, BSend, ByMachine, Message};

use crate::failure;

const RECV: BRecv = BRecv::new(0, "Recv", 10);
const SEND: BSend = BSend::new(1, "Send", 11);

#[test]
fn the_report_says_that_the_source_has_ended() {
    let text = failure(2, async |ctx| {
        if ctx.pid() == 0 {
            SEND.execute(ctx, 1, Message::bytes(8).tag(1), 2.5).await
        } else {
            RECV.execute(ctx, 0, Message::bytes(8).tag(2), ByMachine)
                .await
        }
    });
    assert_eq!(
        text,
        "deadlock: 1 of 2 processes waits forever\n  \
         at 2.5 s of simulated time\n  \
         process 1 at brecv `Recv` (id 10) waits for a message with tag 2 from process 0, \
         which has ended\n  \
         nobody is left who could answer"
    );
}
