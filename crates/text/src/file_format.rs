//! Formats of files: the one table by which all commands tell what a file is.
//!
//! A file is recognized by its content, else by the ending of its name; [`FileKind::role`] says
//! what it is for.

mod head;
mod table;

use head::Head;
pub use head::{cells, first_line};

/// Mark at the beginning of plans for clusters that are of workflows, with the version of their
/// form.
pub const WORKFLOW_PLAN: &str = "prophet-workflow-sweep-plan-1";

/// Number of bytes from which a format is recognized.
pub const BEGIN_BYTES: u64 = 64 << 10;

/// Kinds of files that commands tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// A model in any form but an archive.
    Model,
    /// Rules of a model's form, or stereotypes of the user.
    Rules,
    /// `WfFormat`.
    WfFormat,
    /// Pegasus' DAX, in XML.
    Dax,
    /// Pegasus 5, in YAML.
    Pegasus,
    /// CWL, in YAML or JSON.
    Cwl,
    /// A trace of Nextflow.
    NextflowTrace,
    /// A graph in DOT: of Nextflow or of Snakemake.
    Dot,
    /// A graph in Mermaid, or in a page.
    Mermaid,
    /// Times of tasks in a table.
    TaskTimes,
    /// Snakemake's table of a benchmark.
    Benchmark,
    /// Snakemake's statistics, of `--stats`.
    Statistics,
    /// Snakemake's record of an output.
    OutputRecord,
    /// JSON of no known format.
    Json,
    /// A trace of our own.
    Recorded,
    /// The anchor of an OTF2 archive.
    Otf2,
    /// A profile of `PyTorch`'s Kineto.
    Kineto,
    /// A graph of Chakra.
    Chakra,
    /// A schedule of `LogGOPSim`.
    Goal,
    /// `SimGrid`'s time-independent actions.
    TimeIndependent,
    /// Calls of MPI, by `liballprof`.
    Liballprof,
    /// A machine: of programs or of workflows.
    Machine,
    /// A platform of `SimGrid`, which is a machine.
    Platform,
    /// A plan of a sweep.
    Plan,
    /// A plan of a sweep of a workflow, for clusters.
    WorkflowPlan,
    /// A schedule of a workflow.
    Schedule,
    /// The result of a run.
    Outcome,
    /// Measurements of a program.
    Measurements,
    /// A file of another tool that no command takes.
    Foreign,
}

/// Use of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileRole {
    /// A model of a program or workflow.
    Model,
    /// A workflow, or the main part of one.
    Workflow,
    /// What completes a workflow.
    WorkflowPart,
    /// Events of a program that ran.
    Trace,
    /// A machine.
    Machine,
    /// A plan of a sweep.
    Plan,
    /// Measurements.
    Measurements,
    /// Something else, which one flag or no command takes.
    Other,
}

impl FileKind {
    /// The use of files of this kind.
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
            Self::Rules | Self::Schedule | Self::Outcome | Self::Foreign => FileRole::Other,
        }
    }
}

/// A format: how files of it are recognized, and what to do with them.
#[derive(Debug)]
pub struct FileFormat {
    /// The kind.
    pub kind: FileKind,
    /// Description of the file, and advice on what to do with it, after the name of the file.
    pub told: &'static str,
    /// Endings of names, in lower case.
    endings: &'static [&'static str],
    /// Marks near the begin, for files that only one tool writes.
    marks: &'static [&'static str],
    /// True if the advice helps those alone who want a model or a workflow.
    is_for_models: bool,
    /// True for the begin of such a file, whatever its name.
    is: Option<fn(&Head<'_>) -> bool>,
}

impl FileFormat {
    /// Description of the file where one of that use is wanted, with the advice if it helps there.
    pub fn told_for(&self, role: FileRole) -> &'static str {
        match (role, self.told.split_once(';')) {
            (FileRole::Model | FileRole::Workflow, _) | (_, None) => self.told,
            (_, Some((what, _))) if self.is_for_models => what,
            _ => self.told,
        }
    }

    /// Description of the file, if it surely has another use; TOML may have any.
    pub fn unless(&self, role: FileRole) -> Option<&'static str> {
        let may_be = self.kind == FileKind::Foreign && self.endings == ["toml"];
        (self.kind.role() != role && !may_be).then(|| self.told_for(role))
    }
}

/// The format of a file of that name which begins with these bytes; `None` if it is unknown.
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
