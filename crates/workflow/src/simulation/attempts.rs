//! Decides which attempts of tasks fail, and how much of its computing time each takes before it
//! fails.

use std::collections::BTreeMap;

use prophet_sim::variates::Generator;

use crate::{Task, TaskId};

#[derive(Debug)]
pub(super) struct Attempts {
    seed: u64,
    failed: BTreeMap<TaskId, u32>,
}

impl Attempts {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            seed,
            failed: BTreeMap::new(),
        }
    }

    /// Returns the share of a task's computing time after which its next attempt fails; `None` if
    /// the attempt succeeds.
    ///
    /// The share is uniformly distributed. It depends only on the seed, the task and the attempt,
    /// so that all schedulers face the same failures.
    pub(super) fn fails_after(&self, id: TaskId, task: &Task) -> Option<f64> {
        if task.failure_probability <= 0.0 {
            return None;
        }
        // Nonnegative numbers are used for the task's waits in the queues of sites.
        let attempt = -1 - i64::from(self.failed(id));
        let mut random = Generator::new(self.seed, id.0, attempt);
        let mut uniform = || random.uniform(0.0, 1.0).unwrap_or(0.0);
        let (chance, part) = (uniform(), uniform());
        (chance < task.failure_probability).then_some(part)
    }

    /// Counts a failed attempt. Returns `true` if the task is to be retried.
    pub(super) fn fail(&mut self, id: TaskId, task: &Task) -> bool {
        let failed = self.failed.entry(id).or_default();
        *failed += 1;
        *failed <= task.retries
    }

    pub(super) fn failed(&self, id: TaskId) -> u32 {
        self.failed.get(&id).copied().unwrap_or(0)
    }

    pub(super) fn into_failed(self) -> BTreeMap<TaskId, u32> {
        self.failed
    }
}
