//! Expands a workflow's steps, including scattered ones, into tasks.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use prophet_text::Problem;

use super::super::NamedText;
use super::super::found::{Found, FoundTask, bytes, seconds};
use super::super::times::Time;
use super::super::yaml::Node;
use super::source::{Flow, local, named, own_name, texts};
use super::step::{CwlStep, Method, Processes};
use crate::quoted;

const DEPTH_MAX: usize = 16;
/// Maximum number of tasks, and maximum number of dependencies between them.
const TASKS_MAX: usize = 1_000_000;
const WAITS_MAX: usize = 5_000_000;
/// Maximum total length of all tasks' names, and of the names of the tasks that they wait for.
const LETTERS_MAX: usize = 128 << 20;
/// Maximum size of all parts of the file that are read, where a part that is read twice counts
/// twice.
const READS_MAX: usize = 100_000_000;

type Flows = BTreeMap<String, Flow>;

struct Expansion<'a> {
    file: NamedText<'a>,
    processes: Processes<'a>,
    elements: BTreeMap<&'a str, usize>,
    found: Found,
    waits: usize,
    letters: usize,
    /// Number of steps that were run and array elements that were created, whether or not they are
    /// tasks.
    work: usize,
    reads: usize,
}

/// Path of a step: its name, with and without element numbers.
#[derive(Clone, Copy)]
struct Path<'a> {
    id: &'a str,
    kind: &'a str,
    depth: usize,
}

pub(super) fn all<'a>(
    file: NamedText<'a>,
    main: &'a Node,
    graph: &'a [Rc<Node>],
    inputs: &[Rc<Node>],
    times: &'a [Time],
) -> Result<Found, Problem> {
    let elements = times
        .iter()
        .filter_map(|it| Some((&*it.task, it.elements?)));
    let by_id = |it: &'a Rc<Node>| Some((it.text_of("id")?.trim_start_matches('#'), &**it));
    let mut expansion = Expansion {
        file,
        processes: graph.iter().filter_map(by_id).collect(),
        elements: elements.collect(),
        found: Found {
            name: prophet_text::plain::line(file.name),
            engine: "CWL",
            ..Found::default()
        },
        waits: 0,
        letters: 0,
        work: 0,
        reads: 0,
    };
    let mut given = Flows::new();
    for (name, node) in inputs.iter().flat_map(|it| it.entries()) {
        given.insert(name.clone(), Flow::of_input(node));
    }
    let path = Path {
        id: "",
        kind: "",
        depth: 0,
    };
    expansion.workflow(main, &given, path)?;
    Ok(expansion.found)
}

impl<'a> Expansion<'a> {
    fn wrong(&self, node: &Node, what: impl Into<String>, help: &str) -> Problem {
        self.file.at(node.line, Problem::with_help(what, help))
    }

    /// Counts the work done so far, so that a small file can't exhaust memory.
    fn count(&mut self, node: &Node, more: usize) -> Result<(), Problem> {
        self.work = self.work.saturating_add(more);
        if self.work > TASKS_MAX {
            let what = format!("the workflow has more than {TASKS_MAX} tasks");
            return Err(self.wrong(node, what, "Scatter over fewer elements."));
        }
        Ok(())
    }

    /// Counts reading a part of the file. The parts of a workflow are read at every use of the
    /// workflow.
    fn read(&mut self, node: &Node, part: &Node) -> Result<(), Problem> {
        self.reads = self.reads.saturating_add(part.size);
        if self.reads > READS_MAX {
            let what = "the workflow repeats large parts too often";
            return Err(self.wrong(node, what, "Scatter over fewer elements."));
        }
        Ok(())
    }

    fn wait(&mut self, node: &Node, more: usize) -> Result<(), Problem> {
        self.waits = self.waits.saturating_add(more);
        if self.waits > WAITS_MAX {
            let what = format!("the tasks have more than {WAITS_MAX} dependencies");
            return Err(self.wrong(node, what, "Scatter over fewer elements."));
        }
        Ok(())
    }

    /// Runs a workflow's steps, and returns the values of the workflow's outputs.
    fn workflow(
        &mut self,
        node: &'a Node,
        given: &Flows,
        path: Path<'_>,
    ) -> Result<Flows, Problem> {
        if path.depth > DEPTH_MAX {
            let what = format!("workflows are nested more than {DEPTH_MAX} deep");
            return Err(self.wrong(node, what, "Use fewer levels of nesting."));
        }
        let own = node
            .text_of("id")
            .unwrap_or_default()
            .trim_start_matches('#');
        let mut flows = Flows::new();
        for (name, input) in named(node.get("inputs")) {
            let name = own_name(name);
            let default = || input.get("default").map(|it| Flow::of_input(it));
            let flow = given.get(name).cloned().or_else(default);
            flows.insert(name.to_owned(), flow.unwrap_or_else(Flow::given));
        }
        let steps = named(node.get("steps"));
        let steps = steps.into_iter();
        let steps = steps.map(|it| CwlStep::read(self.file, it, own, &self.processes));
        let steps = steps.collect::<Result<Vec<_>, _>>()?;
        for step in &steps {
            self.read(step.node, step.process)?;
        }
        for number in self.order(node, &steps, &flows)? {
            self.step(&steps[number], &mut flows, path)?;
        }
        let mut outputs = Flows::new();
        for (name, output) in named(node.get("outputs")) {
            let sources = output
                .get("outputSource")
                .map(|it| texts(it))
                .unwrap_or_default();
            let sources: Vec<_> = sources.iter().map(|it| local(it, own)).collect();
            let is_flat = output.text_of("linkMerge") == Some("merge_flattened");
            let flow = self.merged(output, &sources, is_flat, &flows)?;
            outputs.insert(own_name(name).to_owned(), flow);
        }
        Ok(outputs)
    }

    /// Returns the indices of the steps in an order in which each follows the steps whose values it
    /// takes.
    fn order(
        &self,
        node: &Node,
        steps: &[CwlStep<'_>],
        inputs: &Flows,
    ) -> Result<Vec<usize>, Problem> {
        let mut numbers = BTreeMap::new();
        for (number, step) in steps.iter().enumerate() {
            if numbers.insert(step.name, number).is_some() {
                let what = format!("duplicate step {}", quoted(step.name));
                return Err(self.wrong(step.node, what, "Choose a different name for each step."));
            }
        }
        let mut left = vec![0; steps.len()];
        let mut next = vec![Vec::new(); steps.len()];
        for (number, step) in steps.iter().enumerate() {
            let sources = step.ports.values().flat_map(|it| &it.0);
            let mut before = BTreeSet::new();
            for source in sources.filter(|it| !inputs.contains_key(**it)) {
                let name = source.rsplit_once('/').map_or(*source, |it| it.0);
                let Some(from) = numbers.get(name) else {
                    let what = format!("unknown source {}", quoted(source));
                    let help = "Name an input of the workflow or an output of a step.";
                    return Err(self.wrong(step.node, what, help));
                };
                before.insert(*from);
            }
            left[number] = before.len();
            for from in before {
                next[from].push(number);
            }
        }
        let mut order: Vec<usize> = (0..steps.len()).filter(|it| left[*it] == 0).collect();
        let mut at = 0;
        while let Some(&number) = order.get(at) {
            at += 1;
            for &later in &next[number] {
                left[later] -= 1;
                if left[later] == 0 {
                    order.push(later);
                }
            }
        }
        if order.len() == steps.len() {
            return Ok(order);
        }
        let stuck = (0..steps.len()).filter(|it| left[*it] > 0).take(8);
        let names: Vec<_> = stuck.map(|it| quoted(steps[it].name)).collect();
        let what = format!("steps wait for each other in a cycle: {}", names.join(", "));
        Err(self.wrong(node, what, "Remove one of the dependencies in the cycle."))
    }

    fn merged(
        &mut self,
        node: &Node,
        sources: &[&str],
        is_flat: bool,
        flows: &Flows,
    ) -> Result<Flow, Problem> {
        let flow = |source: &&str| {
            flows.get(*source).cloned().ok_or_else(|| {
                let what = format!("unknown source {}", quoted(source));
                let help = "Name an input of the workflow or an output of a step.";
                self.wrong(node, what, help)
            })
        };
        let found = sources.iter().map(flow).collect::<Result<Vec<_>, _>>()?;
        if found.len() > 1 || is_flat {
            self.wait(node, found.iter().map(|it| it.tasks.len()).sum())?;
        }
        match &*found {
            [] => Ok(Flow::given()),
            [one] if !is_flat => Ok(one.clone()),
            _ if !is_flat => Ok(Flow::array(found)),
            _ => {
                let elements = |it: &Flow| match &it.elements {
                    Some(elements) => elements.to_vec(),
                    None => vec![it.clone()],
                };
                Ok(Flow::array(found.iter().flat_map(elements).collect()))
            }
        }
    }

    /// Runs a step once, or once for each element if it scatters.
    fn step(
        &mut self,
        step: &CwlStep<'a>,
        flows: &mut Flows,
        path: Path<'_>,
    ) -> Result<(), Problem> {
        let slash = if path.id.is_empty() { "" } else { "/" };
        let id = format!("{}{slash}{}", path.id, step.name);
        let kind = format!("{}{slash}{}", path.kind, step.name);
        let path = Path {
            id: &id,
            kind: &kind,
            depth: path.depth,
        };
        let mut ports = Flows::new();
        for (port, (sources, is_flat)) in &step.ports {
            let flow = self.merged(step.node, sources, *is_flat, flows)?;
            ports.insert((*port).to_owned(), flow);
        }
        let results = if step.scatter.is_empty() {
            self.invoke(step, &ports, path)?
        } else {
            self.scatter(step, &ports, path)?
        };
        for (name, flow) in results {
            flows.insert(format!("{}/{name}", step.name), flow);
        }
        Ok(())
    }

    /// Returns the lengths of the nested arrays that a step with `scatter` returns.
    fn shape(
        &self,
        step: &CwlStep<'_>,
        lengths: &[usize],
        path: Path<'_>,
    ) -> Result<Vec<usize>, Problem> {
        match step.method {
            Method::Dot if lengths.windows(2).any(|it| it[0] != it[1]) => {
                let what = format!(
                    "the step {} scatters over arrays of different lengths",
                    quoted(path.kind)
                );
                Err(self.wrong(step.node, what, "Make all arrays the same length."))
            }
            Method::Dot => Ok(lengths[..1].to_vec()),
            Method::Nested => Ok(lengths.to_vec()),
            Method::Flat => {
                let all = lengths
                    .iter()
                    .try_fold(1_usize, |all, it| all.checked_mul(*it));
                Ok(vec![all.unwrap_or(usize::MAX)])
            }
        }
    }

    fn scatter(
        &mut self,
        step: &CwlStep<'a>,
        ports: &Flows,
        path: Path<'_>,
    ) -> Result<Flows, Problem> {
        let mut arrays = Vec::new();
        for port in &step.scatter {
            let elements = ports.get(*port).and_then(|it| it.elements.clone());
            arrays.push(elements.ok_or_else(|| {
                let what = format!(
                    "the step {} scatters over {}, which has an unknown length",
                    quoted(path.kind),
                    quoted(port)
                );
                let help = "Pass the inputs of the workflow with `--with`, or the length in the \
                            column `elements` of a table of times.";
                self.wrong(step.node, what, help)
            })?);
        }
        let lengths: Vec<usize> = arrays.iter().map(|it| it.len()).collect();
        let shape = self.shape(step, &lengths, path)?;
        let rows = shape
            .iter()
            .try_fold(1_usize, |all, it| all.checked_mul(*it));
        let rows = rows.unwrap_or(usize::MAX);
        self.count(step.node, rows)?;
        let mut columns: BTreeMap<String, Vec<Flow>> = BTreeMap::new();
        let mut ports = ports.clone();
        for row in 0..rows {
            let mut rest = row;
            for (number, port) in step.scatter.iter().enumerate().rev() {
                let at = if step.method == Method::Dot {
                    row
                } else {
                    rest % lengths[number]
                };
                rest /= lengths[number].max(1);
                ports.insert((*port).to_owned(), arrays[number][at].clone());
            }
            let id = format!("{}[{row}]", path.id);
            let results = self.invoke(step, &ports, Path { id: &id, ..path })?;
            for (name, flow) in results {
                columns.entry(name).or_default().push(flow);
            }
        }
        if rows == 0 {
            columns.extend(step.outputs.iter().map(|it| ((*it).to_owned(), Vec::new())));
        }
        let shaped = |(name, flows)| (name, shaped(flows, &shape));
        Ok(columns.into_iter().map(shaped).collect())
    }

    fn invoke(
        &mut self,
        step: &CwlStep<'a>,
        ports: &Flows,
        path: Path<'_>,
    ) -> Result<Flows, Problem> {
        self.count(step.node, 1)?;
        if step.process.text_of("class") == Some("Workflow") {
            let path = Path {
                depth: path.depth + 1,
                ..path
            };
            return self.workflow(step.process, ports, path);
        }
        let task = self.task(step, ports, path)?;
        let one = Flow {
            tasks: Rc::new([task]),
            elements: None,
        };
        let mut flow = one.clone();
        if let Some(&length) = self.elements.get(path.kind) {
            self.count(step.node, length)?;
            flow.elements = Some(vec![one; length].into());
        }
        let output = |name: &&str| ((*name).to_owned(), flow.clone());
        Ok(step.outputs.iter().map(output).collect())
    }

    fn task(&mut self, step: &CwlStep<'a>, ports: &Flows, path: Path<'_>) -> Result<u32, Problem> {
        let number = u32::try_from(self.found.tasks.len()).unwrap_or(u32::MAX);
        let parents: BTreeSet<u32> = ports
            .values()
            .flat_map(|it| it.tasks.iter().copied())
            .collect();
        self.wait(step.node, parents.len())?;
        let of_parents = { parents.iter() }.map(|it| self.found.tasks[*it as usize].id.len());
        self.letters += path.id.len() + path.kind.len() + of_parents.sum::<usize>();
        if self.letters > LETTERS_MAX {
            let what = format!("the names of the tasks have more than {LETTERS_MAX} letters");
            let help = "Choose shorter names for the steps, or scatter over fewer elements.";
            return Err(self.wrong(step.node, what, help));
        }
        let mut number_of = |node: Option<&Rc<Node>>| {
            let node = node?;
            let value = seconds(node.text().unwrap_or_default());
            if value.is_none() {
                let name = prophet_text::plain::line(self.file.name);
                let line = format!("{name}, line {}", node.line);
                let note = format!("{line}: a value that is not a number was ignored");
                if self.found.notes.len() < 20 && !self.found.notes.contains(&note) {
                    self.found.notes.push(note);
                }
            }
            value
        };
        let [cores, memory, time] = step.needs.map(&mut number_of);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is clamped"
        )]
        let cores = cores.map(|it| it.ceil().clamp(1.0, 1e6) as u32);
        let is_expression = step.process.text_of("class") == Some("ExpressionTool");
        self.found.tasks.push(FoundTask {
            id: path.id.to_owned(),
            kind: path.kind.to_owned(),
            seconds: time.or(is_expression.then_some(0.0)),
            cores,
            memory_bytes: memory.and_then(|it| bytes(&it.to_string(), 1_048_576.0)),
            parents,
            ..FoundTask::default()
        });
        Ok(number)
    }
}

/// Returns nested arrays with these lengths.
fn shaped(flows: Vec<Flow>, shape: &[usize]) -> Flow {
    match shape {
        [outer, inner @ ..] if !inner.is_empty() && *outer > 0 => {
            let length = flows.len() / outer;
            if length == 0 {
                return Flow::array(vec![Flow::array(Vec::new()); *outer]);
            }
            let parts = flows.chunks(length).map(|it| shaped(it.to_vec(), inner));
            Flow::array(parts.collect())
        }
        _ => Flow::array(flows),
    }
}
