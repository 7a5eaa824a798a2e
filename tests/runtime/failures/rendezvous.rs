//! Messages above the eager limit that nobody receives.

use prophet_runtime::{ANY, BRecv, Wait};
use prophet_runtime::{BSend, ByMachine, Message, NBRecv, NBSend, SendRecv, Simulation, System};

use crate::failures::{MODEL, failure};

const SEND: BSend = BSend::new(0, "Send", 10);
const LATER: NBSend = NBSend::new(1, "Later", 11);
const POST: NBRecv = NBRecv::new(2, "Post", 12);
const WAIT: Wait = Wait::new(3, "Wait", 13);
const SWAP: SendRecv = SendRecv::new(0, "Swap", 14);
const RECV: BRecv = BRecv::new(1, "Recv", 15);

/// Two processes on a node whose messages above 1 KiB wait for their receives.
fn system() -> System {
    let mut system = System::new(1, 2, 2, 1);
    system.protocol.intranode_eager_bytes = 1024;
    system
}

#[test]
fn sends_head_to_head_wait_for_each_other() {
    let run = Simulation::new(&MODEL, system()).run(async |ctx| {
        let other = 1 - ctx.pid().0;
        SEND.execute(ctx, other, Message::bytes(1025), ByMachine)
            .await
    });
    assert_eq!(
        run.unwrap_err().to_string(),
        "deadlock: 2 of 2 processes never resume\n  \
         at 0 s of simulated time\n  \
         process 0 at bsend `Send` (id 10) waits for process 1 to receive its message\n  \
         process 1 at bsend `Send` (id 10) waits for process 0 to receive its message\n  \
         they wait for each other: 0 -> 1 -> 0"
    );
}

#[test]
fn a_wait_tells_what_is_open() {
    let run = Simulation::new(&MODEL, system()).run(async |ctx| {
        if ctx.pid() == 0 {
            LATER.execute(ctx, 1, Message::bytes(2000), 1.0).await?;
            LATER
                .execute(ctx, 1, Message::bytes(2000), ByMachine)
                .await?;
        } else {
            let any = Message::any_size();
            POST.execute(ctx, 0, any, ByMachine).await?;
            POST.execute(ctx, 0, any.tag(3), ByMachine).await?;
        }
        WAIT.execute(ctx).await
    });
    assert_eq!(
        run.unwrap_err().to_string(),
        "deadlock: 2 of 2 processes never resume\n  \
         at 0 s of simulated time\n  \
         process 0 at wait `Wait` (id 13) waits for process 1 to receive its message, \
         begun at nbsend `Later` (id 11)\n  \
         process 1 at wait `Wait` (id 13) waits for a message with tag 3 from process 0, \
         begun at nbrecv `Post` (id 12)\n    \
         a message with tag 0 from process 0 is there, but no receive takes it: 2000 bytes, \
         sent at nbsend `Later` (id 11); did you mean tag 0?\n  \
         they wait for each other: 0 -> 1 -> 0"
    );
}

#[test]
fn an_exchange_tells_which_half_is_open() {
    let text = failure(2, async |ctx| {
        if ctx.pid() == 0 {
            SWAP.execute(ctx, 1, 1, Message::bytes(8), ByMachine).await
        } else {
            RECV.execute(ctx, ANY, Message::any_size().tag(1), ByMachine)
                .await
        }
    });
    assert_eq!(
        text,
        "deadlock: 2 of 2 processes never resume\n  \
         at 0 s of simulated time\n  \
         process 0 at sendrecv `Swap` (id 14) waits for a message with tag 0 from process 1, \
         begun at sendrecv `Swap` (id 14)\n  \
         process 1 at brecv `Recv` (id 15) waits for a message with tag 1 from any process\n    \
         a message with tag 0 from process 0 is there, but no receive takes it: 8 bytes; \
         did you mean tag 0?\n  \
         no process is left that could answer"
    );
}

#[test]
fn a_request_that_was_never_begun_is_told() {
    let text = failure(1, async |ctx| {
        POST.request(0, "left")
            .execute(ctx, 0, Message::any_size(), ByMachine)
            .await?;
        ctx.hold(2.0).await?;
        WAIT.request(1, "right").execute(ctx).await
    });
    assert_eq!(
        text,
        "no send or receive of this process has begun the request `right`\n  \
         at 2 s of simulated time, process 0, wait `Wait` (id 13)"
    );
}

#[test]
fn a_message_too_large_is_told_at_its_receive() {
    let text = failure(2, async |ctx| {
        if ctx.pid() == 0 {
            return SEND.execute(ctx, 1, Message::bytes(9), 1.0).await;
        }
        POST.execute(ctx, 0, Message::bytes(8), ByMachine).await?;
        ctx.hold(3.0).await?;
        WAIT.execute(ctx).await
    });
    assert_eq!(
        text,
        "the message from process 0 has 9 bytes, but its receive accepts at most 8\n  \
         at 0 s of simulated time, process 1, nbrecv `Post` (id 12)"
    );
}
