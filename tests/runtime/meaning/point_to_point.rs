//! Messages: who gets which, and when each side goes on.

use prophet_runtime::{ActionPlus, BRecv, BSend, ByMachine, Message, NBSend, Network, System};

use crate::meaning::{ends, give_up, run, run_on};

const SEND: BSend = BSend::new(0, "Send", 1);
const LATER: NBSend = NBSend::new(1, "Later", 2);
const RECV: BRecv = BRecv::new(2, "Recv", 3);
const WORK: ActionPlus = ActionPlus::new(3, "Work", 4);

/// Two processes on a node each, on a slow network with round numbers.
fn apart() -> System {
    let mut system = System::new(2, 1, 2, 1);
    system.network = Network::Hockney {
        latency_s: 1.0,
        bytes_per_s: 8.0,
    };
    system
}

#[test]
fn each_side_is_priced_on_its_own() {
    // Of a message of 16 bytes: the costs of sender and receiver, and when these end.
    let (none, some) = (None, |seconds: f64| Some(seconds));
    let cases = [
        (none, none, [0.0, 3.0]),
        (some(2.0), none, [2.0, 2.0]),
        (none, some(0.5), [0.0, 3.5]),
        (some(2.0), some(0.5), [2.0, 2.5]),
    ];
    for (send, receive, expected) in cases {
        for late in [0.0, 10.0] {
            let outcome = run_on(apart(), async |ctx| {
                let message = Message::bytes(16);
                if ctx.pid() == 0 {
                    match send {
                        Some(cost_s) => SEND.execute(ctx, 1, message, cost_s).await,
                        None => SEND.execute(ctx, 1, message, ByMachine).await,
                    }
                } else {
                    ctx.hold(late).await?;
                    match receive {
                        Some(cost_s) => RECV.execute(ctx, 0, message, cost_s).await,
                        None => RECV.execute(ctx, 0, message, ByMachine).await,
                    }
                }
            });
            let end_s = if late == 0.0 {
                expected[1]
            } else {
                late + receive.unwrap_or(0.0)
            };
            assert_eq!(
                ends(&outcome),
                [expected[0], end_s],
                "{send:?} {receive:?} {late}"
            );
            let receiver = &outcome.processes[1];
            assert_eq!(receiver.communication_s, receive.unwrap_or(0.0));
        }
    }
}

#[test]
fn a_non_blocking_send_with_a_cost_returns_at_once() {
    let outcome = run_on(apart(), async |ctx| {
        if ctx.pid() == 0 {
            LATER.execute(ctx, 1, Message::bytes(8), 4.0).await
        } else {
            RECV.execute(ctx, 0, Message::bytes(8), ByMachine).await
        }
    });
    assert_eq!(ends(&outcome), [0.0, 4.0]);
}

#[test]
fn under_loggp_both_sends_pay_the_overhead_and_the_nic_spaces_them() {
    let mut system = apart();
    system.network = Network::LogGp {
        l_s: 4.0,
        o_s: 1.0,
        g_s: 2.0,
        gap_per_byte_s: 0.5,
    };
    let outcome = run_on(system, async |ctx| {
        if ctx.pid() == 0 {
            SEND.execute(ctx, 1, Message::bytes(5), ByMachine).await?;
            LATER.execute(ctx, 1, Message::bytes(5), ByMachine).await
        } else {
            RECV.execute(ctx, 0, Message::bytes(5), ByMachine).await?;
            assert_eq!(ctx.now_s(), 8.0);
            RECV.execute(ctx, 0, Message::bytes(5), ByMachine).await
        }
    });
    // Sends start at 0 and 4; the second arrives at 11, when the receiver's NIC is free.
    assert_eq!(ends(&outcome), [5.0, 12.0]);
    let [sender, receiver] = &*outcome.processes else {
        panic!("two processes")
    };
    assert_eq!((sender.communication_s, sender.wait_s), (5.0, 0.0));
    assert_eq!((receiver.communication_s, receiver.wait_s), (2.0, 10.0));
}

#[test]
fn a_send_with_a_cost_leaves_the_nics_alone() {
    let mut system = apart();
    system.network = Network::LogGp {
        l_s: 4.0,
        o_s: 1.0,
        g_s: 9.0,
        gap_per_byte_s: 0.0,
    };
    let outcome = run_on(system, async |ctx| {
        if ctx.pid() == 0 {
            LATER.execute(ctx, 1, Message::bytes(1), 0.0).await?;
            SEND.execute(ctx, 1, Message::bytes(1), ByMachine).await
        } else {
            RECV.execute(ctx, 0, Message::bytes(1), ByMachine).await?;
            RECV.execute(ctx, 0, Message::bytes(1), ByMachine).await
        }
    });
    assert_eq!(ends(&outcome), [1.0, 6.0]);
}

#[test]
fn processes_of_a_node_and_a_process_alone_use_the_network_within() {
    let mut system = System::new(2, 2, 3, 1);
    system.network = Network::Hockney {
        latency_s: 100.0,
        bytes_per_s: 1.0,
    };
    system.intranode = Network::Hockney {
        latency_s: 1.0,
        bytes_per_s: 1.0,
    };
    system.mapping = vec![0, 0, 1];
    let outcome = run_on(system, async |ctx| {
        let source = [0, 0, 2][usize::try_from(ctx.pid().0).expect("small")];
        if ctx.pid() == 0 {
            SEND.execute(ctx, 1, Message::bytes(1), ByMachine).await?;
        }
        if ctx.pid() != 1 {
            SEND.execute(ctx, ctx.pid(), Message::bytes(2), ByMachine)
                .await?;
        }
        RECV.execute(ctx, source, Message::any_size(), ByMachine)
            .await
    });
    assert_eq!(ends(&outcome), [3.0, 2.0, 3.0]);
}

#[test]
fn messages_are_told_apart_by_tag_and_come_in_the_order_in_which_they_were_sent() {
    run_on(apart(), async |ctx| {
        let tagged = |tag: i64| Message::any_size().tag(tag);
        if ctx.pid() == 0 {
            // The first arrives last: messages are in the order in which they were sent.
            LATER.execute(ctx, 1, Message::bytes(1), 5.0).await?;
            LATER.execute(ctx, 1, Message::bytes(1), 1.0).await?;
            LATER.execute(ctx, 1, Message::bytes(1).tag(-4), 2.0).await
        } else {
            RECV.execute(ctx, 0, tagged(-4), ByMachine).await?;
            assert_eq!(ctx.now_s(), 2.0);
            RECV.execute(ctx, 0, tagged(0), ByMachine).await?;
            assert_eq!(ctx.now_s(), 5.0);
            RECV.execute(ctx, 0, tagged(0), ByMachine).await
        }
    });
}

#[test]
fn a_dropped_receive_leaves_the_message_to_the_next() {
    let outcome = run(2, async |ctx| {
        if ctx.pid() == 0 {
            WORK.execute(ctx, 1.0).await?;
            SEND.execute(ctx, 1, Message::bytes(100), 2.0).await
        } else {
            give_up(RECV.execute(ctx, 0, Message::bytes(1), 0.0)).await;
            RECV.execute(ctx, 0, Message::bytes(100), 0.5).await
        }
    });
    assert_eq!(ends(&outcome), [3.0, 3.5]);
}
