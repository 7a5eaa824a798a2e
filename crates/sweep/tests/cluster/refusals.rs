//! Tests plans and chunks that are rejected before any work starts.

use std::fs;

use crate::cluster::{QUICK, Study};

fn edit(study: &Study, name: &str, from: &str, to: &str) {
    let text = study.read(name);
    assert!(text.contains(from), "{text}");
    fs::write(study.path(name), text.replacen(from, to, 1)).unwrap();
}

/// Checks that a plan can't be evaluated, merged or submitted, for this reason.
fn refuse(study: &Study, plan: &str, reason: &str) {
    for words in ["work PLAN --chunk 1", "merge PLAN", "submit PLAN --slurm"] {
        study.assert_refused(&words.replace("PLAN", plan), reason);
    }
    assert!(study.chunks(plan).is_empty());
}

#[test]
fn an_edited_plan_is_refused() {
    let study = Study::new();
    for (from, to) in [
        ("steps=1..10", "steps=1..11"),
        ("\"chunks\": 3", "\"chunks\": 4"),
        ("sum + 1e-9", "sum + 1e-8"),
    ] {
        study.plan("study.plan", 3, QUICK);
        edit(&study, "study.plan", from, to);
        refuse(
            &study,
            "study.plan",
            "study.plan was changed after it was written",
        );
    }
    study.plan("study.plan", 3, QUICK);
    edit(
        &study,
        "study.plan",
        "\"chunks\": 3",
        "\"extra\": 1, \"chunks\": 3",
    );
    refuse(
        &study,
        "study.plan",
        "study.plan was changed after it was written",
    );
    edit(&study, "study.plan", "}", "");
    refuse(
        &study,
        "study.plan",
        "study.plan is not the plan of a sweep",
    );
    refuse(&study, "models/times.csv", "is not the plan of a sweep");
    refuse(&study, "none.plan", "cannot read none.plan: ");
}

#[test]
fn a_plan_of_another_version_is_refused() {
    let study = Study::new();
    study.plan("study.plan", 3, QUICK);
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    edit(&study, "study.plan", &version, "\"version\": \"0.0.1\"");
    refuse(&study, "study.plan", "is from version 0.0.1 of the program");
    study.plan("study.plan", 3, QUICK);
    edit(
        &study,
        "study.plan",
        "prophet-sweep-plan-1",
        "prophet-sweep-plan-9",
    );
    refuse(
        &study,
        "study.plan",
        "is a prophet-sweep-plan-9, but this program reads",
    );
}

#[test]
fn chunks_of_two_plans_are_not_mixed() {
    let study = Study::new();
    study.plan("study.plan", 2, QUICK);
    study.plan("other.plan", 2, "--vary steps=1..10");
    for plan in ["study.plan", "other.plan"] {
        study.work(plan, "1");
    }
    let copy = |from: &str, to: &str| {
        fs::copy(study.path(from), study.path(to)).unwrap();
    };
    copy(
        "other.plan.chunks/000001.rows",
        "study.plan.chunks/000002.rows",
    );
    let path = "study.plan.chunks/000002.rows";
    for words in [
        "merge study.plan",
        "work study.plan --chunk 2",
        "submit study.plan --slurm",
    ] {
        study.assert_refused(words, &format!("{path} belongs to another plan"));
    }
    copy("study.plan.chunks/000001.rows", path);
    study.assert_refused("merge study.plan", &format!("{path} is chunk 1;"));
}

#[test]
fn a_chunk_of_another_model_is_refused() {
    let study = Study::new();
    study.plan("study.plan", 2, QUICK);
    study.work("study.plan", "1");
    edit(&study, "models/times.csv", "10,3", "10,4");
    study.plan("study.plan", 2, QUICK);
    study.assert_refused(
        "work study.plan --chunk 1",
        "belongs to another plan; remove it first",
    );
}

#[test]
fn a_chunk_that_is_not_whole_is_refused() {
    let study = Study::new();
    study.plan("study.plan", 1, QUICK);
    study.work("study.plan", "1");
    let path = study.path("study.plan.chunks/000001.rows");
    let whole = fs::read_to_string(&path).unwrap();
    let last_digit = whole.replacen("found 1 ", "found 2 ", 1);
    for (text, reason) in [
        (&whole[..whole.len() / 2], "ends too early"),
        (&whole[..whole.len() - 1], "ends too early"),
        (&last_digit, "has been edited"),
        ("", "ends too early"),
        ("something else\n", "is not a chunk of a sweep"),
    ] {
        fs::write(&path, text).unwrap();
        study.assert_refused("merge study.plan", reason);
    }
}

#[test]
fn chunks_that_are_missing_are_named() {
    let study = Study::new();
    study.plan("study.plan", 9, QUICK);
    study.work("study.plan", "3");
    let refused = study.refused("merge study.plan --out rows.csv");
    let reason = "missing chunks: 1-2,4-9 of 9; evaluate them with `sweep work`";
    assert!(refused.contains(reason), "{refused}");
    assert!(!study.path("rows.csv").exists());
}

#[test]
fn wrong_numbers_are_refused() {
    let study = Study::new();
    study.plan("study.plan", 3, QUICK);
    for (chunk, reason) in [
        ("0", "unknown chunk 0: the plan has chunks 1 to 3"),
        ("4/3", "unknown chunk 4: the plan has chunks 1 to 3"),
        ("1/4", "the plan has 3 chunks, not 4"),
    ] {
        study.assert_refused(&format!("work study.plan --chunk {chunk}"), reason);
    }
    for chunk in ["x", "1/", "1/x", "-1"] {
        let output = study.call(&format!("work study.plan --chunk={chunk}"));
        assert_eq!(output.status.code(), Some(2), "{chunk}");
    }
    for (chunks, reason) in [
        ("0", "expected 1 to 100000 chunks"),
        ("100001", "expected 1 to"),
    ] {
        let plan = "plan models/steps.prophet.xml --vary steps=1,2 --out a.plan --chunks";
        study.assert_refused(&format!("{plan} {chunks}"), reason);
    }
}

#[test]
fn a_plan_takes_along_what_lies_below_the_folder() {
    let study = Study::new();
    let machine = study.path("machines/mine.toml");
    let machine = machine.display().to_string();
    let plan = "plan models/steps.prophet.xml --vary steps=1,2 --out a.plan";
    for flags in [
        &format!("-- --machine {machine}"),
        "-- --machine=models/../machines/mine.toml",
    ] {
        let refused = study.refused(&format!("{plan} {flags}"));
        let reason = "it only includes files in this folder or below; copy it here";
        assert!(refused.contains(reason), "{refused}");
    }
    study.assert_refused(&format!("{plan} --vary stepz=1"), "stepz");
    assert!(!study.path("a.plan").exists());
}
