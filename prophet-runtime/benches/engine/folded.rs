//! Measures the rows for identical processes, only one of which is simulated.

use prophet_runtime::{Engine, ProcessCtx, Simulation, Stopped, Symmetry, System};

use crate::local::{MODEL, halos, sums};
use crate::measure::{Bench, Row, Stopwatch};

const RANKS: u32 = 1 << 27;
const TORUS: [u32; 3] = [1 << 14, 1 << 13, 1];
/// The project's time limit, in seconds.
const TARGET_S: f64 = 10.0;

pub(crate) fn rows() -> Vec<Bench> {
    vec![
        Bench::new("folded: allreduce, 134,217,728 ranks × 1", |work| {
            row(work, async |ctx| sums(ctx, 1).await)
        }),
        Bench::new(
            "folded: halos on a torus, 134,217,728 ranks × 100",
            |work| {
                row(work, async |ctx| {
                    ctx.shift(Symmetry::Torus(TORUS));
                    halos(ctx, TORUS[0].into(), 100).await
                })
            },
        ),
    ]
}

/// Measures the elapsed time of a run, which includes creating its system.
fn row<P>(work: &str, program: P) -> Row
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
{
    let watch = Stopwatch::start();
    let simulation = Simulation::new(&MODEL, System::new(RANKS, 1, RANKS, 1));
    let simulation = simulation.with_engine(Engine::Local).with_folding(true);
    let outcome = simulation.interpreted().run(program);
    let seconds = watch.wall_seconds();
    let outcome = outcome.expect("the program ends");
    assert_eq!(outcome.evaluation.folded, Some(RANKS));
    Row::new(
        work,
        "≤ 10 s",
        format!("{seconds:.2} s"),
        seconds <= TARGET_S,
    )
}
