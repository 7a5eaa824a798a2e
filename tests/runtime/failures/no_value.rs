//! A receive that wants the value of a message that carries none.

use prophet_runtime::{BRecv, BSend, ByMachine, Message, NBRecv, Wait};

use crate::failures::failure;

const SEND: BSend = BSend::new(0, "Send", 10);
const RECV: BRecv = BRecv::new(1, "Recv", 11);
const POST: NBRecv = NBRecv::new(2, "Post", 12);
const WAIT: Wait = Wait::new(3, "Wait", 13);

#[test]
fn it_is_the_receive_that_is_reported() {
    for (posts, element) in [
        (false, "brecv `Recv` (id 11)"),
        (true, "nbrecv `Post` (id 12)"),
    ] {
        let text = failure(2, async |ctx| {
            if ctx.pid() == 0 {
                return SEND.execute(ctx, 1, Message::bytes(9).tag(4), 1.0).await;
            }
            let message = Message::any_size().tag(4);
            let received = if posts {
                POST.execute(ctx, 0, message, ByMachine).await?;
                WAIT.execute(ctx).received().await?[0]
            } else {
                RECV.execute(ctx, 0, message, ByMachine).received().await?
            };
            received.real(ctx)?;
            Ok(())
        });
        let expected = format!(
            "the message from process 0 with tag 4 carries no value, but its receive wants one\n  \
             at 1 s of simulated time, process 1, {element}"
        );
        assert_eq!(text, expected);
    }
}
