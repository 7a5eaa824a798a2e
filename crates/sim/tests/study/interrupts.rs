//! Tests interrupts: where they reach a process, and what it holds then.

use prophet_sim::study::Interrupted;
use prophet_sim::{Facility, Mailbox};

use crate::study::{Diary, run};

#[test]
fn an_interrupted_process_keeps_the_server_that_it_reserved() {
    let desk = Facility::new("desk", 1);
    run(&desk, async |sim, desk| {
        let worker = sim.spawn(async |me| {
            let server = desk.reserve(&me).await?;
            assert_eq!(me.interruptible(me.hold(9.0)).await?, Err(Interrupted));
            assert_eq!((me.now_s(), desk.free()), (2.0, 0));
            me.hold(1.0).await?;
            server.release();
            Ok(())
        });
        sim.hold(2.0).await?;
        worker.interrupt();
        desk.reserve(&sim).await?.release();
        assert_eq!(sim.now_s(), 3.0);
        Ok(())
    });
}

#[test]
fn an_interrupted_use_releases_its_server() {
    let desk = Facility::new("desk", 1);
    run(&desk, async |sim, desk| {
        let worker = sim.spawn(async |me| {
            let used = me.interruptible(desk.use_for(&me, 9.0)).await?;
            assert_eq!((used, desk.free()), (Err(Interrupted), 1));
            Ok(())
        });
        let queued = sim.spawn(async |me| {
            let used = me.interruptible(desk.use_for(&me, 9.0)).await?;
            assert_eq!((used, desk.queue_len()), (Err(Interrupted), 0));
            Ok(())
        });
        sim.hold(1.0).await?;
        queued.interrupt();
        sim.hold(1.0).await?;
        worker.interrupt();
        Ok(())
    });
    assert_eq!(desk.statistics().utilization, 1.0);
}

#[test]
fn an_interrupt_outside_waits_for_the_next_interruptible_wait() {
    let diary = Diary::default();
    run(&diary, async |sim, diary| {
        let worker = sim.spawn(async |me| {
            me.hold(5.0).await?;
            diary.note(&me, "undisturbed");
            assert_eq!(me.interruptible(me.hold(1.0)).await?, Err(Interrupted));
            diary.note(&me, "interrupted");
            assert_eq!(me.interruptible(me.hold(1.0)).await?, Ok(()));
            Ok(())
        });
        sim.hold(1.0).await?;
        worker.interrupt();
        worker.interrupt();
        worker.join(&sim).await
    });
    assert_eq!(
        diary.entries(),
        [(5.0, "undisturbed"), (5.0, "interrupted")]
    );
}

/// Whether the interrupt or the end is scheduled first, the end counts, and nothing is lost.
#[test]
fn an_end_at_the_instant_of_an_interrupt_counts() {
    let orders = Mailbox::new("orders");
    run(&orders, async |sim, orders| {
        let first = sim.spawn(async |me| {
            assert_eq!(me.interruptible(orders.receive(&me)).await?, Ok("a"));
            assert_eq!(me.interruptible(me.hold(1.0)).await?, Err(Interrupted));
            assert_eq!(me.now_s(), 1.0);
            Ok(())
        });
        let second = sim.spawn(async |me| {
            assert_eq!(me.interruptible(orders.receive(&me)).await?, Ok("b"));
            assert_eq!(me.interruptible(me.hold(1.0)).await?, Err(Interrupted));
            Ok(())
        });
        sim.hold(1.0).await?;
        first.interrupt();
        orders.send(&sim, "a");
        orders.send(&sim, "b");
        second.interrupt();
        Ok(())
    });
}

#[test]
fn an_interrupt_meets_a_timed_wait_in_either_order_of_nesting() {
    run(&(), async |sim, ()| {
        let outside = sim.spawn(async |me| {
            let timed = me.timeout(9.0, me.hold(20.0));
            assert_eq!(me.interruptible(timed).await?, Err(Interrupted));
            Ok(())
        });
        let inside = sim.spawn(async |me| {
            let interruptible = me.interruptible(me.hold(20.0));
            assert_eq!(
                me.timeout(9.0, interruptible).await?,
                Some(Err(Interrupted))
            );
            Ok(())
        });
        sim.hold(1.0).await?;
        outside.interrupt();
        inside.interrupt();
        Ok(())
    });
}
