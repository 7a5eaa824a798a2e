//! A receive that nobody answers.

use prophet_runtime::{ANY, BRecv, BSend, ByMachine, Message, NBSend, Simulation, System};

use crate::failures::{MODEL, failure};

const RECV: BRecv = BRecv::new(0, "Recv", 10);
const SEND: BSend = BSend::new(1, "Send", 11);
const LATER: NBSend = NBSend::new(2, "Later", 12);

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
        "deadlock: 1 of 2 processes never resumes\n  \
         at 2.5 s of simulated time\n  \
         process 1 at brecv `Recv` (id 10) waits for a message with tag 2 from process 0, \
         which has ended\n    \
         a message with tag 1 from process 0 is there, but no receive takes it: 8 bytes; \
         did you mean tag 1?\n  \
         no process is left that could answer"
    );
}

#[test]
fn only_the_first_messages_that_nobody_takes_are_told() {
    let text = failure(3, async |ctx| match ctx.pid().0 {
        0 => {
            for tag in 1..=5 {
                SEND.execute(ctx, 2, Message::bytes(tag).tag(tag), 1.0)
                    .await?;
            }
            Ok(())
        }
        1 => RECV.execute(ctx, ANY, Message::any_size(), ByMachine).await,
        _ => {
            RECV.execute(ctx, 1, Message::any_size().tag(1), ByMachine)
                .await
        }
    });
    assert_eq!(
        text,
        "deadlock: 2 of 3 processes never resume\n  \
         at 5 s of simulated time\n  \
         process 1 at brecv `Recv` (id 10) waits for a message with tag 0 from any process\n  \
         process 2 at brecv `Recv` (id 10) waits for a message with tag 1 from process 1\n    \
         a message with tag 1 from process 0 is there, but no receive takes it: 1 byte\n    \
         a message with tag 2 from process 0 is there, but no receive takes it: 2 bytes\n    \
         a message with tag 3 from process 0 is there, but no receive takes it: 3 bytes\n    \
         and 2 more\n  \
         no process is left that could answer"
    );
}

#[test]
fn a_message_that_waits_for_its_receive_names_its_sender() {
    let mut system = System::new(1, 2, 2, 1);
    system.protocol.intranode_eager_bytes = 1024;
    let run = Simulation::new(&MODEL, system).run(async |ctx| {
        if ctx.pid() == 0 {
            LATER
                .execute(ctx, 1, Message::bytes(2000).tag(7), ByMachine)
                .await
        } else {
            RECV.execute(ctx, ANY, Message::any_size(), ByMachine).await
        }
    });
    assert_eq!(
        run.unwrap_err().to_string(),
        "deadlock: 1 of 2 processes never resumes\n  \
         at 0 s of simulated time\n  \
         process 1 at brecv `Recv` (id 10) waits for a message with tag 0 from any process\n    \
         a message with tag 7 from process 0 is there, but no receive takes it: 2000 bytes, \
         sent at nbsend `Later` (id 12); did you mean tag 7?\n  \
         no process is left that could answer"
    );
}
