//! Other formats of workflows, each turned into a document of `WfFormat`, and Pegasus' out of one.
//!
//! | module | is |
//! |---|---|
//! | `kind` | the kind of a file, by its content |
//! | `found` | what a reader finds of a workflow, and the document of it |
//! | `yaml` | documents in YAML or JSON as trees with lines, of bounded size and depth |
//! | `graph` | graphs in DOT, in Mermaid, and in pages with Mermaid |
//! | `table` | tables of text in columns |
//! | `times` | tables of the time of each task or kind of task |
//! | `dax` | Pegasus' DAX 3, in XML |
//! | `pegasus` | Pegasus 5, in YAML |
//! | `nextflow` | Nextflow's trace with its DAG |
//! | `snakemake` | Snakemake's DAG with its records of times |
//! | `cwl` | CWL 1.2 |
//! | `written` | documents as files of Pegasus |

mod cwl;
mod dax;
mod found;
mod graph;
mod kind;
mod nextflow;
mod pegasus;
mod snakemake;
mod table;
mod times;
mod written;
mod yaml;

use prophet_text::Problem;

use crate::quoted;
use crate::wfformat::Document;
use kind::Kind;
pub use written::{Form, write};

/// A file's text with the name by which messages call it.
#[derive(Debug, Clone, Copy)]
pub struct NamedText<'a> {
    /// The name.
    pub name: &'a str,
    /// The content.
    pub text: &'a str,
}

impl NamedText<'_> {
    /// A problem, on a line of this file.
    fn at(self, line: usize, problem: Problem) -> Problem {
        problem.in_file(self.name).on_line(line as u64)
    }
}

/// True for the text of a workflow in one of the formats.
pub(crate) fn is_workflow(text: &str) -> bool {
    kind::of(text).is_some()
}

/// Number of problems that are reported at most.
const TOLD: usize = 100;

/// Reads a workflow in any of the formats; `with` are files that complete it.
///
/// The second value has remarks on omitted parts.
///
/// ```
/// use prophet_workflow::formats::{NamedText, read};
///
/// let dax = r#"<adag name="one"><job id="a" name="sort" runtime="2"/></adag>"#;
/// let file = NamedText { name: "one.dax", text: dax };
/// let (document, _) = read(file, &[]).expect("it is right");
/// assert_eq!(document.workflow.specification.tasks[0].name, "sort");
/// ```
///
/// # Errors
///
/// All that is wrong, each with its place in the file.
pub fn read(
    file: NamedText<'_>,
    with: &[NamedText<'_>],
) -> Result<(Document, Vec<String>), Vec<Problem>> {
    let mut rest = Vec::new();
    let mut times = Vec::new();
    for it in with {
        match kind::of(it.text) {
            Some(Kind::Times) => times.extend(times::read(*it).map_err(|it| vec![it])?),
            kind => rest.push((kind, *it)),
        }
    }
    let mut found = match (kind::of(file.text), &*rest) {
        (Some(Kind::WfFormat), []) if times.is_empty() => {
            let document = Document::parse(file.text).map_err(|it| vec![it])?;
            return Ok((document, Vec::new()));
        }
        (Some(Kind::Dax), []) => dax::read(file),
        (Some(Kind::Pegasus), []) => pegasus::read(file),
        (Some(Kind::Cwl), inputs) => cwl::read(file, inputs, &times),
        (Some(Kind::NextflowTrace), [(Some(kind), graph)]) if kind.is_graph() => {
            nextflow::read(file, *graph)
        }
        (Some(kind), [(Some(Kind::NextflowTrace), trace)]) if kind.is_graph() => {
            nextflow::read(*trace, file)
        }
        (Some(Kind::NextflowTrace), []) => Err(vec![nextflow::needs_graph()]),
        (Some(Kind::Dot), records) => snakemake::read(file, records),
        (_, []) => Err(vec![no_workflow()]),
        (_, [(_, other), ..]) => Err(vec![no_part(*other)]),
    }?;
    times::apply(&times, &mut found);
    found.document()
}

fn no_workflow() -> Problem {
    let what = "the file is no workflow, or only a part of one";
    let help = "Name a file of WfFormat, Pegasus, Nextflow, Snakemake or CWL, and give the files \
                that complete it with `--with`.";
    Problem::with_help(what, help)
}

/// The problem of a file that does not complete a workflow.
fn no_part(file: NamedText<'_>) -> Problem {
    let what = format!(
        "{} does not complete a workflow of this format",
        quoted(file.name)
    );
    let help = "Give a DAG with a trace of Nextflow, records with a DAG of Snakemake, inputs with \
                a workflow of CWL, or a table with the columns `task` and `seconds`.";
    Problem::with_help(what, help)
}
