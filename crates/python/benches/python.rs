//! Measures how much time Python adds to predictions and sweeps. `cargo xtask bench python` writes
//! the rows into `prophet-runtime/benches/figures.md`.
//!
//! With a word on the command line, only the rows that contain it are measured. Python and Rust
//! take turns, and the fastest turn of each counts.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

#[path = "../tests/package.rs"]
mod package;

use std::path::Path;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_interpreter::Interpreted;
use prophet_runtime::{Configuration, RunHandle};
use prophet_sweep::{Replications, Space, Sweep};
use prophet_testing::{Stopwatch, is_asked_for, verdict};

const TURNS: usize = 7;
const CALLS: u32 = 2000;
const POINTS: u64 = 10_000;
/// Maximum time, in microseconds, that Python can add to a prediction.
const ADDED_US: f64 = 30.0;
/// How much longer a sweep can take in Python than in Rust.
const SWEEP: f64 = 1.05;

fn main() {
    println!("| work | target | seen | met |");
    println!("|---|---|---|---|");
    let Some(package) = package::made() else {
        return;
    };
    let models = package::root().join("sample-models");
    let bench = |work: &str, model: &str, flags: &[&str], points: u64| {
        is_asked_for(work).then(|| {
            let model = models.join(model);
            fastest(package.path(), &model, flags, points)
        })
    };
    let small = "predict: the first sample, 4 processes";
    let lapw0 = "predict: LAPW0, 32 processes";
    for (work, model, flags) in [
        (small, "sample.uml", &["--nodes=4"][..]),
        (lapw0, "lapw0.uml", &["--nodes=8", "--cpus-per-node=4"]),
    ] {
        if let Some([python_s, rust_s]) = bench(work, model, flags, 0) {
            let (python_us, rust_us) = (python_s * 1e6, rust_s * 1e6);
            let added = python_us - rust_us;
            let seen = format!("{added:.1} us ({python_us:.1} us against {rust_us:.1} us)");
            let met = verdict(added <= ADDED_US);
            println!("| {work} | ≤ {ADDED_US} us more than in Rust | {seen} | {met} |");
        }
    }
    let work = "sweep: LAPW0, 32 processes, 10,000 points on one thread";
    let flags = ["--nodes=8", "--cpus-per-node=4"];
    if let Some([python_s, rust_s]) = bench(work, "lapw0.uml", &flags, POINTS) {
        let ratio = python_s / rust_s;
        let seen = format!("{ratio:.3} × ({python_s:.3} s against {rust_s:.3} s)");
        let met = verdict(ratio <= SWEEP);
        println!("| {work} | ≤ {SWEEP} × the program's | {seen} | {met} |");
    }
}

/// Returns the seconds of the fastest turns of Python and of Rust, for a prediction or for a sweep
/// of `points` points.
fn fastest(package: &Path, model: &Path, flags: &[&str], points: u64) -> [f64; 2] {
    let checked = check_by(&RuleSet::shipped(), model, None).expect("the model can be read");
    let program = Interpreted::new(&checked, "model.uml", false).expect("it can be interpreted");
    let mut least = [f64::INFINITY; 2];
    for _ in 0..TURNS {
        let rust_s = if points == 0 {
            predictions_s(&program, flags)
        } else {
            sweep_s(&program, flags, points)
        };
        let python_s = python_s(package, model, flags, points);
        least = [least[0].min(python_s), least[1].min(rust_s)];
    }
    least
}

fn predictions_s(program: &Interpreted, flags: &[&str]) -> f64 {
    let configuration = Configuration::read(program.model(), flags).expect("flags are valid");
    let handle = RunHandle::default();
    let watch = Stopwatch::start();
    for _ in 0..CALLS {
        let ran = program.predict(&configuration, &handle);
        assert!(ran.expect("it can be predicted").outcome.predicted_time_s > 0.0);
    }
    watch.wall_seconds() / f64::from(CALLS)
}

fn sweep_s(program: &Interpreted, flags: &[&str], points: u64) -> f64 {
    let watch = Stopwatch::start();
    let space = Space::parse(&[format!("nat=1..{points}")], None).expect("axes are valid");
    let flags = Configuration::read(program.model(), flags).expect("flags are valid");
    let sweep = Sweep::new(program, flags, &space, Replications::default());
    let sweep = sweep.expect("axes are of the model");
    let mut rows = Vec::new();
    sweep.evaluate(0..points, 1, &RunHandle::default(), |row| rows.push(row));
    assert!(rows.iter().all(|row| row.found.is_ok()));
    watch.wall_seconds()
}

/// Returns the time of the same work in Python, as measured by Python itself.
fn python_s(package: &Path, model: &Path, flags: &[&str], points: u64) -> f64 {
    let flags = flags.iter().filter_map(|flag| flag.strip_prefix("--"));
    let flags: Vec<String> = flags.map(|flag| flag.replace('-', "_")).collect();
    let flags = flags.join(", ");
    let measured = if points == 0 {
        format!("for _ in range({CALLS}): model.predict({flags})")
    } else {
        format!("table = model.sweep({{'nat': range(1, {points} + 1)}}, jobs=1, {flags})")
    };
    let calls = if points == 0 { CALLS } else { 1 };
    let program = format!(
        "import sys, time\nimport performance_prophet as pp\nmodel = pp.Model.open(sys.argv[1])\n\
         start = time.perf_counter()\n{measured}\nprint((time.perf_counter() - start) / {calls})"
    );
    let model = model.to_str().expect("a path in UTF-8");
    let ran = package::python(package, &["-c", &program, model]);
    let said = String::from_utf8_lossy(&ran.stdout);
    said.trim()
        .parse()
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ran.stderr)))
}
