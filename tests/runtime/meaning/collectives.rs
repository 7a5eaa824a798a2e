//! Collectives with a cost, and dropped ones.

use prophet_runtime::{AllReduce, Barrier, Broadcast, ByMachine, Network, System};

use crate::meaning::{ends, give_up, run, run_on, waste};

const SUM: AllReduce = AllReduce::new(0, "Sum", 1);
const MEET: Barrier = Barrier::new(1, "Meet", 2);
const SPREAD: Broadcast = Broadcast::new(2, "Spread", 3);

#[test]
fn all_wait_for_the_last_and_each_leaves_after_its_own_cost() {
    let outcome = run(3, async |ctx| {
        let pid = f64::from(u8::try_from(ctx.pid().0).expect("small"));
        ctx.hold(pid).await?;
        SUM.execute(ctx, 8, 10.0 * pid).await?;
        MEET.execute(ctx, 0.5).await
    });
    assert_eq!(ends(&outcome), [22.5, 22.5, 22.5]);
    let waits: Vec<f64> = outcome
        .processes
        .iter()
        .map(|process| process.wait_s)
        .collect();
    assert_eq!(waits, [22.0, 11.0, 0.0]);
    let costs = outcome
        .processes
        .iter()
        .map(|process| process.communication_s);
    assert_eq!(costs.collect::<Vec<_>>(), [0.5, 10.5, 20.5]);
}

#[test]
fn one_process_alone_needs_nobody() {
    let outcome = run(1, async |ctx| {
        SUM.execute(ctx, 8, ByMachine).await?;
        SPREAD.execute(ctx, 0, 8, ByMachine).await?;
        MEET.execute(ctx, ByMachine).await?;
        MEET.execute(ctx, 0.5).await
    });
    assert_eq!(ends(&outcome), [0.5]);
    assert_eq!(outcome.evaluation.messages, 0);
}

#[test]
fn a_root_runs_ahead_and_its_messages_match_their_own_calls() {
    let mut system = System::new(2, 1, 2, 1);
    system.network = Network::Hockney {
        latency_s: 1.0,
        bytes_per_s: 1.0,
    };
    let outcome = run_on(system, async |ctx| {
        for bytes in [7, 3, 5] {
            SPREAD.execute(ctx, 0, bytes, ByMachine).await?;
        }
        Ok(())
    });
    // The first takes longest, and the others have come by then.
    assert_eq!(ends(&outcome), [0.0, 8.0]);
}

#[test]
fn ranks_that_are_no_power_of_two_reduce_in_pairs_first() {
    let mut system = System::new(3, 1, 3, 1);
    system.network = Network::Hockney {
        latency_s: 1.0,
        bytes_per_s: 1e9,
    };
    let outcome = run_on(system, async |ctx| SUM.execute(ctx, 0, ByMachine).await);
    // 0 hands its part to 1 by 1 s, when the part of 2 is there too; 1 answers both.
    assert_eq!(ends(&outcome), [2.0, 1.0, 2.0]);
    assert_eq!(outcome.evaluation.messages, 4);
}

#[test]
fn a_dropped_call_with_a_cost_does_not_count_and_a_call_that_is_over_may_be_dropped() {
    let run = std::panic::AssertUnwindSafe(|| {
        run(2, async |ctx| {
            if ctx.pid() == 0 {
                waste(MEET.execute(ctx, 1.0)).await;
                return Ok(());
            }
            ctx.hold(1.0).await?;
            MEET.execute(ctx, 2.0).await
        })
    });
    assert_eq!(ends(&run()), [2.0, 3.0]);

    let simulation =
        prophet_runtime::Simulation::new(&crate::meaning::MODEL, System::new(1, 2, 2, 1));
    let failed = simulation.run(async |ctx| {
        if ctx.pid() == 0 {
            give_up(MEET.execute(ctx, 1.0)).await;
            return Ok(());
        }
        MEET.execute(ctx, 2.0).await
    });
    let text = failed.expect_err("one is missing").to_string();
    assert!(text.starts_with("deadlock: 1 of 2"), "{text}");
}
