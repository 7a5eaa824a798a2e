//! Tests conditions: order, places in the queue, and state that changes before a waiting process
//! runs.

use std::cell::Cell;

use prophet_sim::Condition;

use crate::study::{Diary, run};

#[derive(Debug)]
struct Shelf {
    parts: Cell<u32>,
    changed: Condition,
    diary: Diary,
}

fn shelf() -> Shelf {
    Shelf {
        parts: Cell::new(0),
        changed: Condition::new("shelf"),
        diary: Diary::default(),
    }
}

#[test]
fn who_goes_on_changes_the_state_for_those_behind() {
    let shelf = shelf();
    run(&shelf, async |sim, shelf| {
        for (name, wanted) in [("many", 5), ("few", 2), ("also few", 2)] {
            sim.spawn(async move |me| {
                let enough = || shelf.parts.get() >= wanted;
                shelf.changed.until(&me, enough).await?;
                shelf.parts.set(shelf.parts.get() - wanted);
                shelf.diary.note(&me, name);
                Ok(())
            });
        }
        for parts in [3, 4, 2] {
            sim.hold(1.0).await?;
            shelf.parts.set(shelf.parts.get() + parts);
            shelf.changed.signal(&sim);
        }
        Ok(())
    });
    let expected = [(1.0, "few"), (2.0, "many"), (3.0, "also few")];
    assert_eq!(shelf.diary.entries(), expected);
    assert_eq!(shelf.changed.queue_len(), 0);
}

#[test]
fn a_signal_without_a_change_or_a_change_without_a_signal_wakes_nobody() {
    let shelf = shelf();
    run(&shelf, async |sim, shelf| {
        let waiting = sim.spawn(async |me| {
            shelf.changed.until(&me, || shelf.parts.get() > 0).await?;
            assert_eq!(me.now_s(), 3.0);
            Ok(())
        });
        sim.hold(1.0).await?;
        shelf.changed.signal(&sim);
        sim.hold(1.0).await?;
        shelf.parts.set(1);
        sim.hold(1.0).await?;
        shelf.changed.signal(&sim);
        // Signals again at this instant, before the waiting process has run.
        shelf.changed.signal(&sim);
        waiting.join(&sim).await
    });
}

#[test]
fn what_holds_already_is_not_waited_for() {
    run(&shelf(), async |sim, shelf| {
        shelf.changed.until(&sim, || true).await?;
        let never = shelf.changed.until(&sim, || false);
        assert!(sim.timeout(2.0, never).await?.is_none());
        assert_eq!((sim.now_s(), shelf.changed.queue_len()), (2.0, 0));
        Ok(())
    });
}
