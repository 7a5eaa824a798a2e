//! Messages above the eager limit wait for their receives.

use prophet_runtime::{ActionPlus, BRecv, BSend, Barrier, ByMachine, Message, NBRecv, NBSend};
use prophet_runtime::{Network, SendRecv, System, Wait};

use crate::meaning::{LOGGP, ends, give_up, run_on};

const SEND: BSend = BSend::new(0, "Send", 1);
const LATER: NBSend = NBSend::new(1, "Later", 2);
const RECV: BRecv = BRecv::new(2, "Recv", 3);
const WORK: ActionPlus = ActionPlus::new(3, "Work", 4);
const POST: NBRecv = NBRecv::new(4, "Post", 5);
const WAIT: Wait = Wait::new(5, "Wait", 6);
const SWAP: SendRecv = SendRecv::new(6, "Swap", 7);
const MEET: Barrier = Barrier::new(7, "Meet", 8);

/// Processes on a node each; messages above 10 bytes wait.
fn apart(processes: u32, network: Network) -> System {
    let mut system = crate::meaning::apart(processes, network);
    system.protocol.eager_bytes = 10;
    system
}

/// A message of 16 bytes takes 3 s.
const HOCKNEY: Network = Network::Hockney {
    latency_s: 1.0,
    bytes_per_s: 8.0,
};

#[test]
fn it_starts_when_both_are_there_and_the_sender_returns_when_it_has_arrived() {
    for (network, bytes, takes_s, o_s) in [(HOCKNEY, 16, 3.0, 0.0), (LOGGP, 21, 15.0, 1.0)] {
        for (send_s, receive_s) in [(0.0, 2.0), (2.0, 0.0), (1.0, 1.0)] {
            let outcome = run_on(apart(2, network), async |ctx| {
                if ctx.pid() == 0 {
                    WORK.execute(ctx, send_s).await?;
                    SEND.execute(ctx, 1, Message::bytes(bytes), ByMachine).await
                } else {
                    WORK.execute(ctx, receive_s).await?;
                    RECV.execute(ctx, 0, Message::any_size(), ByMachine).await
                }
            });
            let start_s = f64::max(send_s, receive_s);
            let arrival_s = start_s + takes_s;
            assert_eq!(ends(&outcome), [arrival_s, arrival_s + o_s]);
            let sender = &outcome.processes[0];
            let expected = (start_s - send_s, takes_s);
            assert_eq!((sender.wait_s, sender.communication_s), expected);
        }
    }
}

#[test]
fn the_limit_itself_and_sends_with_a_cost_are_eager() {
    let outcome = run_on(apart(2, HOCKNEY), async |ctx| {
        if ctx.pid() == 0 {
            SEND.execute(ctx, 1, Message::bytes(10), ByMachine).await?;
            assert_eq!(ctx.now_s(), 0.0);
            SEND.execute(ctx, 1, Message::bytes(1000), 2.0).await
        } else {
            WORK.execute(ctx, 50.0).await?;
            RECV.execute(ctx, 0, Message::any_size(), ByMachine).await?;
            RECV.execute(ctx, 0, Message::any_size(), ByMachine).await
        }
    });
    assert_eq!(ends(&outcome), [2.0, 50.0]);
}

#[test]
fn a_receive_that_is_posted_lets_it_start() {
    let outcome = run_on(apart(2, HOCKNEY), async |ctx| {
        if ctx.pid() == 0 {
            WORK.execute(ctx, 1.0).await?;
            SEND.execute(ctx, 1, Message::bytes(16), ByMachine).await
        } else {
            POST.execute(ctx, 0, Message::any_size(), ByMachine).await?;
            WORK.execute(ctx, 100.0).await?;
            WAIT.execute(ctx).await
        }
    });
    assert_eq!(ends(&outcome), [4.0, 100.0]);
}

#[test]
fn a_send_that_does_not_block_is_complete_when_it_has_arrived() {
    for network in [HOCKNEY, LOGGP] {
        let outcome = run_on(apart(2, network), async |ctx| {
            if ctx.pid() == 0 {
                LATER.execute(ctx, 1, Message::bytes(21), ByMachine).await?;
                assert_eq!(ctx.now_s(), 0.0, "it takes nothing of its sender");
                WAIT.execute(ctx).await
            } else {
                WORK.execute(ctx, 2.0).await?;
                RECV.execute(ctx, 0, Message::any_size(), ByMachine).await
            }
        });
        let arrival_s = if network == LOGGP {
            17.0
        } else {
            2.0 + (1.0 + 21.0 / 8.0)
        };
        assert_eq!(ends(&outcome)[0], arrival_s);
        let sender = &outcome.processes[0];
        assert_eq!(
            (sender.wait_s, sender.communication_s),
            (2.0, arrival_s - 2.0)
        );
    }
}

#[test]
fn its_start_waits_for_the_network_interface() {
    let outcome = run_on(apart(2, LOGGP), async |ctx| {
        if ctx.pid() == 0 {
            // The interface is free again at 2 + 4 * 0.5.
            SEND.execute(ctx, 1, Message::bytes(5), ByMachine).await?;
            SEND.execute(ctx, 1, Message::bytes(21), ByMachine).await
        } else {
            RECV.execute(ctx, 0, Message::any_size(), 0.0).await?;
            RECV.execute(ctx, 0, Message::any_size(), 0.0).await
        }
    });
    // The receiver posts its second receive at 7, when the first message is there.
    assert_eq!(ends(&outcome), [22.0, 22.0]);
}

#[test]
fn exchanges_and_messages_to_oneself_meet() {
    let mut system = apart(2, HOCKNEY);
    system.intranode = HOCKNEY;
    system.protocol.intranode_eager_bytes = 0;
    let outcome = run_on(system, async |ctx| {
        let (own, other) = (ctx.pid(), 1 - ctx.pid().0);
        SWAP.execute(ctx, other, other, Message::bytes(16), ByMachine)
            .await?;
        assert_eq!(ctx.now_s(), 3.0);
        SWAP.execute(ctx, own, own, Message::bytes(8), ByMachine)
            .await?;
        assert_eq!(ctx.now_s(), 5.0);
        POST.execute(ctx, own, Message::any_size(), ByMachine)
            .await?;
        SEND.execute(ctx, own, Message::bytes(8), ByMachine).await?;
        WAIT.execute(ctx).await
    });
    assert_eq!(ends(&outcome), [7.0, 7.0]);
}

#[test]
fn collectives_always_send_at_once() {
    let mut system = apart(3, HOCKNEY);
    system.protocol.eager_bytes = 0;
    let outcome = run_on(system, async |ctx| MEET.execute(ctx, ByMachine).await);
    assert_eq!(outcome.predicted_time_s, 2.0);
}

#[test]
fn a_send_that_is_given_up_wakes_nobody() {
    let outcome = run_on(apart(2, HOCKNEY), async |ctx| {
        if ctx.pid() == 0 {
            give_up(SEND.execute(ctx, 1, Message::bytes(16), ByMachine)).await;
            return ctx.hold(10.0).await;
        }
        WORK.execute(ctx, 1.0).await?;
        RECV.execute(ctx, 0, Message::any_size(), ByMachine).await
    });
    assert_eq!(ends(&outcome), [10.0, 4.0]);
}
