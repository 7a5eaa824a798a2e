//! Reads a Nextflow trace together with the workflow's DAG.
//!
//! The DAG contains the processes, and the trace contains their tasks. A task waits for those tasks
//! of the preceding processes that have the same tag, or for all of them if none has it. It doesn't
//! wait for tasks that completed after its own submission.

mod units;

use std::collections::{BTreeMap, BTreeSet};

use prophet_text::{Problem, counted};
use serde_json::Map;

use super::found::{Found, FoundTask};
use super::graph::{self, Graph};
use super::table::Table;
use super::{NamedText, Reading, TOLD};
use crate::quoted;
use units::{bytes, instant, percent, seconds};

const WAITS_MAX: usize = 5_000_000;

struct TracedTask {
    process: String,
    tag: String,
    submit_s: Option<f64>,
    complete_s: Option<f64>,
    task: FoundTask,
}

pub(super) fn needs_graph() -> Problem {
    let what = "a trace does not contain the dependencies of its tasks";
    let help = "Run Nextflow with `-with-dag dag.dot`, and add `--with dag.dot`.";
    Problem::with_help(what, help)
}

pub(super) fn read(
    trace: NamedText<'_>,
    dag: NamedText<'_>,
    reading: Reading,
) -> Result<Found, Vec<Problem>> {
    let (mut rows, mut notes) = rows(trace)?;
    let graph = graph::read(dag).map_err(|it| vec![it])?;
    let before = processes(&rows, &graph, dag)?;
    link(&mut rows, &before).map_err(|it| vec![it])?;
    let has_cores = |it: &TracedTask| it.task.cores.or(reading.task_cores).is_some();
    let is_unknown = |it: &&TracedTask| !has_cores(it) && it.task.load_percent.is_none();
    let unknown = rows.iter().filter(is_unknown).count();
    if unknown > 0 {
        let (which, holds) = if unknown == rows.len() {
            ("the trace has".to_owned(), "each task holds")
        } else {
            (
                format!("{unknown} of {} tasks have", rows.len()),
                "each of them holds",
            )
        };
        notes.push(format!(
            "{which} neither `cpus` nor `%cpu`: {holds} one core; set the cores with \
             `--task-cores N`"
        ));
    }
    let has_cached = rows.iter().any(|it| it.task.is_done);
    let first = rows.iter().filter_map(|it| it.submit_s.or(it.task.start_s));
    let first = first.reduce(f64::min);
    let last = rows.iter().filter_map(|it| it.complete_s).reduce(f64::max);
    let makespan_s = first.zip(last).map(|(first, last)| millis(last - first));
    Ok(Found {
        name: prophet_text::plain::line(trace.name),
        engine: "Nextflow",
        makespan_s: makespan_s.filter(|it| *it >= 0.0 && !(reading.all && has_cached)),
        tasks: rows.into_iter().map(|it| it.task).collect(),
        notes,
        ..Found::default()
    })
}

/// Rounds seconds to milliseconds, the resolution of traces.
fn millis(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

struct Columns(BTreeMap<&'static str, usize>);

impl Columns {
    const NAMES: [&'static str; 19] = [
        "task_id", "name", "process", "tag", "status", "submit", "start", "complete", "duration",
        "realtime", "cpus", "memory", "peak_rss", "rchar", "wchar", "%cpu", "hostname", "hash",
        "attempt",
    ];

    fn of(table: &Table<'_>) -> Self {
        let column = |name| Some((name, table.column(name)?));
        Self(Self::NAMES.into_iter().filter_map(column).collect())
    }

    /// Returns the cell in a column; `None` if the trace lacks the column, or if the cell is a
    /// dash.
    fn cell<'a>(&self, cells: &[&'a str], name: &str) -> Option<&'a str> {
        let cell = cells[*self.0.get(name)?];
        (!cell.is_empty() && cell != "-").then_some(cell)
    }

    /// Parses a cell, if it contains a value.
    fn read<T>(
        &self,
        cells: &[&str],
        name: &str,
        by: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, Problem> {
        let Some(text) = self.cell(cells, name) else {
            return Ok(None);
        };
        by(text).map(Some).ok_or_else(|| {
            let what = format!("`{name}` has the unsupported value {}", quoted(text));
            Problem::with_help(what, "Use the trace as Nextflow wrote it.")
        })
    }
}

fn rows(file: NamedText<'_>) -> Result<(Vec<TracedTask>, Vec<String>), Vec<Problem>> {
    let table = Table::read(file).map_err(|it| vec![it])?;
    let columns = Columns::of(&table);
    let mut problems = Vec::new();
    let mut rows = Vec::new();
    let mut failed = 0;
    for (number, (_, cells)) in table.rows.iter().enumerate() {
        let status = columns.cell(cells, "status").unwrap_or("COMPLETED");
        if !matches!(status, "COMPLETED" | "CACHED") {
            failed += 1;
            continue;
        }
        match row(&columns, cells, status == "CACHED") {
            Ok(row) => rows.push(row),
            Err(problem) => problems.push(table.at(number, problem)),
        }
    }
    if !problems.is_empty() {
        problems.truncate(TOLD);
        return Err(problems);
    }
    if rows.is_empty() && failed > 0 {
        let what = format!("none of the {} completed", counted(failed, "task", "tasks"));
        return Err(vec![Problem::with_help(
            what,
            "Use the trace of a run that succeeded.",
        )]);
    }
    let attempts = counted(failed, "attempt", "attempts");
    let note = format!("ignored: {attempts} that did not complete");
    Ok((rows, (failed > 0).then_some(note).into_iter().collect()))
}

fn row(columns: &Columns, cells: &[&str], is_cached: bool) -> Result<TracedTask, Problem> {
    let cell = |name| columns.cell(cells, name);
    let read = |name, by: fn(&str) -> Option<f64>| columns.read(cells, name, by);
    let name = cell("name").or_else(|| cell("process")).unwrap_or_default();
    let (process, tag) = match name.strip_suffix(')').and_then(|it| it.split_once(" (")) {
        Some((process, tag)) => (process, tag),
        None => (name, ""),
    };
    let [submit_s, start_s, complete_s] =
        ["submit", "start", "complete"].map(|it| read(it, instant));
    let (submit_s, start_s, complete_s) = (submit_s?, start_s?, complete_s?);
    let duration_s = read("duration", seconds)?;
    let between = start_s.zip(complete_s).map(|(start, end)| end - start);
    let seconds = read("realtime", seconds)?.or(between).or(duration_s);
    if seconds.is_some_and(|it| it < 0.0) {
        let what = "the task completes before it starts";
        return Err(Problem::with_help(what, "Correct the times."));
    }
    // Old versions of Nextflow record the submission and the time since then.
    let ended = || {
        submit_s
            .zip(duration_s)
            .map(|(start, duration)| start + duration)
    };
    let complete_s = complete_s.or_else(ended);
    let start_s = start_s.or_else(|| complete_s.zip(seconds).map(|(end, time)| end - time));
    let id = match (cell("task_id"), cell("hash")) {
        (Some(id), _) | (None, Some(id)) => format!("{name} {id}"),
        _ => name.to_owned(),
    };
    let cores = columns.read(cells, "cpus", |it| it.parse().ok().filter(|it| *it > 0))?;
    let memory = read("memory", bytes)?.or(read("peak_rss", bytes)?);
    let mut rest = Map::new();
    for (column, key) in [("rchar", "readBytes"), ("wchar", "writtenBytes")] {
        if let Some(value) = read(column, bytes)? {
            rest.insert(key.to_owned(), whole(value).into());
        }
    }
    let task = FoundTask {
        id,
        kind: cell("process").unwrap_or(process).to_owned(),
        seconds,
        cores,
        load_percent: read("%cpu", percent)?,
        is_done: is_cached,
        memory_bytes: memory.map(whole),
        start_s: start_s.filter(|_| !is_cached),
        host: cell("hostname").map(str::to_owned),
        rest,
        ..FoundTask::default()
    };
    Ok(TracedTask {
        process: task.kind.clone(),
        tag: cell("tag").unwrap_or(tag).to_owned(),
        submit_s: submit_s.filter(|_| !is_cached),
        complete_s: complete_s.filter(|_| !is_cached),
        task,
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is checked"
)]
fn whole(bytes: f64) -> u64 {
    bytes.round() as u64
}

/// Returns, for each process, the processes that precede it in the DAG. The DAG's labels can be
/// just the last parts of the processes' names.
fn processes(
    rows: &[TracedTask],
    graph: &Graph,
    dag: NamedText<'_>,
) -> Result<BTreeMap<String, BTreeSet<String>>, Vec<Problem>> {
    let names: BTreeSet<&str> = rows.iter().map(|it| &*it.process).collect();
    let last = |name: &str| name.rsplit(':').next().unwrap_or_default().to_owned();
    let mut by_label: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in &names {
        by_label.entry((*name).to_owned()).or_default().push(name);
    }
    for name in names.iter().filter(|it| it.contains(':')) {
        let full = by_label.contains_key(&last(name)) && names.contains(&*last(name));
        if !full {
            by_label.entry(last(name)).or_default().push(name);
        }
    }
    let of = |label: &String| by_label.get(label.trim()).map_or(&[][..], |it| it);
    let mut problems = Vec::new();
    for (label, several) in &by_label {
        if several.len() > 1 && graph.labels.iter().any(|it| it.trim() == label) {
            let what = format!("the label {} stands for several processes", quoted(label));
            let help = "Use the DAG in DOT format, which has their full names.";
            problems.push(Problem::with_help(what, help).in_file(dag.name));
        }
    }
    let drawn: BTreeSet<&str> = graph.labels.iter().flat_map(of).copied().collect();
    for name in names.difference(&drawn) {
        let what = format!("the process {} of the trace is missing", quoted(name));
        let help = "Use the DAG of the same execution.";
        problems.push(Problem::with_help(what, help).in_file(dag.name));
    }
    if !problems.is_empty() {
        problems.truncate(TOLD);
        return Err(problems);
    }
    let chosen: Vec<bool> = graph.labels.iter().map(|it| !of(it).is_empty()).collect();
    let mut before: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (node, nearest) in graph.nearest(&chosen).into_iter().enumerate() {
        for process in of(&graph.labels[node]) {
            let parents = nearest.iter().flat_map(|it| of(&graph.labels[*it]));
            let parents = parents
                .filter(|it| *it != process)
                .map(|it| (*it).to_owned());
            before
                .entry((*process).to_owned())
                .or_default()
                .extend(parents);
        }
    }
    Ok(before)
}

fn link(
    rows: &mut [TracedTask],
    before: &BTreeMap<String, BTreeSet<String>>,
) -> Result<(), Problem> {
    let mut all: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let mut tagged: BTreeMap<(String, String), Vec<u32>> = BTreeMap::new();
    for (number, row) in (0..).zip(&*rows) {
        all.entry(row.process.clone()).or_default().push(number);
        let key = (row.process.clone(), row.tag.clone());
        tagged.entry(key).or_default().push(number);
    }
    let mut count = 0_usize;
    for child in 0..rows.len() {
        let mut parents = BTreeSet::new();
        for process in before.get(&rows[child].process).into_iter().flatten() {
            let tag = rows[child].tag.clone();
            let same = tagged.get(&(process.clone(), tag.clone()));
            let same = same.filter(|_| !tag.is_empty());
            let Some(candidates) = same.or_else(|| all.get(process)) else {
                continue;
            };
            let started_s = rows[child].submit_s.or(rows[child].task.start_s);
            let is_before = |it: &&u32| {
                let completed_s = rows[**it as usize].complete_s;
                !matches!((completed_s, started_s), (Some(end), Some(start)) if end > start)
            };
            parents.extend(candidates.iter().filter(is_before));
        }
        count += parents.len();
        if count > WAITS_MAX {
            let what = format!("the tasks have more than {WAITS_MAX} dependencies");
            return Err(Problem::with_help(
                what,
                "Add tags to the processes, or split the trace.",
            ));
        }
        rows[child].task.parents = parents;
    }
    Ok(())
}
