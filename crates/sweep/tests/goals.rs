//! Findings of sweeps and refusals of goals, by the program itself.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use prophet_testing::{assert_cases, transcript};

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../sample-models")
        .join(name)
}

fn sweep(model: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_prophet-sweep"))
        .arg(sample(model))
        .args(arguments)
        .output()
        .expect("the program runs")
}

fn printed(model: &str, arguments: &[&str]) -> String {
    let output = sweep(model, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).expect("it prints text")
}

const NODES: [&str; 2] = ["--vary", "nodes=1,2,4..32"];

#[test]
fn goals_are_met_or_refused() {
    assert_cases("tests/cases/goals.txt", |case| {
        transcript(env!("CARGO_BIN_EXE_prophet-sweep"), &sample(""), case.input)
    });
}

/// Of 7,000 points, a search finds the least value with 200 evaluations.
#[test]
fn a_search_is_as_good_as_all_points() {
    let least = |budget: &str| -> serde_json::Value {
        let (atoms, price) = ("nat=1..50", "predicted_time_s * nodes / nat");
        let latencies = "network.latency=1us,2us,4us..64us";
        let axes = [
            "--vary",
            "nodes=1..20",
            "--vary",
            atoms,
            "--vary",
            latencies,
        ];
        let goal = [
            "--minimize",
            price,
            "--subject-to",
            "predicted_time_s < 150",
        ];
        let budget = ["--budget", budget, "--json"];
        let printed = printed("lapw0.uml", &[&axes[..], &goal, &budget].concat());
        serde_json::from_str(&printed).expect("it is JSON")
    };
    let (searched, all) = (least("200"), least("7000"));
    assert_eq!(
        (&searched["evaluated"], &all["evaluated"]),
        (&200.into(), &7000.into())
    );
    assert_eq!(searched["points"], 7000);
    let best = |found: &serde_json::Value| found["best"][0]["objectives"][0].clone();
    assert_eq!(best(&searched), best(&all));
}

#[test]
fn threads_change_no_byte() {
    let arguments = [
        "--vary",
        "cpus-per-node=1..40",
        "--minimize",
        "predicted_time_s * nodes",
    ];
    let one = [&NODES[..], &arguments, &["--budget", "40", "--jobs", "1"]].concat();
    let three = [&NODES[..], &arguments, &["--budget", "40", "--jobs", "3"]].concat();
    assert_eq!(printed("lapw0.uml", &one), printed("lapw0.uml", &three));
}

#[test]
fn rows_of_the_points_go_to_a_file() {
    let folder = tempfile::tempdir().expect("there is a folder for files");
    let file = folder.path().join("rows.csv");
    let out = [
        "--minimize",
        "nodes",
        "--out",
        file.to_str().expect("it is text"),
    ];
    printed("lapw0.uml", &[&NODES[..], &out].concat());
    let rows = std::fs::read_to_string(&file).expect("it was written");
    assert_eq!(rows.lines().count(), 1 + 6);
    assert!(rows.starts_with("nodes,predicted_time_s,"));
}

#[test]
fn points_that_fail_are_told() {
    let output = sweep(
        "lapw0.uml",
        &[
            "--vary",
            "mapping=block,9",
            "--minimize",
            "predicted_time_s",
        ],
    );
    assert!(output.status.success());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.starts_with("note: 1 of 2 points could not be predicted; the first:"),
        "{told}"
    );
}

#[test]
fn the_model_is_not_overwritten() {
    let model = sample("lapw0.uml");
    let itself = [
        "--minimize",
        "nodes",
        "--out",
        model.to_str().expect("it is text"),
    ];
    let output = sweep("lapw0.uml", &[&NODES[..], &itself].concat());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.starts_with("error: --out is ") && told.ends_with(" itself, which the sweep reads\n"),
        "{told}"
    );
}
