//! Tests facilities: disciplines, preemption and resumption, turns, and statistics.

use prophet_sim::{Discipline, Facility, Process, Stopped};

use crate::study::{Diary, failure, run};

type Model = (Facility, Diary);

fn model(servers: u32, discipline: Discipline) -> Model {
    let desk = Facility::with_discipline("desk", servers, discipline);
    (desk, Diary::default())
}

/// Arrives at a given time, uses the desk, and records when it ends.
async fn customer(
    me: Process<'_>,
    (desk, diary): &Model,
    name: &'static str,
    (start_s, service_s, priority): (f64, f64, i32),
) -> Result<(), Stopped> {
    me.hold(start_s).await?;
    me.set_priority(priority);
    desk.use_for(&me, service_s).await?;
    diary.note(&me, name);
    Ok(())
}

/// Returns when customers end, given their (start, service, priority).
fn ends(
    servers: u32,
    discipline: Discipline,
    customers: &[(&'static str, (f64, f64, i32))],
) -> Vec<(f64, &'static str)> {
    let model = (model(servers, discipline), customers);
    run(&model, async |sim, (model, customers)| {
        for (name, times) in *customers {
            sim.spawn(move |me| customer(me, model, name, *times));
        }
        Ok(())
    });
    let (desk, diary) = &model.0;
    assert_eq!((desk.free(), desk.queue_len()), (servers, 0));
    diary.entries()
}

#[test]
fn priorities_order_the_queue_and_do_not_preempt() {
    let customers = [
        ("serving", (0.0, 2.0, 0)),
        ("low", (0.5, 1.0, 1)),
        ("high", (1.0, 1.0, 9)),
        ("high too", (1.5, 1.0, 9)),
    ];
    assert_eq!(
        ends(1, Discipline::Priority, &customers),
        [
            (2.0, "serving"),
            (3.0, "high"),
            (4.0, "high too"),
            (5.0, "low")
        ]
    );
    assert_eq!(
        ends(1, Discipline::Fcfs, &customers),
        [
            (2.0, "serving"),
            (3.0, "low"),
            (4.0, "high"),
            (5.0, "high too")
        ]
    );
}

#[test]
fn who_is_preempted_resumes_where_it_was_ahead_of_its_equals() {
    let customers = [
        ("low", (0.0, 4.0, 0)),
        ("equal", (0.5, 1.0, 0)),
        ("high", (1.0, 2.0, 1)),
        ("higher", (2.0, 1.0, 2)),
    ];
    // 0-1 low, 1-2 high, 2-3 higher, 3-4 high, 4-7 low, 7-8 equal.
    assert_eq!(
        ends(1, Discipline::Preemptive, &customers),
        [(3.0, "higher"), (4.0, "high"), (7.0, "low"), (8.0, "equal")]
    );
}

#[test]
fn of_several_the_lowest_and_latest_is_preempted() {
    let customers = [
        ("older", (0.0, 4.0, 0)),
        ("younger", (1.0, 4.0, 0)),
        ("middle", (1.0, 0.5, 1)),
        ("high", (2.0, 1.0, 5)),
    ];
    // Two servers: middle takes younger's server at 1 and returns it at 1.5. High takes it at 2.
    assert_eq!(
        ends(2, Discipline::Preemptive, &customers),
        [
            (1.5, "middle"),
            (3.0, "high"),
            (4.0, "older"),
            (6.5, "younger")
        ]
    );
}

#[test]
fn a_service_that_ends_at_the_instant_is_not_preempted() {
    let customers = [("low", (0.0, 2.0, 0)), ("high", (2.0, 1.0, 5))];
    let expected = [(2.0, "low"), (3.0, "high")];
    assert_eq!(ends(1, Discipline::Preemptive, &customers), expected);
    // The arrival is scheduled before the end.
    let customers = [("high", (2.0, 1.0, 5)), ("low", (0.0, 2.0, 0))];
    assert_eq!(ends(1, Discipline::Preemptive, &customers), expected);
}

#[test]
fn a_preempted_wait_may_be_dropped_and_a_reserved_server_is_kept() {
    run(&model(1, Discipline::Preemptive), async |sim, (desk, _)| {
        let low = sim.spawn(async |me| {
            assert!(me.timeout(3.0, desk.use_for(&me, 5.0)).await?.is_none());
            assert_eq!(me.now_s(), 3.0);
            Ok(())
        });
        sim.hold(1.0).await?;
        sim.set_priority(1);
        // Takes the low process's server, and keeps it from the higher one.
        let server = desk.reserve(&sim).await?;
        assert_eq!((sim.now_s(), desk.queue_len()), (1.0, 1));
        let high = sim.spawn(async |me| {
            me.set_priority(7);
            desk.use_for(&me, 1.0).await?;
            assert_eq!(me.now_s(), 5.0);
            Ok(())
        });
        sim.hold(3.0).await?;
        assert!(low.has_ended());
        server.release();
        high.join(&sim).await
    });
}

#[test]
fn turns_go_round() {
    let quantum = Discipline::RoundRobin { quantum_s: 1.0 };
    let customers = [
        ("a", (0.0, 3.0, 0)),
        ("b", (0.0, 1.0, 0)),
        ("c", (0.0, 2.0, 0)),
    ];
    // a b c a c a
    assert_eq!(
        ends(1, quantum, &customers),
        [(2.0, "b"), (5.0, "c"), (6.0, "a")]
    );
    // Two servers: a and b, then c on b's server after b has ended, and a again without a pause.
    assert_eq!(
        ends(2, quantum, &customers),
        [(1.0, "b"), (3.0, "c"), (3.0, "a")]
    );
}

#[test]
fn turns_begin_when_somebody_waits_and_an_arrival_precedes_their_end() {
    let quantum = Discipline::RoundRobin { quantum_s: 1.0 };
    // a is alone until 2.5. Its turn that began at 2 ends at 3.
    let customers = [("a", (0.0, 4.0, 0)), ("b", (2.5, 1.0, 0))];
    assert_eq!(ends(1, quantum, &customers), [(4.0, "b"), (5.0, "a")]);
    // b arrives when a turn of a ends, and is served immediately.
    let customers = [("a", (0.0, 4.0, 0)), ("b", (2.0, 1.0, 0))];
    assert_eq!(ends(1, quantum, &customers), [(3.0, "b"), (5.0, "a")]);
    // c arrives when b's turn ends, and goes first.
    let customers = [
        ("a", (0.0, 2.0, 0)),
        ("b", (0.0, 2.0, 0)),
        ("c", (2.0, 0.5, 0)),
    ];
    // a 0-1, b 1-2. Then a, c, and b are queued.
    assert_eq!(
        ends(1, quantum, &customers),
        [(3.0, "a"), (3.5, "c"), (4.5, "b")]
    );
}

#[test]
fn a_service_alone_ends_in_one_addition() {
    for discipline in [
        Discipline::Fcfs,
        Discipline::Preemptive,
        Discipline::RoundRobin { quantum_s: 0.1 },
    ] {
        let customers = [("a", (0.7, 1.1, 0)), ("b", (9.3, 0.3, 0))];
        let expected = [(0.7 + 1.1, "a"), (9.3 + 0.3, "b")];
        assert_eq!(ends(1, discipline, &customers), expected);
    }
}

#[test]
fn a_turn_that_is_dropped_passes_the_server_on() {
    let quantum = Discipline::RoundRobin { quantum_s: 1.0 };
    run(&model(1, quantum), async |sim, (desk, _)| {
        let first = sim.spawn(async |me| desk.use_for(&me, 10.0).await);
        let second = sim.spawn(async |me| {
            desk.use_for(&me, 2.0).await?;
            assert_eq!(me.now_s(), 3.5);
            Ok(())
        });
        sim.hold(2.5).await?;
        first.terminate();
        second.join(&sim).await
    });
}

#[test]
fn a_quantum_is_a_positive_time() {
    let broken = model(1, Discipline::RoundRobin { quantum_s: 0.0 });
    let failed = failure(&broken, async |sim, (desk, _)| {
        desk.use_for(&sim, 1.0).await
    });
    assert_eq!(
        failed.to_string(),
        "the quantum of facility `desk` is 0 s, but must be above 0"
    );
}

#[test]
fn statistics_are_areas_over_time_and_begin_anew() {
    let desk = Facility::new("desk", 2);
    run(&desk, async |sim, desk| {
        for _ in 0..3 {
            sim.spawn(async |me| desk.use_for(&me, 2.0).await);
        }
        sim.hold(8.0).await
    });
    let statistics = desk.statistics();
    assert_eq!((statistics.observed_s, statistics.completions), (8.0, 3));
    assert_eq!(
        (statistics.utilization, statistics.mean_busy),
        (0.375, 0.75)
    );
    assert_eq!((statistics.mean_queue, statistics.max_queue), (0.25, 1));
    assert_eq!(statistics.throughput_per_s, 0.375);
    assert_eq!(statistics.mean_wait_s, 2.0 / 3.0);
    assert_eq!(statistics.mean_response_s, 8.0 / 3.0);
}

#[test]
fn statistics_begin_anew_after_a_warm_up() {
    let desk = Facility::new("desk", 1);
    run(&desk, async |sim, desk| {
        desk.use_for(&sim, 4.0).await?;
        desk.reset_statistics(&sim);
        sim.hold(1.0).await?;
        assert_eq!(desk.statistics().observed_s, 1.0);
        desk.use_for(&sim, 3.0).await?;
        sim.hold(4.0).await
    });
    let statistics = desk.statistics();
    assert_eq!(
        (statistics.observed_s, statistics.utilization),
        (8.0, 0.375)
    );
    assert_eq!(statistics.completions, 1);
}

#[test]
fn a_facility_that_is_first_used_after_the_warm_up_was_observed_from_then_on() {
    let desk = Facility::new("desk", 1);
    run(&desk, async |sim, desk| {
        sim.hold(6.0).await?;
        desk.reset_statistics(&sim);
        sim.hold(2.0).await?;
        desk.use_for(&sim, 2.0).await
    });
    let statistics = desk.statistics();
    assert_eq!((statistics.observed_s, statistics.utilization), (4.0, 0.5));
}

#[test]
fn a_free_server_can_be_tried_for() {
    run(&Facility::new("desk", 1), async |sim, desk| {
        let server = desk.try_reserve(&sim);
        assert!(server.is_some() && desk.try_reserve(&sim).is_none());
        drop(server);
        assert_eq!(desk.free(), 1);
        Ok(())
    });
}

#[test]
fn statistics_are_those_of_the_last_run_and_asking_changes_nothing() {
    let desk = Facility::new("desk", 1);
    assert_eq!(desk.statistics().observed_s, 0.0);
    for served_s in [4.0, 2.0] {
        run(&desk, async |sim, desk| {
            desk.use_for(&sim, served_s).await?;
            assert_eq!(desk.statistics().utilization, 1.0);
            sim.hold(served_s).await?;
            assert_eq!(desk.statistics().observed_s, 2.0 * served_s);
            Ok(())
        });
        // Another run that doesn't use the desk doesn't change its statistics.
        run(&(), async |sim, ()| sim.hold(100.0).await);
        let statistics = desk.statistics();
        assert_eq!(statistics.observed_s, 2.0 * served_s);
        assert_eq!((statistics.utilization, statistics.completions), (0.5, 1));
        assert_eq!(desk.statistics(), statistics);
    }
}
