//! Tests waits with a deadline, and ties between the deadline and the grant.

use prophet_sim::{Event, Facility, Mailbox};

use crate::study::{Diary, failure, run};

#[test]
fn a_deadline_ends_a_wait_and_takes_it_out_of_the_queue() {
    let desk = Facility::new("desk", 1);
    run(&desk, async |sim, desk| {
        sim.spawn(async |me| desk.use_for(&me, 10.0).await);
        sim.hold(1.0).await?;
        assert!(sim.timeout(2.0, desk.reserve(&sim)).await?.is_none());
        assert_eq!((sim.now_s(), desk.queue_len()), (3.0, 0));
        // This ends before the deadline.
        let server = sim.timeout(8.0, desk.reserve(&sim)).await?;
        assert_eq!((server.is_some(), sim.now_s()), (true, 10.0));
        Ok(())
    });
    assert_eq!(desk.free(), 1);
}

/// A grant that is scheduled for the deadline is in time, whichever of the two was scheduled first.
#[test]
fn a_grant_at_the_deadline_is_in_time() {
    let desk = Facility::new("desk", 1);
    run(&desk, async |sim, desk| {
        let server = desk.reserve(&sim).await?;
        sim.spawn(async |early| {
            // Its deadline is scheduled before the release.
            let server = early.timeout(2.0, desk.reserve(&early)).await?;
            assert!(server.is_some() && early.now_s() == 2.0);
            Ok(())
        });
        sim.hold(1.0).await?;
        sim.hold(1.0).await?;
        server.release();
        Ok(())
    });
    let desk = Facility::new("desk", 1);
    run(&desk, async |sim, desk| {
        sim.spawn(async |holder| desk.use_for(&holder, 2.0).await);
        sim.hold(1.0).await?;
        // Its deadline is scheduled after the release.
        let server = sim.timeout(1.0, desk.reserve(&sim)).await?;
        assert!(server.is_some() && sim.now_s() == 2.0);
        Ok(())
    });
}

/// A grant at the deadline can be too late if it depends on a process that runs later. But nothing
/// is lost.
#[test]
fn a_grant_after_the_waiter_ran_at_its_deadline_goes_to_the_next() {
    let orders = Mailbox::new("orders");
    let go = Event::new("go");
    run(&(orders, go), async |sim, (orders, go)| {
        sim.spawn(async |late| {
            assert!(late.timeout(1.0, orders.receive(&late)).await?.is_none());
            Ok(())
        });
        sim.spawn(async |sender| {
            go.wait(&sender).await?;
            orders.send(&sender, 7);
            Ok(())
        });
        // Scheduled for the time of the deadline, but after it.
        sim.hold(0.5).await?;
        sim.hold(0.5).await?;
        go.set(&sim);
        sim.hold(1.0).await?;
        assert_eq!(orders.len(), 1);
        Ok(())
    });
}

#[test]
fn a_deadline_of_no_time_lets_those_that_are_ready_run_first() {
    let orders = Mailbox::new("orders");
    run(&orders, async |sim, orders| {
        assert!(sim.timeout(0.0, orders.receive(&sim)).await?.is_none());
        sim.spawn(async |me| {
            orders.send(&me, 1);
            Ok(())
        });
        assert_eq!(sim.timeout(0.0, orders.receive(&sim)).await?, Some(1));
        assert_eq!(sim.now_s(), 0.0);
        Ok(())
    });
}

#[test]
fn what_is_over_at_once_needs_no_deadline() {
    run(&Facility::new("desk", 1), async |sim, desk| {
        let server = sim.timeout(0.0, desk.reserve(&sim)).await?;
        assert!(server.is_some());
        Ok(())
    });
}

#[test]
fn deadlines_nest_and_cover_whole_stories() {
    let diary = Diary::default();
    run(&diary, async |sim, diary| {
        let story = async {
            sim.hold(1.0).await?;
            let inner = sim.timeout(1.0, sim.hold(5.0)).await?;
            assert!(inner.is_none());
            diary.note(&sim, "inner");
            sim.timeout(10.0, sim.hold(9.0)).await
        };
        assert!(sim.timeout(4.0, story).await?.is_none());
        diary.note(&sim, "outer");
        sim.hold(20.0).await
    });
    assert_eq!(diary.entries(), [(2.0, "inner"), (4.0, "outer")]);
}

#[test]
fn a_negative_deadline_stops_the_run() {
    let failed = failure(&(), async |sim, ()| {
        sim.timeout(-1.0, sim.hold(1.0)).await?;
        Ok(())
    });
    assert!(failed.to_string().starts_with("negative time: -1 s"));
    let failed = failure(&(), async |sim, ()| {
        sim.timeout(f64::NAN, sim.hold(1.0)).await?;
        Ok(())
    });
    assert!(failed.to_string().starts_with("the time is not a finite"));
}

#[test]
fn a_process_that_is_terminated_leaves_no_deadline() {
    let desk = Facility::new("desk", 1);
    let study = run(&desk, async |sim, desk| {
        let server = desk.reserve(&sim).await?;
        let waiting = sim.spawn(async |me| {
            me.timeout(50.0, desk.reserve(&me)).await?;
            Ok(())
        });
        sim.hold(1.0).await?;
        waiting.terminate();
        server.release();
        Ok(())
    });
    assert_eq!(study.end_s, 1.0);
}
