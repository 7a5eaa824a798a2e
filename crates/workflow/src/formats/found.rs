//! Stores what a reader finds, and converts it to a document.

use std::collections::{BTreeMap, BTreeSet};

use prophet_text::{Problem, counted};
use serde_json::{Map, Number, Value, json};

use super::{Reading, TOLD};
use crate::quoted;
use crate::wfformat::{
    Body, Cpu, Document, Execution, FileEntry, MachineRecord, Specification, TaskEntry, TaskRecord,
    VERSION, date,
};

#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) name: String,
    pub(super) engine: &'static str,
    pub(super) tasks: Vec<FoundTask>,
    /// Sizes of the files, if known.
    pub(super) sizes_bytes: BTreeMap<String, u64>,
    pub(super) makespan_s: Option<f64>,
    pub(super) notes: Vec<String>,
}

#[derive(Debug, Default, Clone)]
pub(super) struct FoundTask {
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) seconds: Option<f64>,
    pub(super) cores: Option<u32>,
    /// CPU use, as a percentage of one core.
    pub(super) load_percent: Option<f64>,
    /// Whether the task's result existed before the run.
    pub(super) is_done: bool,
    pub(super) memory_bytes: Option<u64>,
    pub(super) parents: BTreeSet<u32>,
    pub(super) inputs: Vec<String>,
    pub(super) outputs: Vec<String>,
    /// Start time, in seconds since 1970.
    pub(super) start_s: Option<f64>,
    pub(super) host: Option<String>,
    pub(super) rest: Map<String, Value>,
}

/// Fraction of a core by which a task's measured CPU use can exceed its cores, because measurements
/// aren't exact.
const OVER: f64 = 0.1;

/// Returns a task's number of cores, based on its CPU use.
fn cores_of(load_percent: f64) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is clamped"
    )]
    let cores = (load_percent / 100.0 - OVER).ceil().clamp(1.0, 1e6) as u32;
    cores
}

impl Found {
    /// Removes tasks that are already done, adds missing numbers of cores, and adds remarks about
    /// both.
    pub(super) fn finish(&mut self, reading: Reading) -> Result<(), Vec<Problem>> {
        let done = self.tasks.iter().filter(|it| it.is_done).count();
        let tasks = counted(done as u64, "task is done", "tasks are done");
        if done > 0 && reading.all {
            self.notes.push(format!(
                "{tasks} (cached or dashed) and predicted with the times of an earlier execution"
            ));
        } else if done > 0 {
            if done == self.tasks.len() {
                let help = "Add `--all` to predict the whole workflow.";
                let what = format!("{tasks} (cached or dashed), and no other task is left");
                return Err(vec![Problem::with_help(what, help)]);
            }
            self.leave_out_done();
            self.notes.push(format!(
                "{tasks} (cached or dashed) and omitted; use `--all` to predict the whole workflow"
            ));
        }
        self.fill_cores(reading.task_cores);
        Ok(())
    }

    fn leave_out_done(&mut self) {
        let mut number = 0;
        let numbers: Vec<Option<u32>> = { self.tasks.iter() }
            .map(|it| {
                number += u32::from(!it.is_done);
                (!it.is_done).then_some(number.saturating_sub(1))
            })
            .collect();
        self.tasks.retain(|it| !it.is_done);
        for task in &mut self.tasks {
            let parents = std::mem::take(&mut task.parents);
            let left = parents.iter().filter_map(|it| numbers[*it as usize]);
            task.parents = left.collect();
        }
    }

    fn fill_cores(&mut self, task_cores: Option<u32>) {
        let (mut by_load, mut least, mut most) = (0, u32::MAX, 0);
        for task in self.tasks.iter_mut().filter(|it| it.cores.is_none()) {
            task.cores = task_cores;
            if let (None, Some(load_percent)) = (task_cores, task.load_percent) {
                let cores = cores_of(load_percent);
                (least, most) = (least.min(cores), most.max(cores));
                by_load += 1;
                task.cores = Some(cores);
            }
        }
        if by_load > 0 {
            let tasks = counted(by_load, "task has", "tasks have");
            let cores = if least == most {
                least.to_string()
            } else {
                format!("{least} to {most}")
            };
            self.notes.push(format!(
                "{tasks} as many cores as the CPU load needs ({cores}), because the cores are not \
                 recorded; set them with `--task-cores N`"
            ));
        }
    }

    pub(super) fn document(self) -> Result<(Document, Vec<String>), Vec<Problem>> {
        if self.tasks.is_empty() {
            let help = "Use a workflow with tasks.";
            return Err(vec![Problem::with_help("the workflow has no tasks", help)]);
        }
        self.duplicates()?;
        self.untimed()?;
        let execution = Execution {
            makespan_in_seconds: json_number(self.makespan_s.unwrap_or(0.0)),
            machines: self.machines(),
            tasks: self.tasks.iter().map(record).collect(),
            rest: Map::new(),
        };
        let engine = json!({ "name": self.engine });
        let document = Document {
            name: self.name.clone(),
            version: VERSION.to_owned(),
            workflow: Body {
                specification: self.specification(),
                execution: Some(execution),
                rest: Map::new(),
            },
            rest: Map::from_iter([("runtimeSystem".to_owned(), engine)]),
        };
        Ok((document, self.notes))
    }

    fn duplicates(&self) -> Result<(), Vec<Problem>> {
        let mut seen = BTreeSet::new();
        let problem = |it: &FoundTask| {
            let what = format!("duplicate id {}", quoted(&it.id));
            Problem::with_help(what, "Choose a different id for each task.")
        };
        let repeated = self.tasks.iter().filter(|it| !seen.insert(&*it.id));
        let problems: Vec<_> = repeated.take(TOLD).map(problem).collect();
        if problems.is_empty() {
            Ok(())
        } else {
            Err(problems)
        }
    }

    /// Rejects tasks without times, with one message per task type.
    fn untimed(&self) -> Result<(), Vec<Problem>> {
        let without = self.tasks.iter().filter(|it| it.seconds.is_none());
        let kinds: BTreeSet<&str> = without.map(|it| &*it.kind).collect();
        if kinds.is_empty() {
            return Ok(());
        }
        let shown: Vec<String> = kinds.iter().take(TOLD).map(|it| quoted(it)).collect();
        let more = if kinds.len() > TOLD { ", …" } else { "" };
        let verb = if kinds.len() == 1 {
            "needs a time"
        } else {
            "need times"
        };
        let what = format!("{}{more} {verb}", shown.join(", "));
        let help = "For the DAG of a Nextflow run, pass the run's trace with it: `run trace.txt \
                    --with dag.dot`. For another DAG, add `--with times.csv`, a table with the \
                    columns `task` and `seconds`.";
        Err(vec![Problem::with_help(what, help)])
    }

    fn specification(&self) -> Specification {
        let mut children = vec![Vec::new(); self.tasks.len()];
        for task in &self.tasks {
            for parent in &task.parents {
                children[*parent as usize].push(task.id.clone());
            }
        }
        let mut names = BTreeSet::new();
        for task in &self.tasks {
            names.extend(task.inputs.iter().chain(&task.outputs));
        }
        let file = |name: &String| FileEntry {
            id: name.clone(),
            size_in_bytes: self.sizes_bytes.get(name).copied().unwrap_or(0).into(),
            rest: Map::new(),
        };
        let entry = |(task, children): (&FoundTask, Vec<String>)| TaskEntry {
            name: task.kind.clone(),
            id: task.id.clone(),
            parents: Some(
                (task.parents.iter())
                    .map(|it| self.tasks[*it as usize].id.clone())
                    .collect(),
            ),
            children: Some(children),
            input_files: Some(task.inputs.clone()),
            output_files: Some(task.outputs.clone()),
            rest: Map::new(),
        };
        Specification {
            tasks: self.tasks.iter().zip(children).map(entry).collect(),
            files: Some(names.into_iter().map(file).collect()),
            rest: Map::new(),
        }
    }

    /// Returns the hosts. A host has as many cores as its tasks ever occupied at the same time,
    /// because traces don't contain its actual number.
    fn machines(&self) -> Option<Vec<MachineRecord>> {
        let mut events: BTreeMap<&str, Vec<(f64, i64)>> = BTreeMap::new();
        let mut widest: BTreeMap<&str, i64> = BTreeMap::new();
        for task in &self.tasks {
            if let Some(host) = &task.host {
                let widest = widest.entry(host).or_insert(1);
                *widest = (*widest).max(task.cores.unwrap_or(1).into());
            }
            let (Some(host), Some(start_s)) = (&task.host, task.start_s) else {
                continue;
            };
            let cores = i64::from(task.cores.unwrap_or(1));
            let end_s = start_s + task.seconds.unwrap_or(0.0);
            let events = events.entry(host).or_default();
            events.extend([(start_s, cores), (end_s, -cores)]);
        }
        let peak = |mut events: Vec<(f64, i64)>| {
            // At equal times, ends come before starts, because the cores are free then.
            events.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let mut held = 0;
            let each = events.iter().map(|it| {
                held += it.1;
                held
            });
            each.max().unwrap_or(1).max(1)
        };
        let machine = |(host, events): (&str, Vec<_>)| MachineRecord {
            node_name: host.to_owned(),
            cpu: Some(Cpu {
                core_count: Some(peak(events).max(widest[host]).into()),
                rest: Map::new(),
            }),
            memory_in_bytes: None,
            rest: Map::new(),
        };
        (!events.is_empty()).then(|| events.into_iter().map(machine).collect())
    }
}

fn record(task: &FoundTask) -> TaskRecord {
    TaskRecord {
        id: task.id.clone(),
        runtime_in_seconds: json_number(task.seconds.unwrap_or(0.0)),
        executed_at: task.start_s.and_then(date),
        core_count: task.cores.map(Into::into),
        memory_in_bytes: task.memory_bytes.map(Into::into),
        machines: task.host.clone().map(|it| vec![it]),
        rest: task.rest.clone(),
    }
}

/// Converts a number that a reader has already checked.
fn json_number(value: f64) -> Number {
    Number::from_f64(value).unwrap_or_else(|| 0.into())
}

/// Parses a time from an untrusted file, in seconds.
pub(super) fn seconds(text: &str) -> Option<f64> {
    let seconds: f64 = text.trim().parse().ok()?;
    (seconds.is_finite() && seconds >= 0.0).then_some(seconds)
}

/// Parses a size from an untrusted file, and returns bytes; `unit` is the number of bytes in its
/// unit.
pub(super) fn bytes(text: &str, unit: f64) -> Option<u64> {
    let bytes = text.trim().parse::<f64>().ok()? * unit;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is checked"
    )]
    (0.0..9e18).contains(&bytes).then_some(bytes.round() as u64)
}
