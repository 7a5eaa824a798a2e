//! Formats of workflows, recognized by the beginning of a text.

/// Mark at the beginning of plans for clusters that are of workflows, with the version of their
/// form.
pub const WORKFLOW_PLAN: &str = "prophet-workflow-sweep-plan-1";

/// A format that describes workflows, or a part of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkflowFormat {
    /// An object of JSON: `WfFormat`, CWL, or a record of Snakemake.
    Json,
    /// Pegasus' DAX, in XML.
    Dax,
    /// Pegasus 5, in YAML.
    Pegasus,
    /// A trace of Nextflow.
    NextflowTrace,
    /// A graph in DOT: of Nextflow or of Snakemake.
    Dot,
    /// A graph in Mermaid, or in a page.
    Mermaid,
    /// CWL, in YAML.
    Cwl,
}

/// The format of a text, or of its first bytes; `None` where it is of no workflow.
///
/// ```
/// use prophet_text::{WorkflowFormat, workflow_format};
///
/// assert_eq!(workflow_format("digraph g {"), Some(WorkflowFormat::Dot));
/// assert_eq!(workflow_format("cwlVersion: v1.2"), Some(WorkflowFormat::Cwl));
/// assert_eq!(workflow_format("@startuml"), None);
/// ```
pub fn workflow_format(text: &str) -> Option<WorkflowFormat> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    match text.as_bytes().first()? {
        b'<' => of_markup(text),
        b'{' => Some(WorkflowFormat::Json),
        _ => of_lines(text),
    }
}

/// Cells of a line of a table, parted by tabs or else by commas.
pub fn cells(line: &str) -> Vec<&str> {
    let by = if line.contains('\t') { '\t' } else { ',' };
    line.trim_end_matches('\r')
        .split(by)
        .map(|it| it.trim().trim_matches('"'))
        .collect()
}

/// The first line of a text that is not a comment.
pub fn first_line(text: &str) -> Option<&str> {
    let is_content = |it: &&str| !it.trim().is_empty() && !it.starts_with('#');
    text.lines().find(is_content)
}

/// The format by the name of the first element.
fn of_markup(mut text: &str) -> Option<WorkflowFormat> {
    loop {
        let rest = text.trim_start().strip_prefix('<')?;
        let end = if rest.starts_with("!--") { "-->" } else { ">" };
        if !rest.starts_with(['!', '?']) {
            let is_end = |it: char| !it.is_ascii_alphanumeric() && it != '_';
            return match rest.split(is_end).next()? {
                "adag" => Some(WorkflowFormat::Dax),
                "html" if text.contains("flowchart ") => Some(WorkflowFormat::Mermaid),
                _ => None,
            };
        }
        if rest.get(..8)?.eq_ignore_ascii_case("!doctype") && text.contains("flowchart ") {
            return Some(WorkflowFormat::Mermaid);
        }
        text = &rest[rest.find(end)? + end.len()..];
    }
}

fn of_lines(text: &str) -> Option<WorkflowFormat> {
    let first = first_line(text)?;
    let columns = cells(first);
    let has = |name: &&str| columns.contains(name);
    let is_named = ["name", "process"].iter().any(has);
    let marks = ["realtime", "duration", "complete", "status", "hash"];
    if columns.len() > 2 && is_named && marks.iter().any(has) {
        return Some(WorkflowFormat::NextflowTrace);
    }
    let word = first.split(|it: char| !it.is_ascii_alphanumeric()).next();
    match word {
        Some("digraph" | "strict") => return Some(WorkflowFormat::Dot),
        Some("flowchart") => return Some(WorkflowFormat::Mermaid),
        _ => {}
    }
    let key = |line: &str| match line.split_once(':')?.0.trim_matches(['"', '\'']) {
        "cwlVersion" | "$graph" => Some(WorkflowFormat::Cwl),
        "pegasus" | "x-pegasus" | "jobDependencies" => Some(WorkflowFormat::Pegasus),
        _ => None,
    };
    text.lines().find_map(key)
}
