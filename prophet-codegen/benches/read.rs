//! How long it takes to read and check models of 1, 5 and 20 MB, and how much memory, against the
//! limits of 1 s and 10 times the file's size for 20 MB: `cargo bench -p prophet-codegen --bench
//! read`.
//!
//! Each file is read in a process of its own, so that one does not use memory that another one has
//! left. Memory is the most that the process ever had, as Linux counts it, above what it had before.

mod large;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use prophet_codegen::generate::check;

const RUNS: usize = 5;

fn main() {
    let mut arguments = std::env::args().skip(1);
    if let (Some("--child"), Some(path)) = (arguments.next().as_deref(), arguments.next()) {
        return child(Path::new(&path));
    }
    println!("model             bytes     time (s)  us/KB  memory (MB)  memory / file");
    for megabytes in [1, 5, 20] {
        for called in [false, true] {
            row(megabytes, called);
        }
    }
}

/// Reads a file some times; prints the seconds of the median and the most memory of the first.
#[expect(clippy::disallowed_methods, reason = "a bench measures")]
fn child(path: &Path) {
    let before = peak_bytes();
    let mut peak = 0;
    let mut times: Vec<f64> = (0..RUNS)
        .map(|run| {
            let start = Instant::now();
            let checked = check(path, None).expect("the file is readable");
            assert!(checked.program.is_some(), "the model is right");
            let time = start.elapsed().as_secs_f64();
            drop(checked);
            if run == 0 {
                peak = peak_bytes().saturating_sub(before);
            }
            time
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("{} {peak}", times[RUNS / 2]);
}

/// The most memory that this process has had; 0 where the system does not say.
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|it| it.trim().strip_suffix(" kB"));
    kilobytes.and_then(|it| it.parse().ok()).unwrap_or(0) * 1024
}

fn row(megabytes: usize, called: bool) {
    let source = large::model(megabytes, called);
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let path: PathBuf = folder.path().join("large.uml");
    std::fs::write(&path, &source.text).expect("the folder can be written");
    let bytes = source.text.len();
    drop(source);
    let program = std::env::current_exe().expect("the bench is a file");
    let child = Command::new(program).arg("--child").arg(&path).output();
    let output = child.expect("the bench can be started").stdout;
    let output = String::from_utf8_lossy(&output).into_owned();
    let mut numbers = output.split_whitespace().map(|it| it.parse::<f64>());
    let mut number = || numbers.next().and_then(Result::ok).expect("two numbers");
    let (time, memory) = (number(), number());
    let name = format!("{megabytes} MB{}", if called { ", called" } else { "" });
    let size = bytes as f64;
    println!(
        "{name:<14}  {bytes:>9}  {time:>8.3}  {:>7.1}  {:>9.1}  {:>11.1}",
        time * 1e9 / size,
        memory / 1e6,
        memory / size,
    );
}
