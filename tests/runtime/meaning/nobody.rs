//! Messages to and from nobody, the partner that processes at borders have.

use prophet_runtime::{
    ANY, ActionPlus, BRecv, BSend, ByMachine, Engine, Int, Message, Model, NBRecv, NBSend, Outcome,
    PROC_NULL, ProcessCtx, SendRecv, Simulation, Stopped, System, Wait,
};

use crate::meaning::ends;

const MODEL: Model = Model::new("Nobody", &[], 16);
const SEND: BSend = BSend::new(0, "Send", 1);
const RECV: BRecv = BRecv::new(1, "Recv", 2);
const BEGIN: NBSend = NBSend::new(2, "Begin", 3).request(0, "s");
const POST: NBRecv = NBRecv::new(3, "Post", 4).request(1, "r");
const BOTH: SendRecv = SendRecv::new(4, "Both", 5);
const WORK: ActionPlus = ActionPlus::new(5, "Work", 6);
const NAMED: Wait = Wait::new(6, "Named", 7).requests(&[(0, "s"), (1, "r")]);
const ALL: Wait = Wait::new(7, "All", 8);

/// Runs a program on two processes by both engines, which have to agree.
fn run<P>(program: P) -> Outcome
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped> + Copy,
{
    let by = |engine| {
        let simulation = Simulation::new(&MODEL, System::new(2, 1, 2, 1)).with_engine(engine);
        simulation.run(program).expect("the program ends")
    };
    let (local, event) = (by(Engine::Local), by(Engine::Event));
    assert_eq!(local.processes, event.processes);
    assert_eq!(local.elements, event.elements);
    local
}

#[test]
fn messages_with_nobody_take_no_time_whatever_they_cost() {
    let outcome = run(async |ctx| {
        WORK.execute(ctx, 1.0).await?;
        let message = Message::bytes(1 << 40);
        SEND.execute(ctx, PROC_NULL, message, 5.0).await?;
        SEND.execute(ctx, PROC_NULL, message, ByMachine).await?;
        RECV.execute(ctx, PROC_NULL, message, 5.0).await?;
        BEGIN.execute(ctx, PROC_NULL, message, 5.0).await?;
        POST.execute(ctx, PROC_NULL, message, 5.0).await?;
        NAMED.execute(ctx).await?;
        BOTH.execute(ctx, PROC_NULL, PROC_NULL, message, 5.0)
            .await?;
        ALL.execute(ctx).await
    });
    assert_eq!(ends(&outcome), [1.0, 1.0]);
    assert_eq!(outcome.processes[0].communication_s, 0.0);
    let counts: Vec<u64> = outcome.elements.iter().map(|it| it.count).collect();
    assert_eq!(counts, [4, 2, 2, 2, 2, 2, 2, 2], "each was executed");
    assert_eq!(outcome.evaluation.messages, 0);
}

#[test]
fn an_exchange_with_nobody_on_one_side_is_half_an_exchange() {
    let outcome = run(async |ctx| {
        let (dest, source) = match ctx.pid().0 {
            0 => (Int(1), PROC_NULL),
            _ => (PROC_NULL, Int(0)),
        };
        BOTH.execute(ctx, dest, source, Message::bytes(8), 2.0)
            .await
    });
    // Each half has this cost: the message is sent at 2 s, and received 2 s later.
    assert_eq!(ends(&outcome), [2.0, 4.0]);
}

#[test]
fn large_messages_wait_for_their_receives_but_not_for_nobody() {
    let mut system = System::new(2, 1, 2, 1);
    system.protocol.eager_bytes = 4;
    for engine in [Engine::Local, Engine::Event] {
        let simulation = Simulation::new(&MODEL, system.clone()).with_engine(engine);
        let outcome = simulation.run(async |ctx| {
            let (dest, source) = match ctx.pid().0 {
                0 => (Int(1), PROC_NULL),
                _ => (PROC_NULL, Int(0)),
            };
            if ctx.pid() == 1 {
                WORK.execute(ctx, 3.0).await?;
            }
            BOTH.execute(ctx, dest, source, Message::bytes(8), ByMachine)
                .await
        });
        let outcome = outcome.expect("it ends");
        assert!(outcome.processes[0].end_s > 3.0, "{engine:?}");
        assert_eq!(outcome.processes[0].end_s, outcome.processes[1].end_s);
    }
}

#[test]
fn nobody_sends_a_zero_of_no_bytes() {
    run(async |ctx| {
        let received = RECV.execute(ctx, PROC_NULL, Message::any_size(), ByMachine);
        let received = received.received().await?;
        assert_eq!(
            (received.source(), received.tag(), received.size()),
            (PROC_NULL, Int(0), Int(0))
        );
        assert_eq!((received.int(ctx)?, received.real(ctx)?), (Int(0), 0.0));
        POST.execute(ctx, PROC_NULL, Message::any_size(), ByMachine)
            .await?;
        assert!(ALL.execute(ctx).received().await?.is_empty());
        Ok(())
    });
}

#[test]
fn a_wait_for_any_ends_with_a_request_of_nobody() {
    const MODEL: Model = Model::new("Any", &[], 16).waits_for_any();
    let simulation = Simulation::new(&MODEL, System::new(1, 1, 1, 1));
    let outcome = simulation.run(async |ctx| {
        POST.execute(ctx, PROC_NULL, Message::any_size(), ByMachine)
            .await?;
        assert_eq!((NAMED.any(ctx).await?, ctx.now_s()), (Int(1), 0.0));
        assert_eq!(NAMED.any(ctx).await?, Int(-1));
        Ok(())
    });
    outcome.expect("it ends");
}

#[test]
fn what_is_wrong_with_a_message_to_nobody_is_told() {
    let run = |dest: i64, bytes: i64| {
        let simulation = Simulation::new(&MODEL, System::new(1, 1, 1, 1));
        let program = async |ctx: &ProcessCtx<'_>| {
            SEND.execute(ctx, dest, Message::bytes(bytes), ByMachine)
                .await
        };
        simulation.run(program).unwrap_err().to_string()
    };
    assert!(run(-2, 8).contains("dest"), "{}", run(-2, 8));
    assert!(run(-1, -8).contains("negative"), "{}", run(-1, -8));
    let simulation = Simulation::new(&MODEL, System::new(1, 1, 1, 1));
    let source = |source: Int| {
        let program = async |ctx: &ProcessCtx<'_>| {
            RECV.execute(ctx, source, Message::any_size(), ByMachine)
                .await
        };
        simulation.run(program).unwrap_err().to_string()
    };
    assert!(source(Int(-2)).contains("source"));
    assert!(source(ANY).contains("deadlock"));
}
