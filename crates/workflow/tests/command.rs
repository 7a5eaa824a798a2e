//! The command, as users see it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use expect_test::expect;
use prophet_testing::{assert_cases, transcript};
use serde_json::Value;

use crate::machine_file::{GRID, grid};
use crate::wfformat::SMALL;

pub(crate) fn run(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_prophet-workflow"));
    command.current_dir(folder).args(words);
    command.output().expect("it can be started")
}

/// A folder with a small instance, `two.json`, whose tasks have no memory.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("it can be made");
    fs::write(folder.path().join("two.json"), SMALL).expect("it can be written");
    folder
}

/// Checks the transcripts of commands in a folder.
fn check(file: &str, folder: &Path) {
    assert_cases(file, |case| {
        transcript(env!("CARGO_BIN_EXE_prophet-workflow"), folder, case.input)
    });
}

#[test]
fn a_small_workflow_is_predicted_or_refused() {
    let folder = grid();
    let write = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).expect("it can be written");
    };
    write("two.json", SMALL);
    write("fixed.toml", &GRID.replace("exponential:mean=5min", "60s"));
    check("tests/cases/commands.txt", folder.path());
}

#[test]
fn files_of_other_tools_are_compared_on_machines() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    check("tests/cases/data.txt", &folder);
}

#[test]
fn storage_and_a_queue_take_time() {
    let words = [
        "two.json",
        "--read-bandwidth",
        "500",
        "--write-bandwidth",
        "1000",
    ];
    let words = [&words[..], &["--submit-delay", "1", "--format", "json"]].concat();
    let output = run(folder().path(), &words);
    let result: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    // 1 s in the queue and 2 s of work, 1 s to write; 1 s, 1005 bytes at 500 a second, 3 s.
    assert_eq!(
        result["prediction"]["makespan_s"],
        1.0 + 2.0 + 1.0 + 1.0 + 2.01 + 3.0
    );
    assert_eq!(result["prediction"]["moved_bytes"], 2005.0);
    assert_eq!(result["runs"][1]["start_s"], 5.0);
    assert_eq!(result["critical_path"][1]["waited_for"], "parent");
}

#[test]
fn a_prediction_is_written_as_an_instance() {
    let folder = folder();
    let output = run(
        folder.path(),
        &["two.json", "--speed", "2", "--out", "out.json"],
    );
    assert!(output.status.success(), "{output:?}");
    let again = run(folder.path(), &["out.json", "--format", "json"]);
    let result: Value = serde_json::from_slice(&again.stdout).expect("it is JSON");
    assert_eq!(result["recorded_makespan_s"], 2.5);
    assert_eq!(result["prediction"]["makespan_s"], 2.5);
    let before = fs::read(folder.path().join("two.json")).expect("it is there");
    let output = run(folder.path(), &["two.json", "--out", "./two.json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        fs::read(folder.path().join("two.json")).expect("it is there"),
        before
    );
}

#[test]
fn a_file_that_ends_too_early_is_told_with_its_line() {
    let folder = folder();
    fs::write(folder.path().join("two.json"), &SMALL[..700]).expect("it can be written");
    let output = run(folder.path(), &["two.json"]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).expect("it is text");
    assert!(message.starts_with("error: two.json: line "), "{message}");
}

#[test]
fn a_workflow_is_converted() {
    let folder = tempfile::tempdir().expect("it can be made");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/diamond.dax");
    let data = data.to_str().expect("it is text");
    let words = [data, "--hosts", "2", "--cores", "4", "--out", "out.json"];
    let output = run(folder.path(), &words);
    assert!(output.status.success(), "{output:?}");
    let again = run(folder.path(), &["out.json", "--format", "json"]);
    let result: Value = serde_json::from_slice(&again.stdout).expect("it is JSON");
    assert_eq!(result["prediction"]["makespan_s"], 55.5);
    assert_eq!(result["recorded_makespan_s"], 55.5);
}

#[test]
fn costs_come_from_executions() {
    let folder = tempfile::tempdir().expect("it can be made");
    let write = |name: &str, tasks: &[(u64, f64)]| {
        let text = crate::costs::execution(tasks);
        fs::write(folder.path().join(name), text).expect("it can be written");
    };
    write(
        "a.json",
        &[(1_000_000, 3.0), (2_000_000, 5.0), (4_000_000, 9.0)],
    );
    write("b.json", &[(8_000_000, 17.0), (16_000_000, 33.0)]);
    write("c.json", &[(3_000_000, 0.0)]);
    let words = [
        "c.json",
        "--costs-from",
        "a.json,b.json",
        "--hosts",
        "1",
        "--cores",
        "1",
    ];
    let output = run(folder.path(), &words);
    let text = [output.stderr, output.stdout].concat();
    expect![[r#"
        merge: 7.0 s (2 tasks)
        sort: 1.0 + 2e-6 * bytes s (5 tasks)
        workflow sorts: 2 tasks, 1 file; scheduler fcfs
        makespan      14 s
        recorded      9 s (predicted +55.6%)
        core hours    0.004
        bytes moved   0
        utilization   100.0%

        host  cores  tasks  busy  utilization
        host      1      2  14 s       100.0%

        critical path   host  start   end  waited for
        sort_ID0000000  host    0 s   7 s  submission
        merge           host    7 s  14 s  parent
    "#]]
    .assert_eq(&String::from_utf8(text).expect("it is text"));
    write("b.json", &[(8_000_000, -17.0)]);
    let output = run(folder.path(), &words);
    expect![[r#"
        error: b.json: record of workflow.specification.tasks[0], runtimeInSeconds: the time is -17.0 s
        help: Give a time of 0 s or more.
    "#]].assert_eq(&String::from_utf8(output.stderr).expect("it is text"));
}

#[test]
fn too_large_a_file_is_refused_unread() {
    let folder = tempfile::tempdir().expect("it can be made");
    let file = fs::File::create(folder.path().join("a.dax")).expect("it can be made");
    file.set_len(100 << 20).expect("it can be as large");
    let output = run(folder.path(), &["a.dax"]);
    expect![[r#"
        error: a.dax: the file has 100 MB; the largest that is read has 64 MB
        help: Split the workflow, or leave out what tasks printed.
    "#]]
    .assert_eq(&String::from_utf8(output.stderr).expect("it is text"));
}
