//! A receive that is smaller than its message.

use prophet_runtime::{BRecv, BSend, ByMachine, Message};

use crate::failures::failure;

const SEND: BSend = BSend::new(0, "Send", 10);
const RECV: BRecv = BRecv::new(1, "Recv", 11);

const TEXT: &str = "the message from process 0 has 9 bytes, but its receive accepts at most 8\n  \
                    at 1 s of simulated time, process 1, brecv `Recv` (id 11)";

#[test]
fn it_is_the_receive_that_is_reported_whoever_comes_first() {
    for early in [0, 1] {
        let text = failure(2, async |ctx| {
            if ctx.pid() != early {
                ctx.hold(1.0).await?;
            }
            if ctx.pid() == 0 {
                SEND.execute(ctx, 1, Message::bytes(9), ByMachine).await
            } else {
                RECV.execute(ctx, 0, Message::bytes(8), ByMachine).await
            }
        });
        assert_eq!(text, TEXT);
    }
}
