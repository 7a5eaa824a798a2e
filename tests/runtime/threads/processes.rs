//! Threads of several processes: messages, collectives, engines.

use prophet_runtime::{
    ActionPlus, AllReduce, BRecv, BSend, ByMachine, Engine, Message, OmpBarrier, Parallel,
    Simulation, System, Threads,
};

use crate::threads::MODEL;

const TEAM: Parallel = Parallel::new(0, "Team", 1);
const WORK: ActionPlus = ActionPlus::new(1, "Work", 2);
const SEND: BSend = BSend::new(2, "Send", 3);
const RECV: BRecv = BRecv::new(3, "Recv", 4);
const SUM: AllReduce = AllReduce::new(4, "Sum", 5);
const MEET: OmpBarrier = OmpBarrier::new(5, "Meet", 6);

#[test]
fn every_thread_may_send_and_receive() {
    let outcome = Simulation::new(&MODEL, System::new(2, 4, 2, 4)).run(async |ctx| {
        let other = 1 - ctx.pid().0;
        TEAM.execute(ctx, Threads::Default, async |ctx| {
            let message = Message::bytes(8).tag(ctx.tid());
            WORK.execute(ctx, 1.0 + ctx.tid().real()).await?;
            SEND.execute(ctx, other, message, 0.5).await?;
            RECV.execute(ctx, other, message, 0.25).await?;
            assert_eq!(ctx.now_s(), 1.75 + ctx.tid().real());
            Ok(())
        })
        .await
    });
    let outcome = outcome.expect("the program ends");
    assert_eq!(
        (outcome.predicted_time_s, outcome.evaluation.messages),
        (4.75, 8)
    );
    assert_eq!(outcome.processes[1].communication_s, 0.75);
}

#[test]
fn a_thread_may_call_a_collective_for_its_process() {
    let outcome = Simulation::new(&MODEL, System::new(2, 2, 2, 2)).run(async |ctx| {
        TEAM.execute(ctx, Threads::Default, async |ctx| {
            WORK.execute(ctx, 1.0).await?;
            if ctx.tid() == ctx.pid().0 {
                SUM.execute(ctx, 8, 0.5).await?;
            }
            MEET.execute(ctx).await
        })
        .await
    });
    assert_eq!(outcome.map(|outcome| outcome.predicted_time_s), Ok(1.5));
}

#[test]
fn processes_without_threads_wait_for_messages_of_those_with_them() {
    let outcome = Simulation::new(&MODEL, System::new(1, 4, 4, 1)).run(async |ctx| {
        if ctx.pid() == 3 {
            for source in 0..3 {
                RECV.execute(ctx, source, Message::bytes(8), ByMachine)
                    .await?;
            }
            return Ok(());
        }
        TEAM.execute(ctx, Threads::Of(2.into()), async |ctx| {
            WORK.execute(ctx, 1.0).await?;
            if ctx.tid() == 1 {
                SEND.execute(ctx, 3, Message::bytes(8), ByMachine).await?;
            }
            Ok(())
        })
        .await
    });
    // 7 units on 4 CPUs: the third process has the CPUs after the first two.
    let predicted_s = outcome.expect("the program ends").predicted_time_s;
    assert!((2.0..2.001).contains(&predicted_s), "{predicted_s}");
}

#[test]
fn threads_are_for_the_event_engine() {
    let run = |engine, threads| {
        Simulation::new(&MODEL, System::new(1, 2, 1, threads))
            .with_engine(engine)
            .run(async |ctx| {
                let threads = Threads::Of(2.into());
                TEAM.execute(ctx, threads, async |ctx| WORK.execute(ctx, 1.0).await)
                    .await
            })
    };
    let outcome = run(Engine::Auto, 1).expect("the program ends");
    assert_eq!(outcome.evaluation.engine, "event");
    let why = "the program uses threads";
    assert_eq!(outcome.evaluation.why_not_local.as_deref(), Some(why));
    assert_eq!(
        run(Engine::Local, 1).unwrap_err().to_string(),
        "the local engine cannot run this: the program uses threads"
    );
    let outcome = run(Engine::Auto, 2).expect("the program ends");
    let why = "a process has 2 threads";
    assert_eq!(outcome.evaluation.why_not_local.as_deref(), Some(why));
}
