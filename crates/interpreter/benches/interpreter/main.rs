//! Compares interpreting a model with running its crate, in turns. `cargo xtask bench interpreter`
//! writes the rows into `prophet-runtime/benches/figures.md`.
//!
//! If there are words on the command line, only rows that contain one of them are measured.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

mod native;

use std::path::Path;

use native::{allreduce, costs};
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_interpreter::Interpreted;
use prophet_runtime::{Engine, Failure, Model, Outcome, ProcessCtx, Simulation, Stopped, System};
use prophet_testing::{Stopwatch, is_asked_for, verdict};

/// Number of runs of each kind. The fastest run counts.
const TURNS: usize = 7;
/// How many times slower than the compiled crate interpreting may be.
const TARGET: f64 = 5.0;

fn main() {
    println!("| work | target | seen | met |");
    println!("|---|---|---|---|");
    let grid = System::new(256, 4, 1024, 1);
    let one = System::new(1, 1, 1, 1);
    macro_rules! row {
        ($work:expr, $name:ident, $system:expr, $engine:ident) => {
            if is_asked_for($work) {
                let (name, model, program) = (stringify!($name), &$name::MODEL, $name::program);
                let compared = compare(name, model, program, $system, Engine::$engine);
                println!("| {} | {compared} |", $work);
            }
        };
    }
    let ranks = System::new(4096, 1, 4096, 1);
    row!(
        "local: allreduce, 4,096 processes × 100",
        allreduce,
        &ranks,
        Local
    );
    row!("local: jacobi2d, 1,024 processes", jacobi2d, &grid, Local);
    row!("jacobi2d by events", jacobi2d, &grid, Event);
    row!(
        "a cost function of 1,000 turns with exp and sqrt, 100 calls",
        costs,
        &one,
        Auto
    );
    let work = "folded: wavefront, 134,217,728 processes × 1";
    if is_asked_for(work) {
        println!("| {work} | {} |", folded(1 << 27));
    }
}

/// Maximum number of seconds for a folded sweep with equal processes.
const FOLDED_S: f64 = 10.0;

/// Runs a folded sweep over a grid, and returns the columns of its row.
fn folded(processes: u32) -> String {
    let interpreted = interpreted("wave");
    let code = async |ctx: &ProcessCtx<'_>| interpreted.run(ctx).await;
    let watch = Stopwatch::start();
    let system = System::new(processes, 1, processes, 1);
    let simulation = Simulation::new(interpreted.model(), system).with_engine(Engine::Local);
    let outcome = simulation.interpreted().with_folding(true).run(code);
    let seconds = watch.seconds();
    let outcome = outcome.unwrap_or_else(|failure| panic!("{failure}"));
    let evaluation = &outcome.evaluation;
    assert_eq!(evaluation.folded, Some(processes), "{evaluation:?}");
    let simulated = outcome.processes.len();
    let verdict = verdict(seconds <= FOLDED_S);
    format!("≤ {FOLDED_S} s | {seconds:.2} s, {simulated} simulated | {verdict}")
}

/// Runs a model both compiled and interpreted, and returns the columns of its row.
fn compare<P>(name: &str, model: &Model, program: P, system: &System, engine: Engine) -> String
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped> + Copy,
{
    let interpreted = interpreted(name);
    let code = async |ctx: &ProcessCtx<'_>| interpreted.run(ctx).await;
    let native = Simulation::new(model, system.clone()).with_engine(engine);
    let simulation = Simulation::new(interpreted.model(), system.clone());
    let simulation = simulation.with_engine(engine).interpreted();
    let (mut native_s, mut interpreted_s) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..TURNS {
        let (run_s, expected_s) = seconds(|| native.run(program));
        native_s = native_s.min(run_s);
        let (run_s, predicted_s) = seconds(|| simulation.run(code));
        interpreted_s = interpreted_s.min(run_s);
        assert_eq!(predicted_s.to_bits(), expected_s.to_bits(), "{name}");
    }
    let ratio = interpreted_s / native_s;
    let verdict = verdict(ratio <= TARGET);
    format!(
        "≤ {TARGET} × native | {ratio:.2} × ({:.2} ms against {:.2} ms) | {verdict}",
        interpreted_s * 1e3,
        native_s * 1e3
    )
}

/// Prepares a sample, or one of this bench's own models, for interpretation.
fn interpreted(name: &str) -> Interpreted {
    // Cargo runs benches in the folder of their package.
    let own = ["uml", "puml"].map(|form| format!("benches/interpreter/{name}.{form}"));
    let sample = format!("../../sample-models/{name}.uml");
    let path = own.into_iter().find(|own| Path::new(own).exists());
    let path = path.unwrap_or(sample);
    let checked = check_by(&RuleSet::shipped(), Path::new(&path), None);
    let checked = checked.expect("the model can be read");
    Interpreted::new(&checked, name, false).expect("it can be interpreted")
}

/// Returns how long a run takes and what it predicts, both in seconds.
fn seconds(run: impl FnOnce() -> Result<Outcome, Failure>) -> (f64, f64) {
    let watch = Stopwatch::start();
    let outcome = run().unwrap_or_else(|failure| panic!("{failure}"));
    (watch.seconds(), outcome.predicted_time_s)
}
