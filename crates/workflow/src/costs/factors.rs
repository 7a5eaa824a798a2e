//! Converts the times of one machine to another by two executions of the same short workflow.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use prophet_text::{Problem, counted, plain};
use serde_json::Number;

use super::sized::{Sized, sized};
use crate::quoted;
use crate::wfformat::Document;

/// Two tasks are the same if the sizes of their inputs differ by at most this share.
const SAME: f64 = 0.01;

/// How many times as long the tasks of each type take on another machine.
#[derive(Debug, Clone)]
pub struct Factors {
    /// The times of the same tasks on both machines, by type.
    pairs: BTreeMap<String, Vec<[f64; 2]>>,
    /// The factor of all tasks together.
    all: f64,
}

/// Returns how many times as long these tasks take; `None` without times.
fn ratio<'a>(pairs: impl IntoIterator<Item = &'a [f64; 2]>) -> Option<f64> {
    let add = |sums: [f64; 2], it: &[f64; 2]| [sums[0] + it[0], sums[1] + it[1]];
    let [there, here] = pairs.into_iter().fold([0.0; 2], add);
    Some(here / there).filter(|it| it.is_finite() && *it > 0.0)
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
        let kinds: BTreeSet<&str> = there.keys().chain(here.keys()).copied().collect();
        let pairs = kinds.into_iter().map(|kind| {
            let tasks = [&there, &here].map(|it| it.get(kind).map_or(&[][..], |it| &it[..]));
            let pairs = paired(tasks).ok_or_else(|| differ(kind, tasks))?;
            Ok((kind.to_owned(), pairs))
        });
        let mut pairs = pairs.collect::<Result<BTreeMap<_, _>, Problem>>()?;
        let all = ratio(pairs.values().flatten()).ok_or_else(|| {
            let help = "Use recorded executions.";
            Problem::with_help("the short runs have no task times", help)
        })?;
        pairs.retain(|_, it| ratio(&*it).is_some());
        Ok(Self { pairs, all })
    }

    /// Returns the factors as text, one line per type.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (kind, pairs) in &self.pairs {
            let (kind, mean) = (plain::line(kind), ratio(pairs).unwrap_or(self.all));
            let each = || pairs.iter().filter_map(|it| ratio([it]));
            let (low, high) = (each().fold(mean, f64::min), each().fold(mean, f64::max));
            let pairs = counted(pairs.len() as u64, "pair", "pairs");
            let range = format!("{pairs}, {low:.3} to {high:.3}");
            writeln!(text, "{kind}: {mean:.3} times as long ({range})").expect("it is text");
        }
        text
    }

    /// Multiplies the times of a document's tasks. Its recorded makespan, which is from the other
    /// machine, is removed. Returns remarks about types that the short runs don't have.
    pub fn apply(&self, document: &mut Document) -> Vec<String> {
        let factors = self
            .pairs
            .iter()
            .filter_map(|it| Some((&**it.0, ratio(it.1)?)));
        let factors: BTreeMap<&str, f64> = factors.collect();
        let tasks = sized(document);
        let mut unknown: BTreeMap<&str, u64> = BTreeMap::new();
        let mut times = Vec::with_capacity(tasks.len());
        for task in &tasks {
            let factor = factors.get(task.kind).copied().unwrap_or_else(|| {
                *unknown.entry(task.kind).or_default() += 1;
                self.all
            });
            let seconds = Number::from_f64(factor * task.seconds.unwrap_or(0.0));
            times.push(seconds.unwrap_or_else(|| 0.into()));
        }
        let note = |(kind, count): (&str, u64)| {
            let tasks = counted(count, "task", "tasks");
            let (kind, all) = (plain::line(kind), self.all);
            format!(
                "not in the short runs: {tasks} of {kind}; {all:.3} times as long, like all tasks \
                 together"
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
