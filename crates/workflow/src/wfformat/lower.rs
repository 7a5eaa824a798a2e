//! Extracts the workflow and its recorded execution from a document.

use std::collections::BTreeMap;

use prophet_text::Problem;
use serde_json::Number;

use super::{Document, Execution, MachineRecord, TaskEntry, TaskRecord, time};
use crate::{
    Draft, FileId, Group, HostId, Queue, SharedStorage, Task, TaskCost, TaskId, Workflow,
    WorkflowMachine, quoted, task_type,
};

/// A document's workflow, and its recorded execution.
#[derive(Debug, Clone)]
pub struct Instance {
    /// The tasks and files. A task's cost is its recorded time.
    pub workflow: Workflow,
    /// The recorded execution, if the document contains one.
    pub recorded: Option<Recorded>,
    /// The engine that executed the workflow, such as `Pegasus`.
    pub engine: Option<String>,
    /// Empty if unknown.
    pub engine_version: String,
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// Time from the start to the end of the workflow, in seconds.
    pub makespan_s: f64,
    /// In seconds, by task.
    pub runtimes_s: Vec<f64>,
    /// Start of each task, in seconds after the first task started; `None` if not recorded.
    pub starts_s: Vec<Option<f64>>,
    /// Where each task ran, as the index of a group in `machine`; `None` if not recorded.
    pub hosts: Vec<Option<u32>>,
    /// The machines that were used: one site with a group per machine; `None` if the document
    /// doesn't describe them.
    pub machine: Option<WorkflowMachine>,
}

impl Instance {
    /// Returns the host that each task ran on; `None` unless the hosts of all tasks are recorded.
    pub fn recorded_hosts(&self) -> Option<Vec<HostId>> {
        let hosts = &self.recorded.as_ref()?.hosts;
        hosts.iter().map(|it| it.map(HostId)).collect()
    }

    /// Gives the first site of `machine` the queue and storage of the engine that executed the
    /// workflow.
    pub fn add_engine(&self, machine: &mut WorkflowMachine) {
        match (self.engine.as_deref(), &*self.engine_version) {
            (Some("Pegasus"), version) => {
                machine.queues[0] = Queue::pegasus(version);
                machine.shared[0] = Some(SharedStorage::pegasus());
            }
            // Without a version, the trace doesn't come from Nextflow itself.
            (Some("Nextflow"), version) if !version.is_empty() => {
                machine.queues[0] = Queue::nextflow();
            }
            _ => {}
        }
    }
}

const NOTES_MAX: usize = 3;

type Index<'a> = BTreeMap<&'a str, u32>;

impl Document {
    /// Checks the document, and returns its workflow with the recorded execution.
    ///
    /// # Errors
    ///
    /// Returns all errors, each with its place in the file.
    pub fn instance(&self) -> Result<Instance, Vec<Problem>> {
        let mut problems = Vec::new();
        let entries = &self.workflow.specification.tasks;
        let ids: Index<'_> = (entries.iter().map(|it| &*it.id)).zip(0..).collect();
        if ids.len() < entries.len() {
            return Err(duplicates(entries, &ids));
        }
        let execution = self.workflow.execution.as_ref();
        let records = execution.map(|it| by_task(it, &ids, entries.len(), &mut problems));
        let mut draft = Draft::new(&self.name);
        let mut kinds: BTreeMap<&str, u32> = BTreeMap::new();
        for entry in entries {
            *kinds.entry(&entry.name).or_default() += 1;
        }
        for (number, entry) in entries.iter().enumerate() {
            let record = records.as_ref().and_then(|it| it[number]);
            let id = draft.task(&entry.id, task(record, number, &mut problems));
            // A name that only one task has can end with a number.
            let is_kind = kinds.get(&*entry.name).is_some_and(|it| *it > 1);
            let kind = if is_kind {
                &*entry.name
            } else {
                task_type(&entry.name)
            };
            draft.of_type(id, kind);
        }
        let notes = self.files(&ids, &mut draft, &mut problems);
        waits(entries, &ids, &mut draft, &mut problems);
        if execution.is_none() {
            let what = "no execution is recorded, so the tasks have no times";
            let help = "Use an instance with `workflow.execution`.";
            problems.push(Problem::with_help(what, help).in_part("workflow"));
        }
        let recorded = execution
            .zip(records)
            .map(|(execution, records)| recorded(execution, &records, &mut problems));
        problems.truncate(100);
        if !problems.is_empty() {
            return Err(problems);
        }
        let engine = |what| self.rest.get("runtimeSystem")?.get(what)?.as_str();
        Ok(Instance {
            workflow: draft.finish()?,
            recorded,
            engine: engine("name").map(str::to_owned),
            engine_version: engine("version").unwrap_or_default().to_owned(),
            notes,
        })
    }

    /// Adds the files with their readers and writers, and returns remarks. A file that no task
    /// writes is an input. Files with the same name that several tasks write are different files.
    fn files(
        &self,
        ids: &Index<'_>,
        draft: &mut Draft,
        problems: &mut Vec<Problem>,
    ) -> Vec<String> {
        let specification = &self.workflow.specification;
        let files = specification.files.as_deref().unwrap_or_default();
        let lists = |entry: &'_ TaskEntry| {
            let of = |list: &Option<Vec<String>>| list.clone().unwrap_or_default();
            [of(&entry.input_files), of(&entry.output_files)]
        };
        let index: Index<'_> = (files.iter().map(|it| &*it.id)).zip(0..).collect();
        let mut pairs = Vec::new();
        let mut is_written = vec![false; files.len()];
        for (task, entry) in (0..).zip(&specification.tasks) {
            for (list, name) in lists(entry).iter().zip(["inputFiles", "outputFiles"]) {
                for (number, file) in list.iter().enumerate() {
                    let Some(&id) = index.get(&**file) else {
                        let place =
                            format!("workflow.specification.tasks[{task}].{name}[{number}]");
                        let what = format!("the file {} is missing from `files`", quoted(file));
                        let help = "Add the file with its size, or correct the id.";
                        problems.push(Problem::with_help(what, help).in_part(place));
                        continue;
                    };
                    let writes = name == "outputFiles";
                    is_written[id as usize] |= writes;
                    pairs.push((TaskId(task), FileId(id), writes));
                }
            }
        }
        for (number, file) in files.iter().enumerate() {
            let place = || format!("workflow.specification.files[{number}].sizeInBytes");
            let size_bytes = whole(&file.size_in_bytes, place, problems);
            if is_written[number] {
                draft.file(&file.id, size_bytes);
            } else {
                draft.input(&file.id, size_bytes);
            }
        }
        let several = several_writers(&pairs);
        let versions = Versions::new(&specification.tasks, ids, &several, draft);
        for (task, file, writes) in pairs {
            match (versions.of(task, file, writes), writes) {
                (Some(file), true) => draft.writes(task, file),
                (Some(file), false) => draft.reads(task, file),
                // A file that a task changes existed before.
                (None, _) => {}
            }
        }
        let written = { several.iter() }.map(|(file, writers)| {
            let name = quoted(&files[file.index()].id);
            format!(
                "{} tasks write {name}: each reader uses one of its versions",
                writers.len()
            )
        });
        written.take(NOTES_MAX).collect()
    }
}

/// Returns the files that several tasks write, with their writers in ascending order.
fn several_writers(pairs: &[(TaskId, FileId, bool)]) -> BTreeMap<FileId, Vec<TaskId>> {
    let mut writers: BTreeMap<FileId, Vec<TaskId>> = BTreeMap::new();
    for &(task, file, _) in pairs.iter().filter(|it| it.2) {
        let of_file = writers.entry(file).or_default();
        if of_file.last() != Some(&task) {
            of_file.push(task);
        }
    }
    writers.retain(|_, it| it.len() > 1);
    writers
}

/// Determines which version of a file a task reads or writes, if several tasks write the file.
struct Versions<'a> {
    tasks: &'a [TaskEntry],
    ids: &'a Index<'a>,
    several: &'a BTreeMap<FileId, Vec<TaskId>>,
    /// The version that each writer writes.
    written: BTreeMap<(FileId, TaskId), FileId>,
}

impl<'a> Versions<'a> {
    /// Adds the versions. The first version keeps the file's own number.
    fn new(
        tasks: &'a [TaskEntry],
        ids: &'a Index<'a>,
        several: &'a BTreeMap<FileId, Vec<TaskId>>,
        draft: &mut Draft,
    ) -> Self {
        let mut written = BTreeMap::new();
        for (file, writers) in several {
            written.insert((*file, writers[0]), *file);
            for task in &writers[1..] {
                let version = draft.version(*file, &tasks[task.index()].id);
                written.insert((*file, *task), version);
            }
        }
        Self {
            tasks,
            ids,
            several,
            written,
        }
    }

    /// Returns the version that a task writes or reads. A reader gets the version of its last
    /// parent that writes the file, or otherwise the last version before it in the document.
    fn of(&self, task: TaskId, file: FileId, writes: bool) -> Option<FileId> {
        let Some(writers) = self.several.get(&file) else {
            return Some(file);
        };
        if writes {
            return self.written.get(&(file, task)).copied();
        }
        let parents = self.tasks[task.index()].parents.iter().flatten();
        let parents = parents.filter_map(|it| self.ids.get(&**it).map(|it| TaskId(*it)));
        let is_writer = |it: &TaskId| writers.binary_search(it).is_ok();
        let writer = parents.filter(is_writer).max().or_else(|| {
            let before = writers.partition_point(|it| *it < task).checked_sub(1);
            let last = writers.len() - 1;
            let place = before.or((!is_writer(&task)).then_some(last))?;
            writers.get(place).copied()
        });
        self.written.get(&(file, writer?)).copied()
    }
}

fn duplicates(entries: &[TaskEntry], ids: &Index<'_>) -> Vec<Problem> {
    let is_first = |it: &(u32, &TaskEntry)| ids.get(&*it.1.id) != Some(&it.0);
    let problem = |(_, entry): (u32, &TaskEntry)| {
        let place = ids.get(&*entry.id).copied().unwrap_or(0);
        let what = format!("duplicate id {}", quoted(&entry.id));
        Problem::with_help(what, "Choose a different id for each task.")
            .in_part(format!("workflow.specification.tasks[{place}].id"))
    };
    let repeated = (0..).zip(entries).filter(is_first);
    repeated.take(100).map(problem).collect()
}

/// Adds the dependencies that tasks state, from their parents or to their children.
fn waits(entries: &[TaskEntry], ids: &Index<'_>, draft: &mut Draft, problems: &mut Vec<Problem>) {
    for (task, entry) in (0..).zip(entries) {
        for (list, name) in [(&entry.parents, "parents"), (&entry.children, "children")] {
            for (number, other) in list.iter().flatten().enumerate() {
                match ids.get(&**other) {
                    Some(&other) if name == "parents" => draft.waits(TaskId(task), TaskId(other)),
                    Some(&other) => draft.waits(TaskId(other), TaskId(task)),
                    None => {
                        let place =
                            format!("workflow.specification.tasks[{task}].{name}[{number}]");
                        let what = format!("unknown task {}", quoted(other));
                        let help = "Add the task, or correct the id.";
                        problems.push(Problem::with_help(what, help).in_part(place));
                    }
                }
            }
        }
    }
}

/// Returns the records in the order of the tasks.
fn by_task<'a>(
    execution: &'a Execution,
    ids: &Index<'_>,
    tasks: usize,
    problems: &mut Vec<Problem>,
) -> Vec<Option<&'a TaskRecord>> {
    let mut records = vec![None; tasks];
    for (number, record) in execution.tasks.iter().enumerate() {
        let wrong = match ids.get(&*record.id).map(|it| &mut records[*it as usize]) {
            None => "`specification` does not contain the task",
            Some(Some(_)) => "the task has two records",
            Some(place) => {
                *place = Some(record);
                continue;
            }
        };
        let help = "Keep one record per task of the specification.";
        let place = format!(
            "workflow.execution.tasks[{number}], task {}",
            quoted(&record.id)
        );
        problems.push(Problem::with_help(wrong, help).in_part(place));
    }
    for (number, record) in records.iter().enumerate() {
        if record.is_none() {
            let what = "the execution has no record of the task";
            let help = "Add the time that the task took to `workflow.execution.tasks`.";
            let place = format!("workflow.specification.tasks[{number}]");
            problems.push(Problem::with_help(what, help).in_part(place));
        }
    }
    records
}

/// Creates a task with the time, cores and memory in its record.
fn task(record: Option<&TaskRecord>, number: usize, problems: &mut Vec<Problem>) -> Task {
    let Some(record) = record else {
        return Task::new(TaskCost::Seconds(0.0));
    };
    let place = |field: &str| format!("record of workflow.specification.tasks[{number}], {field}");
    let mut task = Task::new(TaskCost::Seconds(seconds(
        &record.runtime_in_seconds,
        || place("runtimeInSeconds"),
        problems,
    )));
    if let Some(cores) = &record.core_count {
        let cores = whole(cores, || place("coreCount"), problems);
        task.cores = u32::try_from(cores).unwrap_or(u32::MAX);
    }
    if let Some(memory) = &record.memory_in_bytes {
        task.memory_bytes = whole(memory, || place("memoryInBytes"), problems);
    }
    task
}

fn recorded(
    execution: &Execution,
    records: &[Option<&TaskRecord>],
    problems: &mut Vec<Problem>,
) -> Recorded {
    let place = || "workflow.execution.makespanInSeconds".to_owned();
    let makespan_s = seconds(&execution.makespan_in_seconds, place, problems);
    let machines = execution.machines.as_deref().unwrap_or_default();
    let names: Index<'_> = (machines.iter().map(|it| &*it.node_name))
        .zip(0..)
        .collect();
    let host = |record: &TaskRecord| {
        let first = record.machines.as_ref()?.first()?;
        names.get(&**first).copied()
    };
    let at = |it: Option<&TaskRecord>| it.and_then(|it| time::seconds(it.executed_at.as_ref()?));
    let times: Vec<Option<f64>> = records.iter().copied().map(at).collect();
    let first_s = times.iter().flatten().copied().reduce(f64::min);
    let runtime = |it: Option<&TaskRecord>| it.and_then(|it| it.runtime_in_seconds.as_f64());
    Recorded {
        makespan_s,
        runtimes_s: records
            .iter()
            .map(|it| runtime(*it).unwrap_or(0.0))
            .collect(),
        starts_s: times.iter().map(|it| Some((*it)? - first_s?)).collect(),
        hosts: records.iter().map(|it| it.and_then(host)).collect(),
        machine: machine(machines, problems),
    }
}

/// Returns the recorded machines as hosts of a single site, with their cores.
fn machine(machines: &[MachineRecord], problems: &mut Vec<Problem>) -> Option<WorkflowMachine> {
    let mut groups = Vec::new();
    for (number, record) in machines.iter().enumerate() {
        let place = |field: &str| format!("workflow.execution.machines[{number}].{field}");
        let cores = record.cpu.as_ref().and_then(|it| it.core_count.as_ref());
        let cores = cores.map_or(1, |it| whole(it, || place("cpu.coreCount"), problems));
        let mut group = Group::new(
            &record.node_name,
            1,
            u32::try_from(cores).unwrap_or(u32::MAX),
        );
        if let Some(memory) = &record.memory_in_bytes {
            group.memory_bytes = whole(memory, || place("memoryInBytes"), problems);
        }
        groups.push(group);
    }
    if groups.is_empty() {
        return None;
    }
    match WorkflowMachine::new(groups) {
        Ok(machine) => Some(machine),
        Err(wrong) => {
            let place = match wrong.group {
                Some(number) => format!("workflow.execution.machines[{number}]"),
                None => "workflow.execution.machines".to_owned(),
            };
            problems.push(wrong.problem.in_part(place));
            None
        }
    }
}

/// Returns a time. If it is invalid, adds a problem and returns 0.
fn seconds(number: &Number, place: impl Fn() -> String, problems: &mut Vec<Problem>) -> f64 {
    let seconds = number.as_f64().unwrap_or(f64::NAN);
    if seconds.is_finite() && seconds >= 0.0 {
        return seconds;
    }
    let help = "Use a time of 0 s or more.";
    problems.push(Problem::with_help(format!("the time is {number} s"), help).in_part(place()));
    0.0
}

/// Returns an integer. If it is invalid, adds a problem and returns 1.
fn whole(number: &Number, place: impl Fn() -> String, problems: &mut Vec<Problem>) -> u64 {
    if let Some(number) = number.as_u64() {
        return number;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is checked"
    )]
    if let Some(float) = number.as_f64()
        && (0.0..9e15).contains(&float)
        && float.fract() == 0.0
    {
        return float as u64;
    }
    let help = "Use a whole number of 0 or more.";
    problems.push(Problem::with_help(format!("the number is {number}"), help).in_part(place()));
    1
}
