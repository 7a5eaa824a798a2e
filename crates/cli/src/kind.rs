//! Kinds of files that `run` takes in place of a model: traces and workflows.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use prophet_text::{WORKFLOW_PLAN, WorkflowFormat, workflow_format};

/// Extensions of the names of traces; no model has any of them.
const EXTENSIONS: [&str; 8] = ["arrow", "calls", "et", "goal", "otf2", "ti", "trace", "txt"];

/// Words in the JSON of traces of `PyTorch` and of Chakra, which workflows do not have.
const WORDS_OF_TASKS: [&str; 5] = [
    "\"traceEvents\"",
    "\"deviceProperties\"",
    "\"distributedInfo\"",
    "\"workload_graph\"",
    "_NODE\"",
];

/// Number of bytes from which the form of a file is recognized.
const BEGIN: u64 = 1 << 12;

/// True if a path leads to a trace: by its extension, as a folder without models (a file for each
/// rank), or, without an extension, by its beginning.
pub(crate) fn is_trace(path: &Path) -> bool {
    match path.extension().and_then(|it| it.to_str()) {
        Some(extension) if EXTENSIONS.contains(&extension) => true,
        Some("gz") => path
            .file_stem()
            .is_some_and(|it| Path::new(it).extension() == Some("json".as_ref())),
        Some("json") => is_of_tasks(&beginning(path).unwrap_or_default()),
        Some(_) => is_folder_of_ranks(path),
        None => is_folder_of_ranks(path) || begins_as_trace(path),
    }
}

fn is_folder_of_ranks(path: &Path) -> bool {
    path.is_dir() && prophet_model::xmi::models_in(path).is_empty()
}

/// True if a file begins with an action, a schedule, a call of MPI, our own trace, or the name of a
/// file beside it.
fn begins_as_trace(path: &Path) -> bool {
    let Some(begin) = beginning(path) else {
        return false;
    };
    let text = String::from_utf8_lossy(&begin);
    let mut lines = text.lines().map(str::trim);
    let is_comment = |it: &str| it.is_empty() || it.starts_with('#') || it.starts_with('/');
    let first = lines.find(|it| !is_comment(it)).unwrap_or_default();
    let word = first.split_ascii_whitespace().next().unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new(""));
    let is_beside = |name: &Path| name.file_name().is_some_and(|it| folder.join(it).is_file());
    let starts = ["ARROW1", "MPI_", "version="];
    word == "num_ranks"
        || (!word.is_empty() && word.bytes().all(|it| it.is_ascii_digit()))
        || starts.iter().any(|it| word.starts_with(it))
        || folder.join(word).is_file()
        || is_beside(Path::new(word))
}

/// True for the JSON of a trace of tasks.
fn is_of_tasks(begin: &[u8]) -> bool {
    let text = String::from_utf8_lossy(begin);
    let is_json = text.trim_start().starts_with(['{', '[']);
    is_json && WORDS_OF_TASKS.iter().any(|it| text.contains(it))
}

/// True if a regular file begins as workflows do and no model or trace of messages.
///
/// The crate of workflows says which of them it is, with messages of what is wrong.
pub(crate) fn is_workflow(path: &Path) -> bool {
    let Some(begin) = beginning(path) else {
        return false;
    };
    let format = workflow_format(&String::from_utf8_lossy(&begin));
    format.is_some_and(|it| it != WorkflowFormat::Mermaid) && !is_of_tasks(&begin)
}

/// True if a file is the plan of a sweep of a workflow, for clusters.
pub(crate) fn is_workflow_plan(path: &Path) -> bool {
    let begin = beginning(path).unwrap_or_default();
    String::from_utf8_lossy(&begin).contains(WORKFLOW_PLAN)
}

/// The first bytes of a file; a device or a pipe has no beginning of its own.
fn beginning(path: &Path) -> Option<Vec<u8>> {
    if !path.is_file() {
        return None;
    }
    let mut begin = Vec::new();
    let file = File::open(path).ok()?;
    file.take(BEGIN).read_to_end(&mut begin).ok()?;
    Some(begin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_are_known_by_their_names() {
        for trace in [
            "a.goal",
            "b.ti",
            "c.txt",
            "d.otf2",
            "e.0.et",
            "f.json.gz",
            "src",
        ] {
            assert!(is_trace(Path::new(trace)), "{trace}");
        }
        // A folder with models is no trace.
        for model in ["a.uml", "b.prophet.xml", "c.puml", "goal", "first-model"] {
            assert!(!is_trace(Path::new(model)), "{model}");
        }
    }

    #[test]
    fn json_of_tasks_is_no_workflow() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        for (text, is) in [
            (r#"{"schemaVersion": 1, "traceEvents": []}"#, true),
            (
                r#"{"version": "0.0.4"}{"id": "1", "type": "COMP_NODE"}"#,
                true,
            ),
            (r#"{"schemaVersion": "1.5", "workflow": {}}"#, false),
        ] {
            std::fs::write(&path, text).unwrap();
            assert_eq!((is_trace(&path), is_workflow(&path)), (is, !is), "{text}");
        }
    }

    #[test]
    fn files_without_an_ending_are_known_by_their_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let is = |text: &str| {
            let path = folder.path().join("split_traces");
            std::fs::write(&path, text).unwrap();
            is_trace(&path)
        };
        std::fs::write(folder.path().join("actions0.txt"), "0 init\n").unwrap();
        for trace in [
            "0 init\n",
            "num_ranks 2\n",
            "actions0.txt\n",
            "x/actions0.txt\n",
        ] {
            assert!(is(trace), "{trace}");
        }
        for model in [
            "<?xml version=\"1.0\"?>\n",
            "@startuml\n",
            "",
            "PK\u{3}\u{4}",
            "a.txt\n",
        ] {
            assert!(!is(model), "{model}");
        }
    }

    #[test]
    fn workflows_are_known_by_their_content() {
        let folder = tempfile::tempdir().expect("it can be made");
        for (text, expected) in [
            ("{\"name\": 1}", true),
            ("\u{feff}\r\n {", true),
            ("<?xml version=\"1.0\"?>", false),
            ("@startuml\n{", false),
            ("", false),
            ("<?xml version=\"1.0\"?>\n<adag name=\"a\">", true),
            ("task_id\thash\tname\tstatus\n", true),
            ("name\tvalue\n", false),
            ("0 init\n1 send\n", false),
            ("digraph snakemake_dag {", true),
            ("#!/usr/bin/env cwl-runner\ncwlVersion: v1.2\n", true),
            ("x-pegasus: {}\n", true),
            ("@startuml\nnote: cwlVersion\n", false),
            ("flowchart TD\n", false),
        ] {
            let file = folder.path().join("model");
            std::fs::write(&file, text).expect("it can be written");
            assert_eq!(is_workflow(&file), expected, "{text}");
        }
        assert!(!is_workflow(folder.path()));
        assert!(!is_workflow(&folder.path().join("missing")));
    }
}
