//! CPUs: first come first served, ties by pid.

use std::cell::RefCell;

use prophet_runtime::{ActionPlus, System};

use crate::meaning::{ends, give_up, run, run_on, waste};

const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
const REST: ActionPlus = ActionPlus::new(1, "Rest", 2);

#[test]
fn three_processes_share_two_cpus() {
    let system = System::new(1, 2, 3, 1);
    let outcome = run_on(system, async |ctx| WORK.execute(ctx, 1.0).await);
    assert_eq!(ends(&outcome), [1.0, 1.0, 2.0]);
    let last = &outcome.processes[2];
    assert_eq!(
        (last.compute_s, last.communication_s, last.wait_s),
        (1.0, 0.0, 1.0)
    );
    assert_eq!(outcome.elements[0].max_s, 2.0);
}

#[test]
fn those_that_ask_at_one_time_queue_by_pid_in_whatever_order_they_run() {
    let order = RefCell::new(Vec::new());
    let outcome = run_on(System::new(1, 1, 4, 1), async |ctx| {
        // All ask at 1 s. The engine resumes 3 and 1 first, whose holds are older.
        if ctx.pid().0 % 2 == 0 {
            ctx.hold(0.5).await?;
            ctx.hold(0.5).await?;
        } else {
            ctx.hold(1.0).await?;
        }
        order.borrow_mut().push(ctx.pid().0);
        WORK.execute(ctx, 1.0).await
    });
    assert_eq!(order.into_inner(), [1, 3, 0, 2]);
    assert_eq!(ends(&outcome), [2.0, 3.0, 4.0, 5.0]);
}

#[test]
fn who_asks_again_queues_behind_those_that_asked_before() {
    let outcome = run_on(System::new(1, 1, 2, 1), async |ctx| {
        WORK.execute(ctx, 1.0).await?;
        REST.execute(ctx, 10.0).await
    });
    // 0 works to 1, 1 works to 2 while 0 waits with its second request, and so on.
    assert_eq!(ends(&outcome), [12.0, 22.0]);
}

#[test]
fn who_releases_and_asks_at_one_time_competes_by_pid_with_those_that_ask_then() {
    for (pid, expected) in [(0, [2.0, 3.0]), (1, [2.0, 3.0])] {
        let outcome = run_on(System::new(1, 1, 2, 1), async |ctx| {
            if ctx.pid() == pid {
                WORK.execute(ctx, 1.0).await?;
            } else {
                ctx.hold(1.0).await?;
            }
            WORK.execute(ctx, 1.0).await
        });
        assert_eq!(ends(&outcome), expected, "process {pid} works first");
    }
}

#[test]
fn nodes_have_their_own_cpus_and_costs_of_zero_queue_too() {
    let mut system = System::new(2, 1, 4, 1);
    system.mapping = vec![1, 1, 1, 0];
    let outcome = run_on(system, async |ctx| {
        WORK.execute(ctx, if ctx.pid() == 1 { 0.0 } else { 2.0 })
            .await
    });
    assert_eq!(ends(&outcome), [2.0, 2.0, 4.0, 2.0]);
}

#[test]
fn who_asks_again_at_one_instant_still_goes_by_its_pid() {
    let outcome = run_on(System::new(1, 1, 3, 1), async |ctx| {
        if ctx.pid() == 0 {
            WORK.execute(ctx, 0.0).await?;
        }
        WORK.execute(ctx, 1.0).await
    });
    assert_eq!(ends(&outcome), [1.0, 2.0, 3.0]);
}

#[test]
fn without_contention_nobody_waits() {
    let outcome = run(3, async |ctx| {
        WORK.execute(ctx, 0.0).await?;
        WORK.execute(ctx, 0.25).await
    });
    assert_eq!(ends(&outcome), [0.25; 3]);
    assert!(
        outcome
            .processes
            .iter()
            .all(|process| process.wait_s == 0.0)
    );
}

#[test]
fn a_dropped_request_leaves_the_queue_and_a_dropped_grant_is_given_back() {
    let outcome = run_on(System::new(1, 1, 3, 1), async |ctx| match ctx.pid().0 {
        0 => {
            give_up(WORK.execute(ctx, 100.0)).await;
            ctx.hold(5.0).await
        }
        1 => {
            waste(WORK.execute(ctx, 2.0)).await;
            Ok(())
        }
        _ => WORK.execute(ctx, 1.0).await,
    });
    assert_eq!(ends(&outcome), [5.0, 2.0, 3.0]);
}
