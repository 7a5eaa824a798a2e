//! The command, as users see it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use expect_test::{Expect, expect};
use serde_json::Value;

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

fn check(words: &[&str], expected: &Expect) {
    let output = run(folder().path(), words);
    let text = [output.stdout, output.stderr].concat();
    expected.assert_eq(&String::from_utf8(text).expect("it is text"));
}

#[test]
fn a_prediction_is_a_table() {
    check(
        &["two.json"],
        &expect![[r#"
        workflow two: 2 tasks, 2 files; scheduler fcfs
        makespan      5 s
        recorded      5 s (predicted +0.0%)
        core hours    0.002
        bytes moved   0
        utilization   35.0%

        host  cores  tasks  busy  utilization
        m         4      2   7 s        35.0%

        critical path  host  start  end  waited for
        a              m       0 s  2 s  submission
        b              m       2 s  5 s  parent
    "#]],
    );
}

#[test]
fn schedulers_and_numbers_of_hosts_are_compared() {
    check(
        &["two.json", "--hosts", "1,2", "--scheduler", "fcfs,heft"],
        &expect![[r#"
            hosts  cores  scheduler  makespan  utilization  core hours held
                1      4  fcfs            5 s        35.0%            0.006  best
                1      4  heft            5 s        35.0%            0.006  best
                2      8  fcfs            5 s        17.5%            0.011  best
                2      8  heft            5 s        17.5%            0.011  best
        "#]],
    );
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
fn what_is_wrong_is_told_with_its_file() {
    check(
        &["missing.json"],
        &expect![[r#"
        error: missing.json: cannot read it: No such file or directory (os error 2)
        help: Name a file that can be read.
    "#]],
    );
    check(
        &["two.json", "--scheduler", "heff"],
        &expect![[r#"
        error: two.json: there is no scheduler `heff`; did you mean `heft`?
        help: Take one of fcfs, easy, conservative, data-aware, min-min, max-min, heft, cpop, peft.
    "#]],
    );
    check(
        &["two.json", "--cores", "1"],
        &expect![[r#"
        error: two.json: task `a`: the task needs 2 cores and 0 bytes of memory, which no host has
        help: Give the machine a larger host, or the task less.
    "#]],
    );
    check(
        &["two.json", "--speed", "0"],
        &expect![[r#"
        error: two.json: hosts `m`: a number of the hosts is 0, negative or too large
        help: Give the hosts a count, cores (at most 2^24) and speeds above 0.
    "#]],
    );
    check(
        &["two.json", "--hosts", "4000000000"],
        &expect![[r#"
        error: two.json: hosts `host`: the machine has more than 1000000 hosts
        help: Give the machine fewer hosts.
    "#]],
    );
    let folder = folder();
    fs::write(folder.path().join("two.json"), &SMALL[..700]).expect("it can be written");
    let output = run(folder.path(), &["two.json"]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).expect("it is text");
    assert!(message.starts_with("error: two.json: line "), "{message}");
}
