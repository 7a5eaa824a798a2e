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
            help: Name a text file that can be read.
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

/// Output of the command in the folder of samples, with remarks.
fn check_data(words: &[&str], expected: &Expect) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let output = run(&folder, words);
    let text = [output.stderr, output.stdout].concat();
    expected.assert_eq(&String::from_utf8(text).expect("it is text"));
}

#[test]
fn a_trace_of_nextflow_is_compared_on_other_machines() {
    check_data(
        &[
            "trace.txt",
            "--with",
            "dag.dot",
            "--cores",
            "8",
            "--hosts",
            "1,2",
        ],
        &expect![[r#"
            note: left out: 1 attempt that did not complete
            hosts  cores  scheduler   makespan  utilization  core hours held
                1      8  fcfs       1815.35 s        94.7%            4.034  best
                2     16  fcfs       1150.35 s        74.7%            5.113  best
        "#]],
    );
    check_data(
        &["trace.txt"],
        &expect![[r#"
        error: trace.txt: a trace does not have the dependencies of its tasks
        help: Run Nextflow with `-with-dag dag.dot`, and add `--with dag.dot`.
    "#]],
    );
    check_data(
        &[
            "jobs.dot",
            "--with",
            "benchmarks",
            "--cores",
            "1",
            "--hosts",
            "1,2",
        ],
        &expect![[r#"
            hosts  cores  scheduler  makespan  utilization  core hours held
                1      1  fcfs          163 s       100.0%            0.045  best
                2      2  fcfs        119.5 s        68.2%            0.066  best
        "#]],
    );
    check_data(
        &["align.cwl", "--with", "align-inputs.yml,missing.csv"],
        &expect![[r#"
            error: missing.csv: cannot read it: No such file or directory (os error 2)
            help: Name a text file that can be read.
        "#]],
    );
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
