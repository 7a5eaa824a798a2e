//! Models the batch queues of sites: how long tasks wait before they can start, and other users'
//! jobs.

use std::ops::Range;
use std::sync::Arc;

use prophet_sim::variates::Generator;

use crate::graph::LONGEST_S;

/// Maximum number of jobs that an engine runs before or after the tasks.
const ENGINE_JOBS_MAX: u32 = 1000;

/// The queue of a site, in which a task waits after its last input has arrived.
///
/// A task waits in the queues of all sites or, if its host is decided earlier, only in the queue of
/// that host's site.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Queue {
    /// Time in seconds between a task's submission and its possible start.
    pub submit_delay_s: f64,
    /// Time in seconds between two submissions. Only the queue of site 0 has such an interval,
    /// because a single engine submits all tasks.
    pub submit_interval_s: f64,
    /// Time in seconds between two cycles. Tasks become ready only at a cycle, or at any time if
    /// this is 0.
    pub cycle_s: f64,
    /// How long a task waits after the submission delay.
    pub wait: QueueWait,
    /// Time in seconds for which a task occupies its cores before it works, while its container
    /// starts.
    pub start_s: f64,
    /// Other users' jobs on the site's cores, in the order of submission.
    pub jobs: Arc<[Job]>,
    /// The order in which jobs and tasks start.
    pub policy: Policy,
    /// Number of jobs that the workflow's engine runs one after another, before the first task and
    /// after the last one. They take no time beyond their waits in the queue. Only the queue of
    /// site 0 has such jobs.
    pub engine_jobs: [u32; 2],
    /// The workflow engine that the queue belongs to, if any.
    pub engine: Option<WorkflowEngine>,
}

/// A workflow engine, and its delays in recorded executions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorkflowEngine {
    pub name: &'static str,
    /// Number of recorded executions from which the delays were derived.
    pub executions: u32,
    /// The 5th and 95th percentiles of the engine's delays, in seconds. An execution's delay is the
    /// one at which the predicted makespan equals the recorded one. `None` if the user specified
    /// the delay.
    pub delays_s: Option<[f64; 2]>,
}

/// How long tasks wait: a fixed time, or a time drawn for each task from a distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum QueueWait {
    /// Every task waits this long, in seconds.
    Seconds(f64),
    /// Exponentially distributed.
    Exponential { mean_s: f64 },
    /// Uniformly distributed.
    Uniform { low_s: f64, high_s: f64 },
    /// Lognormally distributed; `mu` and `sigma` are the mean and standard deviation of the
    /// logarithm.
    Lognormal { mu: f64, sigma: f64 },
    /// Weibull-distributed.
    Weibull { shape: f64, scale_s: f64 },
}

/// A job of another user, as a log describes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Job {
    /// Submission time in seconds after the start of the workflow; negative if it was submitted
    /// before.
    pub submit_s: f64,
    /// Number of cores that the job occupies, on any hosts of the site.
    pub cores: u32,
    /// In seconds.
    pub run_s: f64,
    /// Run time in seconds that the user requested, which backfilling relies on.
    pub requested_s: f64,
}

/// The order in which other users' jobs start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    #[default]
    Fcfs,
    /// A job or task can jump the queue if that doesn't delay the first waiting job.
    Easy,
}

impl Default for QueueWait {
    fn default() -> Self {
        Self::Seconds(0.0)
    }
}

impl QueueWait {
    pub fn is_random(self) -> bool {
        !matches!(self, Self::Seconds(_))
    }

    pub(crate) fn is_right(self) -> bool {
        let is_time = |it: f64| (0.0..=LONGEST_S).contains(&it);
        match self {
            Self::Seconds(it) => is_time(it),
            Self::Exponential { mean_s } => is_time(mean_s) && mean_s > 0.0,
            Self::Uniform { low_s, high_s } => is_time(low_s) && is_time(high_s) && low_s < high_s,
            Self::Lognormal { mu, sigma } => mu.abs() <= 100.0 && (0.0..=100.0).contains(&sigma),
            Self::Weibull { shape, scale_s } => {
                (1e-3..=1e3).contains(&shape) && is_time(scale_s) && scale_s > 0.0
            }
        }
    }

    /// Returns how long a task waits at a site in a run with this seed. Waits are independent of
    /// each other.
    fn sample_s(self, seed: u64, task: u32, site: usize) -> f64 {
        let site = i64::try_from(site).unwrap_or(i64::MAX);
        let mut random = Generator::new(seed, task, site);
        let sampled = match self {
            Self::Seconds(it) => return it,
            Self::Exponential { mean_s } => random.exponential(mean_s),
            Self::Uniform { low_s, high_s } => random.uniform(low_s, high_s),
            Self::Lognormal { mu, sigma } => random.lognormal(mu, sigma),
            Self::Weibull { shape, scale_s } => random.weibull(shape, scale_s),
        };
        sampled.unwrap_or(0.0).clamp(0.0, LONGEST_S)
    }
}

impl Queue {
    /// Returns the queue of Pegasus (`HTCondor` with `DAGMan`), with the defaults from the manuals.
    ///
    /// `DAGMan` looks for finished jobs every 5 s (`DAGMAN_USER_LOG_SCAN_INTERVAL`) and then
    /// submits at most 5 jobs (`DAGMAN_MAX_SUBMITS_PER_INTERVAL`). Cycles that start jobs are at
    /// least 20 s apart (`NEGOTIATOR_CYCLE_DELAY`). Before the tasks, Pegasus creates a folder and
    /// stages in the inputs. After them, it stages out the outputs and cleans up.
    ///
    /// Pegasus 4 takes longer between the end of a task and the next submission, so its delay is
    /// fitted to 84 executions in `WfInstances`. The percentiles come from executions with either
    /// version.
    pub fn pegasus(version: &str) -> Self {
        let is_old = version.starts_with("4.");
        Self {
            submit_delay_s: if is_old { 30.0 } else { 5.0 },
            submit_interval_s: 1.0,
            cycle_s: 20.0,
            engine_jobs: [2, 2],
            engine: Some(WorkflowEngine {
                name: "Pegasus",
                executions: 117,
                delays_s: Some([0.0, 620.0]),
            }),
            ..Self::default()
        }
    }

    /// Returns the queue of Nextflow on a single host. Recordings contain the times of commands in
    /// whole seconds, without the time to start a container. That time is fitted to 14 executions
    /// in `WfInstances`.
    pub fn nextflow() -> Self {
        Self {
            start_s: 3.0,
            engine: Some(WorkflowEngine {
                name: "Nextflow",
                executions: 14,
                delays_s: Some([2.5, 35.0]),
            }),
            ..Self::default()
        }
    }

    /// Returns the queue with this delay of its engine, either before each task's start or before
    /// its submission.
    pub(crate) fn delayed(&self, delay_s: f64) -> Self {
        let mut queue = self.clone();
        if queue.start_s > 0.0 {
            queue.start_s = delay_s;
        } else {
            queue.submit_delay_s = delay_s;
        }
        queue
    }

    /// Returns when the last of several consecutive jobs has passed the queue.
    pub(crate) fn passes_in_turn_s(&self, from_s: f64, jobs: Range<u32>, seed: u64) -> f64 {
        // Count down from the largest number, so that these waits are independent of the tasks'
        // waits.
        jobs.fold(from_s, |now_s, job| {
            self.passes_s(now_s, seed, u32::MAX - job, 0)
        })
    }

    /// Returns when a task that was submitted at `submitted_s` passes the queue.
    pub(crate) fn passes_s(&self, submitted_s: f64, seed: u64, task: u32, site: usize) -> f64 {
        let wait_s = self.wait.sample_s(seed, task, site);
        let mut passes_s = submitted_s + self.submit_delay_s + wait_s;
        if self.cycle_s > 0.0 {
            passes_s = (passes_s / self.cycle_s).ceil() * self.cycle_s;
        }
        // If rounding makes a cycle earlier, time would go backward.
        passes_s.max(submitted_s)
    }

    pub(crate) fn is_right(&self) -> bool {
        let is_time = |it: f64| it.is_finite() && it >= 0.0;
        let is_job = |it: &Job| {
            it.submit_s.is_finite() && it.cores > 0 && it.run_s > 0.0 && it.run_s.is_finite()
        };
        is_time(self.submit_delay_s)
            && is_time(self.start_s)
            && is_time(self.submit_interval_s)
            && is_time(self.cycle_s)
            && self.wait.is_right()
            && self.engine_jobs.iter().all(|it| *it <= ENGINE_JOBS_MAX)
            && self.jobs.iter().all(is_job)
            && self.jobs.is_sorted_by_key(|it| it.submit_s)
    }
}
