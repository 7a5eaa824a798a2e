//! Tests that `WfFormat` instances are read and written without loss.

use std::fs;
use std::path::{Path, PathBuf};

use prophet_testing::assert_cases;
use prophet_workflow::wfformat::{Document, LARGEST_BYTES};
use serde_json::Value;

/// A small instance, with entries that are in the schema and entries that aren't.
pub(crate) const SMALL: &str = include_str!("data/two.json");

fn problems(text: &str) -> Vec<String> {
    let shown = |it: Vec<prophet_text::Problem>| it.iter().map(ToString::to_string).collect();
    match Document::parse(text) {
        Ok(document) => shown(document.instance().map(|_| ()).expect_err("it is wrong")),
        Err(problem) => vec![problem.to_string()],
    }
}

#[test]
fn a_document_is_written_as_it_was_read() {
    let document = Document::parse(SMALL).expect("it is a document");
    let written = document.text().expect("it can be written");
    let [before, after] =
        [SMALL, &written].map(|it| serde_json::from_str::<Value>(it).expect("it is JSON"));
    assert_eq!(before, after);
}

/// Returns the recorded workflows, if present: their paths and texts.
pub(crate) fn instances() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/measurements/workflows");
    let Ok(folder) = fs::read_dir(&root) else {
        prophet_testing::skip("there are no recorded workflows");
        return Vec::new();
    };
    let paths = folder.map(|it| it.expect("it can be read").path());
    let texts = paths.map(|it| (it.clone(), fs::read_to_string(it).expect("it can be read")));
    let texts: Vec<_> = texts.collect();
    assert_eq!(texts.len(), 7);
    texts
}

#[test]
fn recorded_instances_are_read_and_written_without_loss() {
    for (path, text) in instances() {
        let document = Document::parse(&text).expect("it is a document");
        let written = document.text().expect("it can be written");
        let [before, after] =
            [&text, &written].map(|it| serde_json::from_str::<Value>(it).expect("it is JSON"));
        assert_eq!(before, after, "{}", path.display());
        let instance = document.instance().expect("it is right");
        assert_eq!(
            instance.workflow.len(),
            document.workflow.specification.tasks.len()
        );
        assert!(instance.recorded.is_some_and(|it| it.machine.is_some()));
    }
}

#[test]
fn a_recording_has_times_cores_and_machines() {
    let document = Document::parse(SMALL).expect("it is a document");
    let instance = document.instance().expect("it is right");
    let recorded = instance.recorded.expect("there is one");
    assert_eq!(recorded.makespan_s, 5.0);
    assert_eq!(recorded.runtimes_s, [2.0, 3.0]);
    assert_eq!(recorded.starts_s, [Some(0.0), Some(2.0)]);
    assert_eq!(recorded.hosts, [None, Some(0)]);
    let first = instance.workflow.ids().next().expect("there is one");
    assert_eq!(instance.workflow.task(first).cores, 2);
    assert_eq!(instance.engine.as_deref(), Some("Makeflow"));
    assert_eq!(instance.engine_version, "");
    assert_eq!(recorded.machine.map(|it| it.cores()), Some(4));
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    assert_cases("tests/cases/wfformat.txt", |case| {
        let (old, new) = case.input.split_once('\n').expect("two lines");
        assert!(SMALL.contains(old), "{old}");
        problems(&SMALL.replace(old, new)).join("\n")
    });
    assert!(
        problems("{}")[0].starts_with("line 1, column 2: the file is not valid WfFormat: missing")
    );
}

#[test]
fn too_large_a_text_is_refused_before_it_is_read() {
    let text = " ".repeat(LARGEST_BYTES + 1);
    assert_eq!(
        problems(&text),
        ["the file has 65 MB; the limit is 64 MB\n\
          help: Split the workflow, or remove the output of tasks."]
    );
}
