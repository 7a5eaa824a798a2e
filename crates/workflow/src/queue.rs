//! Models batch queues of sites: the time until a task can start, and other users' jobs.

use std::ops::Range;
use std::sync::Arc;

use prophet_sim::variates::Generator;

use crate::graph::LONGEST_S;

/// Maximum number of jobs that an engine runs before or after the tasks.
const ENGINE_JOBS_MAX: u32 = 1000;

/// A site's queue, in which a task waits after its last input is there.
///
/// A task waits in the queues of all sites, or only in its host's site's queue if the host is
/// decided earlier.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Queue {
    /// Seconds until a submitted task can start.
    pub submit_delay_s: f64,
    /// Seconds between two submissions. Only site 0's queue has an interval, because one engine
    /// submits everything.
    pub submit_interval_s: f64,
    /// Seconds between cycles. Tasks become ready only then; 0 means at any time.
    pub cycle_s: f64,
    /// A task's wait after the delay.
    pub wait: QueueWait,
    /// Seconds that a task holds its cores before it works, while its container starts.
    pub start_s: f64,
    /// Other users' jobs on the site's cores, ordered by submission.
    pub jobs: Arc<[Job]>,
    /// Order in which jobs and tasks start.
    pub policy: Policy,
    /// Number of jobs that the workflow's engine runs one after another before the first task, and
    /// after the last. They take time only in the queue. Only site 0's queue has such jobs.
    pub engine_jobs: [u32; 2],
    /// The workflow's engine, if the queue belongs to it.
    pub engine: Option<WorkflowEngine>,
}

/// A workflow engine, and what its executions reveal about its delays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorkflowEngine {
    /// The name.
    pub name: &'static str,
    /// Number of recorded executions.
    pub executions: u32,
    /// The 5th and the 95th percentile of its delays. Each delay makes an execution's predicted
    /// makespan equal the recorded one. `None` if the delay is given.
    pub delays_s: Option<[f64; 2]>,
}

/// How long tasks wait: a fixed time, or drawn for each task from a distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum QueueWait {
    /// A fixed time in seconds.
    Seconds(f64),
    /// Exponentially distributed with this mean.
    Exponential { mean_s: f64 },
    /// Uniformly distributed between these limits.
    Uniform { low_s: f64, high_s: f64 },
    /// Lognormally distributed: the logarithm is normal with this mean and deviation.
    Lognormal { mu: f64, sigma: f64 },
    /// Weibull-distributed with this shape and scale.
    Weibull { shape: f64, scale_s: f64 },
}

/// Another user's job, as a log describes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Job {
    /// Submission time in seconds; negative means before the start of the workflow.
    pub submit_s: f64,
    /// Number of cores that it holds, on any of the site's hosts.
    pub cores: u32,
    /// Run time in seconds.
    pub run_s: f64,
    /// Seconds that its user requested, which backfilling uses.
    pub requested_s: f64,
}

/// Order of other users' jobs.
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
    /// Returns `true` if tasks wait for different times.
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

    /// Returns how long a task waits at a site in a run with this seed. The wait is independent of
    /// other samples.
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
    /// Returns Pegasus' queue: `HTCondor` with `DAGMan`, with the defaults in their manuals.
    ///
    /// `DAGMan` looks for ended jobs every 5 s (`DAGMAN_USER_LOG_SCAN_INTERVAL`) and then submits
    /// at most 5 jobs (`DAGMAN_MAX_SUBMITS_PER_INTERVAL`). Cycles that start jobs are at least 20 s
    /// apart (`NEGOTIATOR_CYCLE_DELAY`). Pegasus creates a folder and stages in inputs before all
    /// tasks; afterwards, it stages out outputs and cleans up.
    ///
    /// Pegasus 4 takes longer from a task's end to the next submission: its delay is fitted to 84
    /// executions in `WfInstances`. The spread comes from executions of both versions.
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

    /// Returns Nextflow's queue on a single host. Recorded times are whole seconds of commands,
    /// without the containers around them. The start time is fitted to 14 executions in
    /// `WfInstances`.
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

    /// Returns the queue with this delay of its engine, which comes before each task's start or
    /// before its submission.
    pub(crate) fn delayed(&self, delay_s: f64) -> Self {
        let mut queue = self.clone();
        if queue.start_s > 0.0 {
            queue.start_s = delay_s;
        } else {
            queue.submit_delay_s = delay_s;
        }
        queue
    }

    /// Returns when the last of several consecutive jobs passes the queue.
    pub(crate) fn passes_in_turn_s(&self, from_s: f64, jobs: Range<u32>, seed: u64) -> f64 {
        // Count down from the largest number, so that these waits are independent of the tasks'
        // waits.
        jobs.fold(from_s, |now_s, job| {
            self.passes_s(now_s, seed, u32::MAX - job, 0)
        })
    }

    /// Returns when a task passes the queue, given its submission time.
    pub(crate) fn passes_s(&self, submitted_s: f64, seed: u64, task: u32, site: usize) -> f64 {
        let wait_s = self.wait.sample_s(seed, task, site);
        let mut passes_s = submitted_s + self.submit_delay_s + wait_s;
        if self.cycle_s > 0.0 {
            passes_s = (passes_s / self.cycle_s).ceil() * self.cycle_s;
        }
        // A cycle that rounds down would go back in time.
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
