//! Receives from whoever sends.

use prophet_runtime::{ANY, ActionPlus, BRecv, BSend, ByMachine, Message, NBRecv, NBSend, Network};
use prophet_runtime::{SendRecv, System, Wait};

use crate::meaning::{ends, give_up, run, run_on};

const SEND: BSend = BSend::new(0, "Send", 1);
const LATER: NBSend = NBSend::new(1, "Later", 2);
const RECV: BRecv = BRecv::new(2, "Recv", 3);
const WORK: ActionPlus = ActionPlus::new(3, "Work", 4);
const POST: NBRecv = NBRecv::new(4, "Post", 5);
const WAIT: Wait = Wait::new(5, "Wait", 6);
const SWAP: SendRecv = SendRecv::new(6, "Swap", 7);

/// The cost by which a receive shows whose message it has, `size` being the sender.
fn sized(pid: i64) -> Message {
    Message::bytes(pid)
}

#[test]
fn the_message_that_is_there_first_is_taken_though_it_is_sent_later() {
    let outcome = run(3, async |ctx| match ctx.pid().0 {
        0 => {
            RECV.execute(ctx, ANY, sized(2), 0.0).await?;
            assert_eq!(
                ctx.now_s(),
                3.0,
                "the limit shows that it is that of process 2"
            );
            RECV.execute(ctx, ANY, sized(99), 0.0).await
        }
        1 => SEND.execute(ctx, 0, sized(99), 10.0).await,
        _ => {
            WORK.execute(ctx, 1.0).await?;
            SEND.execute(ctx, 0, sized(2), 2.0).await
        }
    });
    assert_eq!(ends(&outcome), [10.0, 10.0, 3.0]);
}

#[test]
fn of_messages_that_wait_the_first_there_then_the_lowest_pid_is_taken() {
    let outcome = run(5, async |ctx| {
        let pid = ctx.pid().0;
        if pid > 0 {
            let arrival_s = [4.0, 2.0, 4.0, 1.0][usize::try_from(pid - 1).expect("small")];
            // The lower pids send last.
            WORK.execute(ctx, 0.5 / ctx.pid().real()).await?;
            return SEND
                .execute(ctx, 0, sized(pid), arrival_s - ctx.now_s())
                .await;
        }
        WORK.execute(ctx, 20.0).await?;
        for source in [4, 2, 1, 3] {
            // Larger ones would be errors, and smaller ones come in this order alone.
            RECV.execute(ctx, ANY, sized(source), 0.0).await?;
        }
        Ok(())
    });
    assert_eq!(ends(&outcome)[0], 20.0);
}

/// A latency of 0.25 s, a second for each 1000 bytes, and messages above 1000 bytes wait for their
/// receives.
fn slow_system(processes: u32) -> System {
    let mut system = System::new(1, processes, processes, 1);
    system.intranode = Network::Hockney {
        latency_s: 0.25,
        bytes_per_s: 1000.0,
    };
    system.protocol.intranode_eager_bytes = 1000;
    system
}

#[test]
fn a_message_that_waited_is_not_overtaken_by_one_that_comes_later() {
    let outcome = run_on(slow_system(3), async |ctx| match ctx.pid().0 {
        0 => {
            WORK.execute(ctx, 1.0).await?;
            RECV.execute(ctx, ANY, sized(5000), ByMachine).await?;
            // Takes process 2's message, which was there at 3.258 s; another would be too large.
            RECV.execute(ctx, ANY, sized(8), ByMachine).await
        }
        1 => SEND.execute(ctx, 0, sized(5000), ByMachine).await,
        _ => {
            WORK.execute(ctx, 3.0).await?;
            SEND.execute(ctx, 0, sized(8), ByMachine).await
        }
    });
    assert_eq!(ends(&outcome), [6.25, 6.25, 3.0]);
}

#[test]
fn a_large_message_is_not_overtaken_by_a_small_one_sent_after_it() {
    let mut system = slow_system(3);
    system.protocol.intranode_eager_bytes = u64::MAX;
    let outcome = run_on(system, async |ctx| match ctx.pid().0 {
        0 => {
            RECV.execute(ctx, ANY, sized(5000), ByMachine).await?;
            assert_eq!(ctx.now_s(), 5.25);
            RECV.execute(ctx, ANY, sized(8), ByMachine).await
        }
        1 => SEND.execute(ctx, 0, sized(5000), ByMachine).await,
        _ => {
            WORK.execute(ctx, 0.5).await?;
            SEND.execute(ctx, 0, sized(8), ByMachine).await
        }
    });
    assert_eq!(ends(&outcome)[0], 5.25);
}

#[test]
fn messages_of_one_source_are_not_overtaken() {
    run(3, async |ctx| match ctx.pid().0 {
        0 => {
            // Of process 1 the younger would be there at 1: it has to wait for the older.
            RECV.execute(ctx, ANY, sized(7), 0.0).await?;
            assert_eq!(ctx.now_s(), 3.0);
            RECV.execute(ctx, ANY, sized(5), 0.0).await?;
            assert_eq!(ctx.now_s(), 6.0);
            RECV.execute(ctx, ANY, sized(4), 0.0).await
        }
        1 => {
            LATER.execute(ctx, 0, sized(5), 6.0).await?;
            LATER.execute(ctx, 0, sized(4), 1.0).await
        }
        _ => LATER.execute(ctx, 0, sized(7), 3.0).await,
    });
}

#[test]
fn only_its_tag_is_taken() {
    run(2, async |ctx| {
        if ctx.pid() == 1 {
            LATER.execute(ctx, 0, sized(1).tag(8), 1.0).await?;
            return LATER.execute(ctx, 0, sized(2).tag(9), 2.0).await;
        }
        RECV.execute(ctx, ANY, sized(2).tag(9), 0.0).await?;
        assert_eq!(ctx.now_s(), 2.0);
        RECV.execute(ctx, ANY, sized(1).tag(8), 0.0).await
    });
}

#[test]
fn a_younger_receive_leaves_alone_what_an_older_may_take() {
    run(3, async |ctx| match ctx.pid().0 {
        0 => {
            // Process 1's message is sent first and there at 5, process 2's at 3: the receive
            // from whoever sends was posted first and takes that, though the other waits.
            POST.request(0, "any")
                .execute(ctx, ANY, sized(2), 0.0)
                .await?;
            POST.request(1, "one")
                .execute(ctx, 1, sized(1), 0.0)
                .await?;
            WAIT.request(0, "any").execute(ctx).await?;
            assert_eq!(ctx.now_s(), 3.0);
            WAIT.request(1, "one").execute(ctx).await?;
            assert_eq!(ctx.now_s(), 5.0);
            Ok(())
        }
        1 => LATER.execute(ctx, 0, sized(1), 5.0).await,
        _ => {
            WORK.execute(ctx, 2.0).await?;
            LATER.execute(ctx, 0, sized(2), 1.0).await
        }
    });
}

#[test]
fn an_older_receive_that_names_its_source_goes_first() {
    run(2, async |ctx| {
        if ctx.pid() == 1 {
            LATER.execute(ctx, 0, sized(1), 4.0).await?;
            return LATER.execute(ctx, 0, sized(2), 1.0).await;
        }
        POST.request(0, "one")
            .execute(ctx, 1, sized(1), 0.0)
            .await?;
        RECV.execute(ctx, ANY, sized(2), 0.0).await?;
        assert_eq!(ctx.now_s(), 1.0);
        WAIT.execute(ctx).await?;
        assert_eq!(ctx.now_s(), 4.0);
        Ok(())
    });
}

#[test]
fn a_receive_given_up_lets_the_younger_have_the_message() {
    let outcome = run(2, async |ctx| {
        if ctx.pid() == 1 {
            return LATER.execute(ctx, 0, sized(1), 4.0).await;
        }
        WORK.execute(ctx, 1.0).await?;
        give_up(RECV.execute(ctx, ANY, Message::any_size(), 0.0)).await;
        RECV.execute(ctx, 1, Message::any_size(), 0.0).await
    });
    assert_eq!(ends(&outcome), [4.0, 0.0]);
}

#[test]
fn ones_own_message_may_be_the_first() {
    let outcome = run(2, async |ctx| {
        if ctx.pid() == 1 {
            return LATER.execute(ctx, 0, sized(9), 4.0).await;
        }
        SWAP.execute(ctx, 0, ANY, sized(8), 1.0).await?;
        assert_eq!(ctx.now_s(), 2.0);
        RECV.execute(ctx, ANY, Message::any_size(), 0.0).await
    });
    assert_eq!(ends(&outcome), [4.0, 0.0]);
}

#[test]
fn many_sources_are_served_in_order() {
    let outcome = run(1001, async |ctx| {
        let pid = ctx.pid().0;
        if pid > 0 {
            let cost_s = f64::from(u32::try_from(pid * 2 % 1001).expect("small"));
            return LATER.execute(ctx, 0, Message::bytes(1), cost_s).await;
        }
        for round in 1..=1000 {
            RECV.execute(ctx, ANY, Message::any_size(), 0.0).await?;
            assert_eq!(ctx.now_s(), f64::from(round));
        }
        Ok(())
    });
    assert_eq!(ends(&outcome)[0], 1000.0);
}

#[test]
fn a_message_that_is_there_is_taken_before_cpus_are_given_away() {
    // At 1 s process 0 takes what has been there, and asks for the CPU with process 1.
    let outcome = run_on(System::new(1, 1, 3, 1), async |ctx| match ctx.pid().0 {
        0 => {
            ctx.hold(1.0).await?;
            RECV.execute(ctx, ANY, sized(2), ByMachine).await?;
            WORK.execute(ctx, 1.0).await
        }
        1 => {
            ctx.hold(1.0).await?;
            WORK.execute(ctx, 1.0).await
        }
        _ => SEND.execute(ctx, 0, sized(2), 0.5).await,
    });
    assert_eq!(ends(&outcome), [2.0, 3.0, 0.5]);
}
