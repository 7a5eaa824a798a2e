//! Instances in `WfFormat` are read and written without loss.

use std::fs;
use std::path::{Path, PathBuf};

use prophet_workflow::wfformat::{Document, LARGEST_BYTES};
use serde_json::Value;

/// A small instance with what the schema names, and what it does not.
pub(crate) const SMALL: &str = r#"{
 "name": "two", "schemaVersion": "1.5", "ours": {"x": [1, 2.50, null]},
 "runtimeSystem": {"name": "Makeflow"},
 "workflow": {
  "specification": {
   "tasks": [
    {"name": "t", "id": "a", "parents": [], "children": ["b"], "outputFiles": ["f"], "y": null},
    {"name": "t", "id": "b", "parents": ["a"], "inputFiles": ["f", "g"]}
   ],
   "files": [{"id": "f", "sizeInBytes": 1000}, {"id": "g", "sizeInBytes": 5, "z": "é"}]
  },
  "execution": {
   "makespanInSeconds": 5.0, "executedAt": "today",
   "tasks": [
    {"id": "b", "runtimeInSeconds": 3, "executedAt": "2020-01-01T00:00:02Z", "machines": ["m"]},
    {"id": "a", "runtimeInSeconds": 2.0, "coreCount": 2, "executedAt": "2020-01-01T00:00:00Z"}
   ],
   "machines": [{"nodeName": "m", "cpu": {"coreCount": 4, "vendor": "v"}, "memoryInBytes": 9}]
  }
 }
}"#;

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

/// Paths and texts of the recorded workflows, if they are there.
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
    for (old, new, expected) in [
        (
            r#""parents": ["a"]"#,
            r#""parents": ["q\u001b"]"#,
            "workflow.specification.tasks[1].parents[0]: the task `q\\u{1b}` is missing\nhelp: \
             Add the task, or correct the id.",
        ),
        (
            r#"["f", "g"]"#,
            r#"["f", "h"]"#,
            "workflow.specification.tasks[1].inputFiles[1]: the file `h` is missing in `files`\n\
             help: Add the file with its size, or correct the id.",
        ),
        (
            r#""runtimeInSeconds": 3"#,
            r#""runtimeInSeconds": -3"#,
            "record of workflow.specification.tasks[1], runtimeInSeconds: the time is -3 s\n\
             help: Give a time of 0 s or more.",
        ),
        (
            r#""sizeInBytes": 1000"#,
            r#""sizeInBytes": -1"#,
            "workflow.specification.files[0].sizeInBytes: the number is -1\n\
             help: Give a whole number of 0 or more.",
        ),
        (
            r#""schemaVersion": "1.5""#,
            r#""schemaVersion": "1.4""#,
            "schemaVersion: the version is `1.4`; 1.5 is supported\n\
             help: Convert the file with WfCommons' tools.",
        ),
        (
            r#""id": "b", "parents": ["a"]"#,
            r#""id": "b", "parents": null"#,
            "line 8, column 44: the file is no WfFormat: invalid type: null, expected a sequence\n\
             help: Compare the file with the schema of WfFormat 1.5, \
             https://github.com/wfcommons/WfFormat.",
        ),
    ] {
        assert!(SMALL.contains(old), "{old}");
        assert_eq!(problems(&SMALL.replace(old, new)), [expected]);
    }
    let cycle = SMALL.replace(r#""parents": []"#, r#""parents": ["b"]"#);
    assert!(
        problems(&cycle)[0].contains("in a cycle: "),
        "{:?}",
        problems(&cycle)
    );
    let duplicate = SMALL.replace(r#"{"name": "t", "id": "b""#, r#"{"name": "t", "id": "a""#);
    let expected = "workflow.specification.tasks[1].id: the id `a` is a duplicate\n\
                    help: Give each task an id of its own.";
    assert_eq!(problems(&duplicate), [expected]);
    assert!(problems("{}")[0].starts_with("line 1, column 2: the file is no WfFormat: missing"));
}

#[test]
fn too_large_a_text_is_refused_before_it_is_read() {
    let text = " ".repeat(LARGEST_BYTES + 1);
    assert_eq!(
        problems(&text),
        ["the file has 65 MB; the largest that is read has 64 MB\n\
          help: Split the workflow, or leave out what tasks printed."]
    );
}
