//! Reads CWL 1.2 workflows that are in a single file, possibly packed.
//!
//! A scattered step becomes one task per element, and a step that runs a workflow becomes that
//! workflow's tasks. The length of an array comes from the inputs, from the scattered step that
//! produces it, or from the table of times.

mod expand;
mod source;
mod step;

use prophet_text::{FileKind, Problem};

use super::found::Found;
use super::times::Time;
use super::yaml::{self, Node};
use super::{NamedText, cwl::source::own_name};
use crate::quoted;

/// Reads a workflow and its input object. `times` contains the lengths of arrays.
pub(super) fn read(
    file: NamedText<'_>,
    inputs: &[(Option<FileKind>, NamedText<'_>)],
    times: &[Time],
) -> Result<Found, Vec<Problem>> {
    let found = (|| {
        let document = yaml::read(file)?;
        let inputs = inputs.iter().map(|it| yaml::read(it.1));
        let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
        let graph = document.get("$graph").map_or(&[][..], |it| it.items());
        let main = main(file, &document, graph)?;
        expand::all(file, main, graph, &inputs, times)
    })();
    found.map_err(|it| vec![it])
}

/// Returns the workflow to run: the document itself, or the main workflow of a packed document.
fn main<'a>(
    file: NamedText<'_>,
    document: &'a Node,
    graph: &'a [std::rc::Rc<Node>],
) -> Result<&'a Node, Problem> {
    let is_workflow = |it: &Node| it.text_of("class") == Some("Workflow");
    if is_workflow(document) {
        return Ok(document);
    }
    let mut workflows = graph.iter().filter(|it| is_workflow(it));
    let is_main = |it: &&std::rc::Rc<Node>| it.text_of("id").map(own_name) == Some("main");
    match (
        workflows.clone().find(is_main),
        workflows.next(),
        workflows.next(),
    ) {
        (Some(main), _, _) | (None, Some(main), None) => Ok(main),
        (None, Some(_), Some(_)) => {
            let what = "the file has several workflows, but none of them is named `main`";
            let help = "Give the workflow that you want to run the id `main`.";
            Err(file.at(document.line, Problem::with_help(what, help)))
        }
        _ => {
            let class = document.text_of("class").unwrap_or("without a class");
            let what = format!(
                "the file does not contain a workflow: it is {}",
                quoted(class)
            );
            let help = "Choose a file with the class `Workflow`.";
            Err(file.at(document.line, Problem::with_help(what, help)))
        }
    }
}
