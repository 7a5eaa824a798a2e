//! Collectives among some of the processes.

use prophet_runtime::{Barrier, Broadcast, ByMachine, Gather, Network, ProcessCtx, System, div};

use crate::meaning::{ends, run, run_on};

const ROW: Barrier = Barrier::new(0, "Row", 1);
const COLUMN: Barrier = Barrier::new(1, "Column", 2);
const ALL: Barrier = Barrier::new(2, "All", 3);
const OTHER: Barrier = Barrier::new(3, "Other", 4);
const SPREAD: Broadcast = Broadcast::new(4, "Spread", 5);
const COLLECT: Gather = Gather::new(5, "Collect", 6);

/// A second of latency, and no time for bytes worth speaking of.
fn slow(processes: u32) -> System {
    let mut system = System::new(processes, 1, processes, 1);
    system.network = Network::Hockney {
        latency_s: 1.0,
        bytes_per_s: 1e30,
    };
    system
}

#[test]
fn rows_and_columns_of_a_grid_do_not_disturb_each_other() {
    // 0 1 2
    // 3 4 5
    let outcome = run(6, async |ctx| {
        ctx.hold(ctx.pid().real()).await?;
        ROW.execute(ctx, 10.0).comm(|ctx| ctx.pid() / 3).await?;
        COLUMN.execute(ctx, 100.0).comm(|ctx| ctx.pid() % 3).await
    });
    // The rows are complete at 2 and 5 s, the columns when the second row comes.
    assert_eq!(ends(&outcome), [115.0; 6]);
}

#[test]
fn a_process_alone_waits_for_nobody() {
    let outcome = run(3, async |ctx| {
        ctx.hold(ctx.pid().real()).await?;
        ROW.execute(ctx, 1.0).comm(|ctx| ctx.pid() & 3).await?;
        SPREAD
            .execute(ctx, 0, 8, ByMachine)
            .comm(|ctx| ctx.pid() & 3)
            .await
    });
    assert_eq!(ends(&outcome), [1.0, 2.0, 3.0]);
}

#[test]
fn equal_sets_are_one_communicator_whatever_expressions_they_come_from() {
    let outcome = run(4, async |ctx| {
        ctx.hold(ctx.pid().real()).await?;
        // The processes of each half meet, though they are at different elements.
        if ctx.pid() & 1 == 0 {
            ROW.execute(ctx, 1.0).comm(|ctx| ctx.pid() / 2).await?;
            OTHER
                .execute(ctx, 1.0)
                .comm(|_| prophet_runtime::Int(7))
                .await
        } else {
            COLUMN
                .execute(ctx, 1.0)
                .comm(|ctx| 5 - (ctx.pid() >> 1))
                .await?;
            // And one that has all is that without an expression.
            ALL.execute(ctx, 1.0).await
        }
    });
    assert_eq!(ends(&outcome), [5.0; 4]);
}

#[test]
fn calls_are_counted_by_communicator() {
    let outcome = run_on(slow(4), async |ctx| {
        let pid = ctx.pid().0;
        let half = |ctx: &ProcessCtx<'_>| ctx.pid() / 2;
        // The first half has called twice before all meet, and its messages stay its own.
        if pid < 2 {
            for _ in 0..2 {
                SPREAD.execute(ctx, 0, 8, ByMachine).comm(half).await?;
            }
        }
        ALL.execute(ctx, 10.0).await?;
        COLLECT.execute(ctx, 1, 8, ByMachine).comm(half).await
    });
    // 1 has both broadcasts after a second; the roots of the gathers are 1 and 3.
    assert_eq!(ends(&outcome), [11.0, 12.0, 11.0, 12.0]);
}

#[test]
fn the_formula_is_that_of_the_network_that_a_communicator_spans() {
    let mut system = System::new(2, 2, 4, 1);
    system.network = Network::Hockney {
        latency_s: 10.0,
        bytes_per_s: 1e30,
    };
    system.intranode = Network::Hockney {
        latency_s: 1.0,
        bytes_per_s: 1e30,
    };
    system
        .algorithms
        .choose("barrier=analytic")
        .expect("it fits");
    let outcome = run_on(system, async |ctx| {
        // The processes of a node, then one of each node.
        ROW.execute(ctx, ByMachine)
            .comm(|ctx| ctx.nid() + 1)
            .await?;
        COLUMN
            .execute(ctx, ByMachine)
            .comm(|ctx| ctx.pid() & 1)
            .await
    });
    assert_eq!(ends(&outcome), [11.0; 4]);
}

#[test]
fn a_fault_in_the_expression_is_that_of_the_element() {
    let simulation = prophet_runtime::Simulation::new(&crate::meaning::MODEL, slow(2));
    let zero = prophet_runtime::Int(0);
    let run =
        simulation.run(async |ctx| ROW.execute(ctx, 1.0).comm(|ctx| div(ctx.pid(), zero)).await);
    assert_eq!(
        run.expect_err("it divides by zero").to_string(),
        "integer division by zero\n  \
         at 0 s of simulated time, process 0, barrier `Row` (id 1)"
    );
}

#[test]
fn a_deadlock_tells_which_processes_are_missing_there() {
    let simulation =
        prophet_runtime::Simulation::new(&crate::meaning::MODEL, System::new(1, 6, 6, 1));
    let run = simulation.run(async |ctx| {
        if ctx.pid() > 3 {
            return Ok(());
        }
        ROW.execute(ctx, 1.0).comm(|ctx| ctx.pid() % 2).await
    });
    let text = run.expect_err("some are missing").to_string();
    let first = "process 0 at barrier `Row` (id 1) waits for process 4 to join, which has ended";
    assert!(text.contains(first), "{text}");
}
