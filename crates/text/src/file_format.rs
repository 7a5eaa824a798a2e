//! Recognizes file formats. All commands use the same table.
//!
//! A file is recognized by its content or, if that isn't known, by its extension.
//! [`FileKind::role`] says what the file is used for.

mod head;
mod table;

use head::Head;
pub use head::{cells, first_line};

/// The first line of a plan for sweeping a workflow on a cluster. It contains the version of the
/// format.
pub const WORKFLOW_PLAN: &str = "prophet-workflow-sweep-plan-1";

/// Number of bytes at the start of a file that are enough to recognize its format.
pub const BEGIN_BYTES: u64 = 64 << 10;

/// The kinds of files that commands recognize.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// A model, in any format except an archive.
    Model,
    /// Rules for models, or custom stereotypes.
    Rules,
    WfFormat,
    /// A Pegasus DAX file, in XML.
    Dax,
    /// A Pegasus 5 workflow, in YAML.
    Pegasus,
    /// A CWL file, in YAML or JSON.
    Cwl,
    NextflowTrace,
    /// A DOT graph written by Nextflow or Snakemake.
    Dot,
    /// A Mermaid graph, possibly within a web page.
    Mermaid,
    /// A table of tasks and their times.
    TaskTimes,
    /// A table written by Snakemake's `benchmark`.
    Benchmark,
    /// Statistics written by Snakemake's `--stats`.
    Statistics,
    /// Snakemake's record of an output file.
    OutputRecord,
    /// JSON in an unknown format.
    Json,
    /// A Performance Prophet trace.
    Recorded,
    /// The anchor file of an OTF2 archive.
    Otf2,
    /// A `PyTorch` Kineto profile.
    Kineto,
    /// A Chakra graph.
    Chakra,
    /// A `LogGOPSim` schedule.
    Goal,
    /// `SimGrid`'s time-independent trace.
    TimeIndependent,
    /// MPI calls, recorded by `liballprof`.
    Liballprof,
    /// A machine to run programs or workflows on.
    Machine,
    /// A `SimGrid` platform, which can be used as a machine.
    Platform,
    /// A plan for a sweep.
    Plan,
    /// A plan for sweeping a workflow on a cluster.
    WorkflowPlan,
    /// A workflow schedule.
    Schedule,
    Outcome,
    /// Measurements of a program.
    Measurements,
    /// A file of another tool that no command accepts.
    Foreign,
    /// A file without content.
    Empty,
}

/// What a file is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileRole {
    /// A model of a program or workflow.
    Model,
    /// A workflow, or its main file.
    Workflow,
    /// Another file of a workflow.
    WorkflowPart,
    /// Events recorded during a run.
    Trace,
    Machine,
    Plan,
    Measurements,
    /// The result of a run.
    Result,
    /// A file for a single flag, or for no command at all.
    Other,
}

impl FileKind {
    /// Returns what files of this kind are used for.
    pub const fn role(self) -> FileRole {
        match self {
            Self::Model => FileRole::Model,
            Self::WfFormat
            | Self::Dax
            | Self::Pegasus
            | Self::Cwl
            | Self::NextflowTrace
            | Self::Dot
            | Self::Json => FileRole::Workflow,
            Self::Mermaid
            | Self::TaskTimes
            | Self::Benchmark
            | Self::Statistics
            | Self::OutputRecord => FileRole::WorkflowPart,
            Self::Recorded
            | Self::Otf2
            | Self::Kineto
            | Self::Chakra
            | Self::Goal
            | Self::TimeIndependent
            | Self::Liballprof => FileRole::Trace,
            Self::Machine | Self::Platform => FileRole::Machine,
            Self::Plan | Self::WorkflowPlan => FileRole::Plan,
            Self::Measurements => FileRole::Measurements,
            Self::Outcome => FileRole::Result,
            Self::Rules | Self::Schedule | Self::Foreign | Self::Empty => FileRole::Other,
        }
    }
}

impl FileKind {
    /// Returns what to tell users who pass a file of this kind to a command that needs another
    /// file, if they can easily get that file.
    const fn instead_of(self, role: FileRole) -> Option<&'static str> {
        Some(match (self, role) {
            (Self::Empty, FileRole::Model) => "it is empty; get a first model with `new`",
            (Self::Empty, FileRole::Machine) => {
                "it is empty; start from `machine gescher --to toml` (or `--to xml`)"
            }
            (Self::Empty, FileRole::Trace) => {
                "it is empty; record it again, or write a trace with `run MODEL --trace run.arrow`"
            }
            (Self::Model, FileRole::Machine) => {
                "it is a model, not a machine; predict it with `run`"
            }
            (Self::Model, FileRole::Trace) => {
                "it is a model; predict it with `run MODEL --trace run.arrow`, and pass run.arrow"
            }
            (Self::Model, FileRole::Result) => {
                "it is a model; save its result with `run MODEL --save`"
            }
            (Self::Model, FileRole::Measurements) => {
                "it is a model; pass measurements (to fit parameters of a model: `fit MODEL --runs \
                 times.csv --free NAME`)"
            }
            (Self::Measurements, FileRole::Machine) => {
                "it is a table, not a machine; start from `machine gescher --to toml`"
            }
            _ => return None,
        })
    }
}

/// A file format: how to recognize it, and what to tell users about such a file.
#[derive(Debug)]
pub struct FileFormat {
    pub kind: FileKind,
    /// What to tell users: a description of the file and advice. It follows the file's name.
    pub told: &'static str,
    /// File extensions, in lower case.
    endings: &'static [&'static str],
    /// Texts near the start of a file that only the tool with this format writes.
    marks: &'static [&'static str],
    /// Whether the advice is only for users who want to run a model or a workflow.
    is_for_models: bool,
    /// Recognizes the format from the first bytes, no matter what the file is called.
    is: Option<fn(&Head<'_>) -> bool>,
}

impl FileFormat {
    /// Returns what to tell users if a command needs a file with this role: a description and, if
    /// it helps, advice.
    pub fn told_for(&self, role: FileRole) -> &'static str {
        if let Some(told) = self.kind.instead_of(role) {
            return told;
        }
        match (role, self.told.split_once(';')) {
            (FileRole::Model | FileRole::Workflow, _) | (_, None) => self.told,
            (_, Some((what, _))) if self.is_for_models => what,
            _ => self.told,
        }
    }

    /// Returns what to tell users about the file; `None` if it could have this role. A TOML file
    /// could have any role.
    pub fn unless(&self, role: FileRole) -> Option<&'static str> {
        let may_be = self.kind == FileKind::Foreign && self.endings == ["toml"];
        (self.kind.role() != role && !may_be).then(|| self.told_for(role))
    }
}

/// The format of files without content.
pub static EMPTY: FileFormat = FileFormat {
    kind: FileKind::Empty,
    told: "it is empty; write or copy it again",
    endings: &[],
    marks: &[],
    is_for_models: false,
    is: None,
};

/// Returns `true` if there is nothing but white space in a file with these bytes.
pub fn is_empty(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.trim_ascii().is_empty()
}

/// Recognizes the format of a file from its name and first bytes; `None` if it is unknown.
///
/// ```
/// use prophet_text::{FileKind, file_format};
///
/// let kind = |name, text: &str| file_format(name, text.as_bytes()).map(|it| it.kind);
/// assert_eq!(kind("a", "digraph g {"), Some(FileKind::Dot));
/// assert_eq!(kind("a", "cwlVersion: v1.2"), Some(FileKind::Cwl));
/// assert_eq!(kind("a.uml", "@startuml"), Some(FileKind::Model));
/// assert_eq!(kind("a", "what is this?"), None);
/// ```
pub fn file_format(name: &str, begin: &[u8]) -> Option<&'static FileFormat> {
    let head = Head::new(name, begin);
    let rows = || table::FORMATS.iter();
    let by_content = rows().find(|it| it.is.is_some_and(|is| is(&head)));
    let by_name = || rows().find(|it| it.endings.contains(&&*head.ending));
    let by_mark = || rows().find(|it| it.marks.iter().any(|mark| head.text.contains(mark)));
    let known = by_content.or_else(by_name).or_else(by_mark);
    let is_object = || head.text.starts_with('{');
    known.or_else(|| rows().find(|it| it.kind == FileKind::Json && is_object()))
}

#[cfg(test)]
mod tests;
