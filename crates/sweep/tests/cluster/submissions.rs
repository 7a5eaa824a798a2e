//! Tests submissions, with scripts in place of Slurm's programs.

use std::fs;
use std::process::{Command, Stdio};

use prophet_testing::{assert_says, stderr};

use crate::cluster::{QUICK, Study};

/// Runs the tasks immediately, except one that fails the first time, and records the options.
const SBATCH: &str = r#"#!/bin/sh
echo "$@" >> calls
for argument; do
    case $argument in --array=*) tasks=${argument#--array=};; *.sh) script=$argument;; esac
done
[ -e broken ] && { echo "sbatch: error: invalid partition" >&2; exit 1; }
for range in $(echo "$tasks" | tr , ' '); do
    for task in $(seq "${range%-*}" "${range#*-}"); do
        [ "$task" = 2 ] && [ ! -e failed ] && { touch failed; continue; }
        [ -e hopeless ] && continue
        SLURM_ARRAY_TASK_ID=$task sh "$script" 2>> task.txt || exit 1
    done
done
echo $((40 + $(wc -l < calls)))
"#;

/// An empty queue, unless a file says otherwise.
const SQUEUE: &str = r#"#!/bin/sh
echo "$@" >> looks
[ -e down ] && { echo "slurm_load_jobs error: timeout" >&2; exit 1; }
[ -e runs ] && { rm runs; echo RUNNING; exit; }
[ -e waits ] && { echo PENDING; exit; }
echo "slurm_load_jobs error: Invalid job id specified" >&2
exit 1
"#;

/// Returns a study with four chunks, and with these programs in place of Slurm's.
fn study() -> Study {
    let study = Study::new();
    fs::create_dir(study.path("bin")).unwrap();
    prophet_testing::write_script(&study.path("bin/sbatch"), SBATCH);
    prophet_testing::write_script(&study.path("bin/squeue"), SQUEUE);
    study.plan("study.plan", 4, QUICK);
    study
}

fn submit(study: &Study, words: &str) -> Command {
    let mut command = study.command(&format!("submit study.plan --slurm --every 1 {words}"));
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{path}", study.path("bin").display()));
    command
}

fn calls(study: &Study) -> Vec<String> {
    let text = fs::read_to_string(study.path("calls")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn only_what_failed_is_submitted_again() {
    let study = study();
    let output = submit(&study, "--out rows.csv -- --partition=big")
        .output()
        .unwrap();
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert_says(&said, &["job 41: chunks 1-4\njob 42: chunks 2\n"]);
    let calls = calls(&study);
    assert!(calls[0].contains("--array=1-4 ") && calls[0].contains("--partition=big "));
    assert!(calls[1].contains("--array=2 "), "{calls:?}");
    assert_eq!(study.read("rows.csv"), study.local(QUICK, "csv"));
    // Nothing is missing, so nothing is submitted again.
    assert!(
        submit(&study, "--out rows.csv")
            .output()
            .unwrap()
            .status
            .success()
    );
    assert_eq!(calls.len(), self::calls(&study).len());
}

#[test]
fn what_fails_each_time_is_told() {
    let study = study();
    study.write("hopeless", "");
    let output = submit(&study, "--tries 2").output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_says(
        &said,
        &["chunks 1-4 were not evaluated; the output of their tasks is in"],
    );
    assert_eq!(calls(&study).len(), 2);
    study.write("broken", "");
    let said = stderr(&submit(&study, "").output().unwrap());
    assert_says(
        &said,
        &["sbatch rejected the tasks: sbatch: error: invalid partition"],
    );
}

#[test]
fn a_job_that_goes_on_is_waited_for() {
    let study = study();
    for chunk in ["1", "2", "3", "4"] {
        study.work("study.plan", chunk);
    }
    study.write("study.plan.chunks/slurm.job", "17");
    for file in ["runs", "down"] {
        study.write(file, "");
    }
    // The controller doesn't answer at first, but that is no reason to submit again.
    let output = submit(&study, "").output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    fs::remove_file(study.path("down")).unwrap();
    let output = submit(&study, "--out rows.csv").output().unwrap();
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("job 17 of this plan is still running"),
        "{said}"
    );
    assert!(calls(&study).is_empty());
}

#[test]
fn a_second_submitter_leaves_it_to_the_first() {
    let study = study();
    study.write("waits", "");
    let mut first = submit(&study, "--out rows.csv");
    let mut first = first.stderr(Stdio::null()).spawn().unwrap();
    while !study.path("looks").exists() {
        assert!(first.try_wait().unwrap().is_none(), "the first has ended");
        std::thread::yield_now();
    }
    let said = stderr(&submit(&study, "").output().unwrap());
    assert_says(&said, &["another `sweep submit` is waiting for this plan"]);
    fs::remove_file(study.path("waits")).unwrap();
    assert!(first.wait().unwrap().success());
    assert_eq!(study.read("rows.csv"), study.local(QUICK, "csv"));
}

#[test]
fn without_slurm_the_message_says_so() {
    let study = study();
    let mut command = submit(&study, "");
    let output = command.env("PATH", study.path("models")).output().unwrap();
    let said = stderr(&output);
    assert_says(&said, &["cannot start sbatch of Slurm: "]);
}
