//! Converts the times of one machine to another by two executions of the same short workflow.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use prophet_text::{Problem, counted, plain};
use serde_json::Number;

use super::sized::{Sized, sized};
use crate::quoted;
use crate::wfformat::Document;

/// Sizes of inputs that differ by less than this are those of the same task.
const SAME: f64 = 0.01;

/// How many times as long the tasks of each type take on another machine.
#[derive(Debug, Clone)]
pub struct Factors {
    kinds: BTreeMap<String, Factor>,
    all: f64,
}

#[derive(Debug, Clone, Copy)]
struct Factor {
    mean: f64,
    /// The smallest and the largest factor of a pair of tasks.
    range: [f64; 2],
    pairs: usize,
}

impl Factor {
    /// Returns the factor of pairs of times; `None` if a time is 0.
    fn of(pairs: &[[f64; 2]]) -> Option<Self> {
        let sum = |side: usize| pairs.iter().map(|it| it[side]).sum::<f64>();
        let mean = sum(1) / sum(0);
        let ratios = || pairs.iter().map(|it| it[1] / it[0]);
        (mean.is_finite() && mean > 0.0).then(|| Self {
            mean,
            range: [
                ratios().fold(mean, f64::min),
                ratios().filter(|it| it.is_finite()).fold(mean, f64::max),
            ],
            pairs: pairs.len(),
        })
    }
}

impl Factors {
    /// Compares two executions of the same workflow: the first one on the machine that other times
    /// are from, and the second one on the machine to predict for. Tasks are paired by their types
    /// and the sizes of their inputs.
    ///
    /// # Errors
    ///
    /// Returns an error if the executions have different tasks, or no times.
    pub fn between(executions: [&Document; 2]) -> Result<Self, Problem> {
        let [there, here] = executions.map(by_kind);
        let names: BTreeSet<&str> = there.keys().chain(here.keys()).copied().collect();
        let mut kinds = BTreeMap::new();
        let mut all = Vec::new();
        for kind in names {
            let tasks = [&there, &here].map(|it| it.get(kind).map_or(&[][..], |it| &it[..]));
            let pairs = paired(tasks).ok_or_else(|| differ(kind, tasks))?;
            if let Some(factor) = Factor::of(&pairs) {
                kinds.insert(kind.to_owned(), factor);
            }
            all.extend(pairs);
        }
        let all = Factor::of(&all).ok_or_else(|| {
            let help = "Use recorded executions.";
            Problem::with_help("the short runs have no task times", help)
        })?;
        let all = all.mean;
        Ok(Self { kinds, all })
    }

    /// Returns the factors as text, one line per type.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (kind, factor) in &self.kinds {
            let [low, high] = factor.range;
            let pairs = counted(factor.pairs as u64, "pair", "pairs");
            let kind = plain::line(kind);
            let mean = factor.mean;
            writeln!(
                text,
                "{kind}: {mean:.3} times as long ({pairs}, {low:.3} to {high:.3})"
            )
            .expect("it is text");
        }
        text
    }

    /// Multiplies the times of a document's tasks. Its recorded makespan, which is from the other
    /// machine, is removed. Returns remarks about types that the short runs don't have.
    pub fn apply(&self, document: &mut Document) -> Vec<String> {
        let tasks = sized(document);
        let mut unknown: BTreeMap<&str, u64> = BTreeMap::new();
        let mut times = Vec::with_capacity(tasks.len());
        for task in &tasks {
            let factor = self.kinds.get(task.kind).map_or_else(
                || {
                    *unknown.entry(task.kind).or_default() += 1;
                    self.all
                },
                |it| it.mean,
            );
            let seconds = Number::from_f64(factor * task.seconds.unwrap_or(0.0));
            times.push(seconds.unwrap_or_else(|| 0.into()));
        }
        let note = |(kind, count): (&str, u64)| {
            let tasks = counted(count, "task", "tasks");
            let (kind, all) = (plain::line(kind), self.all);
            format!(
                "not in the short runs: {tasks} of {kind}; {all:.3} times as long, like all tasks together"
            )
        };
        let notes = unknown.into_iter().map(note).collect();
        super::set(document, times);
        if let Some(execution) = &mut document.workflow.execution {
            execution.makespan_in_seconds = 0.into();
        }
        notes
    }
}

fn differ(kind: &str, tasks: [&[Sized<'_>]; 2]) -> Problem {
    let kind = quoted(kind);
    let [there, here] = tasks.map(|it| counted(it.len() as u64, "task", "tasks"));
    let what = if there == here {
        format!("the inputs of {kind} have other sizes than in the first short run")
    } else {
        format!("{here} of {kind}, but {there} in the first short run")
    };
    Problem::with_help(
        what,
        "Run the same workflow with the same inputs on both machines.",
    )
}

/// Returns the tasks of each type, sorted by the sizes of their inputs.
fn by_kind(document: &Document) -> BTreeMap<&str, Vec<Sized<'_>>> {
    let mut kinds: BTreeMap<&str, Vec<Sized<'_>>> = BTreeMap::new();
    for task in sized(document) {
        kinds.entry(task.kind).or_default().push(task);
    }
    for tasks in kinds.values_mut() {
        tasks.sort_by(|left, right| left.bytes.total_cmp(&right.bytes));
    }
    kinds
}

/// Returns the times of tasks on both machines; `None` if the tasks are not the same.
fn paired([there, here]: [&[Sized<'_>]; 2]) -> Option<Vec<[f64; 2]>> {
    let pair = |(there, here): (&Sized<'_>, &Sized<'_>)| {
        let is_same = (there.bytes - here.bytes).abs() <= SAME * there.bytes;
        is_same.then(|| [there, here].map(|it| it.seconds.unwrap_or(0.0)))
    };
    let pairs: Option<Vec<_>> = there.iter().zip(here).map(pair).collect();
    pairs.filter(|_| there.len() == here.len())
}
