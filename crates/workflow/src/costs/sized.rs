//! Describes tasks by what their times depend on: their types and input sizes.

use std::collections::{BTreeMap, BTreeSet};

use crate::task_type;
use crate::wfformat::{Document, TaskEntry, TaskRecord};

/// A document's task, with its size and (if recorded) its time.
pub(super) struct Sized<'a> {
    /// The program that the task ran or, if it wasn't recorded, the type derived from the task's
    /// name.
    pub(super) kind: &'a str,
    /// Bytes of the task's inputs or, if their sizes are unknown, the bytes that it read.
    pub(super) bytes: f64,
    pub(super) seconds: Option<f64>,
}

/// Returns all tasks of a document, in order.
///
/// Files that several tasks read and no task writes don't count, unless a task has no other files.
/// They are programs and reference data, and most tasks use the same part of them, whatever their
/// own input.
pub(super) fn sized(document: &Document) -> Vec<Sized<'_>> {
    let specification = &document.workflow.specification;
    let files = specification.files.iter().flatten();
    let sizes: BTreeMap<&str, f64> =
        { files.map(|it| (&*it.id, it.size_in_bytes.as_f64().unwrap_or(0.0))) }.collect();
    let records = document.workflow.execution.iter().flat_map(|it| &it.tasks);
    let records: BTreeMap<&str, &TaskRecord> = records.map(|it| (&*it.id, it)).collect();
    let shared = shared(&specification.tasks);
    let task = |task: &'_ TaskEntry| {
        let record = records.get(&*task.id).copied();
        let inputs = inputs(task);
        let sum = |is_counted: &dyn Fn(&str) -> bool| -> f64 {
            let counted = inputs.iter().filter(|it| is_counted(it));
            counted.filter_map(|it| sizes.get(it)).sum()
        };
        let read = || record?.rest.get("readBytes")?.as_f64();
        let sums = [sum(&|it| !shared.contains(it)), sum(&|_| true)];
        let bytes = sums.into_iter().find(|it| *it > 0.0);
        let seconds = record.and_then(|it| it.runtime_in_seconds.as_f64());
        (bytes.or_else(read).unwrap_or(0.0), seconds)
    };
    let of = |entry| {
        let (bytes, seconds) = task(entry);
        Sized {
            kind: kind(entry, records.get(&*entry.id).copied()),
            bytes,
            seconds,
        }
    };
    specification.tasks.iter().map(of).collect()
}

fn inputs(task: &TaskEntry) -> BTreeSet<&str> {
    task.input_files.iter().flatten().map(|it| &**it).collect()
}

fn kind<'a>(task: &'a TaskEntry, record: Option<&'a TaskRecord>) -> &'a str {
    let program = || record?.rest.get("command")?.get("program")?.as_str();
    program().unwrap_or_else(|| task_type(&task.name))
}

/// Returns the files that several tasks read and no task writes.
fn shared(tasks: &[TaskEntry]) -> BTreeSet<&str> {
    let mut readers: BTreeMap<&str, u32> = BTreeMap::new();
    for file in tasks.iter().flat_map(inputs) {
        *readers.entry(file).or_default() += 1;
    }
    for file in tasks.iter().flat_map(|it| it.output_files.iter().flatten()) {
        readers.remove(&**file);
    }
    let several = readers.into_iter().filter(|it| it.1 > 1);
    several.map(|it| it.0).collect()
}
