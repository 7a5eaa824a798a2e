//! Misuse of threads, and the messages about it.

use expect_test::{Expect, expect};
use prophet_runtime::{
    ActionPlus, BRecv, ByMachine, Cause, Critical, Fork, Int, Message, Misuse, OmpBarrier,
    Parallel, ParallelDo, ParallelSections, ProcessCtx, Schedule, Simulation, Single, Stopped,
    System, Threads,
};

use crate::threads::MODEL;

const TEAM: Parallel = Parallel::new(0, "Team", 1);
const WORK: ActionPlus = ActionPlus::new(1, "Work", 2);
const LOOP: ParallelDo = ParallelDo::new(2, "Loop", 3);
const OTHER: ParallelDo = ParallelDo::new(3, "Other", 4);
const PARTS: ParallelSections = ParallelSections::new(4, "Parts", 5);
const ONCE: Single = Single::new(5, "Once", 6);
const MEET: OmpBarrier = OmpBarrier::new(6, "Meet", 7);
const A: Critical = Critical::new(7, "A", 8);
const B: Critical = Critical::new(8, "B", 9).named(1);
const FORK: Fork = Fork::new(9, "Fork", 10);
const RECV: BRecv = BRecv::new(10, "Recv", 11);

const EVEN: Schedule = Schedule::Static(None);

/// Asserts how a process of 2 threads fails.
#[expect(clippy::needless_pass_by_value, reason = "as `expect!` makes it")]
fn fails<P>(program: P, expected: Expect)
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
{
    let run = Simulation::new(&MODEL, System::new(1, 4, 1, 2)).run(program);
    let failure = run.expect_err("the program fails");
    expected.assert_eq(&failure.to_string());
}

/// Asserts how a team of 2 fails.
#[expect(clippy::needless_pass_by_value, reason = "callers write it in place")]
fn team_fails<P>(body: P, expected: Expect)
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
{
    fails(
        async |ctx| TEAM.execute(ctx, Threads::Default, &body).await,
        expected,
    );
}

async fn work(ctx: &ProcessCtx<'_>, element: &ParallelDo, iterations: i64) -> Result<(), Stopped> {
    element
        .execute(ctx, Threads::Default, iterations, EVEN, async |ctx, _| {
            WORK.execute(ctx, 1.0).await
        })
        .await
}

#[test]
fn numbers_of_threads() {
    let team = async |ctx: &ProcessCtx<'_>, threads: i64| {
        TEAM.execute(ctx, Threads::Of(Int(threads)), async |_| Ok(()))
            .await
    };
    fails(
        async |ctx| team(ctx, 0).await,
        expect![[r#"
        a team has at least one thread, not 0
          at 0 s of simulated time, process 0, parallel `Team` (id 1)"#]],
    );
    fails(
        async |ctx| team(ctx, -1).await,
        expect![[r#"
        a team has at least one thread, not -1
          at 0 s of simulated time, process 0, parallel `Team` (id 1)"#]],
    );
    fails(
        async |ctx| team(ctx, 65_537).await,
        expect![[r#"
        a team has at most 65536 threads, not 65537
          at 0 s of simulated time, process 0, parallel `Team` (id 1)"#]],
    );
    fails(
        async |ctx| FORK.execute(ctx, 0, async |_, _| Ok(())).await,
        expect![[r#"
            a team has at least one thread, not 0
              at 0 s of simulated time, process 0, fork `Fork` (id 10)"#]],
    );
    let many = Cause::Threads(Misuse::TooMany).to_string();
    assert_eq!(
        many,
        "there are at most 4194304 threads beyond the first thread of each process"
    );
}

#[test]
fn iterations_and_chunks() {
    fails(
        async |ctx| work(ctx, &LOOP, -1).await,
        expect![[r#"
        the number of iterations is negative: -1
          at 0 s of simulated time, process 0, paralleldo `Loop` (id 3)"#]],
    );
    // The run ends immediately, although no time passes in an iteration.
    let run = Simulation::new(&MODEL, System::new(1, 4, 1, 2)).run(async |ctx| {
        let many = 1_000_000_000_000_000_000;
        LOOP.execute(ctx, Threads::Default, many, EVEN, async |_, _| Ok(()))
            .await
    });
    let message = run.expect_err("the program fails").to_string();
    let words = "1000000000000000000 iterations are too many to simulate each";
    assert!(message.starts_with(words), "{message}");
    let chunk = async |ctx: &ProcessCtx<'_>, schedule| {
        LOOP.execute(ctx, Threads::Default, 4, schedule, async |_, _| Ok(()))
            .await
    };
    fails(
        async |ctx| chunk(ctx, Schedule::Static(Some(Int(0)))).await,
        expect![[r#"
            a chunk has at least one iteration, not 0
              at 0 s of simulated time, process 0, paralleldo `Loop` (id 3)"#]],
    );
    fails(
        async |ctx| chunk(ctx, Schedule::Guided(Some(Int(-5)))).await,
        expect![[r#"
            a chunk has at least one iteration, not -5
              at 0 s of simulated time, process 0, paralleldo `Loop` (id 3)"#]],
    );
}

#[test]
fn threads_in_different_constructs() {
    team_fails(
        async |ctx| work(ctx, if ctx.tid() == 0 { &LOOP } else { &OTHER }, 2).await,
        expect![[r#"
            threads of a team are in different constructs
              at 0 s of simulated time, process 0, thread 1, paralleldo `Other` (id 4)
              this is a loop of 2 iterations, static, but thread 0 is at a loop of 2 iterations, static, paralleldo `Loop` (id 3)"#]],
    );
    team_fails(
        async |ctx| work(ctx, &LOOP, 2 + ctx.tid().0).await,
        expect![[r#"
            threads of a team are in different constructs
              at 0 s of simulated time, process 0, thread 1, paralleldo `Loop` (id 3)
              this is a loop of 3 iterations, static, but thread 0 is at a loop of 2 iterations, static, paralleldo `Loop` (id 3)"#]],
    );
    team_fails(
        async |ctx| {
            if ctx.tid() == 0 {
                return ONCE.execute(ctx, async { Ok(()) }).await;
            }
            PARTS
                .execute(ctx, Threads::Default, 3, async |_, _| Ok(()))
                .await
        },
        expect![[r#"
            threads of a team are in different constructs
              at 0 s of simulated time, process 0, thread 1, parallelsections `Parts` (id 5)
              this is 3 sections, but thread 0 is at a single, single `Once` (id 6)"#]],
    );
    team_fails(
        async |ctx| {
            if ctx.tid() == 1 {
                return MEET.execute(ctx).await;
            }
            work(ctx, &LOOP, 2).await
        },
        expect![[r#"
            threads of a team are in different constructs
              at 0 s of simulated time, process 0, thread 1, ompbarrier `Meet` (id 7)
              this is a barrier, but thread 0 is at a loop of 2 iterations, static, paralleldo `Loop` (id 3)"#]],
    );
}

#[test]
fn a_thread_that_ends_before_others_reach_a_construct() {
    team_fails(
        async |ctx| {
            if ctx.tid() == 0 {
                return Ok(());
            }
            MEET.execute(ctx).await
        },
        expect![[r#"
            threads of a team are in different constructs
              at 0 s of simulated time, process 0, thread 1, ompbarrier `Meet` (id 7)
              this is a barrier, but thread 0 is at the end of the region, parallel `Team` (id 1)"#]],
    );
    team_fails(
        async |ctx| {
            if ctx.tid() == 0 {
                return MEET.execute(ctx).await;
            }
            WORK.execute(ctx, 1.0).await
        },
        expect![[r#"
            threads of a team are in different constructs
              at 1 s of simulated time, process 0, thread 1, parallel `Team` (id 1)
              this is the end of the region, but thread 0 is at a barrier, ompbarrier `Meet` (id 7)"#]],
    );
}

#[test]
fn a_construct_within_a_construct() {
    let inner = async |ctx: &ProcessCtx<'_>, _| work(ctx, &OTHER, 2).await;
    fails(
        async |ctx| LOOP.execute(ctx, Threads::Default, 2, EVEN, inner).await,
        expect![[r#"
            a construct that the team shares is within another one
              at 0 s of simulated time, process 0, thread 0, paralleldo `Other` (id 4)
              it is within paralleldo `Loop` (id 3), which not all threads of the team reach
              with a number of threads it has a team of its own"#]],
    );
    team_fails(
        async |ctx| ONCE.execute(ctx, MEET.execute(ctx)).await,
        expect![[r#"
            a construct that the team shares is within another one
              at 0 s of simulated time, process 0, thread 0, ompbarrier `Meet` (id 7)
              it is within single `Once` (id 6), which not all threads of the team reach"#]],
    );
}

#[test]
fn deadlocks_name_the_threads() {
    // Each has what the other wants.
    team_fails(
        async |ctx| {
            let (first, second) = if ctx.tid() == 0 { (A, B) } else { (B, A) };
            let inner = async {
                ctx.hold(1.0).await?;
                second.execute(ctx, async { Ok(()) }).await
            };
            first.execute(ctx, inner).await
        },
        expect![[r#"
            deadlock: 2 threads of 1 process never resume
              at 1 s of simulated time
              process 0, thread 0 at critical `B` (id 9) waits for thread 1 to leave critical `B` (id 9)
              process 0, thread 1 at critical `A` (id 8) waits for thread 0 to leave critical `A` (id 8)
              they wait for each other: 0.0 -> 0.1 -> 0.0"#]],
    );
    // One holds a lock and waits for all.
    team_fails(
        async |ctx| A.execute(ctx, MEET.execute(ctx)).await,
        expect![[r#"
            deadlock: 2 threads of 1 process never resume
              at 0 s of simulated time
              process 0, thread 0 at ompbarrier `Meet` (id 7) waits for thread 1 to come to the barrier
              process 0, thread 1 at critical `A` (id 8) waits for thread 0 to leave critical `A` (id 8)
              they wait for each other: 0.0 -> 0.1 -> 0.0"#]],
    );
    fails(
        async |ctx| A.execute(ctx, A.execute(ctx, async { Ok(()) })).await,
        expect![[r#"
            deadlock: 1 process never resumes
              at 0 s of simulated time
              process 0 at critical `A` (id 8) waits for itself to leave critical `A` (id 8)
              process 0 waits for itself"#]],
    );
    team_fails(
        async |ctx| {
            if ctx.tid() == 0 {
                return Ok(());
            }
            let tag = Message::any_size().tag(7);
            RECV.execute(ctx, 0, tag, ByMachine).await
        },
        expect![[r#"
            deadlock: 2 threads of 1 process never resume
              at 0 s of simulated time
              process 0, thread 0 at parallel `Team` (id 1) waits for thread 1 to end
              process 0, thread 1 at brecv `Recv` (id 11) waits for a message with tag 7 from process 0
              they wait for each other: 0.0 -> 0.1 -> 0.0"#]],
    );
}

#[test]
fn a_failure_names_the_thread() {
    team_fails(
        async |ctx| WORK.execute(ctx, 1.0 - 2.0 * ctx.tid().real()).await,
        expect![[r#"
            negative cost: -1 s
              at 0 s of simulated time, process 0, thread 1, action+ `Work` (id 2)"#]],
    );
}

#[test]
fn a_loop_that_takes_no_time_ends() {
    let forever = Schedule::Static(None);
    let run = Simulation::new(&MODEL, System::new(1, 2, 1, 2)).run(async |ctx| {
        LOOP.execute(ctx, Threads::Default, 1 << 40, forever, async |_, _| Ok(()))
            .await
    });
    expect![[r#"
        livelock: a loop turned 10000000 times without advancing the time
          at 0 s of simulated time, process 0, thread 0, paralleldo `Loop` (id 3)"#]]
    .assert_eq(&run.expect_err("the loop never ends").to_string());
}
