//! Tests storages: order, waits that are dropped, and statistics.

use prophet_sim::Storage;

use crate::study::{Diary, failure, run};

#[test]
fn who_wants_few_units_does_not_overtake() {
    let (memory, diary) = (Storage::new("memory", 10), Diary::default());
    run(&(memory, diary), async |sim, (memory, diary)| {
        for (name, units) in [("a", 6), ("b", 6), ("c", 4)] {
            sim.spawn(async move |me| {
                let held = memory.allocate(&me, units).await?;
                diary.note(&me, name);
                me.hold(1.0).await?;
                held.release();
                Ok(())
            });
        }
        sim.hold(0.5).await?;
        assert_eq!((memory.available(), memory.queue_len()), (4, 2));
        sim.hold(2.0).await?;
        assert_eq!(diary.entries(), [(0.0, "a"), (1.0, "b"), (1.0, "c")]);
        Ok(())
    });
}

#[test]
fn a_first_that_gives_up_lets_those_behind_it_in() {
    let memory = Storage::new("memory", 10);
    run(&memory, async |sim, memory| {
        let held = memory.allocate(&sim, 6).await?;
        let large = sim.spawn(async |me| memory.allocate(&me, 8).await.map(drop));
        let small = sim.spawn(async |me| {
            memory.allocate(&me, 4).await?.release();
            assert_eq!(me.now_s(), 1.0);
            Ok(())
        });
        sim.hold(1.0).await?;
        large.terminate();
        small.join(&sim).await?;
        held.release();
        Ok(())
    });
    assert_eq!((memory.available(), memory.queue_len()), (10, 0));
}

#[test]
fn units_granted_to_a_wait_that_is_dropped_go_back() {
    let memory = Storage::new("memory", 4);
    run(&memory, async |sim, memory| {
        let held = memory.allocate(&sim, 4).await?;
        let granted = sim.spawn(async |me| memory.allocate(&me, 3).await.map(drop));
        sim.hold(1.0).await?;
        held.release();
        assert_eq!(memory.available(), 1);
        granted.terminate();
        assert_eq!(memory.available(), 4);
        Ok(())
    });
}

#[test]
fn units_may_be_given_back_by_another() {
    let memory = Storage::new("memory", 3);
    run(&memory, async |sim, memory| {
        memory.allocate(&sim, 2).await?.keep();
        sim.spawn(async |me| {
            me.hold(2.0).await?;
            memory.deallocate(&me, 2);
            Ok(())
        });
        let all = memory.allocate(&sim, 3).await?;
        assert_eq!((sim.now_s(), memory.available()), (2.0, 0));
        all.release();
        memory.deallocate(&sim, 7);
        Ok(())
    });
    assert_eq!(memory.available(), 3);
}

#[test]
fn its_statistics_are_those_of_units_and_of_allocations() {
    let memory = Storage::new("memory", 10);
    run(&memory, async |sim, memory| {
        for _ in 0..2 {
            sim.spawn(async |me| {
                let _held = memory.allocate(&me, 8).await?;
                me.hold(2.0).await
            });
        }
        Ok(())
    });
    let statistics = memory.statistics();
    assert_eq!((statistics.observed_s, statistics.completions), (4.0, 2));
    assert_eq!((statistics.utilization, statistics.mean_busy), (0.8, 8.0));
    assert_eq!((statistics.mean_queue, statistics.max_queue), (0.5, 1));
    assert_eq!(statistics.mean_response_s, 3.0);
    assert_eq!(statistics.throughput_per_s, 0.5);
}

#[test]
fn more_than_there_is_waits_forever() {
    let failed = failure(&Storage::new("memory", 2), async |sim, memory| {
        memory.allocate(&sim, 3).await.map(drop)
    });
    let text = failed.to_string();
    assert!(
        text.contains("process 0 waits for 3 of 2 units of storage `memory`"),
        "{text}"
    );
}
