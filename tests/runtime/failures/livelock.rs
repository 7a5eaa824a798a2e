//! Tests runs that never end because time doesn't advance.

use prophet_runtime::{BRecv, BSend, ByMachine, Message, Model, Network, Node, Simulation, System};

use crate::failures::failure;

const MERGE: Node = Node::new(0, "Merge", 10);
const SEND: BSend = BSend::new(1, "Send", 11);
const RECV: BRecv = BRecv::new(2, "Recv", 12);

#[test]
fn a_loop_of_one_process_is_reported() {
    let text = failure(1, async |ctx| {
        ctx.hold(1.0).await?;
        loop {
            ctx.turn(&MERGE)?;
        }
    });
    assert_eq!(
        text,
        "livelock: a loop ran 10000000 times without advancing simulated time\n  \
         at 1 s of simulated time, process 0, node `Merge` (id 10)"
    );
}

#[test]
fn turns_count_anew_when_time_advances() {
    let model = Model::new("Long", &[], 1);
    let outcome = Simulation::new(&model, System::default()).run(async |ctx| {
        for _ in 0..3 {
            for _ in 0..4_000_000 {
                ctx.turn(&MERGE)?;
            }
            ctx.hold(0.5).await?;
        }
        Ok(())
    });
    assert_eq!(outcome.map(|outcome| outcome.predicted_time_s), Ok(1.5));
}

#[test]
fn messages_back_and_forth_in_no_time_are_reported() {
    let model = Model::new("Tennis", &[], 3);
    let mut system = System::new(1, 2, 2, 1);
    system.intranode = Network::Hockney {
        latency_s: 0.0,
        bytes_per_s: 1.0,
    };
    let run = Simulation::new(&model, system).run(async |ctx| {
        let other = 1 - ctx.pid().0;
        loop {
            SEND.execute(ctx, other, Message::bytes(0), ByMachine)
                .await?;
            RECV.execute(ctx, other, Message::bytes(0), ByMachine)
                .await?;
        }
    });
    let text = run.expect_err("the program fails").to_string();
    let first = "livelock: 10020000 events without advancing simulated time\n  at 0 s of simulated";
    assert!(text.starts_with(first), "{text}");
    let who = "\n  these never stop:\n  \
               process 0 at bsend `Send` (id 11)\n  process 0 at brecv `Recv` (id 12)\n  \
               process 1 at bsend `Send` (id 11)\n  process 1 at brecv `Recv` (id 12)";
    assert!(text.ends_with(who), "{text}");
}

#[test]
fn two_of_very_many_are_found_soon() {
    let model = Model::new("Tennis", &[], 3);
    let mut system = System::new(1, 200_000, 200_000, 1);
    system.intranode = Network::Hockney {
        latency_s: 0.0,
        bytes_per_s: 1.0,
    };
    let run = Simulation::new(&model, system).run(async |ctx| {
        let (pid, message) = (ctx.pid(), Message::bytes(0));
        if pid >= 2 {
            return Ok(());
        }
        loop {
            SEND.execute(ctx, 1 - pid, message, ByMachine).await?;
            RECV.execute(ctx, 1 - pid, message, ByMachine).await?;
        }
    });
    let text = run.expect_err("the program fails").to_string();
    // 5,000,000 events of all processes, 10,000 of each of the two, and 5,000,000 more.
    let first = "livelock: 10020000 events without advancing simulated time\n  at 0 s of simulated";
    assert!(text.starts_with(first), "{text}");
}

#[test]
fn many_that_take_some_steps_each_are_no_livelock() {
    let model = Model::new("Crowd", &[], 1);
    let system = System::new(1, 200_000, 200_000, 1);
    let outcome = Simulation::new(&model, system).run(async |ctx| {
        for _ in 0..60 {
            ctx.hold(0.0).await?;
        }
        ctx.hold(0.5).await
    });
    assert_eq!(outcome.map(|outcome| outcome.predicted_time_s), Ok(0.5));
}

#[test]
fn holds_of_no_time_are_reported() {
    let text = failure(1, async |ctx| {
        loop {
            ctx.hold(0.0).await?;
        }
    });
    assert!(text.starts_with("livelock: 10010000 events"), "{text}");
}
