//! Represents workflows: tasks, files and dependencies.

use crate::task_type;

mod adjacency;
mod checks;
mod draft;
mod names;

pub(crate) use adjacency::Adjacency;
pub use draft::Draft;
use names::{Labels, Names};

/// Identifies a task. Tasks are numbered in the order in which they were added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskId(pub u32);

/// Identifies a file. Files are numbered in the order in which they were added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileId(pub u32);

impl TaskId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl FileId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How much a task computes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TaskCost {
    /// Time in seconds on a host with a speed of 1.
    Seconds(f64),
    /// Number of operations. Hosts have speeds in operations per second.
    Work(f64),
    /// Row of the workflow's table of costs, which lists the time in seconds on each kind of host.
    Row(u32),
}

/// A task: its cost, and what it needs from its host.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Task {
    pub cost: TaskCost,
    /// Number of cores that the task occupies, all on the same host.
    pub cores: u32,
    /// Memory that the task occupies on its host, in bytes.
    pub memory_bytes: u64,
    /// When the task is submitted, in seconds. It can't start earlier.
    pub release_s: f64,
    /// Run time in seconds that the user requested, which backfilling relies on. `None` means the
    /// true run time.
    pub requested_s: Option<f64>,
    /// Probability that an attempt fails. A failed attempt ends after a uniformly distributed part
    /// of its computing time.
    pub failure_probability: f64,
    /// Maximum number of further attempts after a failure, on the same host. If all attempts fail,
    /// the workflow fails.
    pub retries: u32,
}

/// Longest duration of a task or wait, in seconds.
pub(crate) const LONGEST_S: f64 = 1e12;
pub(crate) const MOST_RETRIES: u32 = 1_000;

impl Task {
    /// Creates a task that needs one core and no memory, and is submitted at the start.
    pub fn new(cost: TaskCost) -> Self {
        Self {
            cost,
            cores: 1,
            memory_bytes: 0,
            release_s: 0.0,
            requested_s: None,
            failure_probability: 0.0,
            retries: 0,
        }
    }
}

/// A workflow without cycles, in which every file is either an input or written by a task. Use a
/// [`Draft`] to create one.
#[derive(Debug, Clone)]
pub struct Workflow {
    pub(crate) name: String,
    pub(crate) tasks: Vec<Task>,
    pub(crate) task_names: Names,
    pub(crate) sizes_bytes: Vec<u64>,
    pub(crate) file_names: Names,
    pub(crate) writers: Vec<u32>,
    pub(crate) inputs: Adjacency,
    pub(crate) outputs: Adjacency,
    pub(crate) parents: Adjacency,
    pub(crate) children: Adjacency,
    pub(crate) order: Vec<TaskId>,
    pub(crate) table: Vec<f64>,
    pub(crate) columns: usize,
    pub(crate) programs: Labels,
    pub(crate) types: Labels,
    pub(crate) may_fail: bool,
}

/// The writer of a file that no task writes.
pub(crate) const NOBODY: u32 = u32::MAX;

impl Workflow {
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    pub fn files(&self) -> usize {
        self.sizes_bytes.len()
    }

    /// In ascending order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = TaskId> + use<> {
        (0..u32::try_from(self.tasks.len()).unwrap_or(u32::MAX)).map(TaskId)
    }

    /// In ascending order.
    pub fn file_ids(&self) -> impl DoubleEndedIterator<Item = FileId> + use<> {
        (0..u32::try_from(self.sizes_bytes.len()).unwrap_or(u32::MAX)).map(FileId)
    }

    pub fn task(&self, task: TaskId) -> &Task {
        &self.tasks[task.index()]
    }

    /// Returns a task's name, which is untrusted text.
    pub fn task_name(&self, task: TaskId) -> &str {
        self.task_names.get(task.index())
    }

    /// Returns the name of the program that a task runs, which is untrusted text.
    pub fn program(&self, task: TaskId) -> Option<&str> {
        self.programs.get(task.index())
    }

    /// Returns the type of a task, which is untrusted text: its declared type, or else its name
    /// without the number at the end.
    pub fn task_type(&self, task: TaskId) -> &str {
        let own = self.types.get(task.index());
        own.unwrap_or_else(|| task_type(self.task_name(task)))
    }

    /// Returns `true` if an attempt of any task can fail.
    pub fn may_fail(&self) -> bool {
        self.may_fail
    }

    /// Returns a file's name, which is untrusted text.
    pub fn file_name(&self, file: FileId) -> &str {
        self.file_names.get(file.index())
    }

    pub fn size_bytes(&self, file: FileId) -> u64 {
        self.sizes_bytes[file.index()]
    }

    /// Returns the task that writes a file; `None` for an input of the workflow.
    pub fn writer(&self, file: FileId) -> Option<TaskId> {
        let writer = self.writers[file.index()];
        (writer != NOBODY).then_some(TaskId(writer))
    }

    /// Returns the tasks that must end before a task starts, in ascending order.
    pub fn parents(&self, task: TaskId) -> impl ExactSizeIterator<Item = TaskId> + '_ {
        self.parents.of(task.index()).iter().map(|it| TaskId(*it))
    }

    /// Returns the tasks that wait for a task, in ascending order.
    pub fn children(&self, task: TaskId) -> impl ExactSizeIterator<Item = TaskId> + '_ {
        self.children.of(task.index()).iter().map(|it| TaskId(*it))
    }

    /// Returns the files that a task reads.
    pub fn inputs(&self, task: TaskId) -> impl ExactSizeIterator<Item = FileId> + '_ {
        self.inputs.of(task.index()).iter().map(|it| FileId(*it))
    }

    /// Returns the files that a task writes.
    pub fn outputs(&self, task: TaskId) -> impl ExactSizeIterator<Item = FileId> + '_ {
        self.outputs.of(task.index()).iter().map(|it| FileId(*it))
    }

    /// Returns the tasks in an order in which each follows its parents. Tasks that could be in
    /// either order are sorted by number.
    pub fn order(&self) -> &[TaskId] {
        &self.order
    }

    /// Returns the time in this row of the table for a kind of host, in seconds.
    pub(crate) fn cell_s(&self, row: u32, column: usize) -> f64 {
        self.table[row as usize * self.columns + column]
    }

    /// Returns the workflow's size in memory, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.tasks.capacity() * size_of::<Task>()
            + (self.sizes_bytes.capacity() + self.table.capacity()) * 8
            + (self.writers.capacity() + self.order.capacity()) * 4
            + self.task_names.memory_bytes()
            + self.file_names.memory_bytes()
            + self.programs.memory_bytes()
            + self.types.memory_bytes()
            + [&self.inputs, &self.outputs, &self.parents, &self.children]
                .map(Adjacency::memory_bytes)
                .iter()
                .sum::<usize>()
    }
}
