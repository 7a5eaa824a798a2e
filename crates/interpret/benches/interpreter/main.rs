//! Slowdown of interpreting a model against running its crate, in turns.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]
#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]

use std::path::Path;
use std::time::Instant;

use prophet_codegen::check::RuleSet;
use prophet_codegen::generate::check_by;
use prophet_interpret::Interpreted;
use prophet_runtime::{Engine, Model, ProcessCtx, Simulation, Stopped, System, Value};

/// Runs of each; the fastest counts.
const TURNS: usize = 7;

fn seconds(run: impl FnOnce() -> f64) -> (f64, f64) {
    let start = Instant::now();
    let predicted_s = run();
    (start.elapsed().as_secs_f64(), predicted_s)
}

/// Prints the row of a sample on a system, unless others are asked for.
fn row<P>(name: &str, model: &Model, program: P, system: &System, engine: Engine)
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped> + Copy,
{
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let mut names = asked.iter().filter(|it| !it.starts_with('-')).peekable();
    if names.peek().is_some() && !names.any(|it| it == name) {
        return;
    }
    // Cargo runs benches in the folder of their package.
    let path = format!("../../sample-models/{name}.uml");
    let checked =
        check_by(&RuleSet::shipped(), Path::new(&path), None).expect("the sample can be read");
    let interpreted = Interpreted::new(&checked, name, false).expect("it can be interpreted");
    let code = async |ctx: &ProcessCtx<'_>| interpreted.run(ctx).await;
    let native = Simulation::new(model, system.clone()).with_engine(engine);
    let simulation = Simulation::new(interpreted.model(), system.clone()).with_engine(engine);
    let simulation = simulation.interpreted();
    let (mut least, mut ours) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..TURNS {
        let (native_s, theirs_s) = seconds(|| time_s(native.run(program)));
        let (interpreted_s, predicted_s) = seconds(|| time_s(simulation.run(code)));
        assert_eq!(predicted_s.to_bits(), theirs_s.to_bits(), "{name}");
        (least, ours) = (least.min(native_s), ours.min(interpreted_s));
    }
    println!(
        "| {name} | {engine:?} | {:.2} ms | {:.2} ms | {:.2} |",
        least * 1e3,
        ours * 1e3,
        ours / least
    );
}

fn time_s(run: Result<prophet_runtime::Outcome, prophet_runtime::Failure>) -> f64 {
    run.unwrap_or_else(|failure| panic!("{failure}"))
        .predicted_time_s
}

fn main() {
    println!("| model | engine | native | interpreted | times slower |");
    println!("|---|---|---|---|---|");
    let with = |nodes, cpus, processes, threads, parameters: &[Value]| {
        let mut system = System::new(nodes, cpus, processes, threads);
        system.parameters = parameters.to_vec();
        system
    };
    for engine in [Engine::Event, Engine::Auto] {
        let system = with(256, 4, 1024, 1, &[]);
        row(
            "wavefront",
            &wavefront::MODEL,
            wavefront::program,
            &system,
            engine,
        );
        row(
            "jacobi2d",
            &jacobi2d::MODEL,
            jacobi2d::program,
            &system,
            engine,
        );
        row("halo", &halo::MODEL, halo::program, &system, engine);
    }
    let system = with(16, 4, 64, 1, &[]);
    row(
        "summa",
        &summa::MODEL,
        summa::program,
        &system,
        Engine::Auto,
    );
    let system = with(16, 8, 16, 8, &[]);
    row(
        "hybrid",
        &hybrid::MODEL,
        hybrid::program,
        &system,
        Engine::Auto,
    );
    row(
        "kernel6",
        &kernel6::MODEL,
        kernel6::program,
        &with(1, 1, 1, 1, &[]),
        Engine::Auto,
    );
    let detailed = with(1, 1, 1, 1, &[]);
    row(
        "kernel6_detailed",
        &kernel6_detailed::MODEL,
        kernel6_detailed::program,
        &detailed,
        Engine::Auto,
    );
}
