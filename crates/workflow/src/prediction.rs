//! Predictions: when and where each task runs.

use std::collections::BTreeMap;
use std::fmt;

use prophet_text::Problem;
use serde::{Deserialize, Serialize};

use crate::{HostId, TaskId, quoted};

/// Time at which a scheduler decides on the host of a task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DecisionTime {
    /// Before anything runs: files go to the host as soon as they are written.
    #[default]
    Plan,
    /// Before the task is submitted: it waits in the queue of that host's site alone.
    Submission,
    /// When the task starts: it waits at all sites, and then fetches its files.
    Start,
}

/// A task as it runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TaskExecution {
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
    /// A task as it runs.
    pub fn run(&self, task: TaskId) -> TaskExecution {
        self.runs[task.index()]
    }

    /// Time when the workflow ends: its last task, or the engine's jobs after it.
    pub fn makespan_s(&self) -> f64 {
        self.end_s
    }

    /// All tasks in the order in which they started, also at one time.
    pub fn started(&self) -> &[TaskId] {
        &self.started
    }

    /// The time at which the scheduler decided on hosts.
    pub fn decided(&self) -> DecisionTime {
        self.decided
    }

    /// Jobs of others that started before the workflow ended, site by site.
    pub fn jobs(&self) -> &[JobRun] {
        &self.jobs
    }

    /// Attempts of a task that failed before the successful one.
    pub fn failed_attempts(&self, task: TaskId) -> u32 {
        self.failed.get(&task).copied().unwrap_or(0)
    }

    /// Attempts of all tasks that failed.
    pub fn all_failed_attempts(&self) -> u64 {
        self.failed.values().map(|it| u64::from(*it)).sum()
    }

    /// Bytes that were read, written or sent between hosts.
    pub fn moved_bytes(&self) -> f64 {
        self.moved_bytes
    }
}

/// A failure of the workflow: all attempts of a task failed.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkflowFailure {
    /// Name of the task, as a stranger wrote it.
    pub task: String,
    /// Attempts of it, all of which failed.
    pub attempts: u32,
    /// Time of the last failure, in seconds.
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

/// Reason why there is no prediction.
#[derive(Debug, Clone, PartialEq)]
pub enum NotPredicted {
    /// The workflow cannot be simulated.
    Wrong(Problem),
    /// The simulation has come to a failure of the workflow.
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
