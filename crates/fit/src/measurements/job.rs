//! A job of a batch system, or a run of a command.

use std::rc::Rc;

/// State of a job that counts.
pub(crate) const COMPLETED: &str = "COMPLETED";

/// Form of a text with numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    /// A command, whose options name its numbers.
    Command,
    /// Name of a job, such as `lulesh-n30`, where letters do.
    Name,
}

/// A job, or one attempt of it.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) file: Rc<str>,
    pub(crate) line: usize,
    /// What all attempts of a job share; `None` where each line is a job of its own.
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    /// Form of the name, in which numbers may vary.
    pub(crate) text: Text,
    /// True if the name goes on, but not in the file.
    pub(crate) is_cut: bool,
    pub(crate) state: String,
    /// Metrics with their values.
    pub(crate) values: Vec<(String, f64)>,
    /// Sizes of the job.
    pub(crate) sizes: Vec<(&'static str, Option<f64>)>,
}
