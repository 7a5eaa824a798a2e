//! Fits the time of each task type, as a function of the input size, to recorded executions, and
//! converts times to other machines.

mod factors;
mod sized;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use prophet_fit::law::{Fit, Options, Samples, fit};
use prophet_fit::measurements::Point;
use prophet_sim::statistics::{mean, median};
use prophet_text::Problem;
use prophet_text::{counted, plain};
use serde_json::{Map, Number, Value};

use crate::quoted;
use crate::wfformat::{Document, Execution, TaskRecord};
pub use factors::Factors;
use sized::sized;

/// Points per doubling of the input size. Sizes within about 19 % of each other are combined.
const CELLS_PER_OCTAVE: f64 = 4.0;

#[derive(Debug, Clone)]
pub struct Laws(BTreeMap<String, Law>);

#[derive(Debug, Clone)]
struct Law {
    fit: Fit,
    tasks: usize,
    range_bytes: [f64; 2],
}

#[derive(Debug, Clone, Copy)]
struct Timed {
    execution: usize,
    bytes: f64,
    seconds: f64,
}

/// Returns the points for a type's law, given the type's tasks sorted by size.
///
/// Times differ more between executions than within one, because machines, caches and other users
/// differ. Each point is therefore the median of the executions' means: means preserve the amount
/// of work in an execution, and the median ignores executions with a slow disk or network.
fn points(tasks: &[Timed]) -> Vec<Point> {
    let cell = |it: &Timed| (CELLS_PER_OCTAVE * it.bytes.log2()).round();
    let cells = tasks.chunk_by(|left, right| cell(left).total_cmp(&cell(right)).is_eq());
    let point = |cell: &[Timed]| {
        let mut executions: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for task in cell {
            let times = executions.entry(task.execution).or_default();
            times.push(task.seconds);
        }
        let means = executions.values().map(|it| mean(it.iter().copied()));
        let means: Vec<f64> = means.collect();
        Point {
            at: vec![mean(cell.iter().map(|it| it.bytes))],
            values: median(&means).into_iter().collect(),
        }
    };
    cells.map(point).collect()
}

impl Laws {
    /// Fits a law to each task type in these recorded executions.
    ///
    /// # Errors
    ///
    /// Returns an error if no time is recorded, or if a number isn't valid.
    pub fn fit<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Result<Self, Problem> {
        let mut tasks: BTreeMap<&str, Vec<Timed>> = BTreeMap::new();
        for (execution, document) in documents.into_iter().enumerate() {
            for task in sized(document) {
                if let Some(seconds) = task.seconds {
                    let bytes = task.bytes;
                    let timed = Timed {
                        execution,
                        bytes,
                        seconds,
                    };
                    tasks.entry(task.kind).or_default().push(timed);
                }
            }
        }
        if tasks.is_empty() {
            let what = "no execution has task times";
            return Err(Problem::with_help(what, "Use recorded executions."));
        }
        let law = |(kind, mut tasks): (&str, Vec<Timed>)| {
            tasks.sort_by(|left, right| left.bytes.total_cmp(&right.bytes));
            let samples = Samples {
                // The bytes are in files, so they have no latency or bandwidth, unlike messages.
                parameters: vec!["input".to_owned()],
                points: points(&tasks),
            };
            let fit = fit(&samples, &Options::default()).map_err(|refusal| {
                let what = format!("no law fits the times of {}: {refusal}", quoted(kind));
                Problem::with_help(what, "Correct the recorded times and sizes.")
            })?;
            let law = Law {
                fit,
                tasks: tasks.len(),
                range_bytes: [tasks[0].bytes, tasks[tasks.len() - 1].bytes],
            };
            Ok((kind.to_owned(), law))
        };
        tasks
            .into_iter()
            .map(law)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Returns how long a task of type `kind` takes with `bytes` bytes of input, in seconds; `None`
    /// if the type is unknown.
    pub fn seconds(&self, kind: &str, bytes: f64) -> Option<f64> {
        let seconds = self.0.get(kind)?.fit.model.at(&[bytes]);
        seconds.is_finite().then_some(seconds.max(0.0))
    }

    /// Returns the laws as text, one line per type.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (kind, law) in &self.0 {
            let expression = law.fit.model.expression(&["bytes".to_owned()]);
            let tasks = counted(law.tasks as u64, "task", "tasks");
            writeln!(text, "{}: {expression} s ({tasks})", plain::line(kind)).expect("it is text");
        }
        text
    }

    /// Sets the times of a document's tasks according to the laws. Returns remarks about sizes
    /// outside the measured range.
    ///
    /// # Errors
    ///
    /// Returns an error if a task type has no law.
    pub fn apply(&self, document: &mut Document) -> Result<Vec<String>, Vec<Problem>> {
        let tasks = sized(document);
        let unknown: BTreeSet<&str> = (tasks.iter().map(|it| it.kind))
            .filter(|it| !self.0.contains_key(*it))
            .collect();
        if !unknown.is_empty() {
            let problem = |kind: &&str| {
                let what = format!("no execution has tasks with the type {}", quoted(kind));
                Problem::with_help(what, "Add an execution with such tasks to `--costs-from`.")
            };
            return Err(unknown.iter().take(100).map(problem).collect());
        }
        let mut outside: BTreeMap<&str, u64> = BTreeMap::new();
        let mut times = Vec::with_capacity(tasks.len());
        for task in &tasks {
            let seconds = self
                .seconds(task.kind, task.bytes)
                .and_then(Number::from_f64);
            times.push(seconds.unwrap_or_else(|| 0.into()));
            if let Some(law) = self.0.get(task.kind)
                && !(law.range_bytes[0]..=law.range_bytes[1]).contains(&task.bytes)
            {
                *outside.entry(task.kind).or_default() += 1;
            }
        }
        let note = |(kind, count): (&str, u64)| {
            let tasks = counted(count, "task", "tasks");
            format!(
                "outside the measured sizes: {tasks} of {}",
                plain::line(kind)
            )
        };
        let notes = outside.into_iter().map(note).collect();
        set(document, times);
        Ok(notes)
    }
}

fn set(document: &mut Document, times: Vec<Number>) {
    let ids = document
        .workflow
        .specification
        .tasks
        .iter()
        .map(|it| it.id.clone());
    let mut times: BTreeMap<String, Number> = ids.zip(times).collect();
    let execution = document
        .workflow
        .execution
        .get_or_insert_with(|| Execution {
            makespan_in_seconds: 0.into(),
            tasks: Vec::new(),
            machines: None,
            rest: Map::new(),
        });
    for record in &mut execution.tasks {
        if let Some(time) = times.remove(&record.id) {
            record.runtime_in_seconds = time;
        }
    }
    for (id, time) in times {
        execution.tasks.push(TaskRecord {
            id,
            runtime_in_seconds: time,
            executed_at: None,
            core_count: None,
            memory_in_bytes: None,
            machines: None,
            rest: Map::<String, Value>::new(),
        });
    }
}
