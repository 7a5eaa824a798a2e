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

/// Times and hosts: when and where each task runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    pub(crate) runs: Vec<Run>,
    pub(crate) moved_bytes: f64,
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

    /// Bytes that were read, written or sent between hosts.
    pub fn moved_bytes(&self) -> f64 {
        self.moved_bytes
    }
}
