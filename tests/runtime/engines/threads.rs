//! Tests that a run on several threads gives the same results as on one, to the last bit.

use std::num::NonZero;
use std::sync::Mutex;

use prophet_runtime::{
    ANY, ActionPlus, AllReduce, BRecv, BSend, Barrier, Broadcast, ByMachine, Engine, Message,
};
use prophet_runtime::{
    NBRecv, Outcome, ProcessCtx, ProcessProgram, Reduce, Simulation, Stopped, System, Wait,
};
use proptest::prelude::*;

use crate::engines::random::{Op, op, perform, system, tasks, waiting};
use crate::engines::{MODEL, essence, run_by};

const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
const SEND: BSend = BSend::new(2, "Send", 3);
const RECV: BRecv = BRecv::new(4, "Recv", 5);
const POST: NBRecv = NBRecv::new(9, "Post", 10);
const END: Wait = Wait::new(10, "End", 11);
const SUM: AllReduce = AllReduce::new(5, "Sum", 6);
const CAST: Broadcast = Broadcast::new(6, "Cast", 7);
const MEET: Barrier = Barrier::new(7, "Meet", 8);
const FOLD: Reduce = Reduce::new(12, "Fold", 13);

fn threads(count: u32) -> NonZero<u32> {
    NonZero::new(count).expect("there is a thread")
}

/// Runs a program on `count` threads of an engine.
fn run_on(
    count: u32,
    engine: Engine,
    system: &System,
    program: impl ProcessProgram + Sync,
) -> Result<Outcome, String> {
    let simulation = Simulation::new(&MODEL, system.clone()).with_engine(engine);
    let run = simulation.run_on(threads(count), program);
    run.map_err(|failure| format!("{failure:?}"))
}

/// The result or failure of a run, and when each process reached its operations.
type Seen = (Result<String, String>, Vec<Vec<u64>>);

/// Runs the operations on threads. One process can omit one of its tasks.
fn observe(count: u32, system: &System, ops: &[Op], left_out: Option<(u32, usize)>) -> Seen {
    let times = Mutex::new(vec![Vec::new(); system.processes as usize]);
    let run = run_on(
        count,
        Engine::Local,
        system,
        async |ctx: &ProcessCtx<'_>| {
            let pid = u32::try_from(ctx.pid().0).expect("a pid");
            let mut tasks = tasks(ops, pid, system.processes);
            if let Some((_, place)) = left_out.filter(|it| it.0 % system.processes == pid)
                && !tasks.is_empty()
            {
                tasks.remove(place % tasks.len());
            }
            let mut own = Vec::new();
            for task in tasks {
                perform(ctx, task).await?;
                own.push(ctx.now_s().to_bits());
            }
            times.lock().expect("nobody panics")[pid as usize] = own;
            Ok(())
        },
    );
    if let (Ok(outcome), None) = (&run, left_out) {
        assert_eq!(outcome.evaluation.engine, "local");
        assert_eq!(outcome.evaluation.threads, count.min(system.processes));
    }
    let times = if run.is_ok() {
        times.into_inner().expect("nobody panics")
    } else {
        Vec::new()
    };
    (run.map(essence), times)
}

fn agree(
    count: u32,
    system: &System,
    ops: &[Op],
    left_out: Option<(u32, usize)>,
) -> Result<(), TestCaseError> {
    let one = observe(1, system, ops, left_out);
    let several = observe(count, system, ops, left_out);
    prop_assert_eq!(one, several);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prophet_testing::cases(128)))]

    #[test]
    fn threads_agree_on_random_programs(
        system in system(),
        ops in prop::collection::vec(op(), 0..300),
        count in 2..=8_u32,
    ) {
        agree(count, &system, &ops, None)?;
    }

    #[test]
    fn threads_agree_when_sends_wait_for_their_receives(
        system in system(),
        ops in prop::collection::vec(op(), 0..300),
        eager_bytes in prop_oneof![Just(0_u32), 0..20_000_u32],
        count in 2..=8_u32,
    ) {
        let (system, ops) = waiting(system, ops, eager_bytes);
        agree(count, &system, &ops, None)?;
    }

    #[test]
    fn threads_agree_with_noise(
        mut system in system(),
        ops in prop::collection::vec(op(), 0..200),
        eager_bytes in prop_oneof![Just(0_u32), 0..20_000_u32],
        count in 2..=8_u32,
    ) {
        system.noise.choose("costs=lognormal:0.1,messages=lognormal:0.2").expect("noise");
        let (system, ops) = waiting(system, ops, eager_bytes);
        agree(count, &system, &ops, None)?;
    }

    #[test]
    fn threads_agree_on_programs_that_may_fail(
        system in system(),
        ops in prop::collection::vec(op(), 1..100),
        left_out in (0..64_u32, any::<usize>()),
        count in 2..=8_u32,
    ) {
        agree(count, &system, &ops, Some(left_out))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    #[ignore = "takes minutes"]
    fn threads_agree_on_many_random_programs(
        system in system(),
        ops in prop::collection::vec(op(), 0..300),
        eager_bytes in prop_oneof![Just(0_u32), 0..20_000_u32, Just(u32::MAX)],
        left_out in prop::option::weighted(0.1, (0..64_u32, any::<usize>())),
        count in 1..=8_u32,
    ) {
        let (system, ops) = waiting(system, ops, eager_bytes);
        agree(count, &system, &ops, left_out)?;
    }
}

/// A pipeline in which each process gets far ahead of the next.
async fn pipeline(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    let (pid, last) = (ctx.pid().0, ctx.num_processes().0 - 1);
    for _ in 0..5000 {
        if pid > 0 {
            RECV.execute(ctx, pid - 1, Message::any_size(), ByMachine)
                .await?;
            WORK.execute(ctx, 1e-6).await?;
        }
        if pid < last {
            SEND.execute(ctx, pid + 1, Message::bytes(8), ByMachine)
                .await?;
        }
    }
    Ok(())
}

#[test]
fn a_process_that_is_far_ahead_stands_aside() {
    let system = System::new(9, 1, 9, 1);
    let one = run_by(Engine::Local, &system, pipeline).expect("the program ends");
    for count in [2, 3, 9] {
        let several = run_on(count, Engine::Local, &system, pipeline).expect("it ends");
        assert_eq!(several.evaluation.threads, count);
        assert_eq!(essence(one.clone()), essence(several));
    }
}

#[test]
fn communicators_of_several_threads_have_one_number() {
    let program = async |ctx: &ProcessCtx<'_>| {
        let pid = ctx.pid().0;
        for round in 0..20 {
            // Processes reach the elements in different orders, so threads split them differently.
            let rows = async || {
                let sum = SUM.execute(ctx, 8 * round, ByMachine);
                sum.comm(|ctx| ctx.pid() % 4).await
            };
            let halves = async || {
                let fold = FOLD.execute(ctx, 1, 64, 1e-6);
                fold.comm(|ctx| ctx.pid() / 16).await
            };
            if pid % 4 < 2 {
                rows().await?;
            } else {
                WORK.execute(ctx, 1e-6).await?;
                rows().await?;
            }
            halves().await?;
            MEET.execute(ctx, 2e-6).await?;
            CAST.execute(ctx, round, 100, ByMachine).await?;
        }
        Ok(())
    };
    let system = System::new(32, 1, 32, 1);
    let one = run_by(Engine::Local, &system, program).expect("the program ends");
    for count in 2..=8 {
        let several = run_on(count, Engine::Local, &system, program).expect("it ends");
        assert_eq!(several.evaluation.threads, count);
        assert_eq!(essence(one.clone()), essence(several));
    }
}

#[test]
fn a_run_that_fails_fails_as_on_one_thread() {
    let system = System::new(8, 1, 8, 1);
    let mismatch = async |ctx: &ProcessCtx<'_>| match ctx.pid().0 {
        5 => MEET.execute(ctx, ByMachine).await,
        _ => SUM.execute(ctx, 8, ByMachine).await,
    };
    let unread = async |ctx: &ProcessCtx<'_>| {
        POST.execute(ctx, (ctx.pid() + 1) % 8, Message::bytes(8), ByMachine)
            .await?;
        END.execute(ctx).await
    };
    let negative = async |ctx: &ProcessCtx<'_>| WORK.execute(ctx, ctx.pid().real() - 6.5).await;
    for count in [2, 3, 8] {
        for engine in [Engine::Local, Engine::Auto] {
            let on = |count| {
                [
                    run_on(count, engine, &system, mismatch),
                    run_on(count, engine, &system, unread),
                    run_on(count, engine, &system, negative),
                ]
            };
            let failed = on(count).map(|run| run.expect_err("it fails"));
            assert_eq!(on(1).map(|run| run.expect_err("it fails")), failed);
        }
    }
}

#[test]
fn the_outcome_tells_why_one_thread_runs_the_program() {
    let four = System::new(4, 1, 4, 1);
    let why = |outcome: Result<Outcome, String>| {
        let evaluation = outcome.expect("the program ends").evaluation;
        assert_eq!(evaluation.threads, 1);
        (evaluation.engine.into_owned(), evaluation.why_one_thread)
    };
    let events = Some("the event engine uses one".to_owned());
    let by_events = ("event".to_owned(), events);
    let work = async |ctx: &ProcessCtx<'_>| WORK.execute(ctx, 1.0).await;
    assert_eq!(why(run_on(2, Engine::Event, &four, work)), by_events);
    let shared = System::new(1, 1, 4, 1);
    assert_eq!(why(run_on(2, Engine::Auto, &shared, work)), by_events);
    let wild = async |ctx: &ProcessCtx<'_>| {
        let next = (ctx.pid() + 1) % 4;
        SEND.execute(ctx, next, Message::bytes(8), ByMachine)
            .await?;
        RECV.execute(ctx, ANY, Message::bytes(8), ByMachine).await
    };
    assert_eq!(why(run_on(2, Engine::Auto, &four, wild)), by_events);
    let carrying = async |ctx: &ProcessCtx<'_>| {
        let next = (ctx.pid() + 1) % 4;
        let send = SEND.execute(ctx, next, Message::bytes(8), ByMachine);
        send.value(ctx.pid()).await?;
        RECV.execute(ctx, (ctx.pid() + 3) % 4, Message::bytes(8), ByMachine)
            .await
    };
    let expected = Some("messages carry values".to_owned());
    let seen = why(run_on(2, Engine::Auto, &four, carrying));
    assert_eq!(seen, ("local".to_owned(), expected));
}

#[test]
fn a_panic_of_a_process_is_not_waited_for() {
    let run = std::panic::catch_unwind(|| {
        let system = System::new(8, 1, 8, 1);
        run_on(4, Engine::Local, &system, async |ctx: &ProcessCtx<'_>| {
            assert_ne!(ctx.pid().0, 6, "the sixth");
            MEET.execute(ctx, 1.0).await
        })
    });
    let panic = run.expect_err("a process panics");
    let text = panic.downcast_ref::<String>().expect("a message");
    assert!(text.contains("the sixth"), "{text}");
}
