//! Measures predictions per second of a sweep. `cargo xtask bench sweep` writes the rows into
//! `prophet-runtime/benches/figures.md`.
//!
//! With words on the command line, only the rows that contain one of them are measured.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::path::Path;
use std::time::Instant;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_interpreter::Interpreted;
use prophet_runtime::{Configuration, RunHandle};
use prophet_sweep::{Replications, Space, Sweep};
use prophet_testing::{is_asked_for, verdict};

/// Number of runs per row. The fastest one counts.
const TURNS: usize = 5;

#[derive(Clone, Copy)]
struct Cost {
    wall_s: f64,
    cpu_s: f64,
}

fn main() {
    println!("| work | target | seen | met |");
    println!("|---|---|---|---|");
    let program = lapw0();
    let asked = is_asked_for;
    if asked("LAPW0, 32 processes: rate on one core and on two") {
        rates(&program);
    }
    if asked("LAPW0, 100,000 points of nodes, sizes and a network on two cores") {
        many(&program);
    }
}

fn rates(program: &Interpreted) {
    const POINTS: u64 = 20_000;
    let flags = ["--nodes", "8", "--cpus-per-node", "4"];
    let axes = [format!("nat=1..{POINTS}")];
    let run = |jobs| fastest(|| cost(program, &flags, &axes, jobs));
    let (one, two) = (run(1), run(2));
    let points = f64::from(u32::try_from(POINTS).unwrap_or(u32::MAX));
    let cpu_us = one.cpu_s / points * 1e6;
    row(
        "LAPW0, 32 processes: CPU time",
        "≤ 90 us",
        &format!("{cpu_us:.1} us"),
        cpu_us <= 90.0,
    );
    let rate = points / two.wall_s;
    let seen = format!("{rate:.0} a second");
    row(
        "LAPW0, 32 processes: two threads",
        "≥ 20,000 a second",
        &seen,
        rate >= 2e4,
    );
    let ratio = one.wall_s / two.wall_s;
    let seen = format!("{ratio:.2} × one thread");
    row(
        "the same against one thread",
        "≥ 1.8 ×",
        &seen,
        ratio >= 1.8,
    );
    // Use CPU time, so that the cost of two threads doesn't depend on other load.
    let ratio = 2.0 * one.cpu_s / two.cpu_s;
    let seen = format!("{ratio:.2} × of one thread's");
    row("the same by CPU time", "≥ 1.8 ×", &seen, ratio >= 1.8);
}

/// Evaluates 100,000 points, and measures how much more memory they need than 10,000.
fn many(program: &Interpreted) {
    let axes = |sizes: u32| {
        let axes = ["nodes=1,2,4,8,16", "network.latency=1us..10us:10"].map(str::to_owned);
        axes.into_iter()
            .chain([format!("nat=1..{sizes}")])
            .collect::<Vec<_>>()
    };
    let flags = ["--cpus-per-node", "4"];
    cost(program, &flags, &axes(200), 2);
    let before = memory_kib();
    let all = cost(program, &flags, &axes(2000), 2);
    let more = memory_kib().saturating_sub(before);
    let seen = format!("{:.1} s, {:.1} s of CPU", all.wall_s, all.cpu_s);
    row(
        "LAPW0, 100,000 points on two threads",
        "≤ 10 s",
        &seen,
        all.wall_s <= 10.0,
    );
    let seen = format!("{more} KiB");
    row(
        "their memory, more than for 10,000",
        "≤ 1,024 KiB",
        &seen,
        more <= 1024,
    );
}

fn row(work: &str, target: &str, seen: &str, met: bool) {
    let met = verdict(met);
    println!("| {work} | {target} | {seen} | {met} |");
}

fn fastest(run: impl Fn() -> Cost) -> Cost {
    let least = |a: Cost, b: Cost| Cost {
        wall_s: a.wall_s.min(b.wall_s),
        cpu_s: a.cpu_s.min(b.cpu_s),
    };
    (1..TURNS).fold(run(), |fastest, _| least(fastest, run()))
}

#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
fn cost(program: &Interpreted, flags: &[&str], axes: &[String], jobs: usize) -> Cost {
    let space = Space::parse(axes, None).expect("axes are valid");
    let flags = Configuration::read(program.model(), flags).expect("flags are valid");
    let sweep = Sweep::new(program, flags, &space, Replications::default());
    let sweep = sweep.expect("axes are of the model");
    let (start, cpu_start_s) = (Instant::now(), cpu_s());
    let mut sum_s = 0.0;
    sweep.evaluate(0..space.points(), jobs, &RunHandle::default(), |row| {
        sum_s += row
            .found
            .expect("each point has a prediction")
            .predicted_time_s();
    });
    assert!(sum_s > 0.0);
    Cost {
        wall_s: start.elapsed().as_secs_f64(),
        cpu_s: cpu_s() - cpu_start_s,
    }
}

/// Returns the CPU time of all threads, including those that have ended.
fn cpu_s() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap_or("")
        .split_whitespace()
        .collect();
    let ticks = |at: usize| {
        fields
            .get(at)
            .and_then(|it| it.parse::<f64>().ok())
            .unwrap_or(0.0)
    };
    // Linux counts in units of 10 ms.
    (ticks(11) + ticks(12)) / 100.0
}

fn memory_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or(0)
}

fn lapw0() -> Interpreted {
    // Cargo runs benchmarks in the folder of their package.
    let path = Path::new("../../sample-models/lapw0.uml");
    let checked = check_by(&RuleSet::shipped(), path, None).expect("the model can be read");
    Interpreted::new(&checked, "lapw0.uml", false).expect("it can be interpreted")
}
