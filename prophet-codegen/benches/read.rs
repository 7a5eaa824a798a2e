//! Measures the time and memory that it takes to read and check models of 1, 5, and 20 MB. The
//! limits for 20 MB are 1 s and 10 times the file's size. Run it with `cargo bench -p
//! prophet-codegen --bench read`.
//!
//! Each file is read in a process of its own, so that it can't reuse memory from another file.
//! Memory is the process's peak, as Linux reports it, minus the peak before reading. CPU time is
//! also from Linux, and says more than elapsed time on a busy machine.

#![expect(clippy::print_stdout, reason = "the table is the result")]

mod large;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use prophet_frontend::checked::check;

const RUNS: usize = 5;

fn main() {
    let mut arguments = std::env::args().skip(1);
    if let (Some("--child"), Some(path)) = (arguments.next().as_deref(), arguments.next()) {
        return child(Path::new(&path));
    }
    println!("model             time (s)  CPU (s)  CPU ns/byte  memory (MB)  memory / file");
    for called in [false, true] {
        for megabytes in [1, 5, 20] {
            row(megabytes, called);
        }
    }
}

/// Reads a file several times. Prints the medians of elapsed time and CPU time in seconds, and the
/// first read's peak memory.
#[expect(clippy::disallowed_methods, reason = "a bench measures")]
fn child(path: &Path) {
    let before = peak_bytes();
    let mut peak = 0.0;
    let mut times = Vec::new();
    let mut cpu_times = Vec::new();
    for run in 0..RUNS {
        let (start, cpu_start) = (Instant::now(), cpu_seconds());
        let checked = check(path, None).expect("the file is readable");
        assert!(checked.program.is_some(), "the model is right");
        cpu_times.push(cpu_seconds() - cpu_start);
        times.push(start.elapsed().as_secs_f64());
        if run == 0 {
            peak = peak_bytes() - before;
        }
    }
    println!("{} {} {peak}", median(times), median(cpu_times));
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[RUNS / 2]
}

/// Returns this process's peak memory in bytes, or 0 if the system does not report it.
fn peak_bytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|it| it.trim().strip_suffix(" kB"));
    let kilobytes = kilobytes.and_then(|it| it.parse().ok());
    1024.0 * kilobytes.unwrap_or(0.0)
}

/// Returns this process's CPU time in seconds, or 0 if the system does not report it.
fn cpu_seconds() -> f64 {
    let status = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = status.split_whitespace().next();
    nanoseconds.and_then(|it| it.parse().ok()).unwrap_or(0.0) / 1e9
}

fn row(megabytes: u32, called: bool) {
    let source = large::model(megabytes as usize, called);
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let path: PathBuf = folder.path().join("large.uml");
    std::fs::write(&path, &source.text).expect("the folder can be written");
    let program = std::env::current_exe().expect("the bench is a file");
    let child = Command::new(program).arg("--child").arg(&path).output();
    let output = child.expect("the bench can be started").stdout;
    let output = String::from_utf8_lossy(&output).into_owned();
    let mut numbers = output.split_whitespace().map(str::parse::<f64>);
    let mut number = || numbers.next().and_then(Result::ok).expect("three numbers");
    let (time, cpu_time, memory) = (number(), number(), number());
    let name = format!("{megabytes} MB{}", if called { ", called" } else { "" });
    let size = f64::from(megabytes) * 1e6;
    println!(
        "{name:<16}  {time:>8.3}  {cpu_time:>7.3}  {:>11.1}  {:>11.1}  {:>13.1}",
        cpu_time * 1e9 / size,
        memory / 1e6,
        memory / size,
    );
}
