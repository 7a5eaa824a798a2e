//! Tests spawning, joining, ending, and the reuse of slots.

use std::cell::{Cell, RefCell};

use prophet_sim::{Event, Facility, Handle, Process, Stopped, Study};

use crate::study::{Diary, run, sized};

#[test]
fn a_spawned_process_starts_at_its_instant_after_those_that_are_ready() {
    let diary = Diary::default();
    run(&diary, async |sim, diary| {
        sim.spawn(async |me| {
            diary.note(&me, "first");
            me.spawn(async |me| {
                diary.note(&me, "third");
                Ok(())
            });
            Ok(())
        });
        sim.spawn(async |me| {
            diary.note(&me, "second");
            Ok(())
        });
        diary.note(&sim, "spawner");
        sim.hold(1.0).await
    });
    let order: Vec<&str> = diary.entries().iter().map(|entry| entry.1).collect();
    assert_eq!(order, ["spawner", "first", "second", "third"]);
}

#[test]
fn many_customers_use_few_slots_and_numbers_go_on() {
    let (served, all) = (Cell::new(0_u32), sized(10_000, 200));
    let study = run(&served, async |sim, served| {
        for number in 1..=all {
            let handle = sim.spawn(async |me| {
                me.hold(1.5).await?;
                served.set(served.get() + 1);
                Ok(())
            });
            assert_eq!(handle.number(), number);
            sim.hold(1.0).await?;
        }
        Ok(())
    });
    assert_eq!((served.get(), study.processes), (all, all + 1));
    assert_eq!((study.unfinished, study.end_s), (0, f64::from(all) + 0.5));
}

#[test]
fn thousands_of_processes_at_once_have_units_of_their_own() {
    let sum = Cell::new(0_u64);
    run(&sum, async |sim, sum| {
        for number in 0..5000_u32 {
            sim.spawn(async move |me| {
                me.hold(f64::from(5000 - number)).await?;
                sum.set(sum.get() + u64::from(number));
                Ok(())
            });
        }
        Ok(())
    });
    assert_eq!(sum.get(), 5000 * 4999 / 2);
}

#[test]
fn joining_waits_for_the_end_and_no_longer() {
    let diary = Diary::default();
    run(&diary, async |sim, diary| {
        let worker = sim.spawn(async |me| me.hold(3.0).await);
        for _ in 0..2 {
            sim.spawn(async move |me| {
                worker.join(&me).await?;
                diary.note(&me, "joined");
                Ok(())
            });
        }
        sim.hold(5.0).await?;
        assert!(worker.has_ended());
        worker.join(&sim).await?;
        diary.note(&sim, "late");
        Ok(())
    });
    assert_eq!(
        diary.entries(),
        [(3.0, "joined"), (3.0, "joined"), (5.0, "late")]
    );
}

#[test]
fn a_handle_does_not_name_the_next_process_in_the_slot() {
    run(&(), async |sim, ()| {
        let first = sim.spawn(async |_| Ok(()));
        sim.hold(1.0).await?;
        let second = sim.spawn(async |me| me.hold(1.0).await);
        assert!(first.has_ended() && !second.has_ended());
        first.terminate();
        first.interrupt();
        first.join(&sim).await?;
        assert_eq!(sim.now_s(), 1.0);
        second.join(&sim).await?;
        assert_eq!(sim.now_s(), 2.0);
        Ok(())
    });
}

#[test]
fn a_terminated_process_releases_all_and_leaves_its_queue() {
    let desk = Facility::new("desk", 1);
    let study = run(&desk, async |sim, desk| {
        let holder = sim.spawn(async |me| {
            let _server = desk.reserve(&me).await?;
            me.hold(100.0).await
        });
        let waiting = sim.spawn(async |me| desk.use_for(&me, 50.0).await);
        sim.spawn(async |me| {
            desk.use_for(&me, 1.0).await?;
            assert_eq!(me.now_s(), 3.0);
            Ok(())
        });
        sim.hold(1.0).await?;
        waiting.terminate();
        assert!(waiting.has_ended());
        assert_eq!(desk.queue_len(), 1);
        sim.hold(1.0).await?;
        holder.terminate();
        holder.join(&sim).await?;
        assert_eq!(sim.now_s(), 2.0);
        Ok(())
    });
    assert_eq!(study.end_s, 3.0, "no event of the ended is left");
    assert_eq!((desk.free(), desk.queue_len()), (1, 0));
}

#[test]
fn a_process_that_is_terminated_before_it_starts_never_runs() {
    let diary = Diary::default();
    let study = run(&diary, async |sim, diary| {
        sim.spawn(async |me| {
            diary.note(&me, "ran");
            Ok(())
        })
        .terminate();
        Ok(())
    });
    assert_eq!((diary.entries().len(), study.unfinished), (0, 0));
}

#[test]
fn a_process_that_terminates_itself_goes_on_until_it_waits() {
    let diary = Diary::default();
    let study = run(&diary, async |sim, diary| {
        sim.spawn(async |me| {
            me.handle().terminate();
            diary.note(&me, "goes on");
            me.hold(1.0).await?;
            diary.note(&me, "never");
            Ok(())
        });
        Ok(())
    });
    assert_eq!(diary.entries(), [(0.0, "goes on")]);
    assert_eq!((study.end_s, study.unfinished), (0.0, 0));
}

#[test]
fn a_process_may_be_terminated_at_the_instant_it_is_granted() {
    let desk = Facility::new("desk", 1);
    let diary = Diary::default();
    run(&(desk, diary), async |sim, (desk, diary)| {
        let server = desk.reserve(&sim).await?;
        let granted = sim.spawn(async |me| {
            let _server = desk.reserve(&me).await?;
            diary.note(&me, "never");
            Ok(())
        });
        sim.spawn(async |me| {
            desk.use_for(&me, 1.0).await?;
            diary.note(&me, "next");
            Ok(())
        });
        sim.hold(1.0).await?;
        server.release();
        granted.terminate();
        sim.hold(2.0).await?;
        assert_eq!(diary.entries(), [(2.0, "next")]);
        Ok(())
    });
}

#[test]
fn a_dropped_join_is_forgotten() {
    run(&(), async |sim, ()| {
        let long = sim.spawn(async |me| me.hold(10.0).await);
        assert!(sim.timeout(1.0, long.join(&sim)).await?.is_none());
        sim.hold(20.0).await?;
        assert_eq!(sim.now_s(), 21.0);
        Ok(())
    });
}

#[test]
fn processes_may_be_functions_and_spawn_their_kind() {
    async fn fork<'w>(me: Process<'w>, leaves: &'w Cell<u32>, depth: u32) -> Result<(), Stopped> {
        if depth == 0 {
            leaves.set(leaves.get() + 1);
            return Ok(());
        }
        let children: Vec<Handle<'_>> = (0..2)
            .map(|_| me.spawn(move |child| boxed_fork(child, leaves, depth - 1)))
            .collect();
        for child in children {
            child.join(&me).await?;
        }
        me.hold(1.0).await
    }
    fn boxed_fork<'w>(
        me: Process<'w>,
        leaves: &'w Cell<u32>,
        depth: u32,
    ) -> std::pin::Pin<Box<dyn Future<Output = Result<(), Stopped>> + 'w>> {
        Box::pin(fork(me, leaves, depth))
    }
    let leaves = Cell::new(0);
    let study = run(&leaves, async |sim, leaves| fork(sim, leaves, 6).await);
    assert_eq!((leaves.get(), study.end_s), (64, 6.0));
}

#[test]
fn an_error_of_any_process_stops_the_run() {
    let study = Study::new().run(&(), async |sim, ()| {
        sim.spawn(async |me| me.hold(1.0).await);
        sim.spawn(async |me| me.hold(-1.0).await);
        sim.hold(5.0).await
    });
    let text = study.expect_err("a negative hold").to_string();
    assert_eq!(
        text,
        "negative time: -1 s\n  at 0 s of simulated time, process 2"
    );
}

#[test]
fn a_guard_that_outlives_its_process_harms_nothing() {
    let desk = Facility::new("desk", 1);
    let done = Event::new("done");
    let kept = RefCell::new(0.0);
    let model = (desk, done, kept);
    run(&model, async |sim, (desk, done, kept)| {
        sim.spawn(async |me| {
            let server = desk.reserve(&me).await?;
            done.wait(&me).await?;
            drop(server);
            *kept.borrow_mut() = me.now_s();
            Ok(())
        });
        sim.hold(4.0).await?;
        done.set(&sim);
        Ok(())
    });
    assert_eq!((model.2.into_inner(), model.0.free()), (4.0, 1));
}
