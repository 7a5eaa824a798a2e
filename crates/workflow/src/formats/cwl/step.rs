//! Reads a step of a CWL workflow.

use std::collections::BTreeMap;
use std::rc::Rc;

use prophet_text::Problem;

use super::super::NamedText;
use super::super::yaml::{Node, Value};
use super::source::{local, named, own_name, texts};
use crate::quoted;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Method {
    Dot,
    Flat,
    Nested,
}

impl Method {
    fn of(name: &str) -> Option<Self> {
        match name {
            "dotproduct" => Some(Self::Dot),
            "flat_crossproduct" => Some(Self::Flat),
            "nested_crossproduct" => Some(Self::Nested),
            _ => None,
        }
    }
}

#[derive(Debug)]
pub(super) struct CwlStep<'a> {
    pub(super) name: &'a str,
    pub(super) node: &'a Node,
    /// The sources of each port, and whether their elements are flattened into a single array.
    pub(super) ports: BTreeMap<&'a str, (Vec<&'a str>, bool)>,
    pub(super) outputs: Vec<&'a str>,
    pub(super) scatter: Vec<&'a str>,
    pub(super) method: Method,
    pub(super) process: &'a Node,
    /// Minimum number of cores, minimum memory in mebibytes, and time.
    pub(super) needs: [Option<&'a Rc<Node>>; 3],
}

pub(super) type Processes<'a> = BTreeMap<&'a str, &'a Node>;

impl<'a> CwlStep<'a> {
    pub(super) fn read(
        file: NamedText<'_>,
        (id, node): (&'a str, &'a Node),
        workflow: &str,
        processes: &Processes<'a>,
    ) -> Result<Self, Problem> {
        let wrong = |what: String, help: &str| file.at(node.line, Problem::with_help(what, help));
        let name = own_name(id);
        let process = match node.get("run") {
            Some(run) => process(run, processes),
            None => None,
        };
        let process = process.ok_or_else(|| {
            let help = "Pack the workflow into one file with `cwltool --pack`.";
            wrong(without_process(name, node), help)
        })?;
        let mut ports = BTreeMap::new();
        for (port, node) in named(node.get("in")) {
            let source = match &node.value {
                Value::Map(_) => node.get("source").map(|it| texts(it)),
                _ => Some(texts(node)),
            };
            let sources = source.unwrap_or_default();
            let sources = sources.iter().map(|it| local(it, workflow)).collect();
            let is_flat = node.text_of("linkMerge") == Some("merge_flattened");
            ports.insert(own_name(port), (sources, is_flat));
        }
        let scatter = node
            .get("scatter")
            .map(|it| texts(it))
            .into_iter()
            .flatten();
        let scatter: Vec<_> = scatter.map(own_name).collect();
        if let Some(missing) = scatter.iter().find(|it| !ports.contains_key(*it)) {
            let what = format!(
                "the step {} scatters over {}, which is not one of its inputs",
                quoted(name),
                quoted(missing)
            );
            return Err(wrong(what, "Correct the name of the input."));
        }
        let method = node.text_of("scatterMethod").unwrap_or("dotproduct");
        let method = Method::of(method).ok_or_else(|| {
            let what = format!("unknown scatter method {}", quoted(method));
            let help = "Use dotproduct, flat_crossproduct or nested_crossproduct.";
            wrong(what, help)
        })?;
        Ok(Self {
            name,
            node,
            ports,
            outputs: named(node.get("out"))
                .iter()
                .map(|it| own_name(it.0))
                .collect(),
            scatter,
            method,
            process,
            needs: [
                ("ResourceRequirement", "coresMin"),
                ("ResourceRequirement", "ramMin"),
                ("Time", "seconds"),
            ]
            .map(|(class, key)| requirement(node, process, class, key)),
        })
    }
}

fn without_process(name: &str, step: &Node) -> String {
    let name = quoted(name);
    match step.text_of("run") {
        Some(run) => format!("the step {name} runs another file, {}", quoted(run)),
        None => format!("the step {name} needs `run`"),
    }
}

/// Returns a value from the requirements or hints of the step, or otherwise of its tool.
fn requirement<'a>(
    step: &'a Node,
    process: &'a Node,
    class: &str,
    key: &str,
) -> Option<&'a Rc<Node>> {
    let of = |node: &'a Node, list: &str| {
        let list = node.get(list)?;
        let is = |name: &str| name.rsplit([':', '#']).next() == Some(class);
        let in_map = || list.entries().iter().find(|it| is(&it.0)).map(|it| &it.1);
        let is_item = |it: &&Rc<Node>| it.text_of("class").is_some_and(is);
        let entry = list.items().iter().find(is_item).or_else(in_map)?;
        entry.get(key)
    };
    of(step, "requirements")
        .or_else(|| of(process, "requirements"))
        .or_else(|| of(step, "hints"))
        .or_else(|| of(process, "hints"))
}

/// Returns the process that a step runs, which is in the step itself or in the packed file.
fn process<'a>(run: &'a Rc<Node>, processes: &Processes<'a>) -> Option<&'a Node> {
    match run.text() {
        None => Some(run),
        Some(name) => processes.get(name.strip_prefix('#')?).copied(),
    }
}
