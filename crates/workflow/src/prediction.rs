//! Predictions: when and where each task runs.

use crate::{HostId, TaskId};

/// A task as it runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// The host.
    pub host: HostId,
    /// Time when it could have started: its inputs were there, and the queue had let it pass.
    pub ready_s: f64,
    /// Time when it started to read its files.
    pub start_s: f64,
    /// Time when its files were written.
    pub end_s: f64,
}

/// A job of others as it runs.
#[derive(Debug, Clone, PartialEq)]
pub struct JobRun {
    /// Number of the site.
    pub site: usize,
    /// Place of the job in the site's queue.
    pub job: usize,
    /// Time when it started.
    pub start_s: f64,
    /// Time when it ends.
    pub end_s: f64,
    /// Hosts, with the cores that it holds on each.
    pub places: Vec<(HostId, u32)>,
}

/// Times and hosts: when and where each task runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    pub(crate) runs: Vec<Run>,
    pub(crate) moved_bytes: f64,
    pub(crate) jobs: Vec<JobRun>,
    pub(crate) started: Vec<TaskId>,
}

impl Prediction {
    /// A task as it runs.
    pub fn run(&self, task: TaskId) -> Run {
        self.runs[task.index()]
    }

    /// Time when the last task ends, in seconds.
    pub fn makespan_s(&self) -> f64 {
        self.runs.iter().map(|it| it.end_s).fold(0.0, f64::max)
    }

    /// All tasks in the order in which they started, also at one time.
    pub fn started(&self) -> &[TaskId] {
        &self.started
    }

    /// Jobs of others that started before the workflow ended, site by site.
    pub fn jobs(&self) -> &[JobRun] {
        &self.jobs
    }

    /// Bytes that were read, written or sent between hosts.
    pub fn moved_bytes(&self) -> f64 {
        self.moved_bytes
    }
}
