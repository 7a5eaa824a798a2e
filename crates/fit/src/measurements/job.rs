//! Represents a job of a batch system, or a run of a command.

use std::rc::Rc;

/// The state of the jobs that are used.
pub(crate) const COMPLETED: &str = "COMPLETED";

/// The kind of text that contains the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    /// A command, in which options name the numbers.
    Command,
    /// A job name such as `lulesh-n30`, in which letters name the numbers.
    Name,
}

/// A job, or one of its attempts.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) file: Rc<str>,
    pub(crate) line: usize,
    /// Id shared by all attempts of a job; `None` if each line is a separate job.
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    /// Kind of text of the name, which can contain numbers that vary.
    pub(crate) text: Text,
    /// Whether the file truncates the name.
    pub(crate) is_cut: bool,
    pub(crate) state: String,
    pub(crate) values: Vec<(String, f64)>,
    pub(crate) sizes: Vec<(&'static str, Option<f64>)>,
}
