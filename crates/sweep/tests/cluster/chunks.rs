//! Tests evaluating and merging chunks.

use std::fs;
use std::process::{Command, Stdio};

use prophet_testing::{assert_says, send_signal, stderr};

use crate::cluster::{QUICK, Study};

const LONG: &str = "--vary steps=2000000000";

#[test]
fn merged_rows_are_those_of_one_machine() {
    let study = Study::new();
    let local = study.local(QUICK, "csv");
    assert_eq!(local.lines().count(), 31);
    assert!(local.contains("`Work`"), "some points fail: {local}");
    for chunks in [1, 7, 30] {
        let plan = format!("study-{chunks}.plan");
        study.plan(&plan, chunks, QUICK);
        // The order doesn't matter.
        for chunk in (1..=chunks).rev() {
            study.work(&plan, &format!("{chunk}/{chunks}"));
        }
        assert_eq!(
            study.printed(&format!("merge {plan}")),
            local,
            "{chunks} chunks"
        );
        let json = study.local(QUICK, "jsonl");
        study.printed(&format!("merge {plan} --out rows.jsonl"));
        assert_eq!(study.read("rows.jsonl"), json);
    }
}

#[test]
fn a_plan_needs_no_other_file() {
    let study = Study::new();
    let local = study.local(QUICK, "csv");
    study.plan("study.plan", 2, QUICK);
    fs::remove_dir_all(study.path("models")).unwrap();
    fs::remove_dir_all(study.path("machines")).unwrap();
    study.work("study.plan", "1");
    study.work("study.plan", "2");
    assert_eq!(study.printed("merge study.plan"), local);
}

#[test]
fn more_chunks_than_points_are_as_many_as_points() {
    let study = Study::new();
    study.plan("study.plan", 50, "--vary steps=1,2,3");
    study.assert_refused(
        "work study.plan --chunk 4",
        "unknown chunk 4: the plan has chunks 1 to 3",
    );
}

#[test]
fn a_worker_that_is_killed_leaves_nothing_and_nothing_is_lost() {
    let study = Study::new();
    study.plan("study.plan", 1, LONG);
    for signal in ["KILL", "TERM"] {
        let mut command = study.command("work study.plan --chunk 1");
        let mut worker = command.stderr(Stdio::null()).spawn().unwrap();
        // The folder is created when the evaluation starts.
        while !study.path("study.plan.chunks").exists() {
            assert!(worker.try_wait().unwrap().is_none(), "the worker has ended");
            std::thread::yield_now();
        }
        // A cost function runs to its end unless a second signal ends the program.
        while worker.try_wait().unwrap().is_none() {
            send_signal(worker.id(), signal);
        }
        assert!(!worker.wait().unwrap().success());
        assert!(
            study.chunks("study.plan").is_empty(),
            "{:?}",
            study.chunks("study.plan")
        );
        fs::remove_dir(study.path("study.plan.chunks")).unwrap();
    }
    study.assert_refused("merge study.plan", "missing chunks: 1 of 1");
}

#[test]
fn a_full_disk_leaves_nothing() {
    let study = Study::new();
    study.plan("study.plan", 1, QUICK);
    let program = env!("CARGO_BIN_EXE_prophet-sweep");
    // Only 512 bytes of the rows can be written. The signal at that limit is ignored.
    let script = format!("trap '' XFSZ; ulimit -f 1; exec {program} work study.plan --chunk 1");
    let mut command = Command::new("sh");
    let folder = tempfile::tempdir().unwrap();
    command.args(["-c", &script]).current_dir(study.path(""));
    command.env("TMPDIR", folder.path());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert_says(stderr(&output), &["File too large"]);
    assert!(study.chunks("study.plan").is_empty());
    study.work("study.plan", "1");
    assert_eq!(study.printed("merge study.plan"), study.local(QUICK, "csv"));
}

#[test]
fn two_at_once_count_nothing_twice() {
    let study = Study::new();
    study.plan("study.plan", 2, QUICK);
    let both = |words: &str| {
        let mut children: Vec<_> = (0..2)
            .map(|_| study.command(words).spawn().unwrap())
            .collect();
        for child in &mut children {
            assert!(child.wait().unwrap().success(), "{words:?}");
        }
    };
    both("work study.plan --chunk 1");
    both("work study.plan --chunk 2");
    assert_eq!(study.chunks("study.plan"), ["000001.rows", "000002.rows"]);
    both("merge study.plan --out rows.csv");
    assert_eq!(study.read("rows.csv"), study.local(QUICK, "csv"));
    let again = study.call("work study.plan --chunk 2");
    assert_eq!(stderr(&again), "chunk 2 already exists\n");
}
