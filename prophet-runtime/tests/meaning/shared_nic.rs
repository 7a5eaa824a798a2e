//! A network interface that the processes of a node share.

use prophet_runtime::{ActionPlus, Wait};
use prophet_runtime::{BRecv, BSend, ByMachine, Message, NBRecv, NBSend, Network, Nic, System};

use crate::{ends, run_on};

const SEND: BSend = BSend::new(0, "Send", 1);
const LATER: NBSend = NBSend::new(1, "Later", 2);
const RECV: BRecv = BRecv::new(2, "Recv", 3);
const WORK: ActionPlus = ActionPlus::new(3, "Work", 4);
const POST: NBRecv = NBRecv::new(4, "Post", 5);
const WAIT: Wait = Wait::new(5, "Wait", 6);

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
