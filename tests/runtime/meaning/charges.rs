//! Waits for several receives through a network interface that others use.

use std::cell::RefCell;
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use prophet_runtime::{
    ActionPlus, BRecv, BSend, ByMachine, Int, Message, NBRecv, NBSend, Network, Nic, Parallel,
    ProcessCtx, Single, Stopped, System, Threads, Wait,
};

use crate::meaning::{ends, run_on};

const SEND: BSend = BSend::new(0, "Send", 1);
const RECV: BRecv = BRecv::new(1, "Recv", 2);
const POST: NBRecv = NBRecv::new(2, "Post", 3);
const WAIT: Wait = Wait::new(3, "Wait", 4);
const WORK: ActionPlus = ActionPlus::new(4, "Work", 5);
const TEAM: Parallel = Parallel::new(5, "Team", 6);
const LATER: NBSend = NBSend::new(6, "Later", 7);
const ONCE: Single = Single::new(7, "Once", 8);

/// L = 1 s, o = 1 s, g = 0, G = 1 ms; processes on these nodes.
fn system(mapping: Vec<u32>, nic: Nic) -> System {
    let processes = u32::try_from(mapping.len()).expect("few");
    let mut system = System::new(3, 8, processes, 1);
    system.network = Network::LogGp {
        l_s: 1.0,
        o_s: 1.0,
        g_s: 0.0,
        gap_per_byte_s: 0.001,
    };
    (system.intranode, system.mapping) = (system.network, mapping);
    system.protocol.nic = nic;
    system
}

/// Sends a message that is there at 2 s, and one that is there at `later_s`.
async fn send_twice(ctx: &ProcessCtx<'_>, later_s: f64) -> Result<(), Stopped> {
    let message = Message::bytes(1);
    SEND.execute(ctx, 1, message, ByMachine).await?;
    ctx.hold(later_s - 3.0).await?;
    SEND.execute(ctx, 1, message.tag(1), ByMachine).await
}

/// Waits for both: the second costs a second.
async fn wait_for_both(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    let message = Message::any_size();
    POST.execute(ctx, 0, message, ByMachine).await?;
    POST.execute(ctx, 0, message.tag(1), 1.0).await?;
    WAIT.execute(ctx).await
}

/// Sends a message that is there at 11 s and keeps the interface of its receiver until 19 s.
async fn send_much(ctx: &ProcessCtx<'_>, dest: i64) -> Result<(), Stopped> {
    WORK.execute(ctx, 1.0).await?;
    let message = Message::bytes(8001).tag(2);
    SEND.execute(ctx, dest, message, ByMachine).await
}

#[test]
fn a_wait_charges_a_receive_when_its_message_is_there_though_another_is_to_come() {
    let ends_s = RefCell::new([0.0; 2]);
    run_on(system(vec![0, 1, 2], Nic::Rank), async |ctx| {
        let much = Message::any_size().tag(2);
        match ctx.pid().0 {
            0 => send_twice(ctx, 12.0).await,
            1 => {
                let two = Threads::Of(Int(2));
                TEAM.execute(ctx, two, async |ctx| {
                    match ctx.tid().0 {
                        0 => wait_for_both(ctx).await?,
                        _ => RECV.execute(ctx, 2, much, ByMachine).await?,
                    }
                    let tid = usize::try_from(ctx.tid().0).expect("small");
                    ends_s.borrow_mut()[tid] = ctx.now_s();
                    Ok(())
                })
                .await
            }
            _ => send_much(ctx, 1).await,
        }
    });
    // The first is charged at 2 s, the second at 12 s.
    assert_eq!(ends_s.into_inner(), [13.0, 12.0]);
}

#[test]
fn so_does_a_wait_of_a_process_whose_node_has_one_interface() {
    let outcome = run_on(system(vec![0, 1, 1, 2], Nic::Node), async |ctx| {
        let much = Message::any_size().tag(2);
        match ctx.pid().0 {
            0 => send_twice(ctx, 12.0).await,
            1 => wait_for_both(ctx).await,
            2 => RECV.execute(ctx, 3, much, ByMachine).await,
            _ => send_much(ctx, 2).await,
        }
    });
    assert_eq!(ends(&outcome)[1..3], [13.0, 12.0]);
    let process = &outcome.processes[1];
    // From 0 to 2 and from 3 to 12.
    assert_eq!((process.wait_s, process.communication_s), (11.0, 2.0));
}

#[test]
fn a_wait_that_is_given_up_leaves_what_is_not_charged_to_the_next() {
    let outcome = run_on(system(vec![0, 1], Nic::Rank), async |ctx| {
        if ctx.pid() == 0 {
            return send_twice(ctx, 6.0).await;
        }
        {
            // Given up when thread 1 goes on, at 5 s: the first receive has been charged.
            let two = Threads::Of(Int(2));
            let mut team = pin!(TEAM.execute(ctx, two, async |ctx| {
                match ctx.tid().0 {
                    0 => {
                        POST.execute(ctx, 0, Message::any_size(), 2.0).await?;
                        POST.execute(ctx, 0, Message::any_size().tag(1), 1.0)
                            .await?;
                        WAIT.execute(ctx).await
                    }
                    _ => ctx.hold(5.0).await,
                }
            }));
            poll_fn(|cx| {
                assert!(team.as_mut().poll(cx).is_pending());
                match ctx.now_s() {
                    5.0.. => Poll::Ready(()),
                    _ => Poll::Pending,
                }
            })
            .await;
        }
        WAIT.execute(ctx).await
    });
    assert_eq!(ends(&outcome)[1], 7.0);
}

#[test]
fn threads_whose_messages_can_be_charged_at_one_time_take_turns_by_their_numbers() {
    let ends_s = RefCell::new([0.0; 2]);
    run_on(system(vec![0, 1, 2], Nic::Rank), async |ctx| {
        let (early, late) = (Message::bytes(1), Message::bytes(1001).tag(1));
        match ctx.pid().0 {
            // There at 4 s.
            0 => {
                WORK.execute(ctx, 1.0).await?;
                SEND.execute(ctx, 1, late, ByMachine).await
            }
            // There at 2 s.
            2 => SEND.execute(ctx, 1, early, ByMachine).await,
            _ => {
                TEAM.execute(ctx, Threads::Of(Int(2)), async |ctx| {
                    if ctx.tid() == 0 {
                        POST.execute(ctx, 0, late, ByMachine).await?;
                        WAIT.execute(ctx).await?;
                    } else {
                        ctx.hold(4.0).await?;
                        RECV.execute(ctx, 2, early, ByMachine).await?;
                    }
                    let tid = usize::try_from(ctx.tid().0).expect("small");
                    ends_s.borrow_mut()[tid] = ctx.now_s();
                    Ok(())
                })
                .await
            }
        }
    });
    // Thread 0 keeps the interface until 5 s.
    assert_eq!(ends_s.into_inner(), [5.0, 6.0]);
}

#[test]
fn a_send_that_leaves_interfaces_alone_takes_no_turn_at_one() {
    // Within the node latencies are all that there is.
    let mut system = system(vec![0, 0], Nic::Rank);
    (system.nodes, system.cpus_per_node) = (1, 2);
    system.intranode = Network::Hockney {
        latency_s: 1.0,
        bytes_per_s: 64.0,
    };
    system.protocol.intranode_eager_bytes = 16;
    let outcome = run_on(system, async |ctx| {
        let (small, large) = (Message::bytes(5).tag(33), Message::bytes(33).tag(23));
        if ctx.pid() == 0 {
            return TEAM
                .execute(ctx, Threads::Of(Int(2)), async |ctx| {
                    if ctx.tid() == 0 {
                        LATER.execute(ctx, 1, large, ByMachine).await?;
                        WAIT.execute(ctx).await?;
                    } else {
                        SEND.execute(ctx, 1, small, ByMachine).await?;
                    }
                    ONCE.execute(ctx, async { WORK.execute(ctx, 1.5).await })
                        .await
                })
                .await;
        }
        TEAM.execute(ctx, Threads::Of(Int(3)), async |ctx| match ctx.tid().0 {
            1 => WORK.execute(ctx, 1.5).await,
            2 => {
                POST.execute(ctx, 0, large, ByMachine).await?;
                WORK.execute(ctx, 1.0).await
            }
            _ => Ok(()),
        })
        .await
    });
    // The thread that comes to the single at 0 s has a CPU immediately.
    assert_eq!(ends(&outcome), [1.0 + 33.0 / 64.0, 2.5]);
}
