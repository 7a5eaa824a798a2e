//! Tests buffers: both queues, and waits that are dropped.

use prophet_sim::Buffer;

use crate::study::{Diary, run};

#[test]
fn putting_and_getting_wait_for_each_other() {
    let model = (Buffer::new("belt", 3), Diary::default());
    run(&model, async |sim, (belt, diary)| {
        sim.spawn(async |me| {
            belt.put(&me, 2).await?;
            diary.note(&me, "put 2");
            belt.put(&me, 2).await?;
            diary.note(&me, "put 2 more");
            Ok(())
        });
        sim.hold(1.0).await?;
        belt.get(&sim, 1).await?;
        diary.note(&sim, "got 1");
        sim.hold(1.0).await?;
        belt.get(&sim, 3).await?;
        diary.note(&sim, "got 3");
        Ok(())
    });
    let expected = [
        (0.0, "put 2"),
        (1.0, "got 1"),
        (1.0, "put 2 more"),
        (2.0, "got 3"),
    ];
    assert_eq!(model.1.entries(), expected);
}

#[test]
fn a_get_of_many_is_not_overtaken_and_may_give_up() {
    let belt = Buffer::with_tokens("belt", 5, 1);
    run(&belt, async |sim, belt| {
        let many = sim.spawn(async |me| belt.get(&me, 4).await);
        let few = sim.spawn(async |me| belt.get(&me, 1).await);
        sim.hold(1.0).await?;
        assert_eq!((belt.len(), belt.queue_len()), (1, 2));
        many.terminate();
        few.join(&sim).await?;
        assert_eq!((belt.len(), sim.now_s()), (0, 1.0));
        Ok(())
    });
}

#[test]
fn tokens_granted_to_a_get_that_is_dropped_go_back() {
    let belt = Buffer::new("belt", 2);
    run(&belt, async |sim, belt| {
        let first = sim.spawn(async |me| belt.get(&me, 2).await);
        let second = sim.spawn(async |me| belt.get(&me, 2).await);
        sim.hold(1.0).await?;
        belt.put(&sim, 2).await?;
        first.terminate();
        second.join(&sim).await?;
        assert_eq!((belt.len(), belt.queue_len()), (0, 0));
        Ok(())
    });
    assert_eq!(belt.statistics().completions, 1);
}

#[test]
fn a_put_whose_wait_is_dropped_after_there_was_room_has_put() {
    let belt = Buffer::with_tokens("belt", 1, 1);
    run(&belt, async |sim, belt| {
        let putting = sim.spawn(async |me| belt.put(&me, 1).await);
        sim.hold(1.0).await?;
        belt.get(&sim, 1).await?;
        putting.terminate();
        assert_eq!(belt.len(), 1);
        Ok(())
    });
    let statistics = belt.statistics();
    assert_eq!((statistics.utilization, statistics.completions), (1.0, 1));
}
