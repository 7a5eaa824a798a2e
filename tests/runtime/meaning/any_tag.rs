//! Receives of messages of any tag, and what receives tell.

use prophet_runtime::{ANY, ActionPlus, BRecv, BSend, ByMachine, Engine, Int, Message, NBRecv};
use prophet_runtime::{NBSend, Received, SendRecv, Simulation, System, Value, Wait};

use crate::meaning::{MODEL, ends, give_up, run};

const SEND: BSend = BSend::new(0, "Send", 1);
const LATER: NBSend = NBSend::new(1, "Later", 2);
const RECV: BRecv = BRecv::new(2, "Recv", 3);
const WORK: ActionPlus = ActionPlus::new(3, "Work", 4);
const POST: NBRecv = NBRecv::new(4, "Post", 5);
const WAIT: Wait = Wait::new(5, "Wait", 6);
const SWAP: SendRecv = SendRecv::new(6, "Swap", 7);

fn any() -> Message {
    Message::any_size().tag(ANY)
}

/// Source and tag, which show which message was received.
fn seen(received: &Received) -> (i64, i64) {
    (received.source().0, received.tag().0)
}

#[test]
fn of_a_sources_messages_the_oldest_is_taken_whatever_its_tag() {
    // More messages than a rank's first queue holds, and then one that was sent first of all.
    for source in [Int(1), ANY] {
        run(2, async |ctx| {
            let tags = [7, 3, 3, 9, 1, 1, 3, 8, 2, 4, 4, 9, 3];
            if ctx.pid() == 1 {
                for tag in tags {
                    SEND.execute(ctx, 0, Message::bytes(tag).tag(tag), 0.0)
                        .await?;
                }
                return Ok(());
            }
            WORK.execute(ctx, 1.0).await?;
            RECV.execute(ctx, 1, Message::any_size().tag(4), 0.0)
                .await?;
            for tag in [7, 3, 3, 9, 1, 1, 3, 8, 2, 4, 9, 3] {
                let received = RECV.execute(ctx, source, any(), 0.0).received().await?;
                assert_eq!(seen(&received), (1, tag));
                assert_eq!(received.size(), Int(tag));
            }
            Ok(())
        });
    }
}

#[test]
fn the_message_that_is_there_first_is_taken_whatever_its_tag() {
    let outcome = run(3, async |ctx| match ctx.pid().0 {
        0 => {
            let first = RECV.execute(ctx, ANY, any(), 0.0).received().await?;
            assert_eq!((seen(&first), ctx.now_s()), ((2, 5), 3.0));
            let second = RECV.execute(ctx, ANY, any(), 0.0).received().await?;
            assert_eq!((seen(&second), ctx.now_s()), ((1, 9), 10.0));
            Ok(())
        }
        1 => SEND.execute(ctx, 0, Message::bytes(1).tag(9), 10.0).await,
        _ => {
            WORK.execute(ctx, 1.0).await?;
            SEND.execute(ctx, 0, Message::bytes(1).tag(5), 2.0).await
        }
    });
    assert_eq!(ends(&outcome), [10.0, 10.0, 3.0]);
}

#[test]
fn no_receive_gets_what_an_older_one_may_take() {
    run(3, async |ctx| match ctx.pid().0 {
        0 => {
            // The oldest takes any message of any process, then any of process 1, then tag 5.
            for (request, source, tag) in [(0, ANY, ANY), (1, Int(1), ANY), (2, ANY, Int(5))] {
                let message = Message::any_size().tag(tag);
                let post = POST.request(request, "one");
                post.execute(ctx, source, message, 0.0).await?;
            }
            let mut found = Vec::new();
            for request in [2, 1, 0] {
                let wait = WAIT.request(request, "one");
                let received = wait.execute(ctx).received().await?;
                found.push((seen(&received[0]), ctx.now_s()));
            }
            // Process 2 comes first: its message is the oldest's. Of process 1 the first is for
            // the one that names it, and the second, though it is there before, for the third.
            assert_eq!(found, [((1, 5), 2.0), ((1, 4), 4.0), ((2, 5), 4.0)]);
            Ok(())
        }
        1 => {
            LATER.execute(ctx, 0, Message::bytes(1).tag(4), 4.0).await?;
            LATER.execute(ctx, 0, Message::bytes(1).tag(5), 2.0).await
        }
        _ => LATER.execute(ctx, 0, Message::bytes(1).tag(5), 1.0).await,
    });
}

#[test]
fn an_older_receive_of_one_tag_goes_first() {
    run(2, async |ctx| {
        if ctx.pid() == 1 {
            SEND.execute(ctx, 0, Message::bytes(1).tag(5), 4.0).await?;
            return SEND.execute(ctx, 0, Message::bytes(1).tag(6), 1.0).await;
        }
        let of_tag = Message::any_size().tag(5);
        POST.request(0, "one").execute(ctx, 1, of_tag, 0.0).await?;
        let received = RECV.execute(ctx, 1, any(), 0.0).received().await?;
        assert_eq!((seen(&received), ctx.now_s()), ((1, 6), 5.0));
        let received = WAIT.execute(ctx).received().await?;
        assert!(received[0].is_of(&POST) && !received[0].is_of(&RECV));
        assert_eq!(seen(&received[0]), (1, 5));
        Ok(())
    });
}

#[test]
fn a_receive_of_any_tag_given_up_lets_the_younger_have_the_message() {
    for source in [Int(1), ANY] {
        let outcome = run(2, async |ctx| {
            if ctx.pid() == 1 {
                return LATER.execute(ctx, 0, Message::bytes(1), 4.0).await;
            }
            WORK.execute(ctx, 1.0).await?;
            give_up(RECV.execute(ctx, source, any(), 0.0)).await;
            RECV.execute(ctx, 1, Message::any_size(), 0.0).await
        });
        assert_eq!(ends(&outcome), [4.0, 0.0]);
    }
}

#[test]
fn messages_above_the_eager_limit_are_received_by_any_tag() {
    let mut system = System::new(1, 2, 2, 1);
    system.protocol.intranode_eager_bytes = 0;
    let simulation = Simulation::new(&MODEL, system);
    let outcome = simulation.run(async |ctx| {
        if ctx.pid() == 1 {
            let message = Message::bytes(20).tag(3);
            return SEND.execute(ctx, 0, message, ByMachine).value(1.5).await;
        }
        WORK.execute(ctx, 1.0).await?;
        let received = RECV.execute(ctx, 1, any(), ByMachine).received().await?;
        assert_eq!((seen(&received), received.real(ctx)?), ((1, 3), 1.5));
        Ok(())
    });
    let outcome = outcome.expect("it ends");
    assert_eq!(ends(&outcome), [1.0 + (0.3e-6 + 20.0 / 20e9); 2]);
}

/// A program without wildcards in which all kinds of messages carry values, some of them none.
#[test]
fn both_engines_tell_the_same_of_messages() {
    let mut ends_s = Vec::new();
    for engine in [Engine::Event, Engine::Local] {
        for eager_bytes in [u64::MAX, 8] {
            let mut system = System::new(3, 1, 3, 1);
            system.protocol.eager_bytes = eager_bytes;
            let simulation = Simulation::new(&MODEL, system).with_engine(engine);
            let outcome = simulation.run(async |ctx| {
                let pid = ctx.pid();
                let (right, left) = ((pid + 1) % 3, (pid + 2) % 3);
                // Some that nobody waits to know come first, more than a line holds.
                for tag in 0..5 {
                    let message = Message::bytes(8).tag(tag);
                    LATER.execute(ctx, right, message, ByMachine).await?;
                }
                let carrying = Message::bytes(4).tag(9);
                let later = LATER.request(1, "sent");
                later
                    .execute(ctx, right, carrying, ByMachine)
                    .value(pid * 10)
                    .await?;
                POST.execute(ctx, left, Message::bytes(8).tag(9), ByMachine)
                    .await?;
                for tag in [1, 0, 2, 4, 3] {
                    let message = Message::any_size().tag(tag);
                    RECV.execute(ctx, left, message, ByMachine).await?;
                }
                let swap = SWAP.execute(ctx, right, left, Message::bytes(64), ByMachine);
                let swapped = swap.value(0.25 * pid.real()).received().await?;
                assert_eq!(swapped.value(), Some(Value::Real(0.25 * left.real())));
                assert_eq!(swapped.size(), Int(64));
                let received = WAIT.execute(ctx).received().await?;
                assert_eq!(received.len(), 1);
                assert!(received[0].is_of(&POST));
                assert_eq!(received[0].int(ctx)?, left * 10);
                assert_eq!(received[0].size(), Int(4));
                Ok(())
            });
            ends_s.push(ends(&outcome.expect("it ends")));
        }
    }
    assert_eq!(ends_s[0], ends_s[2]);
    assert_eq!(ends_s[1], ends_s[3]);
}

#[test]
fn a_value_is_converted_as_in_c() {
    run(2, async |ctx| {
        let values = [Value::Real(-2.9), Value::Int(3), Value::Real(1e300)];
        for value in values {
            if ctx.pid() == 0 {
                let send = SEND.execute(ctx, 1, Message::bytes(8), ByMachine);
                send.value(value).await?;
                continue;
            }
            let received = RECV.execute(ctx, 0, Message::any_size(), ByMachine);
            let received = received.received().await?;
            let expected = match value {
                Value::Real(real) if real < 0.0 => (-2, -2.9),
                Value::Real(real) => (i64::MAX, real),
                _ => (3, 3.0),
            };
            let found = (received.int(ctx)?.0, received.real(ctx)?);
            assert_eq!(found, expected);
        }
        Ok(())
    });
}

#[test]
fn a_wait_tells_what_it_has_received_in_the_order_of_posting() {
    run(3, async |ctx| {
        let pid = ctx.pid();
        if pid > 0 {
            // The lower pid's message arrives last.
            let later = LATER.execute(ctx, 0, Message::bytes(pid), 3.0 - pid.real());
            return later.value(pid).await;
        }
        for source in [1, 2] {
            POST.execute(ctx, source, Message::any_size(), 0.0).await?;
        }
        let received = WAIT.execute(ctx).received().await?;
        let values: Vec<_> = received.iter().map(Received::value).collect();
        assert_eq!(values, [Some(Value::Int(1)), Some(Value::Int(2))]);
        assert!(WAIT.execute(ctx).received().await?.is_empty());
        Ok(())
    });
}
