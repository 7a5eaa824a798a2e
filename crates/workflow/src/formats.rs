//! Converts other workflow formats to `WfFormat` documents, and these documents to Pegasus'
//! formats.
//!
//! | module | is |
//! |---|---|
//! | `found` | what a reader finds in a workflow, and its document |
//! | `yaml` | YAML or JSON documents as trees with lines, limited in size and depth |
//! | `graph` | graphs in DOT, in Mermaid, and in pages with Mermaid |
//! | `table` | text tables with columns |
//! | `times` | tables with the time of each task or kind of task |
//! | `dax` | Pegasus' DAX 3, in XML |
//! | `pegasus` | Pegasus 5, in YAML |
//! | `nextflow` | Nextflow's trace with its DAG |
//! | `snakemake` | Snakemake's DAG with its time records |
//! | `cwl` | CWL 1.2 |
//! | `written` | documents as Pegasus files |

mod cwl;
mod dax;
mod found;
mod graph;
mod nextflow;
mod pegasus;
mod snakemake;
mod table;
mod times;
mod written;
mod yaml;

use prophet_text::{EMPTY, FileFormat, FileKind, FileRole, Problem, file_format, is_empty};

use crate::quoted;
use crate::wfformat::Document;
pub use written::{Form, write};

/// The text of a file, and what messages call the file.
#[derive(Debug, Clone, Copy)]
pub struct NamedText<'a> {
    pub name: &'a str,
    pub text: &'a str,
}

impl NamedText<'_> {
    fn format(self) -> Option<&'static FileFormat> {
        let is_empty = is_empty(self.text.as_bytes());
        let known = || file_format(self.name, self.text.as_bytes());
        is_empty.then_some(&EMPTY).or_else(known)
    }

    fn kind(self) -> Option<FileKind> {
        self.format().map(|it| it.kind)
    }

    fn at(self, line: usize, problem: Problem) -> Problem {
        problem.in_file(self.name).on_line(line as u64)
    }
}

/// Options for reading a workflow.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reading {
    /// Number of cores that each task occupies, if the files don't record it.
    pub task_cores: Option<u32>,
    /// Whether to include tasks that are already done. By default they are left out, because their
    /// results already exist.
    pub all: bool,
}

const TOLD: usize = 100;

/// Reads a workflow in any supported format. `with` lists the files that complete it.
///
/// Also returns remarks about the parts that were left out.
///
/// ```
/// use prophet_workflow::formats::{NamedText, Reading, read};
///
/// let dax = r#"<adag name="one"><job id="a" name="sort" runtime="2"/></adag>"#;
/// let file = NamedText { name: "one.dax", text: dax };
/// let (document, _) = read(file, &[], Reading::default()).expect("it is right");
/// assert_eq!(document.workflow.specification.tasks[0].name, "sort");
/// ```
///
/// # Errors
///
/// Returns all errors, each with its place in the file.
pub fn read(
    file: NamedText<'_>,
    with: &[NamedText<'_>],
    reading: Reading,
) -> Result<(Document, Vec<String>), Vec<Problem>> {
    let mut rest = Vec::new();
    let mut times = Vec::new();
    for it in with {
        match it.kind() {
            Some(FileKind::TaskTimes) => times.extend(times::read(*it).map_err(|it| vec![it])?),
            kind => rest.push((kind, *it)),
        }
    }
    let mut found = match (file.kind(), &*rest) {
        (Some(FileKind::WfFormat | FileKind::Json), []) if times.is_empty() => {
            let document = Document::parse(file.text).map_err(|problem| {
                let is_of_tasks = file.text.contains("\"workflow\"");
                vec![if is_of_tasks {
                    problem
                } else {
                    no_workflow(file)
                }]
            })?;
            return Ok((document, Vec::new()));
        }
        (Some(FileKind::Dax), []) => dax::read(file),
        (Some(FileKind::Pegasus), []) => pegasus::read(file),
        (Some(FileKind::Cwl), inputs) => cwl::read(file, inputs, &times),
        (Some(FileKind::NextflowTrace), [(Some(kind), graph)]) if is_graph(*kind) => {
            nextflow::read(file, *graph, reading)
        }
        (Some(kind), [(Some(FileKind::NextflowTrace), trace)]) if is_graph(kind) => {
            nextflow::read(*trace, file, reading)
        }
        (Some(FileKind::NextflowTrace), []) => Err(vec![nextflow::needs_graph()]),
        (Some(FileKind::Dot), records) => snakemake::read(file, records, reading),
        (_, []) => Err(vec![no_workflow(file)]),
        (_, [(_, other), ..]) => Err(vec![no_part(*other)]),
    }?;
    times::apply(&times, &mut found);
    found.finish(reading)?;
    found.document()
}

fn is_graph(kind: FileKind) -> bool {
    matches!(kind, FileKind::Dot | FileKind::Mermaid)
}

fn no_workflow(file: NamedText<'_>) -> Problem {
    let other = file.format().and_then(|it| it.unless(FileRole::Workflow));
    let what = other.unwrap_or("the file is neither a model nor a workflow");
    let help = "Use a model, such as the one that `new` creates, or a WfFormat, Pegasus, Nextflow, \
                Snakemake or CWL file, and pass the files that complete it with `--with`.";
    Problem::with_help(what, help)
}

fn no_part(file: NamedText<'_>) -> Problem {
    let mut what = format!(
        "{} cannot complete a workflow of this format",
        quoted(file.name)
    );
    if let Some(other) = file.format() {
        what = format!("{what}: {}", other.told);
    }
    let help = "Use a DAG with a Nextflow trace, records with a Snakemake DAG, inputs with a CWL \
                workflow, or a table with the columns `task` and `seconds`.";
    Problem::with_help(what, help)
}
