//! Measures how the time of each stage grows with the size of the input, for
//! `cargo xtask bench scaling`.
//!
//! Each kind of input is measured at four sizes, each twice the previous one. The exponent is the
//! slope of a line through the logarithms: 1 means linear, 2 quadratic. Times are CPU times if
//! Linux reports them. The minimum of several rounds counts, because other work on the machine can
//! only increase the times.
#![expect(
    clippy::format_collect,
    reason = "models are made once, before the clock runs"
)]
#![expect(clippy::print_stdout, reason = "the table is the result")]

mod kinds;

use std::fs;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

use kinds::{Kind, kinds};
use prophet_codegen::source::Source;
use prophet_codegen::target::{Input, Target, Targets};
use prophet_codegen::workspace::Workspace;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::{Checked, check_source};
use prophet_tests::{root, sketch};
use tempfile::TempDir;

const DOUBLINGS: u32 = 3;
/// Largest exponent that still counts as n log n. At these sizes, the logarithm adds 0.1.
const EXPONENT_MAX: f64 = 1.15;
/// Exponents are only marked if the largest size takes at least this time. Shorter times depend on
/// the clock's resolution.
const MATTERS_S: f64 = 0.02;
/// Measuring continues for at least this long.
const ENOUGH_S: f64 = 0.3;
/// Stages that take less time are repeated within a round.
const LONG_S: f64 = 0.002;

fn main() {
    let only = std::env::args().nth(1);
    let workspace = Workspace::find(&root().join("Cargo.toml")).expect("this is a workspace");
    let targets = prophet_targets::shipped();
    println!(
        "At the largest size, seconds and the exponent; those above {EXPONENT_MAX} that take \
         more than {MATTERS_S} s are **marked**.\n"
    );
    print!("| input | sizes | check |");
    for target in targets.iter() {
        print!(" {} |", target.name());
    }
    println!("\n|---|---|---|{}", "---|".repeat(targets.iter().count()));
    for kind in &kinds() {
        if only.as_ref().is_none_or(|only| kind.name.contains(only)) {
            // If a kind fails, its row says so, and the other kinds are still measured.
            let row = catch_unwind(AssertUnwindSafe(|| row(kind, &targets, &workspace)));
            let row = row.unwrap_or_else(|_| Err("it panicked".to_owned()));
            let row = row.unwrap_or_else(|problem| format!("failed: {problem} |"));
            println!("| {} | {row}", kind.name);
        }
    }
}

/// Measures a kind. Returns its row without the name, or the reason for an empty row.
fn row(kind: &Kind, targets: &Targets, workspace: &Workspace) -> Result<String, String> {
    let sizes: Vec<usize> = (0..=DOUBLINGS).map(|it| kind.smallest << it).collect();
    let inputs: Result<Vec<Prepared>, String> = sizes
        .iter()
        .map(|&size| Prepared::new(kind, size))
        .collect();
    let inputs = inputs?;
    let mut row = format!("{} to {} |", sizes[0], sizes[sizes.len() - 1]);
    let mut add = |run: &dyn Fn(&Prepared)| {
        row.extend([" ", &cell(&sizes, &least(&inputs, run)), " |"]);
    };
    add(&|input| drop(black_box(input.check())));
    for target in targets.iter().filter(|_| !kind.is_wrong) {
        add(&|input| generate(target, &input.checked, workspace));
    }
    if kind.is_wrong {
        row += &" |".repeat(targets.iter().count());
    }
    Ok(row)
}

struct Prepared {
    text: String,
    rules: String,
    folder: TempDir,
    checked: Checked,
}

impl Prepared {
    fn new(kind: &Kind, size: usize) -> Result<Self, String> {
        let made = kind.make(size);
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        for (name, text) in &made.files {
            fs::write(folder.path().join(name), text).expect("a file can be written");
        }
        // Sketches can't contain quotes in attributes.
        let text = sketch::xmi(&made.sketch).replace("QUOTE", "&quot;");
        let checked = checked(&made.rules, &text, folder.path());
        if checked.program.is_some() == kind.is_wrong {
            let first = checked.diagnostics.first();
            let problem = first.map_or("no error is found", |it| &it.message);
            return Err(format!("at {size}: {problem}"));
        }
        Ok(Self {
            text,
            rules: made.rules,
            folder,
            checked,
        })
    }

    fn check(&self) -> Checked {
        checked(&self.rules, &self.text, self.folder.path())
    }
}

fn checked(rules: &str, text: &str, folder: &Path) -> Checked {
    let source = |name: &str, text: &str| Source::new(name, text);
    let mut set = RuleSet::shipped();
    if !rules.is_empty() {
        let problems = set.add(&source("own.mcl.xml", rules));
        assert!(problems.is_empty(), "{:?}", problems.first());
    }
    check_source(&set, source("model.uml", text), folder, None)
}

fn generate(target: &dyn Target, checked: &Checked, workspace: &Workspace) {
    let (Some(program), Some(model)) = (&checked.program, &checked.model) else {
        return;
    };
    let input = Input {
        program,
        model,
        source: &checked.source,
        vocabulary: prophet_codegen::vocabulary::Vocabulary::NONE,
        name: "model",
        model_file: "model.uml",
        main: None,
        folder: Path::new(""),
        workspace,
    };
    let files = target.files(&input);
    let sidecars = target.sidecars(&input, &files);
    black_box((files, sidecars));
}

/// Returns the shortest time in seconds for each input. Each round runs all inputs, so that other
/// programs on the machine slow down all sizes equally.
fn least(inputs: &[Prepared], run: &dyn Fn(&Prepared)) -> Vec<f64> {
    let mut least = vec![f64::INFINITY; inputs.len()];
    let mut spent_s = 0.0;
    while spent_s < ENOUGH_S {
        for (input, least) in inputs.iter().zip(&mut least) {
            let taken_s = seconds(|| run(input));
            *least = least.min(taken_s);
            spent_s += taken_s.max(LONG_S);
        }
    }
    least
}

/// Returns the mean CPU time of a run in seconds. Repeats short runs.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
fn seconds(run: impl Fn()) -> f64 {
    let (start, cpu_start_s) = (Instant::now(), cpu_s());
    let mut runs = 0.0;
    loop {
        run();
        runs += 1.0;
        let taken_s = match (cpu_start_s, cpu_s()) {
            (Some(start_s), Some(end_s)) => end_s - start_s,
            _ => start.elapsed().as_secs_f64(),
        };
        if taken_s >= LONG_S {
            return taken_s / runs;
        }
    }
}

/// Returns this thread's CPU time, or `None` if the system doesn't report it.
fn cpu_s() -> Option<f64> {
    // The kernel updates the time whenever it schedules threads.
    std::thread::yield_now();
    let status = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = status.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

/// Formats the time for the largest size, and the exponent by which times grow.
fn cell(sizes: &[usize], times: &[f64]) -> String {
    let last = times[times.len() - 1];
    let exponent = exponent(sizes, times);
    let is_steep = exponent > EXPONENT_MAX && last > MATTERS_S;
    let mark = if is_steep { "**" } else { "" };
    format!("{last:.3}, {mark}{exponent:.2}{mark}")
}

/// Returns the slope of a line that is fitted to the logarithms by least squares.
#[expect(clippy::cast_precision_loss, reason = "sizes are small")]
fn exponent(sizes: &[usize], times: &[f64]) -> f64 {
    let count = sizes.len() as f64;
    let xs: Vec<f64> = sizes.iter().map(|&size| (size as f64).ln()).collect();
    let ys: Vec<f64> = times.iter().map(|time| time.max(1e-9).ln()).collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / count;
    let (mean_x, mean_y) = (mean(&xs), mean(&ys));
    let products = xs.iter().zip(&ys).map(|(x, y)| (x - mean_x) * (y - mean_y));
    let squares = xs.iter().map(|x| (x - mean_x).powi(2));
    products.sum::<f64>() / squares.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_a_model_that_can_be_measured() {
        let failed: Vec<String> = kinds()
            .iter()
            .filter_map(|kind| Some(format!("{}: {}", kind.name, Prepared::new(kind, 2).err()?)))
            .collect();
        assert_eq!(failed, <[String; 0]>::default());
    }
}
