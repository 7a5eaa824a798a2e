//! A network interface that processes of a node share, or threads of a process, or sends of one
//! process that have waited for their receives.

use std::cell::RefCell;

use prophet_runtime::{ANY, ActionPlus, Int, Parallel, SendRecv, Threads, Wait};
use prophet_runtime::{BRecv, BSend, ByMachine, Message, NBRecv, NBSend, Network, Nic, System};

use crate::meaning::{ends, run_on};

const SEND: BSend = BSend::new(0, "Send", 1);
const LATER: NBSend = NBSend::new(1, "Later", 2);
const RECV: BRecv = BRecv::new(2, "Recv", 3);
const WORK: ActionPlus = ActionPlus::new(3, "Work", 4);
const POST: NBRecv = NBRecv::new(4, "Post", 5);
const WAIT: Wait = Wait::new(5, "Wait", 6);
const SWAP: SendRecv = SendRecv::new(7, "Swap", 8);
const TEAM: Parallel = Parallel::new(6, "Team", 7);

/// Two nodes of two processes; L = 4 s, o = 1 s, g = 3 s, G = 0.5 s: a message of 5 bytes keeps a
/// network interface for 5 s and arrives 7 s after its start.
fn system(nic: Nic) -> System {
    let mut system = System::new(2, 2, 4, 1);
    system.network = Network::LogGp {
        l_s: 4.0,
        o_s: 1.0,
        g_s: 3.0,
        gap_per_byte_s: 0.5,
    };
    system.intranode = system.network;
    system.protocol.nic = nic;
    system
}

#[test]
fn sends_of_a_node_take_turns_by_pid() {
    for (nic, expected) in [
        (Nic::Rank, [1.0, 1.0, 8.0, 8.0]),
        // The second starts at 5 and arrives at 12, when the first has been received for long.
        (Nic::Node, [1.0, 6.0, 8.0, 13.0]),
    ] {
        let outcome = run_on(system(nic), async |ctx| {
            let (pid, message) = (ctx.pid().0, Message::bytes(5));
            match pid {
                0 => SEND.execute(ctx, 2, message, ByMachine).await,
                1 => LATER.execute(ctx, 3, message, ByMachine).await,
                _ => RECV.execute(ctx, pid - 2, message, ByMachine).await,
            }
        });
        assert_eq!(ends(&outcome), expected, "{nic:?}");
    }
}

#[test]
fn receives_of_a_node_take_turns_in_the_order_of_arrival() {
    // Two nodes send to a third: process 4's message is sent first and there last.
    for (nic, expected) in [
        (Nic::Rank, [11.0, 8.0]),
        // Process 1's is there at 7 and keeps the interface until 10.5.
        (Nic::Node, [11.5, 8.0]),
    ] {
        let mut system = system(nic);
        (system.nodes, system.processes) = (3, 6);
        system.mapping = vec![0, 0, 1, 1, 2, 2];
        let outcome = run_on(system, async |ctx| match ctx.pid().0 {
            0 => RECV.execute(ctx, 4, Message::any_size(), ByMachine).await,
            1 => RECV.execute(ctx, 2, Message::any_size(), ByMachine).await,
            2 => {
                WORK.execute(ctx, 1.5).await?;
                SEND.execute(ctx, 1, Message::bytes(2), ByMachine).await
            }
            4 => SEND.execute(ctx, 0, Message::bytes(11), ByMachine).await,
            _ => Ok(()),
        });
        assert_eq!(ends(&outcome)[..2], expected, "{nic:?}");
    }
}

#[test]
fn messages_within_a_node_and_priced_ones_leave_it_alone() {
    let run = |nic| {
        run_on(system(nic), async |ctx| {
            let (pid, message) = (ctx.pid().0, Message::bytes(5));
            SEND.execute(ctx, pid ^ 1, message, ByMachine).await?;
            SEND.execute(ctx, pid ^ 2, message, 1.0).await?;
            RECV.execute(ctx, pid ^ 1, message, ByMachine).await?;
            RECV.execute(ctx, pid ^ 2, message, ByMachine).await
        })
    };
    assert_eq!(ends(&run(Nic::Node)), ends(&run(Nic::Rank)));
}

#[test]
fn a_wait_charges_its_receives_one_after_the_other() {
    let outcome = run_on(system(Nic::Node), async |ctx| {
        let message = Message::bytes(5);
        match ctx.pid().0 {
            0 => {
                SEND.execute(ctx, 2, message, ByMachine).await?;
                SEND.execute(ctx, 2, message.tag(1), ByMachine).await
            }
            2 => {
                POST.execute(ctx, 0, message, ByMachine).await?;
                POST.execute(ctx, 0, message.tag(1), ByMachine).await?;
                WORK.execute(ctx, 20.0).await?;
                WAIT.execute(ctx).await
            }
            _ => Ok(()),
        }
    });
    // Charged from 20 to 21, and, the interface being free at 25, from 25 to 26.
    assert_eq!(ends(&outcome)[2], 26.0);
    let receiver = &outcome.processes[2];
    let sum_s = receiver.compute_s + receiver.wait_s + receiver.communication_s;
    assert_eq!(sum_s, 26.0);
}

/// L = 1 s, o = 1 s, g = 0, G = 1 ms; messages above 1000 bytes wait for their receives.
fn two_seconds(mut system: System, nic: Nic) -> System {
    system.network = Network::LogGp {
        l_s: 1.0,
        o_s: 1.0,
        g_s: 0.0,
        gap_per_byte_s: 0.001,
    };
    system.intranode = system.network;
    system.protocol.nic = nic;
    system.protocol.eager_bytes = 1000;
    system
}

#[test]
fn a_message_that_has_arrived_does_not_wait_for_one_that_another_thread_expects() {
    for nic in [Nic::Rank, Nic::Node] {
        let mut system = two_seconds(System::new(3, 8, 3, 1), nic);
        system.protocol.eager_bytes = u64::MAX;
        let ends = RefCell::new([0.0; 2]);
        run_on(system, async |ctx| match ctx.pid().0 {
            0 => {
                let message = Message::bytes(100_001);
                SEND.execute(ctx, 1, message, ByMachine).await
            }
            1 => {
                let two = Threads::Of(Int(2));
                TEAM.execute(ctx, two, async |ctx| {
                    // The message of process 0, tag 0, is there at 102 s.
                    let (tid, source) = (ctx.tid().0, 2 * ctx.tid());
                    let message = Message::any_size().tag(tid);
                    RECV.execute(ctx, source, message, ByMachine).await?;
                    ends.borrow_mut()[usize::try_from(tid).expect("small")] = ctx.now_s();
                    Ok(())
                })
                .await
            }
            _ => {
                WORK.execute(ctx, 0.5).await?;
                let message = Message::bytes(8).tag(1);
                SEND.execute(ctx, 1, message, ByMachine).await
            }
        });
        assert_eq!(ends.into_inner(), [103.0, 0.5 + 2.0 + 0.007 + 1.0]);
    }
}

#[test]
fn threads_that_communicate_at_one_instant_have_the_interface_by_their_numbers() {
    let mut system = two_seconds(System::new(2, 8, 2, 1), Nic::Rank);
    system.protocol.eager_bytes = u64::MAX;
    let ends = RefCell::new([0.0; 4]);
    run_on(system, async |ctx| {
        let four = Threads::Of(Int(4));
        TEAM.execute(ctx, four, async |ctx| {
            // The engine resumes higher threads first.
            let tid = ctx.tid().0;
            for _ in tid..4 {
                ctx.hold(0.0).await?;
            }
            let message = Message::bytes(1001).tag(tid);
            if ctx.pid() == 0 {
                return SEND.execute(ctx, 1, message, ByMachine).await;
            }
            RECV.execute(ctx, 0, message, ByMachine).await?;
            ends.borrow_mut()[usize::try_from(tid).expect("small")] = ctx.now_s();
            Ok(())
        })
        .await
    });
    // Sent and received one second after the other: o + L + (m - 1) G + o.
    assert_eq!(ends.into_inner(), [4.0, 5.0, 6.0, 7.0]);
}

#[test]
fn sends_that_wait_for_their_receives_take_turns_by_pid_too() {
    // Processes 2 and 3 send from one node: 3's receiver is ready first.
    let outcome = run_on(
        two_seconds(System::new(2, 2, 4, 1), Nic::Node),
        async |ctx| match ctx.pid().0 {
            0 => RECV.execute(ctx, 3, Message::any_size(), ByMachine).await,
            1 => RECV.execute(ctx, 2, Message::any_size(), ByMachine).await,
            2 => SEND.execute(ctx, 1, Message::bytes(8), ByMachine).await,
            _ => SEND.execute(ctx, 0, Message::bytes(5000), ByMachine).await,
        },
    );
    let first_s = 1.0 + 1.0 + 0.007;
    // The second starts when the first has left, at 0.007 s.
    let second_s = 0.007 + 1.0 + 1.0 + 4.999;
    assert_eq!(
        ends(&outcome),
        [second_s + 1.0, first_s + 1.0, 1.0, second_s]
    );
}

#[test]
fn sends_of_a_process_that_begin_at_one_instant_go_in_the_order_of_posting() {
    let outcome = run_on(
        two_seconds(System::new(4, 1, 4, 1), Nic::Rank),
        async |ctx| {
            if ctx.pid() == 0 {
                for dest in [3, 1] {
                    LATER
                        .execute(ctx, dest, Message::bytes(2001), ByMachine)
                        .await?;
                }
                WORK.execute(ctx, 5.0).await?;
                SEND.execute(ctx, 2, Message::bytes(1), ByMachine).await?;
                return WAIT.execute(ctx).await;
            }
            WORK.execute(ctx, 5.0).await?;
            RECV.execute(ctx, 0, Message::any_size(), ByMachine).await
        },
    );
    // All three begin at 5 s: to 3, to 1, and the small one to 2.
    assert_eq!(ends(&outcome), [11.0, 12.0, 12.0, 10.0]);
}

#[test]
fn interfaces_of_a_node_are_chosen_by_both_nodes() {
    // Process 0 sends to two nodes; with two interfaces, by one each.
    for (nics, second_s) in [(1, 6.0), (2, 1.0)] {
        let mut system = system(Nic::Node);
        (system.nodes, system.processes) = (3, 6);
        system.mapping = vec![0, 0, 1, 1, 2, 2];
        system.protocol.nics = nics;
        let outcome = run_on(system, async |ctx| match ctx.pid().0 {
            0 => SEND.execute(ctx, 2, Message::bytes(5), ByMachine).await,
            1 => SEND.execute(ctx, 4, Message::bytes(5), ByMachine).await,
            2 => RECV.execute(ctx, 0, Message::any_size(), ByMachine).await,
            4 => RECV.execute(ctx, 1, Message::any_size(), ByMachine).await,
            _ => Ok(()),
        });
        assert_eq!(
            ends(&outcome),
            [1.0, second_s, 8.0, 0.0, 7.0 + second_s, 0.0]
        );
    }
}

#[test]
fn what_a_receive_from_any_takes_has_the_interface_in_its_turn() {
    let mut system = System::new(2, 1, 2, 1);
    system.network = Network::LogGp {
        l_s: 0.25,
        o_s: 0.5,
        g_s: 2.0,
        gap_per_byte_s: 0.0625,
    };
    system.protocol.nic = Nic::Node;
    system.protocol.eager_bytes = 8;
    let outcome = run_on(system, async |ctx| {
        let (other, message) = (1 - ctx.pid(), Message::bytes(9).tag(102));
        let first = Message::bytes(33).tag(100);
        if ctx.pid() == 0 {
            LATER.execute(ctx, 1, first, ByMachine).await?;
        } else {
            WORK.execute(ctx, 1.5).await?;
            POST.execute(ctx, ANY, first, ByMachine).await?;
        }
        SWAP.execute(ctx, other, other, message, ByMachine).await
    });
    // Both transfers begin at 1.5 s: first 33 bytes, then, at 5.5 s, the other 9.
    assert_eq!(ends(&outcome), [7.25, 7.25]);
}
