//! Measures packet networks in which repeated phases are simulated once, compared with simulating
//! all phases.

use prophet_runtime::{
    ActionPlus, AllToAll, Barrier, ByMachine, Gather, Message, Model, ProcessCtx, SendRecv,
    Simulation, Stopped, System,
};

use crate::measure::{Bench, Row, Stopwatch};

const MODEL: Model = Model::new("Packets", &[], 5);
const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
const SHIFT: SendRecv = SendRecv::new(1, "Shift", 2);
const GATHER: Gather = Gather::new(2, "Gather", 3);
const ALL: AllToAll = AllToAll::new(3, "All", 4);
const SYNC: Barrier = Barrier::new(4, "Sync", 5);

const HOSTS: u32 = 128;
const ROUNDS: u32 = 100;
const TREE: &str = "packet:topology=fat-tree,children=16x8,parents=1x8,links=1x1,latency=1us,\
                    bandwidth=10GB/s,packet=4096B";
/// The project's minimum ratio, and its maximum error.
const TARGET: f64 = 50.0;
const ERROR: f64 = 0.01;

pub(crate) fn rows() -> Vec<Bench> {
    vec![
        Bench::new("packets: incast, 128 hosts × 100", |work| {
            row(work, &async |ctx: &ProcessCtx<'_>| {
                GATHER.execute(ctx, 0, 1_000_000, ByMachine).await
            })
        }),
        Bench::new("packets: all-to-all, 128 hosts × 100", |work| {
            row(work, &async |ctx: &ProcessCtx<'_>| {
                ALL.execute(ctx, 300_000, ByMachine).await
            })
        }),
        Bench::new("packets: ring, 128 hosts × 100", |work| {
            row(work, &async |ctx: &ProcessCtx<'_>| {
                let hosts = i64::from(HOSTS);
                let (to, from) = ((ctx.pid() + 1) % hosts, (ctx.pid() + hosts - 1) % hosts);
                let message = Message::bytes(10_000_000);
                SHIFT.execute(ctx, to, from, message, ByMachine).await
            })
        }),
    ]
}

/// Measures rounds in which processes compute and communicate, and that end with a barrier of 5 us.
fn row<P>(work: &str, communicate: &P) -> Row
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
{
    let run = |repetition| {
        let mut system = System::new(HOSTS, 1, HOSTS, 1);
        system.choose_network(TREE).expect("it is a network");
        let simulation = Simulation::new(&MODEL, system).with_repetition(repetition);
        let watch = Stopwatch::start();
        let outcome = simulation.run(async |ctx| {
            for _ in 0..ROUNDS {
                WORK.execute(ctx, 1e-3).await?;
                communicate(ctx).await?;
                SYNC.execute(ctx, 5e-6).await?;
            }
            Ok(())
        });
        let outcome = outcome.expect("the program ends");
        (watch.seconds(), outcome.predicted_time_s)
    };
    let (all_s, expected_s) = run(false);
    let (memoized_s, found_s) = run(true);
    let (ratio, error) = (all_s / memoized_s, (found_s / expected_s - 1.0).abs());
    let seen = format!(
        "{ratio:.1} × ({:.0} ms against {:.0} ms of CPU; the time differs by {:.4} %)",
        memoized_s * 1e3,
        all_s * 1e3,
        error * 100.0
    );
    Row::new(
        work,
        "≥ 50 × all phases simulated, ≤ 1 % error",
        seen,
        ratio >= TARGET && error <= ERROR,
    )
}
