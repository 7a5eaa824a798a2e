//! Tests a saved run from end to end: what `cargo xtask run --save` prints and saves.

use std::path::Path;
use std::process::Output;

use prophet_runs::render::FLAGS_ELSEWHERE;
use prophet_runtime::system_flags;
use prophet_testing::assert_says;
use prophet_tests::{built, root};
use serde_json::Value;

const MODEL: &str = "sample-models/lapw0.uml";
const FLAGS: [&str; 4] = ["--nodes", "2", "--cpus-per-node", "2"];

fn xtask(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = built::xtask(folder);
    command.args(arguments).env_remove("PROPHET_REPOSITORY");
    command.output().expect("cargo can be started")
}

fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = xtask(folder, arguments);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {message}");
    String::from_utf8(output.stdout).expect("it prints text")
}

/// Returns a JSON result without values that differ in each run.
fn prediction(text: &str) -> Value {
    let mut result: Value = serde_json::from_str(text).expect("it is JSON");
    let evaluation = result
        .as_object_mut()
        .and_then(|it| it.remove("evaluation"));
    assert!(evaluation.is_some());
    result
}

#[test]
fn lists_of_runs_leave_out_flags_that_programs_have() {
    let flags = system_flags();
    for flag in FLAGS_ELSEWHERE {
        let name = flag.trim_start_matches("--");
        assert!(flags.contains(name), "{flag}");
    }
}

#[test]
fn what_is_saved_is_what_is_printed() {
    let folder = tempfile::tempdir().expect("there is room");
    let model = root().join(MODEL);
    let model = model.to_str().expect("the project has a plain path");
    let run = |more: &[&str], flags: &[&str]| {
        let arguments = [&["run", model], more, &["--"], &FLAGS, flags].concat();
        printed(folder.path(), &arguments)
    };
    let table = run(&["--save"], &[]);
    let json = run(&["--save", "runs.sqlite"], &["--format", "json"]);
    for id in ["1", "2"] {
        let shown = printed(folder.path(), &["runs", "show", id, "--format", "result"]);
        assert_eq!(prediction(&shown), prediction(&json), "run {id}");
    }
    let result = prediction(&json);
    let predicted = result["predicted_time_s"].as_f64().expect("it is a number");
    let heading = format!("Predicted time  {predicted:.3}");
    assert!(
        table.starts_with(heading.trim_end_matches('0')),
        "{heading}: {table}"
    );
    let shown = printed(folder.path(), &["runs", "show", "1", "--format", "json"]);
    let shown: Value = serde_json::from_str(&shown).expect("it is JSON");
    assert_eq!(shown["command"], Value::from(FLAGS.to_vec()));
    assert_eq!(shown["model_file"], model);
}

#[test]
fn workflows_and_traces_are_saved_as_programs_are() {
    let folder = tempfile::tempdir().expect("there is room");
    let genome = root().join("sample-models/workflows/genome.puml");
    let genome = genome.to_str().expect("the project has a plain path");
    for hosts in ["1", "2"] {
        printed(
            folder.path(),
            &["run", genome, "--save", "--", "--hosts", hosts],
        );
    }
    let flags = ["--hosts", "2", "--format", "json"];
    let json = printed(
        folder.path(),
        &[&["run", genome, "--"], &flags[..]].concat(),
    );
    let shown = printed(folder.path(), &["runs", "show", "2", "--format", "result"]);
    assert_eq!(prediction(&shown), prediction(&json));
    let result = prediction(&json);
    assert_eq!(
        result["predicted_time_s"],
        result["prediction"]["makespan_s"]
    );
    let tasks = result["elements"].as_array().into_iter().flatten();
    let tasks: Option<u64> = tasks.map(|it| it["count"].as_u64()).sum();
    assert_eq!(tasks, result["tasks"].as_u64());
    let compared = printed(folder.path(), &["runs", "compare", "1", "2"]);
    assert!(compared.contains("\nindividuals "), "{compared}");
    assert!(compared.contains("\nSpeed-up "), "{compared}");
    let page = printed(folder.path(), &["report", "1", "2", "--out", "both.html"]);
    assert!(page.contains("individuals"), "{page}");

    let trace = folder.path().join("ring.goal");
    let goal =
        "num_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 1\n}\nrank 1 {\nl1: recv 8b from 0 tag 1\n}\n";
    std::fs::write(&trace, goal).expect("there is room");
    printed(folder.path(), &["run", "ring.goal", "--save"]);
    let shown = printed(folder.path(), &["runs", "show", "3", "--format", "json"]);
    let shown: Value = serde_json::from_str(&shown).expect("it is JSON");
    assert_eq!(shown["model_file"], "ring.goal");
    assert_eq!(shown["result"]["evaluation"]["messages"], 1);
}

/// Checks that a stored run is found by its trace, and that a deleted trace is reported.
#[test]
fn a_kept_run_is_reported_by_its_trace() {
    let folder = tempfile::tempdir().expect("there is room");
    let model = root().join(MODEL);
    let model = model.to_str().expect("the project has a plain path");
    let run = |flags: &[&str]| {
        let arguments = [&["run", model, "--save", "--"], &FLAGS[..], flags].concat();
        printed(folder.path(), &arguments)
    };
    run(&["--trace", "run.arrow"]);
    let shown = printed(folder.path(), &["runs", "show", "1", "--format", "json"]);
    let shown: Value = serde_json::from_str(&shown).expect("it is JSON");
    let trace = std::fs::canonicalize(folder.path().join("run.arrow")).expect("it is there");
    let named = shown["trace"].as_str().expect("it names the trace");
    assert_eq!(std::fs::canonicalize(named).expect("it is a file"), trace);
    let text = printed(folder.path(), &["runs", "show", "1"]);
    assert!(text.contains(named), "{text}");

    let report = |run: &str| {
        let text = printed(folder.path(), &["report", run, "--out", "run.html"]);
        let page = std::fs::read_to_string(folder.path().join("run.html"));
        assert!(page.expect("it is written").starts_with("<!DOCTYPE html>"));
        text
    };
    let text = report("1");
    assert!(text.contains("Critical path"), "{text}");
    // Another run overwrites the trace, which is then deleted.
    run(&["--trace=run.arrow", "--nat", "16"]);
    let text = report("1");
    assert!(!text.contains("Critical path"), "{text}");
    assert!(
        words(&text).contains("now belongs to another run."),
        "{text}"
    );
    assert!(report("2").contains("Critical path"));
    std::fs::remove_file(trace).expect("it is there");
    let text = report("2");
    assert!(words(&text).contains("no longer exists"), "{text}");
    let output = xtask(folder.path(), &["report", "3"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert_says(&message, &["error: runs.sqlite has no run 3;"]);
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_run_that_cannot_be_saved_is_printed() {
    let folder = tempfile::tempdir().expect("there is room");
    let model = root().join(MODEL);
    let model = model.to_str().expect("the project has a plain path");
    let output = xtask(
        folder.path(),
        &["run", model, "--save", "no folder/runs.sqlite"],
    );
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(output.stdout.starts_with(b"Predicted time"), "{message}");
    assert!(
        message.contains("error: the run was not saved"),
        "{message}"
    );
}
