//! Measures runs on two threads, alternating with runs on one thread.

use std::num::NonZero;

use prophet_runtime::{ProcessCtx, Stopped};

use crate::local::{halos, simulation, sums, sweeps};
use crate::measure::{Bench, Row, Stopwatch, median, process_cpu_s};

/// Number of pairs of runs. Results are medians.
const PAIRS: usize = 5;
/// The project's minimum ratio.
const TARGET: f64 = 1.7;

pub(crate) fn rows() -> Vec<Bench> {
    vec![
        Bench::new("jobs: wavefront, 1,024 ranks × 800", |work| {
            row(work, 1024, async |ctx| sweeps::<32>(ctx, 800).await)
        }),
        Bench::new("jobs: wavefront, 16,384 ranks × 100", |work| {
            row(work, 16_384, async |ctx| sweeps::<128>(ctx, 100).await)
        }),
        Bench::new("jobs: allreduce, 4,096 ranks × 100", |work| {
            row(work, 4096, async |ctx| sums(ctx, 100).await)
        }),
        Bench::new("jobs: allreduce, 1,048,576 ranks × 1", |work| {
            row(work, 1 << 20, async |ctx| sums(ctx, 1).await)
        }),
        Bench::new("jobs: halos on a torus, 4,096 ranks × 300", |work| {
            row(work, 4096, async |ctx| halos(ctx, 64, 300).await)
        }),
    ]
}

/// Measures the elapsed time with one thread, divided by that with two.
fn row<P>(work: &str, processes: u32, program: P) -> Row
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped> + Sync,
{
    let simulation = simulation(processes);
    // Measures what the cores can do: on two free cores, two runs at the same time take no longer
    // than one.
    let pair = || {
        let watch = Stopwatch::start();
        std::thread::scope(|scope| {
            let run = || simulation.run_on(NonZero::<u32>::MIN, &program).is_ok();
            let other = scope.spawn(run);
            assert!(run() && other.join().is_ok_and(|ended| ended));
        });
        watch.wall_seconds()
    };
    let seconds = |threads: u32| {
        let threads = NonZero::new(threads).unwrap_or(NonZero::<u32>::MIN);
        let (watch, cpu_s) = (Stopwatch::start(), process_cpu_s());
        let outcome = simulation.run_on(threads, &program);
        let seconds = (watch.wall_seconds(), process_cpu_s() - cpu_s);
        let evaluation = outcome.expect("the program ends").evaluation;
        assert_eq!(evaluation.threads, threads.get());
        seconds
    };
    let turn = |_| ((seconds(1), seconds(2)), pair());
    let (pairs, side_by_side): (Vec<_>, Vec<_>) = (0..PAIRS).map(turn).unzip();
    let ratio = median(pairs.iter().map(|(one, two)| one.0 / two.0));
    let cpu = median(pairs.iter().map(|(one, two)| two.1 / one.1));
    let one_s = median(pairs.iter().map(|(one, _)| one.0));
    let two_s = median(pairs.iter().map(|(_, two)| two.0));
    let pair_s = median(side_by_side.into_iter());
    let seen = format!(
        "{ratio:.2} × ({:.0} ms against {:.0} ms, {:.0} ms for two runs side by side; \
         {cpu:.2} × the CPU time)",
        two_s * 1e3,
        one_s * 1e3,
        pair_s * 1e3
    );
    Row::new(work, "≥ 1.7 × one thread", seen, ratio >= TARGET)
}
