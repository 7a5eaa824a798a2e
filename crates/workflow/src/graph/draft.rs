//! Builds workflows from tasks and files.

use super::{FileId, Labels, NOBODY, Names, Task, TaskCost, TaskId};

const MOST: usize = 50_000_000;

/// A workflow under construction. Add tasks and files, then call [`finish`](Draft::finish) to check
/// them.
///
/// ```
/// use prophet_workflow::{Draft, Task, TaskCost};
///
/// let mut draft = Draft::new("two tasks");
/// let first = draft.task("first", Task::new(TaskCost::Seconds(2.0)));
/// let second = draft.task("second", Task::new(TaskCost::Seconds(3.0)));
/// let file = draft.file("data", 1_000_000);
/// draft.writes(first, file);
/// draft.reads(second, file);
/// let workflow = draft.finish().expect("it is right");
/// assert_eq!(workflow.parents(second).collect::<Vec<_>>(), [first]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Draft {
    pub(super) name: String,
    pub(super) tasks: Vec<Task>,
    pub(super) task_names: Names,
    pub(super) sizes_bytes: Vec<u64>,
    pub(super) file_names: Names,
    pub(super) given: Vec<bool>,
    pub(super) reads: Vec<(u32, u32)>,
    pub(super) writes: Vec<(u32, u32)>,
    pub(super) waits: Vec<(u32, u32)>,
    pub(super) table: Vec<f64>,
    pub(super) columns: usize,
    pub(super) programs: Labels,
    pub(super) types: Labels,
    pub(super) is_too_large: bool,
}

impl Draft {
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    pub fn task(&mut self, name: &str, task: Task) -> TaskId {
        let number = u32::try_from(self.tasks.len()).unwrap_or(NOBODY);
        self.is_too_large |= self.tasks.len() >= MOST || !self.task_names.add(name);
        self.tasks.push(task);
        TaskId(number)
    }

    /// Sets the name of the task's program.
    pub fn runs(&mut self, task: TaskId, program: &str) {
        self.is_too_large |= !self.programs.set(task.index(), program);
    }

    /// Sets a task's type. By default, it is the task's name without the number at the end.
    pub fn of_type(&mut self, task: TaskId, task_type: &str) {
        self.is_too_large |= !self.types.set(task.index(), task_type);
    }

    /// Adds a file that a task will write. Declare the writer with [`Self::writes`].
    pub fn file(&mut self, name: &str, size_bytes: u64) -> FileId {
        let number = u32::try_from(self.sizes_bytes.len()).unwrap_or(NOBODY);
        self.is_too_large |= self.sizes_bytes.len() >= MOST || !self.file_names.add(name);
        self.sizes_bytes.push(size_bytes);
        self.given.push(false);
        FileId(number)
    }

    /// Adds another version of a file, written by the named task.
    pub(crate) fn version(&mut self, file: FileId, task: &str) -> FileId {
        let name = format!("{} of {task}", self.file_names.get(file.index()));
        self.file(&name, self.sizes_bytes[file.index()])
    }

    /// Adds a file that exists before the workflow starts.
    pub fn input(&mut self, name: &str, size_bytes: u64) -> FileId {
        let file = self.file(name, size_bytes);
        self.given[file.index()] = true;
        file
    }

    pub fn reads(&mut self, task: TaskId, file: FileId) {
        self.reads.push((task.0, file.0));
    }

    pub fn writes(&mut self, task: TaskId, file: FileId) {
        self.writes.push((task.0, file.0));
    }

    /// Makes a task wait for another task, whether or not files connect them.
    pub fn waits(&mut self, task: TaskId, parent: TaskId) {
        self.waits.push((task.0, parent.0));
    }

    /// Adds a row to the table of costs: the time in seconds on each kind of host. Returns a cost
    /// that refers to the row.
    pub fn row(&mut self, seconds: &[f64]) -> TaskCost {
        let row = self.table.len().checked_div(self.columns).unwrap_or(0);
        self.is_too_large |= !self.table.is_empty() && seconds.len() != self.columns;
        self.columns = seconds.len();
        self.table.extend(seconds);
        TaskCost::Row(u32::try_from(row).unwrap_or(NOBODY))
    }

    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }
}
