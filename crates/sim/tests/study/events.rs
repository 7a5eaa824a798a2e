//! Tests events: any, all, and one waiting process at a time.

use prophet_sim::Event;
use prophet_sim::study::Interrupted;

use crate::study::{Diary, failure, run};

#[test]
fn each_setting_lets_one_of_the_queue_on() {
    let (turn, diary) = (Event::new("turn"), Diary::default());
    run(&(turn, diary), async |sim, (turn, diary)| {
        for name in ["first", "second", "third"] {
            sim.spawn(async move |me| {
                turn.queue(&me).await?;
                diary.note(&me, name);
                Ok(())
            });
        }
        for _ in 0..3 {
            sim.hold(1.0).await?;
            turn.set(&sim);
            assert!(!turn.is_set());
        }
        turn.set(&sim);
        assert!(turn.is_set(), "nobody queues");
        turn.queue(&sim).await?;
        assert!(!turn.is_set());
        let expected = [(1.0, "first"), (2.0, "second")];
        assert_eq!(diary.entries(), expected, "the third runs next");
        Ok(())
    });
}

#[test]
fn all_that_wait_and_one_of_the_queue_go_on() {
    let go = Event::new("go");
    run(&go, async |sim, go| {
        for _ in 0..2 {
            sim.spawn(async |me| go.wait(&me).await);
            sim.spawn(async |me| go.queue(&me).await).background();
        }
        sim.hold(1.0).await?;
        assert_eq!(go.queue_len(), 4);
        go.set(&sim);
        assert_eq!((go.queue_len(), go.is_set()), (1, false));
        Ok(())
    });
}

#[test]
fn a_turn_that_is_dropped_goes_to_the_next() {
    let (turn, diary) = (Event::new("turn"), Diary::default());
    run(&(turn, diary), async |sim, (turn, diary)| {
        let first = sim.spawn(async |me| turn.queue(&me).await);
        sim.spawn(async |me| {
            turn.queue(&me).await?;
            diary.note(&me, "second");
            Ok(())
        });
        sim.hold(1.0).await?;
        turn.set(&sim);
        first.terminate();
        sim.hold(1.0).await?;
        assert_eq!(diary.entries(), [(1.0, "second")]);
        assert!(!turn.is_set());
        Ok(())
    });
}

#[test]
fn any_gives_the_first_that_is_set() {
    let events = [Event::new("a"), Event::new("b"), Event::new("c")];
    run(&events, async |sim, [a, b, c]| {
        sim.spawn(async |me| {
            assert_eq!(Event::any(&me, &[a, b, c]).await?, 1);
            assert_eq!(me.now_s(), 2.0);
            assert_eq!(Event::any(&me, &[a, c, b]).await?, 1, "without waiting");
            Ok(())
        });
        sim.hold(2.0).await?;
        c.set(&sim);
        b.set(&sim);
        assert_eq!(a.queue_len(), 1);
        sim.hold(0.0).await?;
        c.clear();
        assert_eq!((a.queue_len(), b.queue_len(), c.queue_len()), (0, 0, 0));
        Ok(())
    });
}

#[test]
fn all_waits_until_they_are_set_at_one_time() {
    let events = [Event::new("a"), Event::new("b")];
    run(&events, async |sim, [a, b]| {
        let waiting = sim.spawn(async |me| {
            Event::all(&me, &[a, b]).await?;
            assert_eq!(me.now_s(), 3.0);
            Ok(())
        });
        a.set(&sim);
        sim.hold(1.0).await?;
        a.clear();
        b.set(&sim);
        sim.hold(1.0).await?;
        assert!(!waiting.has_ended());
        sim.hold(1.0).await?;
        a.set(&sim);
        waiting.join(&sim).await?;
        assert_eq!((a.queue_len(), b.queue_len()), (0, 0));
        Ok(())
    });
}

#[test]
fn a_wait_for_several_can_be_timed_and_interrupted() {
    let events = [Event::new("a"), Event::new("b")];
    run(&events, async |sim, [a, b]| {
        let waiting = sim.spawn(async |me| {
            assert!(me.timeout(1.0, Event::any(&me, &[a, b])).await?.is_none());
            assert_eq!(a.queue_len(), 0);
            let both = me.interruptible(Event::all(&me, &[a, b])).await?;
            assert_eq!((both, b.queue_len()), (Err(Interrupted), 0));
            Ok(())
        });
        sim.hold(2.0).await?;
        waiting.interrupt();
        Ok(())
    });
}

#[test]
fn any_misses_what_is_set_and_cleared_at_one_instant() {
    let events = [Event::new("a"), Event::new("b")];
    let failed = failure(&events, async |sim, [a, b]| {
        sim.spawn(async |me| Event::any(&me, &[a, b]).await.map(|_| ()));
        sim.hold(1.0).await?;
        a.set(&sim);
        a.clear();
        Ok(())
    });
    assert_eq!(
        failed.to_string(),
        "deadlock: 1 of 2 processes never resumes\n  \
         at 1 s of simulated time\n  \
         process 1 waits for one of the events `a`, `b`\n  \
         no process is left that could answer"
    );
}
