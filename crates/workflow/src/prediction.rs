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
    /// Before anything runs. Files are then sent to the host as soon as they are written.
    #[default]
    Plan,
    /// Before the task is submitted. It then waits only in the queue of the host's site.
    Submission,
    /// When the task starts. It waits in the queues of all sites, and then fetches its files.
    Start,
}

/// When and where a task was executed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TaskExecution {
    /// The host that the task ran on.
    pub host: HostId,
    /// Time in seconds at which the task could have started: its inputs had arrived, and the queue
    /// had let it pass.
    pub ready_s: f64,
    /// Time in seconds at which it started to read its files.
    pub start_s: f64,
    /// Time in seconds at which its files had been written.
    pub end_s: f64,
}

/// A run of another user's job.
#[derive(Debug, Clone, PartialEq)]
pub struct JobRun {
    /// Index of the site.
    pub site: usize,
    /// Index of the job in the site's queue.
    pub job: usize,
    /// Start time in seconds.
    pub start_s: f64,
    /// End time in seconds.
    pub end_s: f64,
    /// The hosts that the job ran on, with the number of cores that it occupied on each.
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
    /// Returns when and where a task was executed.
    pub fn run(&self, task: TaskId) -> TaskExecution {
        self.runs[task.index()]
    }

    /// Returns the time in seconds at which the workflow ends: when its last task ends, or the
    /// engine's jobs after it.
    pub fn makespan_s(&self) -> f64 {
        self.end_s
    }

    /// Returns all tasks in the order in which they started. The order is defined even for tasks
    /// that started at the same time.
    pub fn started(&self) -> &[TaskId] {
        &self.started
    }

    /// Returns when the scheduler decided which hosts tasks run on.
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

    /// Returns the number of failed attempts of all tasks.
    pub fn all_failed_attempts(&self) -> u64 {
        self.failed.values().map(|it| u64::from(*it)).sum()
    }

    /// Returns the number of bytes that were read, written or sent between hosts.
    pub fn moved_bytes(&self) -> f64 {
        self.moved_bytes
    }
}

/// The failure of a workflow, because all attempts of one of its tasks failed.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkflowFailure {
    /// Name of the task, which is untrusted text.
    pub task: String,
    /// Number of attempts, which have all failed.
    pub attempts: u32,
    /// Time of the last attempt's failure, in seconds.
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
