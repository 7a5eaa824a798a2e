//! Known answers.

use prophet_runtime::{ActionPlus, Critical, Int, Parallel, ParallelDo, Schedule, Threads};

use crate::threads::time_s;

const LOOP: ParallelDo = ParallelDo::new(0, "Loop", 1);
const TEAM: Parallel = Parallel::new(1, "Team", 2);
const WORK: ActionPlus = ActionPlus::new(2, "Work", 3);
const UPDATE: Critical = Critical::new(3, "Update", 4);

/// 16 iterations of 0.1 (i + 1) s on 4 threads with a CPU each.
fn growing(schedule: Schedule) -> f64 {
    time_s(4, 4, async |ctx| {
        LOOP.execute(ctx, Threads::Default, 16, schedule, async |ctx, i| {
            WORK.execute(ctx, 0.1 * (i + 1).real()).await
        })
        .await
    })
}

#[test]
fn a_loop_whose_iterations_grow() {
    let one = Some(Int(1));
    for (schedule, expected_s) in [
        (Schedule::Static(one), 4.0),
        (Schedule::Dynamic(one), 4.0),
        (Schedule::Dynamic(None), 4.0),
        (Schedule::Guided(one), 3.9),
        (Schedule::Guided(None), 3.9),
    ] {
        let predicted_s = growing(schedule);
        assert!(
            (predicted_s / expected_s - 1.0).abs() < 1e-9,
            "{schedule}: {predicted_s} s, not {expected_s} s"
        );
    }
}

#[test]
fn a_team_and_a_critical_section() {
    let predicted_s = time_s(4, 4, async |ctx| {
        TEAM.execute(ctx, Threads::Default, async |ctx| {
            WORK.execute(ctx, 1.0).await?;
            UPDATE.execute(ctx, UPDATE.compute(ctx, 0.5)).await
        })
        .await
    });
    assert_eq!(predicted_s, 3.0);
}
