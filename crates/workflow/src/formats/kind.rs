//! The kind of a file, by its content.

use super::table;

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

/// The kind of a text; none where it is unknown.
pub(super) fn of(text: &str) -> Option<Kind> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    match text.as_bytes().first()? {
        b'<' => of_markup(text),
        b'{' => Some(of_json(text)),
        _ => of_lines(text),
    }
}

/// The kind by the name of the first element.
fn of_markup(mut text: &str) -> Option<Kind> {
    loop {
        let rest = text.trim_start().strip_prefix('<')?;
        let end = if rest.starts_with("!--") { "-->" } else { ">" };
        if !rest.starts_with(['!', '?']) {
            let is_end = |it: char| !it.is_ascii_alphanumeric() && it != '_';
            return match rest.split(is_end).next()? {
                "adag" => Some(Kind::Dax),
                "html" if text.contains("flowchart ") => Some(Kind::Mermaid),
                _ => None,
            };
        }
        if rest.get(..8)?.eq_ignore_ascii_case("!doctype") && text.contains("flowchart ") {
            return Some(Kind::Mermaid);
        }
        text = &rest[rest.find(end)? + end.len()..];
    }
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

fn of_lines(text: &str) -> Option<Kind> {
    let is_content = |it: &&str| !it.trim().is_empty() && !it.starts_with('#');
    let first = text.lines().find(is_content)?;
    let columns = table::columns(first);
    let has = |name: &str| columns.contains(&name);
    if has("h:m:s") && has("s") {
        return Some(Kind::Benchmark);
    }
    if has("task") && has("seconds") {
        return Some(Kind::Times);
    }
    let is_timed = has("realtime") || has("duration") || has("complete");
    if columns.len() > 2 && (has("name") || has("process")) && is_timed {
        return Some(Kind::NextflowTrace);
    }
    let word = first.split(|it: char| !it.is_ascii_alphanumeric()).next();
    match word {
        Some("digraph" | "strict") => return Some(Kind::Dot),
        Some("flowchart") => return Some(Kind::Mermaid),
        _ => {}
    }
    let key = |line: &str| match line.split_once(':')?.0.trim_matches(['"', '\'']) {
        "cwlVersion" | "$graph" => Some(Kind::Cwl),
        "pegasus" | "x-pegasus" | "jobDependencies" => Some(Kind::Pegasus),
        _ => None,
    };
    text.lines().find_map(key)
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
