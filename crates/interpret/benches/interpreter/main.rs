//! Slowdown of interpreting a model against running its crate, in turns.
//!
//! Words on the command line choose the rows whose names they are.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]
#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]

mod native;

use std::path::Path;
use std::time::Instant;

use native::{allreduce, costs};
use prophet_codegen::check::RuleSet;
use prophet_codegen::generate::check_by;
use prophet_interpret::Interpreted;
use prophet_runtime::{
    Engine, Failure, Model, Outcome, ProcessCtx, Simulation, Stopped, System, Value,
};

/// Runs of each; the fastest counts.
const TURNS: usize = 7;

fn main() {
    println!("| model | engine | native | interpreted | times slower |");
    println!("|---|---|---|---|---|");
    let grid = System::new(256, 4, 1024, 1);
    let mut long = System::new(1024, 1, 1024, 1);
    long.parameters = vec![Value::Int(800)];
    let one = System::new(1, 1, 1, 1);
    macro_rules! row {
        ($name:ident, $system:expr, $engine:ident) => {
            let program = $name::program;
            Row::of(stringify!($name)).print(&$name::MODEL, program, $system, Engine::$engine);
        };
    }
    row!(wavefront, &long, Local);
    row!(allreduce, &System::new(4096, 1, 4096, 1), Local);
    row!(wavefront, &grid, Local);
    row!(wavefront, &grid, Event);
    row!(jacobi2d, &grid, Local);
    row!(jacobi2d, &grid, Event);
    row!(halo, &grid, Local);
    row!(halo, &grid, Event);
    row!(summa, &System::new(16, 4, 64, 1), Auto);
    row!(hybrid, &System::new(16, 8, 16, 8), Auto);
    row!(kernel6, &one, Auto);
    row!(kernel6_detailed, &one, Auto);
    row!(costs, &one, Auto);
}

/// A row of the table, if it is asked for.
struct Row<'n> {
    name: &'n str,
    is_asked_for: bool,
}

impl<'n> Row<'n> {
    fn of(name: &'n str) -> Self {
        let words: Vec<String> = std::env::args().skip(1).collect();
        let mut words = words.iter().filter(|it| !it.starts_with('-')).peekable();
        let is_asked_for = words.peek().is_none() || words.any(|it| it == name);
        Self { name, is_asked_for }
    }

    /// Runs the model on a system natively and interpreted, and prints how they compare.
    fn print<P>(&self, model: &Model, program: P, system: &System, engine: Engine)
    where
        P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped> + Copy,
    {
        if !self.is_asked_for {
            return;
        }
        let name = self.name;
        let interpreted = interpreted(name);
        let code = async |ctx: &ProcessCtx<'_>| interpreted.run(ctx).await;
        let native = Simulation::new(model, system.clone()).with_engine(engine);
        let simulation = Simulation::new(interpreted.model(), system.clone());
        let simulation = simulation.with_engine(engine).interpreted();
        let (mut least_s, mut ours_s) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..TURNS {
            let (native_s, expected_s) = seconds(|| native.run(program));
            let (interpreted_s, predicted_s) = seconds(|| simulation.run(code));
            assert_eq!(predicted_s.to_bits(), expected_s.to_bits(), "{name}");
            (least_s, ours_s) = (least_s.min(native_s), ours_s.min(interpreted_s));
        }
        let (native_ms, interpreted_ms) = (least_s * 1e3, ours_s * 1e3);
        let ratio = ours_s / least_s;
        let processes = system.processes;
        println!(
            "| {name}, {processes} processes | {engine:?} | {native_ms:.2} ms \
             | {interpreted_ms:.2} ms | {ratio:.2} |"
        );
    }
}

/// A sample, or a model of the bench's own, to be interpreted.
fn interpreted(name: &str) -> Interpreted {
    // Cargo runs benches in the folder of their package.
    let own = format!("benches/interpreter/{name}.uml");
    let sample = format!("../../sample-models/{name}.uml");
    let path = if Path::new(&own).exists() {
        own
    } else {
        sample
    };
    let checked = check_by(&RuleSet::shipped(), Path::new(&path), None);
    let checked = checked.expect("the model can be read");
    Interpreted::new(&checked, name, false).expect("it can be interpreted")
}

/// Seconds that a run takes, and those that it predicts.
fn seconds(run: impl FnOnce() -> Result<Outcome, Failure>) -> (f64, f64) {
    let start = Instant::now();
    let outcome = run().unwrap_or_else(|failure| panic!("{failure}"));
    (start.elapsed().as_secs_f64(), outcome.predicted_time_s)
}
