//! The kind of a file, by its content.

use prophet_text::{WorkflowFormat, cells, first_line, workflow_format};

/// Kinds of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    WfFormat,
    Dax,
    Pegasus,
    NextflowTrace,
    /// A graph in DOT: of Nextflow or of Snakemake.
    Dot,
    /// A graph in Mermaid, or in a page.
    Mermaid,
    Cwl,
    /// Times of tasks in a table.
    Times,
    /// Snakemake's table of a benchmark.
    Benchmark,
    /// Snakemake's statistics, of `--stats`.
    Statistics,
    /// Snakemake's record of an output.
    Record,
}

impl Kind {
    pub(super) fn is_graph(self) -> bool {
        matches!(self, Self::Dot | Self::Mermaid)
    }
}

/// The kind of a text; `None` where it is unknown.
pub(super) fn of(text: &str) -> Option<Kind> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if let Some(kind) = of_table(text) {
        return Some(kind);
    }
    Some(match workflow_format(text)? {
        WorkflowFormat::Json => of_json(text),
        WorkflowFormat::Dax => Kind::Dax,
        WorkflowFormat::Pegasus => Kind::Pegasus,
        WorkflowFormat::NextflowTrace => Kind::NextflowTrace,
        WorkflowFormat::Dot => Kind::Dot,
        WorkflowFormat::Mermaid => Kind::Mermaid,
        WorkflowFormat::Cwl => Kind::Cwl,
    })
}

/// The kind of a table that completes a workflow, by its heading.
fn of_table(text: &str) -> Option<Kind> {
    let columns = cells(first_line(text)?);
    let has = |name: &str| columns.contains(&name);
    if has("h:m:s") && has("s") {
        return Some(Kind::Benchmark);
    }
    (has("task") && has("seconds")).then_some(Kind::Times)
}

/// The kind by a key, which only objects of that kind have at their top.
fn of_json(text: &str) -> Kind {
    use serde::de::IgnoredAny;

    #[derive(serde::Deserialize)]
    struct Keys {
        #[serde(rename = "cwlVersion")]
        cwl: Option<IgnoredAny>,
        total_runtime: Option<IgnoredAny>,
        starttime: Option<IgnoredAny>,
        rule: Option<IgnoredAny>,
    }
    let keys = serde_json::from_str::<Keys>(text);
    match keys {
        Ok(it) if it.cwl.is_some() => Kind::Cwl,
        Ok(it) if it.total_runtime.is_some() => Kind::Statistics,
        Ok(it) if it.starttime.is_some() && it.rule.is_some() => Kind::Record,
        _ => Kind::WfFormat,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_content() {
        for (text, expected) in [
            ("{\"name\": 1}", Some(Kind::WfFormat)),
            ("{\"a\": 1, \"cwlVersion\": \"v1.2\"}", Some(Kind::Cwl)),
            ("{\"total_runtime\": 1}", Some(Kind::Statistics)),
            ("{\"rule\": \"a\", \"starttime\": 1}", Some(Kind::Record)),
            (
                "<?xml version='1.0'?>\n<!-- <a> -->\n<adag>",
                Some(Kind::Dax),
            ),
            ("<!-- a --><xmi:XMI>", None),
            (
                "<!doctype html><pre>flowchart TB</pre>",
                Some(Kind::Mermaid),
            ),
            ("<", None),
            ("<!", None),
            ("digraph g {", Some(Kind::Dot)),
            ("flowchart TD\n", Some(Kind::Mermaid)),
            (
                "#!/usr/bin/env cwl-runner\nclass: Workflow\ncwlVersion: v1.2\n",
                Some(Kind::Cwl),
            ),
            ("x-pegasus: {}\npegasus: 5.0\n", Some(Kind::Pegasus)),
            ("\"pegasus\": \"5.0\"\n", Some(Kind::Pegasus)),
            (
                "task_id\tname\tstatus\trealtime\n",
                Some(Kind::NextflowTrace),
            ),
            ("s\th:m:s\tmax_rss\n", Some(Kind::Benchmark)),
            ("task,seconds\n", Some(Kind::Times)),
            ("@startuml\n", None),
            ("", None),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
    }
}
