//! Tests how runs end: idle, stopped, at a limit, or in a deadlock or livelock. Also tests the
//! messages.

use std::panic::{AssertUnwindSafe, catch_unwind};

use prophet_sim::study::Logged;
use prophet_sim::{Event, Facility, Mailbox, Process, Study};

use crate::study::{Diary, failure, run, sized};

#[test]
fn a_run_ends_when_nothing_is_left() {
    let study = run(&(), async |sim, ()| {
        sim.spawn(async |me| me.hold(3.0).await);
        sim.hold(1.0).await
    });
    assert_eq!((study.end_s, study.events, study.unfinished), (3.0, 4, 0));
    assert_eq!(
        study.to_string(),
        "3 s simulated, 4 events, 2 processes, 0 unfinished"
    );
}

#[test]
fn a_time_limit_includes_what_happens_at_that_time() {
    let diary = Diary::default();
    let study = Study::new().until(2.0).run(&diary, async |sim, diary| {
        sim.spawn(async |me| {
            loop {
                me.hold(1.0).await?;
                diary.note(&me, "turn");
                // A process that is woken at the last instant still runs.
                me.hold(0.0).await?;
                diary.note(&me, "and on");
            }
        });
        Ok(())
    });
    let study = study.expect("it ends at its limit");
    let expected = [
        (1.0, "turn"),
        (1.0, "and on"),
        (2.0, "turn"),
        (2.0, "and on"),
    ];
    assert_eq!(diary.entries(), expected);
    assert_eq!((study.end_s, study.unfinished), (2.0, 1));
}

#[test]
fn the_clock_goes_to_the_limit_and_a_wait_is_no_deadlock_then() {
    let orders = Mailbox::<u32>::new("orders");
    let study = Study::new().until(9.0).run(&orders, async |sim, orders| {
        sim.hold(1.0).await?;
        orders.receive(&sim).await.map(drop)
    });
    let study = study.expect("it ends at its limit");
    assert_eq!((study.end_s, study.unfinished), (9.0, 1));
    let none = Study::new()
        .until(-1.0)
        .run(&(), async |sim, ()| sim.hold(5.0).await);
    assert_eq!(none.map(|study| study.end_s), Ok(0.0));
    let no_limit = Study::new().until(f64::NAN);
    assert_eq!(no_limit, Study::new());
}

#[test]
fn a_number_of_events_ends_a_run_with_its_instant() {
    let study = Study::new().events(10).run(&(), async |sim, ()| {
        loop {
            sim.hold(1.0).await?;
        }
    });
    let study = study.expect("it ends at its limit");
    assert_eq!((study.events, study.end_s), (10, 9.0));
}

/// Spawns a process when it is dropped, as a guard in a program might.
struct Spawner<'w>(Process<'w>);

impl Drop for Spawner<'_> {
    fn drop(&mut self) {
        let handle = self.0.spawn(async |me| me.hold(1.0).await);
        handle.interrupt();
    }
}

#[test]
fn what_is_left_is_dropped_in_the_midst_of_any_wait() {
    let model = (Facility::new("desk", 1), Mailbox::<u32>::new("orders"));
    let study = Study::new()
        .until(2.0)
        .run(&model, async |sim, (desk, orders)| {
            let held = desk.reserve(&sim).await?;
            let other = sim.spawn(async |me| {
                me.timeout(9.0, orders.receive(&me)).await?;
                Ok(())
            });
            sim.spawn(async |me| {
                let guard = Spawner(me);
                let me = &guard.0;
                me.interruptible(desk.use_for(me, 9.0)).await?.ok();
                Ok(())
            });
            sim.spawn(async move |me| other.join(&me).await);
            sim.hold(9.0).await?;
            held.release();
            Ok(())
        });
    let study = study.expect("it ends at its limit");
    assert_eq!((study.processes, study.unfinished), (4, 4));
    let (desk, orders) = &model;
    assert_eq!(
        (desk.free(), desk.queue_len(), orders.queue_len()),
        (1, 0, 0)
    );
}

#[test]
fn a_panic_of_a_process_leaves_no_damage() {
    let desk = Facility::new("desk", 1);
    let caught = catch_unwind(AssertUnwindSafe(|| {
        Study::new().run(&desk, async |sim, desk| {
            sim.spawn(async |me| {
                me.timeout(9.0, desk.use_for(&me, 5.0)).await?;
                Ok(())
            });
            sim.hold(1.0).await?;
            panic!("on purpose");
        })
    }));
    assert!(caught.is_err());
    assert_eq!((desk.free(), desk.queue_len()), (1, 0));
}

#[test]
fn a_process_can_stop_the_run() {
    let diary = Diary::default();
    let study = run(&diary, async |sim, diary| {
        sim.spawn(async |me| {
            me.hold(1.0).await?;
            diary.note(&me, "at that time");
            me.hold(1.0).await
        });
        sim.hold(1.0).await?;
        sim.stop();
        diary.note(&sim, "stops");
        sim.hold(7.0).await
    });
    assert_eq!(diary.entries(), [(1.0, "stops"), (1.0, "at that time")]);
    assert_eq!((study.end_s, study.unfinished), (1.0, 2));
}

#[test]
fn servers_in_the_background_are_no_deadlock() {
    let orders = Mailbox::new("orders");
    let study = run(&orders, async |sim, orders| {
        sim.spawn(async |clerk| {
            loop {
                let seconds: f64 = orders.receive(&clerk).await?;
                clerk.hold(seconds).await?;
            }
        })
        .background()
        .named("clerk");
        orders.send(&sim, 2.0);
        orders.send(&sim, 3.0);
        Ok(())
    });
    assert_eq!((study.end_s, study.unfinished), (5.0, 1));
}

#[test]
fn a_deadlock_is_told_with_its_cycle_and_names() {
    let desks = [Facility::new("left", 1), Facility::new("right", 1)];
    let failed = failure(&desks, async |sim, [left, right]| {
        for (first, second, name) in [(left, right, "Ann"), (right, left, "Bob")] {
            sim.spawn(async move |me| {
                let _one = first.reserve(&me).await?;
                me.hold(1.0).await?;
                second.use_for(&me, 1.0).await
            })
            .named(name);
        }
        let third = sim.spawn(async |me| left.reserve(&me).await.map(drop));
        third.join(&sim).await
    });
    assert_eq!(
        failed.to_string(),
        "deadlock: 4 of 4 processes never resume\n  \
         at 1 s of simulated time\n  \
         process 0 waits for the end of process 3\n  \
         process 1 `Ann` waits for a server of facility `right`\n  \
         process 2 `Bob` waits for a server of facility `left`\n  \
         process 3 waits for a server of facility `left`\n  \
         they wait for each other: 1 -> 2 -> 1"
    );
}

#[test]
fn a_deadlock_of_reused_slots_has_the_numbers_of_the_processes() {
    let never = Event::new("never");
    let failed = failure(&never, async |sim, never| {
        for _ in 0..3 {
            sim.spawn(async |me| me.hold(1.0).await);
            sim.hold(2.0).await?;
        }
        sim.spawn(async |me| never.wait(&me).await).join(&sim).await
    });
    let text = failed.to_string();
    assert!(
        text.contains("process 0 waits for the end of process 4\n  process 4 waits for event"),
        "{text}"
    );
}

#[test]
fn a_process_that_waits_for_itself_is_told() {
    let failed = failure(&(), async |sim, ()| sim.handle().join(&sim).await);
    let text = failed.to_string();
    assert!(text.ends_with("process 0 waits for itself"), "{text}");
}

#[test]
fn a_livelock_is_told_with_those_in_it() {
    let ball = [Mailbox::new("left"), Mailbox::new("right")];
    let events = sized(100_000, 1_000);
    let study = Study::new().livelock_after(events.into());
    let failed = study.run(&ball, async |sim, [left, right]| {
        sim.spawn(async |me| me.hold(5.0).await);
        for (mine, other) in [(left, right), (right, left)] {
            sim.spawn(async move |me| {
                me.hold(1.0).await?;
                loop {
                    mine.receive(&me).await?;
                    other.send(&me, ());
                }
            });
        }
        left.send(&sim, ());
        Ok(())
    });
    let text = failed.expect_err("a livelock").to_string();
    assert!(
        text.starts_with(&format!(
            "livelock: {events} events without advancing simulated time\n  at 1 s"
        )),
        "{text}"
    );
    let who = "\n  these never stop:\n  process 2\n  process 3";
    assert!(text.ends_with(who), "{text}");
}

#[test]
fn a_status_tells_of_every_process_and_resource() {
    let model = (Facility::new("desk", 1), Mailbox::<u32>::new("orders"));
    let study = Study::new().with_status().until(2.0);
    let study = study.run(&model, async |sim, (desk, orders)| {
        sim.spawn(async |me| desk.use_for(&me, 9.0).await)
            .named("a");
        sim.spawn(async |me| desk.use_for(&me, 1.0).await);
        sim.spawn(async |me| orders.receive(&me).await.map(drop));
        sim.hold(1.0).await?;
        let text = sim.status(&[desk, orders]).await?;
        assert_eq!(
            text,
            "1 s of simulated time\n\
             process 0 waits for a status\n\
             process 1 `a` waits for its service at facility `desk`\n\
             process 2 waits for a server of facility `desk`\n\
             process 3 waits for a value in mailbox `orders`\n\
             facility `desk`: 1 of 1 servers busy, 1 waiting; utilization 1.0000, queue 1.0000 \
             (at most 1), throughput 0.0000/s, response 0.0000 s, 0 served\n\
             mailbox `orders`: 0 values, 1 waiting; utilization 0.0000, queue 1.0000 \
             (at most 1), throughput 0.0000/s, response 0.0000 s, 0 served\n"
        );
        assert_eq!(sim.now_s(), 1.0);
        sim.hold(9.0).await
    });
    let status = study.expect("it ends at its limit").status;
    assert_eq!(
        status.as_deref(),
        Some(
            "2 s of simulated time\n\
             process 0 waits for its time to pass\n\
             process 1 `a` waits for its service at facility `desk`\n\
             process 2 waits for a server of facility `desk`\n\
             process 3 waits for a value in mailbox `orders`\n"
        )
    );
}

#[test]
fn a_log_has_what_each_process_does() {
    let desk = Facility::new("desk", 1);
    let mut lines = Vec::new();
    let log = Logged::to(|entry| lines.push(entry.to_string()));
    let study = Study::new().run_logged(&desk, log, async |sim, desk| {
        let _server = desk.reserve(&sim).await?;
        let other = sim.spawn(async |me| desk.use_for(&me, 1.0).await);
        let other = other.named("b");
        sim.hold(2.0).await?;
        sim.log(|| "has seen enough");
        other.terminate();
        Ok(())
    });
    assert_eq!(study.map(|study| study.end_s), Ok(2.0));
    assert_eq!(
        lines,
        [
            "0 s process 0 is created",
            "0 s process 0 goes on",
            "0 s process 1 is created",
            "0 s process 0 waits for its time to pass",
            "0 s process 1 `b` goes on",
            "0 s process 1 `b` waits for a server of facility `desk`",
            "2 s process 0 goes on",
            "2 s process 0 has seen enough",
            "2 s process 1 `b` is terminated",
            "2 s process 0 ends",
        ]
    );
}

#[test]
fn a_run_with_a_log_is_the_same_run() {
    let desk = Facility::new("desk", 1);
    let program = async |seed: u64, log: Logged<'_>| {
        Study::new()
            .seed(seed)
            .run_logged(&desk, log, async |sim, desk| {
                let mut times = sim.generator("times");
                for _ in 0..200 {
                    let (pause_s, service_s) = (times.exponential(2.0)?, times.exponential(1.0)?);
                    sim.spawn(async move |me| {
                        let _ = me.timeout(1.5, desk.use_for(&me, service_s)).await?;
                        Ok(())
                    });
                    sim.hold(pause_s).await?;
                }
                Ok(())
            })
    };
    let run = |log| {
        let mut future = std::pin::pin!(program(3, log));
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        match future.as_mut().poll(&mut cx) {
            std::task::Poll::Ready(study) => study,
            std::task::Poll::Pending => unreachable!("it awaits nothing"),
        }
    };
    let quiet = run(Logged::nothing());
    let mut count = 0;
    let told = run(Logged::to(|_| count += 1));
    assert_eq!(quiet, told);
    assert!(count > 1000);
}

#[test]
fn studies_run_side_by_side_in_threads() {
    let simulate = |seed: u64| {
        let desk = Facility::new("desk", 1);
        let study = Study::new().seed(seed).run(&desk, async |sim, desk| {
            let mut times = sim.generator("times");
            for _ in 0..sized(1000, 50) {
                desk.use_for(&sim, times.exponential(1.0)?).await?;
            }
            Ok(())
        });
        study.map(|study| study.end_s.to_bits())
    };
    let alone: Vec<_> = (0..4).map(simulate).collect();
    let threads: Vec<_> = (0..4)
        .map(|seed| std::thread::spawn(move || simulate(seed)))
        .collect();
    let together: Vec<_> = { threads.into_iter() }
        .map(|thread| thread.join().expect("no panic"))
        .collect();
    assert_eq!(alone, together);
}
