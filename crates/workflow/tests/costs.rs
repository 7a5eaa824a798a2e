//! Tests that costs of task types are fitted to recorded executions.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use expect_test::expect;
use prophet_workflow::costs::Laws;
use prophet_workflow::task_type;
use prophet_workflow::wfformat::Document;
use serde_json::{Value, json};

/// Returns an execution of `sort` tasks, given their inputs in bytes and times in seconds, and of a
/// `merge` task.
pub(crate) fn execution(tasks: &[(u64, f64)]) -> String {
    let id = |number: usize| format!("sort_ID{number:07}");
    let task = |it: usize| json!({"name": id(it), "id": id(it), "inputFiles": [format!("f{it}")]});
    let file =
        |(it, task): (usize, &(u64, f64))| json!({"id": format!("f{it}"), "sizeInBytes": task.0});
    let record =
        |(it, task): (usize, &(u64, f64))| json!({"id": id(it), "runtimeInSeconds": task.1});
    let mut entries: Vec<Value> = (0..tasks.len()).map(task).collect();
    entries.push(json!({"name": "merge", "id": "merge", "parents": [id(0)]}));
    let mut records: Vec<Value> = tasks.iter().enumerate().map(record).collect();
    records.push(json!({"id": "merge", "runtimeInSeconds": 7.0}));
    json!({"name": "sorts", "schemaVersion": "1.5", "workflow": {
        "specification": {
            "tasks": entries, "files": tasks.iter().enumerate().map(file).collect::<Vec<_>>()},
        "execution": {"makespanInSeconds": 9, "tasks": records}}})
    .to_string()
}

fn document(text: &str) -> Document {
    Document::parse(text).expect("it is a document")
}

#[test]
fn times_follow_the_sizes_of_inputs() {
    let first = document(&execution(&[
        (1_000_000, 3.0),
        (2_000_000, 5.0),
        (4_000_000, 9.0),
    ]));
    let second = document(&execution(&[(8_000_000, 17.0), (16_000_000, 33.0)]));
    let laws = Laws::fit([&first, &second]).expect("there is a law");
    expect![[r"
        merge: 7.0 s (2 tasks)
        sort: 1.0 + 2e-6 * bytes s (5 tasks)
    "]]
    .assert_eq(&laws.text());
    let mut third = document(&execution(&[(3_000_000, 99.0), (32_000_000, 99.0)]));
    let notes = laws.apply(&mut third).expect("all types are known");
    assert_eq!(notes, ["outside the measured sizes: 1 task of sort"]);
    let recorded = third
        .instance()
        .expect("it is right")
        .recorded
        .expect("there is one");
    let expected = [7.0, 65.0, 7.0];
    for (found, expected) in recorded.runtimes_s.iter().zip(expected) {
        assert!(
            (found - expected).abs() < 1e-4,
            "{found} instead of {expected}"
        );
    }
}

/// Returns an execution of tasks with unique names, which also read reference data of this size.
fn with_reference(tasks: &[(u64, f64)], bytes: u64) -> Document {
    let mut all: Value = serde_json::from_str(&execution(tasks)).expect("it is JSON");
    for number in 0..tasks.len() {
        let task = &mut all["workflow"]["specification"]["tasks"][number];
        task["name"] = json!(format!("sort_{number}_of_{bytes}"));
        task["inputFiles"]
            .as_array_mut()
            .expect("it is a list")
            .push(json!("reference"));
        let record = &mut all["workflow"]["execution"]["tasks"][number];
        record["command"] = json!({"program": "sort"});
    }
    let files = all["workflow"]["specification"]["files"].as_array_mut();
    files
        .expect("it is a list")
        .push(json!({"id": "reference", "sizeInBytes": bytes}));
    document(&all.to_string())
}

#[test]
fn programs_are_types_and_reference_data_has_no_size() {
    let first = [(1_000_000, 3.0), (2_000_000, 5.0), (4_000_000, 9.0)];
    let second = [(8_000_000, 17.0), (16_000_000, 33.0)];
    let documents = [
        with_reference(&first, 5_000_000_000),
        with_reference(&second, 7),
    ];
    let laws = Laws::fit(&documents).expect("there is a law");
    assert_eq!(
        laws.text(),
        "merge: 7.0 s (2 tasks)\nsort: 1.0 + 2e-6 * bytes s (5 tasks)\n"
    );
}

#[test]
fn an_odd_execution_is_forgotten() {
    let usual = [(1_000_000, 3.0), (2_000_000, 5.0), (4_000_000, 9.0)];
    let usual = document(&execution(&usual));
    let slow = [(1_000_000, 120.0), (2_000_000, 5.0), (4_000_000, 900.0)];
    let laws = Laws::fit([&usual, &document(&execution(&slow)), &usual]).expect("there is a law");
    assert_eq!(
        laws.text(),
        "merge: 7.0 s (3 tasks)\nsort: 1.0 + 2e-6 * bytes s (9 tasks)\n"
    );
}

#[test]
fn a_workflow_without_an_execution_gets_times() {
    let laws = Laws::fit([&document(&execution(&[(10, 2.0)]))]).expect("there is a law");
    let mut value: Value = serde_json::from_str(&execution(&[(10, 0.0)])).expect("it is JSON");
    value["workflow"]
        .as_object_mut()
        .expect("it is one")
        .remove("execution");
    let mut planned = document(&value.to_string());
    laws.apply(&mut planned).expect("all types are known");
    let recorded = planned
        .instance()
        .expect("it is right")
        .recorded
        .expect("there is one");
    assert_eq!(recorded.runtimes_s, [2.0, 7.0]);
}

#[test]
fn types_without_a_law_are_told() {
    let laws = Laws::fit([&document(&execution(&[(10, 2.0)]))]).expect("there is a law");
    let other = execution(&[(10, 2.0)]).replace("sort_", "so\\u001brt_");
    let problems = laws
        .apply(&mut document(&other))
        .expect_err("it is unknown");
    assert_eq!(
        problems[0].to_string(),
        "no execution has tasks with the type `so\\u{1b}rt`\n\
         help: Add an execution with such tasks to `--costs-from`."
    );
}

/// Returns the error of the predicted total time, as a percentage of the recorded total time.
fn error(found: f64, recorded: f64) -> f64 {
    100.0 * (found / recorded - 1.0)
}

/// Returns every second task of each type that has at least four tasks.
fn half(all: &Document, which: usize) -> Document {
    let types: Vec<String> = { all.workflow.specification.tasks.iter() }
        .map(|it| task_type(&it.name).into())
        .collect();
    let mut seen = std::collections::BTreeMap::new();
    let mut half = all.clone();
    let mut ids = Vec::new();
    for (task, kind) in all.workflow.specification.tasks.iter().zip(&types) {
        let many = types.iter().filter(|it| *it == kind).count() >= 4;
        let count = seen.entry(kind).or_insert(0);
        *count += 1;
        if many && *count % 2 == which {
            ids.push(task.id.clone());
        }
    }
    let workflow = &mut half.workflow;
    workflow
        .specification
        .tasks
        .retain(|it| ids.contains(&it.id));
    let execution = workflow.execution.as_mut().expect("it is there");
    execution.tasks.retain(|it| ids.contains(&it.id));
    half
}

/// Fits laws to half of each type's tasks, and predicts the other half.
#[test]
fn half_of_the_tasks_predict_the_other_half() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/measurements/workflows");
    let Ok(folder) = fs::read_dir(&root) else {
        prophet_testing::skip("there are no recorded workflows");
        return;
    };
    let mut paths: Vec<_> = folder
        .map(|it| it.expect("it can be read").path())
        .collect();
    paths.sort();
    let mut text = String::new();
    for path in paths {
        let all = document(&fs::read_to_string(&path).expect("it can be read"));
        let [first, second] = [half(&all, 1), half(&all, 0)];
        if first.workflow.specification.tasks.is_empty() {
            continue;
        }
        let laws = Laws::fit([&first]).expect("there are laws");
        let times = |it: &Document| -> Vec<f64> {
            let tasks = &it.workflow.execution.as_ref().expect("it is there").tasks;
            tasks
                .iter()
                .map(|it| it.runtime_in_seconds.as_f64().expect("it is a number"))
                .collect()
        };
        let mut predicted = second.clone();
        laws.apply(&mut predicted).expect("all types are known");
        let [found, recorded] = [times(&predicted), times(&second)];
        let pairs = || found.iter().zip(&recorded);
        let mut errors: Vec<f64> = pairs().map(|it| error(*it.0, *it.1).abs()).collect();
        errors.sort_by(f64::total_cmp);
        let sums = [found.iter().sum(), recorded.iter().sum()];
        let name = path.file_stem().expect("it has a name").to_string_lossy();
        writeln!(
            text,
            "{name}: {} tasks, median error {:.1} %, sum {:+.1} %",
            found.len(),
            errors[errors.len() / 2],
            error(sums[0], sums[1])
        )
        .expect("it is text");
    }
    expect![[r#"
        helloworld__helloworld-chain-5-chameleon: 2 tasks, median error 0.8 %, sum -0.4 %
        helloworld__helloworld-forkjoin-10-chameleon: 5 tasks, median error 1.6 %, sum -2.4 %
        makeflow__blast__blast-chameleon-small-001: 20 tasks, median error 2.3 %, sum +0.7 %
        pegasus__1000genome__1000genome-chameleon-2ch-100k-001: 24 tasks, median error 2.9 %, sum +0.1 %
        pegasus__montage__montage-chameleon-dss-05d-001: 23 tasks, median error 11.4 %, sum -5.5 %
        pegasus__srasearch__srasearch-chameleon-10a-001: 10 tasks, median error 20.2 %, sum +1.7 %
    "#]].assert_eq(&text);
}
