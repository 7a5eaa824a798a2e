//! Tests processor sharing: known answers, exact ends, and services that are dropped.

use prophet_sim::SharedFacility;

use crate::study::{Diary, run};

/// Returns when jobs end on `servers` servers, given their (start, service).
fn ends(servers: u32, jobs: &[(f64, f64)]) -> Vec<f64> {
    let model = (SharedFacility::new("cpus", servers), Diary::default(), jobs);
    run(&model, async |sim, (cpus, diary, jobs)| {
        for (start_s, service_s) in *jobs {
            sim.spawn(async move |me| {
                me.hold(*start_s).await?;
                cpus.use_for(&me, *service_s).await?;
                diary.note(&me, "end");
                Ok(())
            });
        }
        Ok(())
    });
    assert_eq!(model.0.users(), 0);
    model.1.entries().iter().map(|entry| entry.0).collect()
}

fn close(ends: &[f64], expected: &[f64]) -> bool {
    let pairs = ends.iter().zip(expected);
    ends.len() == expected.len() && { pairs }.all(|(a, b)| (a - b).abs() < 1e-12)
}

#[test]
fn the_known_answers() {
    assert_eq!(ends(2, &[(0.0, 1.0); 3]), [1.5, 1.5, 1.5]);
    let three = ends(2, &[(0.0, 1.0), (0.0, 2.0), (0.0, 3.0)]);
    assert!(close(&three, &[1.5, 2.5, 3.5]), "{three:?}");
    // The first job is alone for 1 s, then shares for 2 s, and is alone again for the rest.
    let late = ends(1, &[(0.0, 3.0), (1.0, 1.0)]);
    assert!(close(&late, &[3.0, 4.0]), "{late:?}");
}

#[test]
fn who_is_never_slowed_down_ends_in_one_addition() {
    let jobs = [(0.1, 0.7), (0.3, 1.9), (7.7, 0.1)];
    assert_eq!(ends(2, &jobs), [0.1 + 0.7, 0.3 + 1.9, 7.7 + 0.1]);
}

#[test]
fn no_service_ends_at_once_and_ties_in_their_order() {
    let three = ends(1, &[(1.0, 0.0), (1.0, 2.0), (2.0, 0.0)]);
    assert_eq!(three, [1.0, 2.0, 3.0]);
}

#[test]
fn a_dropped_service_leaves_the_servers_to_the_others() {
    let cpu = SharedFacility::new("cpu", 1);
    let study = run(&cpu, async |sim, cpu| {
        let dropped = sim.spawn(async |me| cpu.use_for(&me, 1.0).await);
        let other = sim.spawn(async |me| cpu.use_for(&me, 2.0).await);
        sim.hold(1.0).await?;
        assert_eq!(cpu.users(), 2);
        dropped.terminate();
        other.join(&sim).await
    });
    assert_eq!(study.end_s, 2.5);
    let statistics = cpu.statistics();
    assert_eq!((statistics.utilization, statistics.completions), (1.0, 2));
    assert_eq!(statistics.mean_queue, 0.4);
}
