//! The constructs that a team shares (loops, sections, singles, barriers), and those that it does
//! not.

use std::cell::RefCell;

use prophet_runtime::{
    ActionPlus, Atomic, Critical, Int, Master, OmpBarrier, Parallel, ParallelDo, ParallelSections,
    ProcessCtx, Schedule, Single, Stopped, Threads,
};

use crate::threads::{run, time_s};

const TEAM: Parallel = Parallel::new(0, "Team", 1);
const WORK: ActionPlus = ActionPlus::new(1, "Work", 2);
const LOOP: ParallelDo = ParallelDo::new(2, "Loop", 3);
const PARTS: ParallelSections = ParallelSections::new(3, "Parts", 4);
const INNER: ParallelSections = ParallelSections::new(11, "Inner", 12);
const ONCE: Single = Single::new(4, "Once", 5);
const FIRST: Master = Master::new(5, "First", 6);
const MEET: OmpBarrier = OmpBarrier::new(6, "Meet", 7);
const COUNT: Atomic = Atomic::new(7, "Count", 8);
const UPDATE: Critical = Critical::new(8, "Update", 9);
const OTHER: Critical = Critical::new(9, "Other", 10);
const NAMED: Critical = Critical::new(10, "Named", 11).named(1);

#[test]
fn a_loop_within_a_team_ends_with_a_barrier_and_can_be_repeated() {
    let outcome = run(4, 4, async |ctx| {
        TEAM.execute(ctx, Threads::Default, async |ctx| {
            for _ in 0..3 {
                LOOP.execute(
                    ctx,
                    Threads::Default,
                    6,
                    Schedule::Dynamic(None),
                    async |ctx, _| WORK.execute(ctx, 1.0).await,
                )
                .await?;
            }
            Ok(())
        })
        .await
    })
    .expect("the loops end");
    assert_eq!(outcome.predicted_time_s, 6.0);
    let process = &outcome.processes[0];
    assert_eq!((process.compute_s, process.wait_s), (18.0 / 4.0, 6.0 / 4.0));
    let count = |name| {
        outcome
            .elements
            .iter()
            .find(|e| e.name == name)
            .map(|e| e.count)
    };
    assert_eq!((count("Loop"), count("Work")), (Some(12), Some(18)));
}

#[test]
fn a_loop_within_a_team_that_asks_for_threads_has_a_new_team() {
    let predicted_s = time_s(2, 8, async |ctx| {
        TEAM.execute(ctx, Threads::Default, async |ctx| {
            let threads = Threads::Of(Int(4));
            LOOP.execute(ctx, threads, 4, Schedule::Static(None), async |ctx, _| {
                WORK.execute(ctx, 1.0).await
            })
            .await
        })
        .await
    });
    assert_eq!(predicted_s, 1.0);
}

#[test]
fn sections_go_to_who_is_free_the_lowest_first() {
    let ran = RefCell::new(Vec::new());
    let predicted_s = time_s(3, 3, async |ctx| {
        TEAM.execute(ctx, Threads::Default, async |ctx| {
            PARTS
                .execute(ctx, Threads::Default, 6, async |ctx, section| {
                    ran.borrow_mut().push((section, ctx.tid().0));
                    WORK.execute(ctx, [2.0, 1.0, 1.0, 2.0, 1.0, 1.0][section as usize])
                        .await
                })
                .await?;
            WORK.execute(ctx, 1.0).await
        })
        .await
    });
    // At 2 s threads 0 and 2 are free.
    assert_eq!(
        ran.into_inner(),
        [(0, 0), (1, 1), (2, 2), (3, 1), (4, 2), (5, 0)]
    );
    assert_eq!(predicted_s, 4.0);
}

#[test]
fn a_section_that_takes_no_time_leaves_the_next_ones_to_the_others() {
    let ran = RefCell::new(Vec::new());
    let predicted_s = time_s(3, 3, async |ctx| {
        PARTS
            .execute(ctx, Threads::Default, 4, async |ctx, section| {
                ran.borrow_mut().push((section, ctx.tid().0));
                if section == 0 {
                    return Ok(());
                }
                WORK.execute(ctx, 1.0).await
            })
            .await
    });
    // Thread 0 asks again at 0 s, when the others have got theirs.
    assert_eq!(ran.into_inner(), [(0, 0), (1, 1), (2, 2), (3, 0)]);
    assert_eq!(predicted_s, 1.0);
}

/// Sections that take no time.
async fn free(ctx: &ProcessCtx<'_>, sections: u32) -> Result<(), Stopped> {
    let threads = Threads::Of(Int(2));
    INNER
        .execute(ctx, threads, sections, async |_, _| Ok(()))
        .await
}

#[test]
fn parts_given_at_one_time_are_gone_before_their_threads_run() {
    let ran = RefCell::new(Vec::new());
    let predicted_s = time_s(2, 4, async |ctx| {
        PARTS
            .execute(ctx, Threads::Default, 4, async |ctx, section| {
                ran.borrow_mut().push((section, ctx.tid().0));
                match section {
                    // Its second section is given to another thread when the first one ends.
                    0 => free(ctx, 2).await,
                    1 => free(ctx, 1).await,
                    _ => WORK.execute(ctx, 1.0).await,
                }
            })
            .await
    });
    // Both threads ask again when their sections are given away.
    assert_eq!(ran.into_inner(), [(0, 0), (1, 1), (2, 0), (3, 1)]);
    assert_eq!(predicted_s, 1.0);
}

#[test]
fn a_section_that_is_given_up_is_run_by_another_thread() {
    let ran = RefCell::new(Vec::new());
    let outcome = run(2, 2, async |ctx| {
        TEAM.execute(ctx, Threads::Default, async |ctx| {
            let mut sections =
                Box::pin(
                    PARTS.execute(ctx, Threads::Default, 2, async |ctx, section| {
                        ran.borrow_mut().push((section, ctx.tid().0));
                        Ok(())
                    }),
                );
            if ctx.tid() == 0 {
                return sections.await;
            }
            // Thread 1 gives up when it has asked.
            std::future::poll_fn(|cx| {
                let _ = sections.as_mut().poll(cx);
                std::task::Poll::Ready(())
            })
            .await;
            drop(sections);
            ctx.hold(1.0).await
        })
        .await
    });
    assert!(outcome.is_err(), "thread 0 waits at the end: {outcome:?}");
    assert_eq!(ran.into_inner(), [(0, 0), (1, 0)]);
}

#[test]
fn a_single_is_run_by_the_lowest_of_those_that_come_first() {
    let ran = RefCell::new(Vec::new());
    let predicted_s = time_s(4, 4, async |ctx| {
        TEAM.execute(ctx, Threads::Default, async |ctx| {
            for late in [0, 1, 0] {
                // All but one come at the same time; the older holds are resumed first.
                if ctx.tid() == late {
                    ctx.hold(0.5).await?;
                }
                ctx.hold(0.5).await?;
                let content = async {
                    ran.borrow_mut().push(ctx.tid().0);
                    ctx.hold(1.0).await
                };
                ONCE.execute(ctx, content).await?;
            }
            Ok(())
        })
        .await
    });
    assert_eq!(ran.into_inner(), [1, 0, 1]);
    assert_eq!(predicted_s, 4.5);
}

#[test]
fn a_master_is_run_by_thread_0_and_nobody_waits() {
    let outcome = run(3, 3, async |ctx| {
        TEAM.execute(ctx, Threads::Default, async |ctx| {
            FIRST.execute(ctx, FIRST.compute(ctx, 5.0)).await?;
            WORK.execute(ctx, 1.0).await
        })
        .await
    })
    .expect("the team ends");
    assert_eq!(
        (outcome.predicted_time_s, outcome.processes[0].compute_s),
        (6.0, 8.0 / 3.0)
    );
    assert_eq!(outcome.processes[0].wait_s, 10.0 / 3.0);
}

#[test]
fn a_barrier_lets_all_go_on_when_the_last_has_come() {
    let outcome = run(3, 3, async |ctx| {
        TEAM.execute(ctx, Threads::Default, async |ctx| {
            for round in 0..3_i64 {
                let is_late = ctx.tid() == round;
                WORK.execute(ctx, if is_late { 2.0 } else { 1.0 }).await?;
                MEET.execute(ctx).await?;
                assert_eq!(ctx.now_s(), 2.0 * (Int(round) + 1).real());
            }
            Ok(())
        })
        .await
    })
    .expect("the team ends");
    assert_eq!(outcome.processes[0].wait_s, 6.0 / 3.0);
}

#[test]
fn criticals_exclude_each_other_by_their_names_and_processes() {
    let time_s = |threads: u32, one: Critical, other: Critical| {
        time_s(threads, threads, async |ctx| {
            TEAM.execute(ctx, Threads::Default, async |ctx| {
                let critical = if ctx.tid() == 0 { one } else { other };
                critical.execute(ctx, critical.compute(ctx, 1.0)).await
            })
            .await
        })
    };
    assert_eq!(time_s(3, UPDATE, OTHER), 3.0);
    assert_eq!(time_s(3, UPDATE, NAMED), 2.0);
    assert_eq!(time_s(2, UPDATE, NAMED), 1.0);
}

#[test]
fn who_gets_a_section_may_ask_for_a_lock_at_that_instant() {
    let had = RefCell::new(Vec::new());
    let predicted_s = time_s(3, 3, async |ctx| {
        let update = async |ctx: &ProcessCtx<'_>, seconds| {
            let content = async {
                had.borrow_mut().push(ctx.tid().0);
                WORK.execute(ctx, seconds).await
            };
            UPDATE.execute(ctx, content).await
        };
        PARTS
            .execute(
                ctx,
                Threads::Default,
                4,
                async |ctx, section| match section {
                    0 => WORK.execute(ctx, 1.5).await,
                    1 => WORK.execute(ctx, 0.25).await,
                    2 => {
                        WORK.execute(ctx, 0.25).await?;
                        update(ctx, 0.5).await
                    }
                    _ => update(ctx, 1.0).await,
                },
            )
            .await
    });
    // Thread 1 gets the last section when thread 2 asks for the lock.
    assert_eq!((had.into_inner(), predicted_s), (vec![1, 2], 1.75));
}

#[test]
fn an_atomic_has_a_lock_for_itself() {
    let predicted_s = time_s(4, 4, async |ctx| {
        TEAM.execute(ctx, Threads::Default, async |ctx| {
            COUNT.execute(ctx, COUNT.compute(ctx, 0.5)).await?;
            UPDATE.execute(ctx, UPDATE.compute(ctx, 0.5)).await
        })
        .await
    });
    assert_eq!(predicted_s, 2.5);
}

#[test]
fn a_lock_that_is_dropped_is_passed_on() {
    // Thread 1 gives up while it waits, thread 0 while it is inside.
    let ends = RefCell::new(Vec::new());
    let outcome = run(3, 3, async |ctx| {
        TEAM.execute(ctx, Threads::Default, async |ctx| {
            let tid = ctx.tid();
            let mut critical = Box::pin(UPDATE.execute(ctx, async { ctx.hold(10.0).await }));
            let mut polls = 0;
            let give_up_after = if tid == 0 { 3 } else { 1 };
            std::future::poll_fn(|cx| {
                polls += 1;
                if tid < 2 && polls > give_up_after {
                    return std::task::Poll::Ready(Ok(()));
                }
                critical.as_mut().poll(cx)
            })
            .await?;
            drop(critical);
            ends.borrow_mut().push((tid.0, ctx.now_s()));
            Ok(())
        })
        .await
    });
    assert!(outcome.is_ok(), "{outcome:?}");
    assert_eq!(ends.into_inner(), [(1, 0.0), (0, 10.0), (2, 20.0)]);
}

#[test]
fn outside_of_a_team_a_thread_is_alone() {
    let predicted_s = time_s(4, 4, async |ctx| {
        MEET.execute(ctx).await?;
        ONCE.execute(ctx, ONCE.compute(ctx, 1.0)).await?;
        FIRST.execute(ctx, FIRST.compute(ctx, 1.0)).await?;
        COUNT.execute(ctx, COUNT.compute(ctx, 1.0)).await?;
        UPDATE.execute(ctx, UPDATE.compute(ctx, 1.0)).await
    });
    assert_eq!(predicted_s, 4.0);
}
