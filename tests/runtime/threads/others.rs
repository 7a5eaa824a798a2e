//! Tests programs beyond what scenarios test: drops, choices of engines, and the largest numbers.

use std::cell::Cell;

use prophet_runtime::{
    ActionPlus, Cause, Engine, Fault, FaultKind, Misuse, Parallel, ParallelDo, Schedule,
    Simulation, System, Threads,
};

use crate::threads::{MODEL, run};

const TEAM: Parallel = Parallel::new(0, "Team", 1);
const WORK: ActionPlus = ActionPlus::new(1, "Work", 2);

#[test]
fn the_first_error_ends_the_region_and_the_others_are_dropped_before() {
    struct Dropped<'a>(&'a Cell<u32>);
    impl Drop for Dropped<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }
    let dropped = Cell::new(0);
    let failure = run(4, 4, async |ctx| {
        let result = TEAM
            .execute(ctx, Threads::Default, async |ctx| {
                let _guard = Dropped(&dropped);
                WORK.execute(ctx, 4.0 - ctx.tid().real()).await?;
                Err(Fault::from(FaultKind::DivisionByZero).into())
            })
            .await;
        assert_eq!(dropped.get(), 4);
        result
    })
    .unwrap_err();
    assert_eq!((failure.process, failure.thread), (Some(0), Some(3)));
    assert_eq!(failure.time_s, 1.0);
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

#[test]
fn threads_have_a_limit() {
    let many = Cause::Threads(Misuse::TooMany).to_string();
    assert_eq!(
        many,
        "there can be at most 4194304 threads in addition to the first thread of each process"
    );
}

#[test]
fn a_loop_that_takes_no_time_ends() {
    const LOOP: ParallelDo = ParallelDo::new(2, "Loop", 3);
    let run = run(2, 2, async |ctx| {
        let schedule = Schedule::Static(None);
        LOOP.execute(
            ctx,
            Threads::Default,
            1 << 40,
            schedule,
            async |_, _| Ok(()),
        )
        .await
    });
    assert_eq!(
        run.expect_err("the loop never ends").to_string(),
        "livelock: a loop ran 10000000 times without advancing simulated time\n  \
         at 0 s of simulated time, process 0, thread 0, paralleldo `Loop` (id 3)"
    );
}
