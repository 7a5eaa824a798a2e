//! Measures what writing a trace costs, by comparing runs with and without a trace.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use prophet_codegen::workspace::Workspace;
use prophet_files::Folder;
use prophet_targets::build;
use prophet_text::Context as _;

use super::{median, result_of};
use crate::Stop;

/// Number of runs of each kind. The kinds take turns.
const PAIRS: usize = 7;
/// Engines, and the factor by which a trace may at most slow down a run.
const TARGETS: [(&str, f64); 2] = [("local", 2.0), ("event", 1.5)];
/// A sample model whose processes do little except sending and receiving, so that rows arrive very
/// fast.
const PROGRAM: &str = "generated/jacobi2d";
/// The trace has more than ten million rows.
const FLAGS: [&str; 6] = ["--nodes", "1024", "--iterations", "300", "--format", "json"];

/// Returns a row for each engine whose name contains `only`.
pub(super) fn rows(workspace: &Workspace, only: Option<&str>) -> Result<String, Stop> {
    let program = build::release(&workspace.root.join(PROGRAM))?;
    let folder = Folder::temporary("prophet-bench").cannot("make", "a temporary folder")?;
    let file = folder.path().join("trace.arrow");
    let mut table = "| engine | target | seen | met |\n|---|---|---|---|\n".to_owned();
    for (engine, target) in TARGETS {
        if only.is_none_or(|only| engine.contains(only)) {
            table += &row(&program, engine, target, &file)?;
        }
    }
    Ok(table)
}

fn row(program: &Path, engine: &str, target: f64, file: &Path) -> Result<String, Stop> {
    let (mut alone, mut traced) = (Vec::new(), Vec::new());
    let (mut ratios, mut cpu_ratios) = (Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        let without = measure(program, engine, None)?;
        let with = measure(program, engine, Some(file))?;
        ratios.push(with.wall_s / without.wall_s);
        cpu_ratios.push(with.cpu_s / without.cpu_s);
        alone.push(without);
        traced.push(with);
    }
    let ratio = median(&mut ratios);
    let wall_s = |runs: &[Run]| median(&mut runs.iter().map(|run| run.wall_s).collect::<Vec<_>>());
    let of_all = |cpu_s: fn(&Run) -> f64, runs: &[Run]| {
        median(&mut runs.iter().map(cpu_s).collect::<Vec<_>>())
    };
    let mut row = String::new();
    let _ = writeln!(
        row,
        "| {engine} | ≤ {target} × the run alone | {ratio:.2} × ({:.2} s against {:.2} s); \
         CPU {:.1} × ({:.2} s, of that the engine's thread {:.2} s, against {:.2} s); \
         {:.0} MB | {} |",
        wall_s(&traced),
        wall_s(&alone),
        median(&mut cpu_ratios),
        of_all(|run| run.cpu_s, &traced),
        of_all(|run| run.engine_cpu_s, &traced),
        of_all(|run| run.cpu_s, &alone),
        megabytes(file)?,
        super::verdict(ratio <= target),
    );
    Ok(row)
}

#[expect(clippy::struct_field_names, reason = "units of measurement come last")]
struct Run {
    wall_s: f64,
    /// CPU time of all threads in the program.
    cpu_s: f64,
    /// CPU time of the engine's thread.
    engine_cpu_s: f64,
}

/// Runs the program as a separate process. Writes a trace to `file`, if given.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
fn measure(program: &Path, engine: &str, file: Option<&Path>) -> Result<Run, Stop> {
    let mut command = Command::new(program);
    command.args(FLAGS).args(["--engine", engine]);
    if let Some(file) = file {
        // Deleting the previous trace takes time, which isn't part of this run.
        let _ = std::fs::remove_file(file);
        command.arg("--trace").arg(file);
    }
    let (cpu_before_s, start) = (children_cpu_s(), Instant::now());
    let output = command.output();
    let wall_s = start.elapsed().as_secs_f64();
    let cpu_s = children_cpu_s() - cpu_before_s;
    let result = result_of(output)?;
    Ok(Run {
        wall_s,
        cpu_s,
        engine_cpu_s: result.evaluation.cpu_s,
    })
}

/// Returns the total CPU time of all child processes that have ended, in seconds. Its resolution is
/// 0.01 s. Returns NaN if the system doesn't report it.
fn children_cpu_s() -> f64 {
    const TICKS_PER_S: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name can contain spaces. User and system time are fields 14 and 15.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks = fields.split_whitespace().skip(13).take(2);
    let ticks = ticks.map(|field| field.parse().unwrap_or(f64::NAN));
    if fields.is_empty() {
        return f64::NAN;
    }
    ticks.sum::<f64>() / TICKS_PER_S
}

#[expect(clippy::cast_precision_loss, reason = "files are shorter than that")]
fn megabytes(file: &Path) -> Result<f64, Stop> {
    let metadata = std::fs::metadata(file);
    let length = metadata.context("the trace is missing")?;
    Ok(length.len() as f64 / 1e6)
}
