//! Decides whether a file that is passed to `run` or `sweep` is a model, a trace or a workflow.

use std::path::Path;

use prophet_text::{FileKind, FileRole};

/// Extensions of files for a single rank, and of lists of such files. Models don't have these
/// extensions.
const LISTS: [&str; 3] = ["calls", "trace", "txt"];

/// Returns the role of a path according to the table of formats. A folder without models counts as
/// a trace with a file for each rank. A file that starts with the name of a neighboring file counts
/// as a trace too.
pub(crate) fn role(path: &Path) -> FileRole {
    if path.is_dir() {
        let has_models = !prophet_model::xmi::models_in(path).is_empty();
        return if has_models {
            FileRole::Model
        } else {
            FileRole::Trace
        };
    }
    let of_format = prophet_files::format_of(path).map(|it| it.kind.role());
    match of_format {
        // The name alone doesn't say what is missing.
        Some(role) if role == FileRole::Trace || path.is_file() => role,
        None if is_list(path) => FileRole::Trace,
        _ => FileRole::Model,
    }
}

/// Returns `true` if a file is an archive or isn't UTF-8. Only the full program can read such
/// files.
#[cfg(not(feature = "whole"))]
pub(crate) fn needs_archives(path: &Path) -> bool {
    prophet_model::xmi::needs_archives(&prophet_files::begin(path))
}

fn is_list(path: &Path) -> bool {
    let extension = path.extension().and_then(|it| it.to_str());
    let begin = prophet_files::begin(path);
    let text = String::from_utf8_lossy(&begin);
    let is_comment = |it: &&str| it.is_empty() || it.starts_with(['#', '/']);
    let line = text.lines().map(str::trim).find(|it| !is_comment(it));
    let word = line
        .unwrap_or_default()
        .split_ascii_whitespace()
        .next()
        .unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new(""));
    let is_beside = |name: &Path| name.file_name().is_some_and(|it| folder.join(it).is_file());
    extension.is_some_and(|it| LISTS.contains(&it))
        || extension.is_none() && !word.is_empty() && is_beside(Path::new(word))
}

/// Returns `true` if a file is a plan for sweeping a workflow on clusters.
pub(crate) fn is_workflow_plan(path: &Path) -> bool {
    prophet_files::format_of(path).is_some_and(|it| it.kind == FileKind::WorkflowPlan)
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
            assert_eq!(role(Path::new(trace)), FileRole::Trace, "{trace}");
        }
        // A folder with models isn't a trace.
        for model in ["a.uml", "b.prophet.xml", "c.puml", "goal", "first-model"] {
            assert_eq!(role(Path::new(model)), FileRole::Model, "{model}");
        }
    }

    #[test]
    fn files_are_known_by_their_beginning() {
        let folder = tempfile::tempdir().expect("it can be made");
        let file = folder.path().join("given");
        std::fs::write(folder.path().join("actions0.txt"), "0 init\n").expect("it is written");
        let of = |text: &str| {
            std::fs::write(&file, text).expect("it can be written");
            role(&file)
        };
        for trace in [
            "0 init\n",
            "num_ranks 2\n",
            "actions0.txt\n",
            "# all\nx/actions0.txt\n",
            "0 init\n1 send\n",
            r#"{"schemaVersion": 1, "traceEvents": []}"#,
            r#"{"version": "0.0.4"}{"id": "1", "type": "COMP_NODE"}"#,
        ] {
            assert_eq!(of(trace), FileRole::Trace, "{trace}");
        }
        for model in [
            "<?xml version=\"1.0\"?>\n",
            "@startuml\n",
            "@startuml\n{",
            "@startuml\nnote: cwlVersion\n",
            "PK\u{3}\u{4}",
            "a.txt\n",
            "name\tvalue\n",
        ] {
            assert_eq!(of(model), FileRole::Model, "{model}");
        }
        for workflow in [
            "{\"name\": 1}",
            "\u{feff}\r\n {",
            r#"{"schemaVersion": "1.5", "workflow": {}}"#,
            "<?xml version=\"1.0\"?>\n<adag name=\"a\">",
            "task_id\thash\tname\tstatus\n",
            "digraph snakemake_dag {",
            "#!/usr/bin/env cwl-runner\ncwlVersion: v1.2\n",
            "x-pegasus: {}\n",
        ] {
            assert_eq!(of(workflow), FileRole::Workflow, "{workflow}");
        }
        assert_eq!(of(""), FileRole::Other);
        assert_eq!(of("flowchart TD\n"), FileRole::WorkflowPart);
        assert_eq!(role(&folder.path().join("missing.json")), FileRole::Model);
    }
}
