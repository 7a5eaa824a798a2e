//! Tests `cargo xtask compare simgrid` as users type it.

use std::path::Path;
use std::process::{Command, Output};

use prophet_crosscheck::simgrid;
use prophet_testing::stderr;
use prophet_tests::built::{built, xtask};
use prophet_tests::root;
use serde_json::Value;

use crate::simgrid::is_there;

fn compare(arguments: &str) -> Output {
    let mut command = xtask(&root());
    command
        .args(["compare", "simgrid"])
        .args(arguments.split_whitespace());
    command.output().expect("cargo can be started")
}

/// Returns the number at `place` in a result. Fails unless it is positive.
fn positive(result: &Value, place: &str) -> f64 {
    let found = result.pointer(place).and_then(Value::as_f64);
    let found = found.unwrap_or_else(|| panic!("no number at {place} of {result}"));
    assert!(found > 0.0, "{place} of {result}");
    found
}

#[test]
fn both_predict_the_same_and_say_what_it_took() {
    if !is_there() {
        return;
    }
    for (model, flags, messages) in [
        ("pingpong", "--nodes 2 --n 100 --size 1000", 200),
        // There are 4 x 4 processes. In each iteration, messages are sent across 48 edges, and the
        // allreduce sends 64 messages.
        (
            "jacobi2d",
            "--nodes 4 --cpus-per-node 4 --iterations 5",
            560,
        ),
        // There are 4 x 4 processes, and 24 messages in each sweep.
        ("wavefront", "--nodes 16 --sweeps 8", 192),
    ] {
        let output = compare(&format!(
            "sample-models/{model}.uml --runs 2 --format json -- {flags}"
        ));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let result: Value = serde_json::from_slice(&output.stdout).expect("it prints JSON alone");
        assert_eq!(result["runs"], 2);
        assert_eq!(result["messages"], messages, "{result}");
        let (ours, theirs) = (
            positive(&result, "/prophet/predicted_time_s"),
            positive(&result, "/simgrid/predicted_time_s"),
        );
        // Differences of up to 2% are allowed, but the models' results are almost identical.
        assert!((ours - theirs).abs() <= 1e-6 * ours, "{result}");
        for (place, largest) in [("difference", 1e-6), ("largest_difference_of_ends", 1e-6)] {
            let apart = result[place].as_f64();
            assert!(apart.is_some_and(|it| it <= largest), "{place}: {result}");
        }
        for (figure, ratio) in [
            ("simulation_wall_s", "simulation_wall"),
            ("process_wall_s", "process_wall"),
            ("peak_memory_bytes", "peak_memory"),
        ] {
            let ours = positive(&result, &format!("/prophet/{figure}"));
            let theirs = positive(&result, &format!("/simgrid/{figure}"));
            let ratio = positive(&result, &format!("/ratios/{ratio}"));
            assert!((ratio - theirs / ours).abs() <= 1e-9 * ratio, "{result}");
        }
    }
}

#[test]
fn the_table_puts_them_side_by_side() {
    if !is_there() {
        return;
    }
    let output = compare("sample-models/pingpong.uml --runs 1 -- --nodes 2 --n 10");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // Column widths depend on measured values.
    let table = String::from_utf8_lossy(&output.stdout);
    let table: Vec<&str> = table.split_whitespace().collect();
    let table = table.join(" ");
    for words in [
        "2 nodes x 1 CPU, 2 processes x 1 thread, 20 messages; engine local",
        "prophet simgrid ratio",
        "predicted time",
        "wall time of the simulation",
        "wall time of the process",
        "peak memory",
        "The predicted times and all end times of processes are equal.",
    ] {
        assert!(table.contains(words), "no `{words}` in\n{table}");
    }
}

#[test]
fn what_is_wrong_ends_with_its_code() {
    if !is_there() {
        return;
    }
    for line in include_str!("cases/compared.txt").lines() {
        let columns: Vec<&str> = line.split(" | ").collect();
        let [code, arguments, words] = columns[..] else {
            panic!("{line}");
        };
        let output = compare(arguments);
        let message = stderr(&output);
        assert_eq!(output.status.code(), code.parse().ok(), "{line}: {message}");
        assert!(message.contains(words), "{arguments}: {message}");
        assert!(output.stdout.is_empty(), "{arguments} prints a result");
    }
}

/// Runs the program of `cargo xtask compare` with a `PATH` on which it can't find other programs.
#[test]
fn without_a_compiler_it_is_skipped() {
    let output = Command::new(built("performance-prophet"))
        .args(["compare", "simgrid", "sample-models/pingpong.uml"])
        .current_dir(root())
        .env("PATH", Path::new("/nonexistent"))
        .output()
        .expect("it can be started");
    assert_eq!(output.status.code(), Some(0));
    let expected = format!(
        "skipped: SimGrid is not installed; {}\n",
        simgrid::HOW_TO_INSTALL
    );
    assert_eq!(stderr(&output), expected);
    assert!(output.stdout.is_empty());
}
