//! Tests regions that put more units on a node than it has CPUs, whatever the order in which they
//! are reached.

use prophet_runtime::{
    ActionPlus, AllReduce, BRecv, ByMachine, Int, Message, NBSend, Outcome, Parallel, ParallelDo,
    ProcessCtx, ProcessOutcome, Schedule, Simulation, Stopped, System, Threads,
};

use crate::threads::{MODEL, time_s};

const OUTER: Parallel = Parallel::new(0, "Outer", 1);
const INNER: Parallel = Parallel::new(1, "Inner", 2);
const WORK: ActionPlus = ActionPlus::new(2, "Work", 3);
const MORE: ActionPlus = ActionPlus::new(3, "More", 4);
const ROWS: ParallelDo = ParallelDo::new(4, "Rows", 5);
const SEND: NBSend = NBSend::new(5, "Send", 6);
const RECEIVE: BRecv = BRecv::new(6, "Receive", 7);
const RESIDUAL: AllReduce = AllReduce::new(7, "Residual", 8);

/// Returns 1 s for the first process or thread, and 2 s for the second.
fn one_more(number: Int) -> f64 {
    (number + 1).real()
}

/// Executes two parts, which end at 3 s in all processes and threads. The last one reaches the
/// second part first.
async fn to_3_s(ctx: &ProcessCtx<'_>, number: Int) -> Result<(), Stopped> {
    let first_s = if number == 0 { 2.0 } else { 1.0 };
    WORK.execute(ctx, first_s).await?;
    MORE.execute(ctx, 3.0 - first_s).await
}

/// Returns numbers of nodes, CPUs per node, and threads.
fn machines() -> impl Iterator<Item = (u32, u32, u32)> {
    let nodes = (1..=2).flat_map(|nodes| (1..=5).map(move |cpus| (nodes, cpus)));
    nodes.flat_map(|(nodes, cpus)| (1..=4).map(move |threads| (nodes, cpus, threads)))
}

#[test]
fn a_region_that_a_higher_process_meets_first_queues_by_process() {
    let system = System::new(1, 3, 2, 2);
    let outcome = Simulation::new(&MODEL, system).run(async |ctx| {
        to_3_s(ctx, ctx.pid()).await?;
        OUTER
            .execute(ctx, Threads::Default, async |ctx| {
                WORK.execute(ctx, one_more(ctx.tid())).await
            })
            .await
    });
    // The last thread of the last process computes its 2 s from 4 s on.
    let ends: Result<Vec<_>, _> =
        outcome.map(|outcome| outcome.processes.iter().map(|one| one.end_s).collect());
    assert_eq!(ends, Ok(vec![5.0, 6.0]));
}

#[test]
fn who_computes_when_another_thread_meets_a_region_queues_with_its_threads() {
    let predicted_s = time_s(3, 3, async |ctx| {
        OUTER
            .execute(ctx, Threads::Default, async |ctx| {
                to_3_s(ctx, ctx.tid()).await?;
                if ctx.tid() == 1 {
                    return WORK.execute(ctx, 2.0).await;
                }
                INNER
                    .execute(ctx, Threads::Of(Int(2)), async |ctx| {
                        WORK.execute(ctx, one_more(ctx.tid())).await
                    })
                    .await
            })
            .await
    });
    // Two first threads until 4 s, one second thread until 5 s, and two second threads from 4 s on.
    assert_eq!(predicted_s, 6.0);
}

/// Iterates over messages to the neighbors, rows that threads share, and a sum. Each process lets
/// others go first as often as `lets_first` says, which takes no time.
async fn hybrid(ctx: &ProcessCtx<'_>, lets_first: [u8; 6]) -> Result<(), Stopped> {
    let message = Message::bytes(8192);
    let (pid, last) = (ctx.pid(), ctx.num_processes() - 1);
    for _ in 0..3 {
        if pid > 0 {
            SEND.execute(ctx, pid - 1, message, ByMachine).await?;
        }
        if pid < last {
            SEND.execute(ctx, pid + 1, message, ByMachine).await?;
        }
        if pid > 0 {
            RECEIVE.execute(ctx, pid - 1, message, ByMachine).await?;
        }
        if pid < last {
            RECEIVE.execute(ctx, pid + 1, message, ByMachine).await?;
        }
        for _ in 0..lets_first[usize::try_from(pid.0).unwrap_or(0)] {
            ctx.hold(0.0).await?;
        }
        ROWS.execute(
            ctx,
            Threads::Default,
            5,
            Schedule::Dynamic(None),
            async |ctx, row| {
                WORK.execute(ctx, 0.25 * one_more(row)).await?;
                if row != 2 {
                    return Ok(());
                }
                INNER
                    .execute(ctx, Threads::Of(Int(2)), async |ctx| {
                        MORE.execute(ctx, 0.25).await
                    })
                    .await
            },
        )
        .await?;
        RESIDUAL.execute(ctx, 8, ByMachine).await?;
    }
    Ok(())
}

#[test]
fn queues_of_one_instant_do_not_depend_on_the_order_in_which_processes_run() {
    for processes in 1..=6 {
        for (nodes, cpus, threads) in machines() {
            let run = |lets_first| {
                let system = System::new(nodes, cpus, processes, threads);
                let outcome = Simulation::new(&MODEL, system)
                    .run(async |ctx| hybrid(ctx, lets_first).await)
                    .expect("the program ends");
                let times = |one: &ProcessOutcome| (one.end_s, one.wait_s);
                let Outcome { processes, .. } = outcome;
                processes.iter().map(times).collect::<Vec<_>>()
            };
            let expected = run([0; 6]);
            for lets_first in [[5, 4, 3, 2, 1, 0], [1, 0, 2, 0, 1, 3]] {
                let system = format!("{processes} of {threads} threads on {nodes} of {cpus}");
                assert_eq!(run(lets_first), expected, "{system}");
            }
        }
    }
}
