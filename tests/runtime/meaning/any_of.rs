//! Waits for several requests: for any of them, and for all.

use prophet_runtime::{
    ANY, ActionPlus, BSend, ByMachine, Engine, Int, Message, Model, NBRecv, NBSend, Outcome,
    ProcessCtx, Simulation, Stopped, System, Wait,
};

use crate::meaning::{LOGGP, apart, ends, give_up};

const MODEL: Model = Model::new("AnyOf", &[], 16).waits_for_any();
const SEND: BSend = BSend::new(0, "Send", 1);
const A: NBRecv = NBRecv::new(1, "A", 2).request(0, "a");
const B: NBRecv = NBRecv::new(2, "B", 3).request(1, "b");
const WORK: ActionPlus = ActionPlus::new(3, "Work", 4);
const FIRST: Wait = Wait::new(4, "First", 5).requests(&[(0, "a"), (1, "b")]);
const LATER: NBSend = NBSend::new(5, "Later", 6).request(1, "b");
const ALL: Wait = Wait::new(6, "All", 7);
const ONE: Wait = Wait::new(7, "One", 8).request(0, "a");

fn run_on<P>(system: System, program: P) -> Outcome
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
{
    let simulation = Simulation::new(&MODEL, system);
    simulation.run(program).expect("the program ends")
}

fn run<P>(processes: u32, program: P) -> Outcome
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
{
    run_on(System::new(1, processes, processes, 1), program)
}

fn any_size() -> Message {
    Message::any_size()
}

/// Sends when `at_s` comes, in no time.
async fn send_at(ctx: &ProcessCtx<'_>, at_s: f64, bytes: i64) -> Result<(), Stopped> {
    WORK.execute(ctx, at_s).await?;
    SEND.execute(ctx, 0, Message::bytes(bytes), 0.0).await
}

#[test]
fn the_first_that_completes_ends_the_wait_and_the_others_stay() {
    let outcome = run(3, async |ctx| match ctx.pid().0 {
        0 => {
            A.execute(ctx, 1, any_size(), 0.5).await?;
            B.execute(ctx, 2, any_size(), 0.25).await?;
            assert_eq!((FIRST.any(ctx).await?, ctx.now_s()), (Int(1), 2.25));
            // Only its own request is charged: the message of process 1 is there at 5 s.
            assert_eq!((FIRST.any(ctx).await?, ctx.now_s()), (Int(0), 5.5));
            assert_eq!((FIRST.any(ctx).await?, ctx.now_s()), (Int(-1), 5.5));
            Ok(())
        }
        1 => send_at(ctx, 5.0, 8).await,
        _ => send_at(ctx, 2.0, 8).await,
    });
    assert_eq!(ends(&outcome), [5.5, 5.0, 2.0]);
    // It waited 2 s, and from 2.25 to 5; the rest is what the receives cost.
    assert_eq!(outcome.processes[0].wait_s, 4.75);
    assert_eq!(outcome.processes[0].communication_s, 0.75);
}

#[test]
fn of_those_complete_at_one_time_the_first_posted_ends_it() {
    for (first, second, place) in [(A, B, 0), (B, A, 1)] {
        for (later_s, late) in [(3.0, false), (0.0, true)] {
            run(3, async |ctx| {
                if ctx.pid() != 0 {
                    return send_at(ctx, 3.0, 8).await;
                }
                // The message of the receive that is posted second is sent first.
                first.execute(ctx, 2, any_size(), 0.0).await?;
                second.execute(ctx, 1, any_size(), 0.0).await?;
                WORK.execute(ctx, if late { 4.0 } else { later_s }).await?;
                assert_eq!(FIRST.any(ctx).await?, Int(place));
                assert_eq!(FIRST.any(ctx).await?, Int(1 - place));
                Ok(())
            });
        }
    }
}

#[test]
fn what_is_sent_later_may_complete_sooner() {
    let mut system = System::new(1, 3, 3, 1);
    system.parameters = Vec::new();
    run_on(system, async |ctx| match ctx.pid().0 {
        0 => {
            A.execute(ctx, 1, any_size(), 0.0).await?;
            B.execute(ctx, 2, any_size(), 0.0).await?;
            assert_eq!((FIRST.any(ctx).await?, ctx.now_s()), (Int(1), 2.0));
            assert_eq!((FIRST.any(ctx).await?, ctx.now_s()), (Int(0), 10.0));
            Ok(())
        }
        // On its way from 0 to 10.
        1 => SEND.execute(ctx, 0, Message::bytes(8), 10.0).await,
        _ => send_at(ctx, 2.0, 8).await,
    });
}

#[test]
fn operations_of_one_name_end_waits_one_by_one() {
    run(4, async |ctx| {
        let pid = ctx.pid();
        if pid != 0 {
            return send_at(ctx, 4.0 - pid.real(), pid.0).await;
        }
        for source in 1..4_i64 {
            A.execute(ctx, source, any_size(), 0.0).await?;
        }
        for (source, at_s) in [(3, 1.0), (2, 2.0), (1, 3.0)] {
            let (place, received) = ONE.any(ctx).received().await?;
            let received = received.expect("a message");
            assert_eq!((place, received.source()), (Int(0), Int(source)));
            assert_eq!((received.size(), received.is_of(&A)), (Int(source), true));
            assert_eq!(ctx.now_s(), at_s);
        }
        let (place, received) = ONE.any(ctx).received().await?;
        assert_eq!((place, received), (Int(-1), None));
        Ok(())
    });
}

#[test]
fn a_send_ends_it_when_it_is_over() {
    // By its own cost; and, above the eager limit, when its receive has let it travel.
    let mut system = apart(2, LOGGP);
    system.protocol.eager_bytes = 10;
    for (system, cost_s, end_s) in [
        (System::new(1, 2, 2, 1), Some(2.5), 2.5),
        // Sent at 7: 1 + 20 x 0.5 + 4 s.
        (system, None, 22.0),
    ] {
        let outcome = run_on(system, async |ctx| {
            if ctx.pid() == 1 {
                WORK.execute(ctx, 7.0).await?;
                B.execute(ctx, 0, any_size(), ByMachine).await?;
                return ALL.execute(ctx).await;
            }
            A.execute(ctx, 1, any_size(), ByMachine).await?;
            let message = Message::bytes(21);
            match cost_s {
                Some(cost_s) => LATER.execute(ctx, 1, message, cost_s).await?,
                None => LATER.execute(ctx, 1, message, ByMachine).await?,
            }
            assert_eq!((FIRST.any(ctx).await?, ctx.now_s()), (Int(1), end_s));
            Ok(())
        });
        assert_eq!(outcome.processes[0].end_s, end_s);
    }
}

#[test]
fn sends_that_are_over_are_each_waited_for() {
    run(2, async |ctx| {
        if ctx.pid() == 1 {
            return Ok(());
        }
        for cost_s in [3.0, 1.0] {
            LATER.execute(ctx, 1, Message::bytes(8), cost_s).await?;
        }
        for (place, at_s) in [(1, 1.0), (1, 3.0), (-1, 3.0)] {
            assert_eq!((FIRST.any(ctx).await?, ctx.now_s()), (Int(place), at_s));
        }
        Ok(())
    });
}

#[test]
fn a_receive_from_whoever_sends_ends_it_too() {
    run(3, async |ctx| match ctx.pid().0 {
        0 => {
            A.execute(ctx, ANY, any_size().tag(ANY), 0.0).await?;
            B.execute(ctx, 2, any_size().tag(9), 0.0).await?;
            let (place, received) = FIRST.any(ctx).received().await?;
            let source = received.map(|received| received.source());
            assert_eq!((place, source), (Int(0), Some(Int(1))));
            Ok(())
        }
        1 => send_at(ctx, 1.0, 8).await,
        _ => Ok(()),
    });
}

#[test]
fn a_wait_for_several_ends_with_all_of_them() {
    for engine in [Engine::Event, Engine::Local] {
        let simulation = Simulation::new(&MODEL, System::new(1, 3, 3, 1)).with_engine(engine);
        let outcome = simulation
            .run(async |ctx| match ctx.pid().0 {
                0 => {
                    const OTHER: NBRecv = NBRecv::new(8, "Other", 9).request(2, "c");
                    A.execute(ctx, 1, any_size(), 0.0).await?;
                    B.execute(ctx, 2, any_size(), 0.0).await?;
                    OTHER.execute(ctx, 2, any_size().tag(5), 0.0).await?;
                    FIRST.execute(ctx).await
                }
                1 => send_at(ctx, 5.0, 8).await,
                _ => send_at(ctx, 2.0, 8).await,
            })
            .expect("the program ends");
        assert_eq!(outcome.processes[0].end_s, 5.0);
        assert_eq!(outcome.evaluation.engine, engine.to_string());
    }
}

#[test]
fn one_that_is_given_up_leaves_all_to_the_next() {
    run(3, async |ctx| match ctx.pid().0 {
        0 => {
            A.execute(ctx, 1, any_size(), 0.0).await?;
            B.execute(ctx, 2, any_size(), 0.0).await?;
            give_up(FIRST.any(ctx)).await;
            assert_eq!((FIRST.any(ctx).await?, ctx.now_s()), (Int(1), 2.0));
            give_up(FIRST.any(ctx)).await;
            ALL.execute(ctx).await?;
            assert_eq!(ctx.now_s(), 5.0);
            Ok(())
        }
        1 => send_at(ctx, 5.0, 8).await,
        _ => send_at(ctx, 2.0, 8).await,
    });
}

#[test]
fn processes_with_one_network_interface_take_turns() {
    // Both receive a message that is there at 6 and 6.5 s, on nodes of their own and on one.
    let program = async |ctx: &ProcessCtx<'_>| {
        if ctx.pid() == 1 {
            for tag in [0, 1] {
                let message = Message::bytes(1).tag(tag);
                SEND.execute(ctx, 0, message, ByMachine).await?;
            }
            return Ok(());
        }
        A.execute(ctx, 1, any_size().tag(1), ByMachine).await?;
        B.execute(ctx, 1, any_size().tag(0), ByMachine).await?;
        // There at 1 + 4 s, and 1 s to receive; the next is sent 2 s later.
        assert_eq!((FIRST.any(ctx).await?, ctx.now_s()), (Int(1), 6.0));
        assert_eq!((FIRST.any(ctx).await?, ctx.now_s()), (Int(0), 8.0));
        Ok(())
    };
    for nic in [prophet_runtime::Nic::Rank, prophet_runtime::Nic::Node] {
        let mut system = apart(2, LOGGP);
        system.protocol.nic = nic;
        assert_eq!(run_on(system, program).processes[0].end_s, 8.0);
    }
}

#[test]
fn automatic_choice_runs_it_by_events() {
    let simulation = Simulation::new(&MODEL, System::new(1, 1, 1, 1));
    let simulation = simulation.with_engine(Engine::Auto);
    let outcome = simulation.run(async |ctx| {
        assert_eq!(FIRST.any(ctx).await?, Int(-1));
        Ok(())
    });
    assert_eq!(outcome.expect("it ends").evaluation.engine, "event");
}

#[test]
fn a_deadlock_tells_what_could_have_ended_it() {
    let run = Simulation::new(&MODEL, System::new(1, 2, 2, 1)).run(async |ctx| {
        if ctx.pid() == 1 {
            return Ok(());
        }
        A.execute(ctx, 1, any_size(), 0.0).await?;
        B.execute(ctx, 0, any_size().tag(4), 0.0).await?;
        FIRST.any(ctx).await.map(|_| ())
    });
    assert_eq!(
        run.expect_err("nobody sends").to_string(),
        "deadlock: 1 of 2 processes never resumes\n  \
         at 0 s of simulated time\n  \
         process 0 at wait `First` (id 5) waits for a message with tag 0 from process 1, \
         begun at nbrecv `A` (id 2), or for another of its 2 requests\n  \
         no process is left that could answer"
    );
}

#[test]
fn a_model_that_does_not_say_so_cannot() {
    const SILENT: Model = Model::new("Silent", &[], 16);
    let run = Simulation::new(&SILENT, System::default()).run(async |ctx| {
        A.execute(ctx, 0, any_size(), 0.0).await?;
        FIRST.any(ctx).await.map(|_| ())
    });
    assert_eq!(
        run.expect_err("it does not say so").to_string(),
        "a model that waits for any of several requests says so: call `Model::waits_for_any`"
    );
}
