//! Measures the rows for threads.

use prophet_runtime::{
    ActionPlus, BRecv, BSend, Int, Message, Model, OmpBarrier, Parallel, ParallelDo, ProcessCtx,
    Schedule, Simulation, Stopped, System, Threads,
};

use crate::measure::{Bench, Row, Stopwatch, median};

const PAIRS: usize = 7;
/// The project's minimum speed for a hybrid program.
const EVENTS_PER_S_MIN: f64 = 5e6;

const MODEL: Model = Model::new("Hybrid", &[], 6);
const TEAM: Parallel = Parallel::new(0, "Team", 1);
const WORK: ActionPlus = ActionPlus::new(1, "Work", 2);
const LOOP: ParallelDo = ParallelDo::new(2, "Loop", 3);
const MEET: OmpBarrier = OmpBarrier::new(3, "Meet", 4);
const SEND: BSend = BSend::new(4, "Send", 5);
const RECV: BRecv = BRecv::new(5, "Recv", 6);

pub(crate) fn rows() -> Vec<Bench> {
    vec![
        Bench::new("64 processes x 4 threads: a team an iteration", |work| {
            row(work, async |ctx| iterations(ctx, 200).await)
        }),
        Bench::new(
            "64 processes x 4 threads: one team, dynamic loops",
            |work| row(work, async |ctx| one_team(ctx, 100).await),
        ),
    ]
}

/// Executes the steps of a ring: a team computes a loop, and then the masters exchange messages
/// with their neighbors.
async fn iterations(ctx: &ProcessCtx<'_>, steps: i64) -> Result<(), Stopped> {
    for step in 0..steps {
        TEAM.execute(ctx, Threads::Default, async |ctx| {
            for part in 0..8 {
                WORK.execute(ctx, cost_s(ctx, step + part)).await?;
            }
            MEET.execute(ctx).await?;
            WORK.execute(ctx, cost_s(ctx, step)).await
        })
        .await?;
        exchange(ctx).await?;
    }
    Ok(())
}

/// Executes all steps in one team, with dynamic loops and barriers. The team's first thread
/// exchanges messages with the neighbors.
async fn one_team(ctx: &ProcessCtx<'_>, steps: i64) -> Result<(), Stopped> {
    TEAM.execute(ctx, Threads::Default, async |ctx| {
        for step in 0..steps {
            let by_two = Schedule::Dynamic(Some(Int(2)));
            LOOP.execute(ctx, Threads::Default, 32, by_two, async |ctx, i| {
                WORK.execute(ctx, cost_s(ctx, step + i.0)).await
            })
            .await?;
            if ctx.tid() == 0 {
                exchange(ctx).await?;
            }
            MEET.execute(ctx).await?;
        }
        Ok(())
    })
    .await
}

/// Returns costs that vary, so that the event list has something to do.
fn cost_s(ctx: &ProcessCtx<'_>, part: i64) -> f64 {
    1e-3 + Int((ctx.uid().0 * 31 + part * 17) % 64).real() * 1e-6
}

async fn exchange(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    let processes = ctx.num_processes();
    let next = (ctx.pid().0 + 1) % processes.0;
    let previous = (ctx.pid().0 + processes.0 - 1) % processes.0;
    SEND.execute(ctx, next, Message::bytes(8), 1e-5).await?;
    RECV.execute(ctx, previous, Message::bytes(8), 1e-5).await
}

/// Measures how many events per second a program on 16 nodes with 16 CPUs each makes.
#[expect(clippy::needless_pass_by_value, reason = "callers write it in place")]
fn row<P>(work: &str, program: P) -> Row
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
{
    let simulation = Simulation::new(&MODEL, System::new(16, 16, 64, 4));
    let evaluate = || {
        let watch = Stopwatch::start();
        let outcome = simulation.run(&program);
        let seconds = watch.seconds();
        let events = outcome.map_or(0, |outcome| outcome.evaluation.events);
        assert!(events > 100_000, "the program ends");
        Int(i64::try_from(events).unwrap_or(0)).real() / seconds
    };
    let events_per_s = median((0..PAIRS).map(|_| evaluate()));
    let seen = format!("{:.1} M events/s", events_per_s * 1e-6);
    Row::new(
        work,
        "≥ 5 M events/s",
        seen,
        events_per_s >= EVENTS_PER_S_MIN,
    )
}
