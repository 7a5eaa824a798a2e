//! Tests drawn workflows in the studio: predicted, explained and animated.

use std::collections::{BTreeMap, BTreeSet};

use prophet_frontend::check::RuleSet;
use prophet_workflow::schedulers::by_name;
use prophet_workflow::{DrawnWorkflow, Group, WorkflowMachine, simulate};
use serde_json::{Value, json};

use crate::client::Studio;

const GENOME: &str = include_str!("../../../sample-models/workflows/genome.uml");

fn asked() -> Value {
    json!({ "flags": { "hosts": "2", "cores": "4", "scheduler": "heft", "PARTS": "5" } })
}

/// Returns the same workflow's makespan, without the studio.
fn makespan_s(studio: &Studio) -> f64 {
    let drawing = DrawnWorkflow::read(&studio.path(), None, &RuleSet::shipped());
    let flags = ["--parts", "5"].map(std::ffi::OsString::from);
    let workflow = drawing.and_then(|mut it| it.workflow(&flags, &[], None));
    let machine = WorkflowMachine::new(vec![Group::new("host", 2, 4)]).expect("it is right");
    let mut heft = by_name("heft").expect("it is there");
    let prediction = simulate(&workflow.expect("it is right"), &machine, &mut *heft);
    prediction.expect("it runs").makespan_s()
}

fn numbers(list: &Value) -> Vec<f64> {
    let list = list.as_array().expect("it is a list").iter();
    list.map(|it| it.as_f64().expect("it is a number"))
        .collect()
}

#[test]
fn a_workflow_is_predicted_with_shares_of_its_tasks() {
    let studio = Studio::of(GENOME);
    let (status, answer) = studio.post("api/predict", &asked());
    assert_eq!(status, 200, "{answer}");
    let result = &answer["result"];
    assert_eq!(result["predicted_time_s"], makespan_s(&studio), "{answer}");
    assert_eq!(result["workflow"]["hosts"], 2);
    assert_eq!(result["workflow"]["cores"], 8);
    let elements = result["elements"].as_array().expect("it is a list");
    let shares = elements
        .iter()
        .map(|it| it["share"].as_f64().expect("a share"));
    assert!((shares.sum::<f64>() - 1.0).abs() < 1e-9, "{answer}");
    let tasks: u64 = elements
        .iter()
        .map(|it| it["count"].as_u64().expect("a count"))
        .sum();
    assert_eq!(result["workflow"]["tasks"], tasks);
    // Each is a node in the drawing, where the page shows its share.
    let state = studio.state();
    let diagrams = state["diagrams"].as_array().expect("it is a list").iter();
    let nodes = diagrams.flat_map(|it| it["nodes"].as_array().expect("it is a list"));
    let drawn: BTreeMap<i64, &str> = nodes
        .filter_map(|it| Some((it["element"].as_i64()?, it["name"].as_str()?)))
        .collect();
    for element in elements {
        let id = element["id"].as_i64().expect("it is a number");
        assert_eq!(
            element["name"].as_str(),
            drawn.get(&id).copied(),
            "{element}"
        );
    }
}

#[test]
fn a_workflow_has_a_page_and_a_critical_path() {
    let studio = Studio::of(GENOME);
    let (_, report) = studio.post("api/report", &asked());
    let path = &report["result"]["path"];
    assert_eq!(path["end_s"], makespan_s(&studio), "{report}");
    let seconds = path["elements"].as_array().expect("it is a list").iter();
    let seconds: f64 = seconds.filter_map(|it| it["seconds"].as_f64()).sum();
    assert!(seconds > 0.0 && seconds <= path["end_s"].as_f64().expect("it is a number"));
    let address = report["result"]["address"].as_str().expect("it is text");
    let (status, head, page) = studio.get(address);
    assert_eq!(status, 200, "{head}");
    assert!(page.contains("<title>Genome: prediction</title>"), "{page}");
    // The client converts the head to lower case.
    let policy = prophet_workflow::command::page_policy().to_lowercase();
    assert!(head.contains(&policy), "{head}");
}

#[test]
fn tasks_are_at_their_elements_while_they_run() {
    let studio = Studio::of(GENOME);
    let (_, answer) = studio.post("api/trace", &asked());
    let rows = &answer["result"];
    assert_eq!(rows["endS"], makespan_s(&studio), "{answer}");
    let [pid, tid, element, start, end] =
        ["pid", "tid", "element", "start", "end"].map(|it| numbers(&rows[it]));
    assert!(start.is_sorted());
    assert_eq!(
        pid.iter()
            .map(|it| it.to_bits())
            .collect::<BTreeSet<_>>()
            .len(),
        2
    );
    let mut last: BTreeMap<(u64, u64), f64> = BTreeMap::new();
    let mut tasks = 0;
    for row in 0..pid.len() {
        let unit = (pid[row].to_bits(), tid[row].to_bits());
        let free_s = last.insert(unit, end[row]).unwrap_or(0.0);
        assert!(start[row] >= free_s, "row {row}");
        tasks += usize::from(element[row] >= 0.0);
    }
    assert!(tasks > 20, "{tasks}");
    let about = json!({ "revision": answer["revision"], "process": 0, "number": 0 });
    let (_, seen) = studio.post("api/variables", &about);
    assert_eq!(
        seen["error"],
        "workflows consist of tasks, not of processes with variables"
    );
}
