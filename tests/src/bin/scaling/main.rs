//! How the time of each stage grows with each kind of input: `cargo xtask bench scaling`.
//!
//! Each kind is measured at four sizes, each twice the one before. The exponent is the slope of a
//! line through the logarithms: 1 is linear, 2 quadratic. Times are CPU time where Linux tells it.
#![expect(
    clippy::format_collect,
    reason = "models are made once, before the clock runs"
)]
#![expect(clippy::print_stdout, reason = "the table is the result")]

mod kinds;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

use kinds::{KINDS, Kind};
use prophet_codegen::check::RuleSet;
use prophet_codegen::generate::{Checked, check_source};
use prophet_codegen::source::Source;
use prophet_codegen::target::{Input, Target, Targets};
use prophet_codegen::workspace::Workspace;
use prophet_tests::{root, sketch};

/// How often the size is doubled.
const DOUBLINGS: u32 = 3;
/// What counts as no steeper than n log n: for these sizes the logarithm adds a tenth.
const EXPONENT_MAX: f64 = 1.15;
/// What takes less time at the largest size is not marked: the steps of the clock would show.
const MATTERS_S: f64 = 0.02;
/// What takes less time is run again.
const LONG_S: f64 = 0.02;

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
    for kind in KINDS {
        if only.as_ref().is_none_or(|only| kind.name.contains(only)) {
            // A kind that fails says so in its row; the others are measured all the same.
            let row = catch_unwind(AssertUnwindSafe(|| row(kind, &targets, &workspace)));
            let row = row.unwrap_or_else(|_| Err("it panicked".to_owned()));
            let row = row.unwrap_or_else(|problem| format!("failed: {problem} |"));
            println!("| {} | {row}", kind.name);
        }
    }
}

/// Measures a kind; the columns after its name, or why there are none.
fn row(kind: &Kind, targets: &Targets, workspace: &Workspace) -> Result<String, String> {
    let sizes: Vec<usize> = (0..=DOUBLINGS).map(|it| kind.smallest << it).collect();
    let mut checks = Vec::new();
    let mut others = vec![Vec::new(); targets.iter().count()];
    for &size in &sizes {
        let made = (kind.make)(size);
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        for (name, text) in &made.files {
            fs::write(folder.path().join(name), text).expect("a file can be written");
        }
        // A quote in an attribute, which a sketch cannot write.
        let text = sketch::xmi(&made.sketch).replace("QUOTE", "&quot;");
        let check = || checked(&made.rules, &text, folder.path());
        checks.push(seconds(check));
        let checked = check();
        if checked.program.is_some() == kind.is_wrong {
            let first = checked.diagnostics.first();
            let problem = first.map_or("no error is found", |it| &it.message);
            return Err(format!("at {size}: {problem}"));
        }
        for (target, times) in targets.iter().zip(&mut others) {
            times.extend(generated(target, &checked, workspace));
        }
    }
    let mut row = format!("{} to {} |", sizes[0], sizes[sizes.len() - 1]);
    for times in [checks].iter().chain(&others) {
        row.extend([" ", &cell(&sizes, times), " |"]);
    }
    Ok(row)
}

/// Reads and checks a model.
fn checked(rules: &str, text: &str, folder: &Path) -> Checked {
    let source = |name: &str, text: &str| Source {
        name: name.to_owned(),
        text: text.to_owned(),
    };
    let mut set = RuleSet::shipped();
    if !rules.is_empty() {
        let problems = set.add(&source("own.mcl.xml", rules));
        assert!(problems.is_empty(), "{:?}", problems.first());
    }
    check_source(&set, source("model.uml", text), folder, None)
}

/// The seconds that a target takes for a model; none for a model with errors.
fn generated(target: &dyn Target, checked: &Checked, workspace: &Workspace) -> Option<f64> {
    let input = Input {
        program: checked.program.as_ref()?,
        model: checked.model.as_ref()?,
        source: &checked.source,
        vocabulary: prophet_codegen::vocabulary::Vocabulary::NONE,
        name: "model",
        model_file: "model.uml",
        folder: Path::new(""),
        workspace,
    };
    Some(seconds(|| {
        let files = target.files(&input);
        let sidecars = target.sidecars(&input, &files);
        (files, sidecars)
    }))
}

/// The seconds of CPU that something takes, on average of as many runs as take long enough: Linux
/// counts the time of a thread in steps of some milliseconds.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
fn seconds<T>(run: impl Fn() -> T) -> f64 {
    let (start, cpu_start_s) = (Instant::now(), cpu_s());
    let mut runs = 0.0;
    loop {
        std::hint::black_box(run());
        runs += 1.0;
        let wall_s = start.elapsed().as_secs_f64();
        let taken_s = cpu_start_s.and_then(|start| Some(cpu_s()? - start));
        let taken_s = taken_s.unwrap_or(wall_s);
        if taken_s >= LONG_S {
            return taken_s / runs;
        }
    }
}

/// How long this thread has run, where Linux tells it.
fn cpu_s() -> Option<f64> {
    let status = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = status.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

/// The last time, and how times grow with sizes.
fn cell(sizes: &[usize], times: &[f64]) -> String {
    let Some(&last) = times.last() else {
        return String::new();
    };
    let exponent = exponent(sizes, times);
    let is_steep = exponent > EXPONENT_MAX && last > MATTERS_S;
    let mark = if is_steep { "**" } else { "" };
    format!("{last:.3}, {mark}{exponent:.2}{mark}")
}

/// The slope of the line through the logarithms that has the least squares.
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
