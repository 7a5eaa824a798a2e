//! Represents a job of a batch system, or a run of a command.

use std::rc::Rc;

/// State of the jobs that count.
pub(crate) const COMPLETED: &str = "COMPLETED";

/// What kind of text the numbers are in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    /// A command, whose options name its numbers.
    Command,
    /// A job name such as `lulesh-n30`, in which letters name the numbers.
    Name,
}

/// A job, or a single attempt of it.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) file: Rc<str>,
    pub(crate) line: usize,
    /// Id that all attempts of a job share; `None` if each line is a separate job.
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    /// Kind of the name, which may contain numbers that vary.
    pub(crate) text: Text,
    /// Whether the file truncates the name.
    pub(crate) is_cut: bool,
    pub(crate) state: String,
    pub(crate) values: Vec<(String, f64)>,
    pub(crate) sizes: Vec<(&'static str, Option<f64>)>,
}
