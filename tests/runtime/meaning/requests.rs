//! Operations that do not block, and their waits.

use prophet_runtime::{ActionPlus, BRecv, BSend, ByMachine, Message, NBRecv, NBSend};
use prophet_runtime::{SendRecv, Wait};

use crate::meaning::{LOGGP, apart, ends, give_up, run, run_on};

const SEND: BSend = BSend::new(0, "Send", 1);
const LATER: NBSend = NBSend::new(1, "Later", 2);
const RECV: BRecv = BRecv::new(2, "Recv", 3);
const WORK: ActionPlus = ActionPlus::new(3, "Work", 4);
const POST: NBRecv = NBRecv::new(4, "Post", 5);
const WAIT: Wait = Wait::new(5, "Wait", 6);
const SWAP: SendRecv = SendRecv::new(6, "Swap", 7);

#[test]
fn a_send_with_a_cost_is_complete_after_its_cost() {
    for (work_s, end_s) in [(1.0, 4.0), (5.0, 5.0)] {
        let outcome = run(1, async |ctx| {
            LATER.execute(ctx, 0, Message::bytes(8), 4.0).await?;
            assert_eq!(ctx.now_s(), 0.0);
            WORK.execute(ctx, work_s).await?;
            WAIT.execute(ctx).await
        });
        assert_eq!(ends(&outcome), [end_s]);
        assert_eq!(outcome.processes[0].communication_s, end_s - work_s);
    }
}

#[test]
fn a_send_without_a_cost_is_complete_when_its_sender_is_free() {
    let outcome = run_on(apart(2, LOGGP), async |ctx| {
        if ctx.pid() == 0 {
            LATER.execute(ctx, 1, Message::bytes(5), ByMachine).await?;
            assert_eq!(ctx.now_s(), 1.0);
            WAIT.execute(ctx).await
        } else {
            RECV.execute(ctx, 0, Message::any_size(), ByMachine).await
        }
    });
    assert_eq!(ends(&outcome), [1.0, 8.0]);
}

#[test]
fn a_receive_is_charged_at_its_wait() {
    let outcome = run_on(apart(2, LOGGP), async |ctx| {
        if ctx.pid() == 0 {
            return SEND.execute(ctx, 1, Message::bytes(5), ByMachine).await;
        }
        POST.execute(ctx, 0, Message::bytes(5), ByMachine).await?;
        // The message is there at 7.
        WORK.execute(ctx, 20.0).await?;
        WAIT.execute(ctx).await
    });
    assert_eq!(ends(&outcome), [1.0, 21.0]);
    let receiver = &outcome.processes[1];
    assert_eq!((receiver.wait_s, receiver.communication_s), (0.0, 1.0));
}

#[test]
fn a_wait_for_all_charges_by_arrival_then_in_the_order_of_posting() {
    let outcome = run(4, async |ctx| {
        let pid = ctx.pid().0;
        if pid > 0 {
            // They arrive at 3, 2 and 2.
            let cost_s = [3.0, 2.0, 2.0][usize::try_from(pid - 1).expect("small")];
            return SEND.execute(ctx, 0, Message::bytes(1), cost_s).await;
        }
        for (source, cost_s) in [(1, 0.25), (3, 0.5), (2, 1.0)] {
            POST.execute(ctx, source, Message::any_size(), cost_s)
                .await?;
        }
        WAIT.execute(ctx).await
    });
    // 2 + 0.5, + 1, then what arrived at 3.
    assert_eq!(ends(&outcome)[0], 2.0 + 0.5 + 1.0 + 0.25);
    let receiver = &outcome.processes[0];
    assert_eq!((receiver.wait_s, receiver.communication_s), (2.0, 1.75));
}

#[test]
fn a_wait_is_for_one_name_or_for_all() {
    let (near, far) = (POST.request(0, "near"), POST.request(1, "far"));
    let outcome = run(2, async |ctx| {
        if ctx.pid() == 1 {
            LATER.execute(ctx, 0, Message::bytes(1).tag(1), 9.0).await?;
            return LATER.execute(ctx, 0, Message::bytes(1).tag(2), 2.0).await;
        }
        far.execute(ctx, 1, Message::any_size().tag(1), 0.0).await?;
        near.execute(ctx, 1, Message::any_size().tag(2), 0.0)
            .await?;
        WAIT.request(0, "near").execute(ctx).await?;
        assert_eq!(ctx.now_s(), 2.0);
        // What is complete is no longer waited for.
        WAIT.request(0, "near").execute(ctx).await?;
        assert_eq!(ctx.now_s(), 2.0);
        WAIT.execute(ctx).await?;
        WAIT.execute(ctx).await
    });
    assert_eq!(ends(&outcome), [9.0, 0.0]);
}

#[test]
fn receives_of_one_source_take_its_messages_in_the_order_of_posting() {
    run(2, async |ctx| {
        if ctx.pid() == 1 {
            LATER.execute(ctx, 0, Message::bytes(1), 5.0).await?;
            return LATER.execute(ctx, 0, Message::bytes(1), 1.0).await;
        }
        // The first message is for the receive that was posted first, though it arrives last.
        POST.request(0, "first")
            .execute(ctx, 1, Message::any_size(), 0.0)
            .await?;
        RECV.execute(ctx, 1, Message::any_size(), 0.0).await?;
        assert_eq!(ctx.now_s(), 1.0);
        WAIT.request(0, "first").execute(ctx).await?;
        assert_eq!(ctx.now_s(), 5.0);
        Ok(())
    });
}

#[test]
fn what_nobody_waits_for_costs_nothing() {
    let outcome = run(2, async |ctx| {
        POST.execute(ctx, 1 - ctx.pid().0, Message::any_size(), 5.0)
            .await?;
        LATER
            .execute(ctx, 1 - ctx.pid().0, Message::bytes(1), 3.0)
            .await
    });
    assert_eq!(ends(&outcome), [0.0, 0.0]);
    assert_eq!(outcome.evaluation.messages, 2);
}

#[test]
fn a_wait_that_is_given_up_leaves_its_requests_to_the_next() {
    let outcome = run(2, async |ctx| {
        if ctx.pid() == 1 {
            WORK.execute(ctx, 1.0).await?;
            return SEND.execute(ctx, 0, Message::bytes(1), 1.0).await;
        }
        let one = POST.request(3, "one");
        one.execute(ctx, 1, Message::any_size(), 0.5).await?;
        give_up(WAIT.execute(ctx)).await;
        WAIT.request(3, "one").execute(ctx).await
    });
    assert_eq!(ends(&outcome), [2.5, 2.0]);
}

#[test]
fn an_exchange_sends_and_then_receives_with_its_cost_on_both_halves() {
    let outcome = run(2, async |ctx| {
        let other = 1 - ctx.pid().0;
        let cost_s = 1.0 + ctx.pid().real();
        SWAP.execute(ctx, other, other, Message::bytes(8), cost_s)
            .await
    });
    // Process 0 sends until 1, and its message comes at 2; process 1 sends until 2.
    assert_eq!(ends(&outcome), [3.0, 4.0]);

    let outcome = run_on(apart(2, LOGGP), async |ctx| {
        let other = 1 - ctx.pid().0;
        SWAP.execute(ctx, other, other, Message::bytes(5), ByMachine)
            .await
    });
    assert_eq!(ends(&outcome), [8.0, 8.0]);
}

#[test]
fn many_requests_of_one_process_are_matched_and_ordered() {
    const MESSAGES: i64 = 10_000;
    let outcome = run(2, async |ctx| {
        for round in 0..MESSAGES {
            // Each tag of many is used twice, posted in another order than it is sent.
            let tag = if ctx.pid() == 0 {
                round % 5000
            } else {
                round * 7 % 5000
            };
            if ctx.pid() == 0 {
                POST.execute(ctx, 1, Message::any_size().tag(tag), 1.0)
                    .await?;
            } else {
                LATER
                    .execute(ctx, 0, Message::bytes(1).tag(tag), 1.0)
                    .await?;
            }
        }
        WAIT.execute(ctx).await
    });
    assert_eq!(ends(&outcome), [10_001.0, 1.0]);
}
