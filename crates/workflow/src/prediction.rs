//! Represents predictions: when and where each task runs.

use std::collections::BTreeMap;
use std::fmt;

use prophet_text::Problem;
use serde::{Deserialize, Serialize};

use crate::{HostId, TaskId, quoted};

/// When a scheduler decides which host a task runs on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DecisionTime {
    /// Before anything runs. Files are sent to the host as soon as they are written.
    #[default]
    Plan,
    /// Before the task is submitted. The task waits only in the queue of its host's site.
    Submission,
    /// When the task starts. The task waits in the queues of all sites, then fetches its files.
    Start,
}

/// When and where a task was executed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TaskExecution {
    pub host: HostId,
    /// When the task could have started, in seconds: its inputs had arrived, and the queue had let
    /// it pass.
    pub ready_s: f64,
    /// When the task started to read its files, in seconds.
    pub start_s: f64,
    /// When all its files had been written, in seconds.
    pub end_s: f64,
}

/// When and where another user's job ran.
#[derive(Debug, Clone, PartialEq)]
pub struct JobRun {
    pub site: usize,
    /// Index of the job in the site's queue.
    pub job: usize,
    /// In seconds.
    pub start_s: f64,
    /// In seconds.
    pub end_s: f64,
    /// The hosts that the job ran on, and how many cores it occupied on each.
    pub places: Vec<(HostId, u32)>,
}

/// A prediction of a workflow: when and where each task runs.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkflowPrediction {
    pub(crate) end_s: f64,
    pub(crate) runs: Vec<TaskExecution>,
    pub(crate) moved_bytes: f64,
    pub(crate) jobs: Vec<JobRun>,
    pub(crate) started: Vec<TaskId>,
    pub(crate) decided: DecisionTime,
    pub(crate) failed: BTreeMap<TaskId, u32>,
}

impl WorkflowPrediction {
    pub fn run(&self, task: TaskId) -> TaskExecution {
        self.runs[task.index()]
    }

    /// Returns when the workflow ends, in seconds: after its last task, and after the engine's jobs
    /// that follow it.
    pub fn makespan_s(&self) -> f64 {
        self.end_s
    }

    /// Returns all tasks in the order in which they started, even if some started at the same time.
    pub fn started(&self) -> &[TaskId] {
        &self.started
    }

    /// Returns when the scheduler decided where tasks run.
    pub fn decided(&self) -> DecisionTime {
        self.decided
    }

    /// Returns the jobs of other users that started before the workflow ended, site by site.
    pub fn jobs(&self) -> &[JobRun] {
        &self.jobs
    }

    /// Returns how many attempts of a task failed before one succeeded.
    pub fn failed_attempts(&self, task: TaskId) -> u32 {
        self.failed.get(&task).copied().unwrap_or(0)
    }

    /// Returns the number of failed attempts, summed over all tasks.
    pub fn all_failed_attempts(&self) -> u64 {
        self.failed.values().map(|it| u64::from(*it)).sum()
    }

    /// Returns the number of bytes that were read, written or sent between hosts.
    pub fn moved_bytes(&self) -> f64 {
        self.moved_bytes
    }
}

/// Why a workflow failed: all attempts of one of its tasks failed.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkflowFailure {
    /// Name of the task (untrusted text).
    pub task: String,
    /// Number of attempts, all of which failed.
    pub attempts: u32,
    /// When the last attempt failed, in seconds.
    pub at_s: f64,
}

impl fmt::Display for WorkflowFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = prophet_text::short_time(self.at_s);
        write!(f, "the workflow fails at {at}: ")?;
        let task = quoted(&self.task);
        match self.attempts {
            1 => write!(f, "task {task} fails and is not retried"),
            attempts => write!(f, "all {attempts} attempts of task {task} fail"),
        }
    }
}

/// Why there is no prediction.
#[derive(Debug, Clone, PartialEq)]
pub enum NotPredicted {
    Wrong(Problem),
    Failed(WorkflowFailure),
}

impl From<Problem> for NotPredicted {
    fn from(problem: Problem) -> Self {
        Self::Wrong(problem)
    }
}

impl From<NotPredicted> for Problem {
    fn from(reason: NotPredicted) -> Self {
        match reason {
            NotPredicted::Wrong(problem) => problem,
            NotPredicted::Failed(failure) => {
                let help = "Add `retries` to the task, or lower its `failure_probability`; use \
                            `--replications` to see how often the workflow fails.";
                Self::with_help(failure.to_string(), help)
            }
        }
    }
}

impl fmt::Display for NotPredicted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Problem::from(self.clone()).fmt(f)
    }
}

impl std::error::Error for NotPredicted {}
