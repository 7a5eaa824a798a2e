//! Batch queues of sites: the time until a task may start, and the jobs of others.

use std::sync::Arc;

use prophet_sim::variates::Generator;

/// The longest wait, in seconds: a sample of a distribution may be larger, and is cut.
const LONGEST_S: f64 = 1e12;

/// The queue of a site, which a task waits in after its last input is there.
///
/// A task waits in the queues of all sites, or only at the site of its host if the host is
/// decided before.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Queue {
    /// Seconds until a task that is submitted can start.
    pub submit_delay_s: f64,
    /// Seconds between cycles, at which alone tasks become ready; 0 for at any time.
    pub cycle_s: f64,
    /// Wait of a task after the delay.
    pub wait: Wait,
    /// Jobs of others that use the site's cores, in the order of their submission.
    pub jobs: Arc<[Job]>,
    /// Order in which the jobs and the tasks start.
    pub policy: Policy,
}

/// Seconds that tasks wait: given, or sampled for each task from a distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wait {
    /// Fixed seconds.
    Seconds(f64),
    /// Exponential.
    Exponential { mean_s: f64 },
    /// Uniform.
    Uniform { low_s: f64, high_s: f64 },
    /// Lognormal: the logarithm is normal, with this mean and deviation.
    Lognormal { mu: f64, sigma: f64 },
    /// Weibull.
    Weibull { shape: f64, scale_s: f64 },
}

/// A job of others, as a log describes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Job {
    /// Time of its submission; before the start of the workflow if negative.
    pub submit_s: f64,
    /// Cores that it holds, on any hosts of the site.
    pub cores: u32,
    /// Seconds that the job runs.
    pub run_s: f64,
    /// Seconds that its user asked for, by which backfilling plans.
    pub requested_s: f64,
}

/// Order of the jobs of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// First come, first served.
    #[default]
    Fcfs,
    /// A job or task may jump the queue if it does not delay the first waiting job.
    Easy,
}

impl Default for Wait {
    fn default() -> Self {
        Self::Seconds(0.0)
    }
}

impl Wait {
    /// True if tasks wait for different times.
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

    /// The wait of a task at a site in a run with this seed, whatever else is sampled.
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
    /// Time when a task passes that is submitted at a time.
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
            && is_time(self.cycle_s)
            && self.wait.is_right()
            && self.jobs.iter().all(is_job)
            && self.jobs.is_sorted_by_key(|it| it.submit_s)
    }
}
