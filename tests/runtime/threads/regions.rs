//! Regions: who runs them, as which thread, on which CPUs.

use std::cell::{Cell, RefCell};

use prophet_runtime::{
    ActionPlus, CpuDiscipline, Fault, FaultKind, Fork, Int, Parallel, ParallelDo, Schedule,
    Simulation, System, Threads, WaitPolicy,
};

use crate::threads::{MODEL, run, time_s};

const OUTER: Parallel = Parallel::new(0, "Outer", 1);
const INNER: Parallel = Parallel::new(1, "Inner", 2);
const WORK: ActionPlus = ActionPlus::new(2, "Work", 3);
const FORK: Fork = Fork::new(3, "Fork", 4);
const LOOP: ParallelDo = ParallelDo::new(4, "Loop", 5);

fn of(threads: i64) -> Threads {
    Threads::Of(Int(threads))
}

#[test]
fn a_thread_knows_its_number_its_process_and_its_unit() {
    let seen = RefCell::new(Vec::new());
    let mut system = System::new(2, 3, 2, 3);
    system.mapping = vec![1, 0];
    let outcome = Simulation::new(&MODEL, system).run(async |ctx| {
        OUTER
            .execute(ctx, Threads::Default, async |ctx| {
                let place = [
                    ctx.pid(),
                    ctx.tid(),
                    ctx.uid(),
                    ctx.nid(),
                    ctx.num_threads(),
                ];
                seen.borrow_mut().push(place.map(|number| number.0));
                Ok(())
            })
            .await?;
        assert_eq!(ctx.tid(), 0);
        Ok(())
    });
    assert!(outcome.is_ok(), "{outcome:?}");
    let mut seen = seen.into_inner();
    // The first thread of each process goes on immediately, the others follow.
    assert_eq!(seen[..2], [[0, 0, 0, 1, 3], [1, 0, 3, 0, 3]]);
    seen.sort_unstable();
    let expected: Vec<_> = (0..2)
        .flat_map(|pid| (0..3).map(move |tid| [pid, tid, pid * 3 + tid, 1 - pid, 3]))
        .collect();
    assert_eq!(seen, expected);
}

#[test]
fn a_region_within_a_region_has_a_team_of_its_own() {
    let seen = RefCell::new(Vec::new());
    let outcome = run(2, 6, async |ctx| {
        OUTER
            .execute(ctx, Threads::Default, async |ctx| {
                let outer = ctx.tid().0;
                INNER
                    .execute(ctx, of(3), async |ctx| {
                        WORK.execute(ctx, 1.0 + ctx.tid().real()).await?;
                        seen.borrow_mut().push((outer, ctx.tid().0, ctx.now_s()));
                        Ok(())
                    })
                    .await?;
                assert_eq!(ctx.tid().0, outer);
                WORK.execute(ctx, 1.0).await
            })
            .await
    });
    assert_eq!(outcome.map(|outcome| outcome.predicted_time_s), Ok(4.0));
    let mut seen = seen.into_inner();
    seen.sort_by_key(|(outer, inner, _)| (*outer, *inner));
    let expected = [
        (0, 0, 1.0),
        (0, 1, 2.0),
        (0, 2, 3.0),
        (1, 0, 1.0),
        (1, 1, 2.0),
        (1, 2, 3.0),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn threads_of_a_process_queue_for_its_cpus_by_their_numbers() {
    let ends = RefCell::new([0.0; 4]);
    let outcome = run(4, 2, async |ctx| {
        OUTER
            .execute(ctx, Threads::Default, async |ctx| {
                WORK.execute(ctx, 1.0).await?;
                ends.borrow_mut()[usize::try_from(ctx.tid().0).expect("few")] = ctx.now_s();
                Ok(())
            })
            .await
    });
    let process = &outcome.expect("the region ends").processes[0];
    assert_eq!(ends.into_inner(), [1.0, 1.0, 2.0, 2.0]);
    // Two waited for a CPU for 1 s, and two at the end for the others.
    assert_eq!((process.compute_s, process.wait_s), (1.0, 1.0));
    assert_eq!(process.end_s, 2.0);
}

#[test]
fn a_team_that_comes_makes_its_node_crowded_for_others() {
    let outcome = Simulation::new(&MODEL, System::new(1, 2, 2, 1)).run(async |ctx| {
        if ctx.pid() == 0 {
            WORK.execute(ctx, 1.0).await?;
            OUTER
                .execute(ctx, of(2), async |ctx| WORK.execute(ctx, 1.0).await)
                .await?;
            return WORK.execute(ctx, 1.0).await;
        }
        for _ in 0..4 {
            WORK.execute(ctx, 1.0).await?;
        }
        Ok(())
    });
    let outcome = outcome.expect("the program ends");
    let ends: Vec<f64> = outcome
        .processes
        .iter()
        .map(|process| process.end_s)
        .collect();
    // From 1 s to 2 s the team has both CPUs, since it asks with the lower pid.
    assert_eq!(ends, [3.0, 5.0]);
}

#[test]
fn branches_are_threads_with_the_numbers_of_the_branches() {
    let order = RefCell::new(Vec::new());
    let outcome = run(1, 1, async |ctx| {
        FORK.execute(ctx, 3, async |ctx, branch| {
            assert_eq!(ctx.tid().0, i64::from(branch));
            WORK.execute(ctx, 1.0).await?;
            order.borrow_mut().push(branch);
            Ok(())
        })
        .await
    });
    assert_eq!(outcome.map(|outcome| outcome.predicted_time_s), Ok(3.0));
    assert_eq!(order.into_inner(), [0, 1, 2]);
}

#[test]
fn a_loop_in_a_branch_has_a_team_of_its_own() {
    let predicted_s = time_s(3, 4, async |ctx| {
        FORK.execute(ctx, 2, async |ctx, branch| match branch {
            0 => WORK.execute(ctx, 1.0).await,
            _ => {
                LOOP.execute(
                    ctx,
                    Threads::Default,
                    3,
                    Schedule::Static(None),
                    async |ctx, _| WORK.execute(ctx, 2.0).await,
                )
                .await
            }
        })
        .await
    });
    assert_eq!(predicted_s, 2.0);
}

#[test]
fn units_of_threads_are_used_again() {
    let outcome = run(3, 3, async |ctx| {
        for _ in 0..2000 {
            OUTER
                .execute(ctx, Threads::Default, async |ctx| ctx.hold(1.0).await)
                .await?;
        }
        // The largest number of threads at a time, 4,194,304, could not exist 2,000 times.
        OUTER
            .execute(ctx, of(60_000), async |ctx| ctx.hold(1.0).await)
            .await
    });
    assert_eq!(outcome.map(|outcome| outcome.predicted_time_s), Ok(2001.0));
}

#[test]
fn the_first_error_ends_the_region_and_the_others_are_dropped_before() {
    /// Counts its drops.
    struct Dropped<'a>(&'a Cell<u32>);
    impl Drop for Dropped<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }
    let dropped = Cell::new(0);
    let failure = run(4, 4, async |ctx| {
        let result = OUTER
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
fn times_of_a_process_are_the_means_of_its_threads() {
    let outcome = run(3, 3, async |ctx| {
        OUTER
            .execute(ctx, Threads::Default, async |ctx| {
                WORK.execute(ctx, 1.0 + ctx.tid().real()).await
            })
            .await?;
        WORK.execute(ctx, 1.0).await
    })
    .expect("the program ends");
    let process = &outcome.processes[0];
    assert_eq!(
        (process.compute_s, process.wait_s, process.end_s),
        (2.0 + 1.0, 1.0, 4.0)
    );
    let elements: Vec<_> = outcome
        .elements
        .iter()
        .map(|e| (&*e.name, e.count, e.total_s))
        .collect();
    assert_eq!(elements, [("Outer", 1, 3.0), ("Work", 4, 7.0)]);
    let shares: Vec<_> = outcome.elements.iter().map(|e| e.share).collect();
    assert_eq!(shares, [3.0 / 4.0, (2.0 + 1.0) / 4.0]);
}

/// Ends of 3 threads that compute 1 s, 2 s and 3 s on 2 CPUs.
fn ends_on_two_cpus(discipline: CpuDiscipline, wait_policy: WaitPolicy) -> [f64; 3] {
    let ends = RefCell::new([0.0; 3]);
    let mut system = System::new(1, 2, 1, 3);
    (system.discipline, system.wait_policy) = (discipline, wait_policy);
    let outcome = Simulation::new(&MODEL, system).run(async |ctx| {
        OUTER
            .execute(ctx, Threads::Default, async |ctx| {
                WORK.execute(ctx, 1.0 + ctx.tid().real()).await?;
                ends.borrow_mut()[usize::try_from(ctx.tid().0).expect("few")] = ctx.now_s();
                Ok(())
            })
            .await
    });
    assert_eq!(
        outcome.map(|outcome| outcome.processes[0].compute_s),
        Ok(6.0 / 3.0)
    );
    ends.into_inner()
}

#[test]
fn threads_share_cpus_by_the_discipline() {
    let ends = |discipline| ends_on_two_cpus(discipline, WaitPolicy::Release);
    assert_eq!(ends(CpuDiscipline::Fcfs), [1.0, 2.0, 4.0]);
    assert_eq!(ends(CpuDiscipline::ProcessorSharing), [1.5, 2.5, 3.5]);
    let round_robin = CpuDiscipline::RoundRobin { quantum_s: 0.5 };
    // At 0.5 s the last and the first go on, at 1 s the second and the last.
    assert_eq!(ends(round_robin), [1.0, 2.5, 3.5]);
}

#[test]
fn a_thread_that_holds_a_cpu_for_good_starts_when_it_has_one() {
    // The first thread's CPU is its process's.
    let ends = ends_on_two_cpus(CpuDiscipline::Fcfs, WaitPolicy::Hold);
    assert_eq!(ends, [1.0, 2.0, 5.0]);
}
