//! Implements backfilling: tasks can jump the queue if they don't delay any task that was promised
//! a start time.
//!
//! Mu'alem and Feitelson, Utilization, Predictability, Workloads, and User Runtime Estimates in
//! Scheduling the IBM SP2 with Backfilling (2001). Promises consider only cores, so a task can
//! start later than promised if its host lacks memory.

use super::profile::{Profile, first_end};
use crate::{HostId, Scheduler, TaskId, View};

const DEPTH: usize = 1_000;

#[derive(Debug, Clone, Copy)]
struct Running {
    task: TaskId,
    host: HostId,
    cores: u32,
    end_s: f64,
}

#[derive(Debug, Default)]
struct QueuedJobs {
    queue: Vec<TaskId>,
    running: Vec<Running>,
}

impl QueuedJobs {
    fn start(&mut self, place: usize, host: HostId, view: &View<'_>) -> (TaskId, HostId) {
        let task = self.queue.remove(place);
        self.running.push(Running {
            task,
            host,
            cores: view.workflow.task(task).cores,
            end_s: view.now_s + view.expected_s(task, host),
        });
        (task, host)
    }

    fn ended(&mut self, task: TaskId) {
        self.running.retain(|it| it.task != task);
    }

    /// Returns each host's free cores over time if everything that runs ends as expected.
    fn profiles(&self, view: &View<'_>) -> Vec<Profile> {
        let cores = |it| Profile::new(view.machine.group(it).cores);
        let mut profiles: Vec<Profile> = view.machine.hosts().map(cores).collect();
        // Tasks that run longer than expected can end at any time.
        let soon_s = view.now_s * 1e-9 + 1e-9;
        for it in &self.running {
            let duration_s = (it.end_s - view.now_s).max(soon_s);
            profiles[it.host.index()].reserve(view.now_s, it.cores, duration_s);
        }
        for (host, cores, end_s) in view.held_by_others() {
            let duration_s = (end_s - view.now_s).max(soon_s);
            profiles[host.index()].reserve(view.now_s, cores, duration_s);
        }
        profiles
    }
}

/// Returns the host on which a task would end earliest, and when it would start there.
fn promise(task: TaskId, profiles: &[Profile], view: &View<'_>) -> Option<(HostId, f64)> {
    let it = view.workflow.task(task);
    let hosts = view
        .machine
        .hosts()
        .filter(|host| view.machine.can_run(it, *host));
    let hosts = hosts.map(|host| (host, view.opens_s(task, host), view.expected_s(task, host)));
    first_end(hosts, profiles, it.cores).map(|it| (it.0, it.1))
}

/// EASY backfilling: a task can jump the queue if the first task in the queue can still start when
/// promised.
#[derive(Debug, Default)]
pub struct Easy(QueuedJobs);

impl Scheduler for Easy {
    fn ready(&mut self, task: TaskId, _: &View<'_>) {
        self.0.queue.push(task);
    }

    fn ended(&mut self, task: TaskId, _: HostId, _: &View<'_>) {
        self.0.ended(task);
    }

    fn next(&mut self, view: &View<'_>) -> Option<(TaskId, HostId)> {
        let first = *self.0.queue.first()?;
        if let Some(host) = view.first_fit(first) {
            return Some(self.0.start(0, host, view));
        }
        let mut profiles = self.0.profiles(view);
        let (host, start_s) = promise(first, &profiles, view)?;
        let (cores, duration_s) = (
            view.workflow.task(first).cores,
            view.expected_s(first, host),
        );
        profiles[host.index()].reserve(start_s, cores, duration_s);
        let jumps = |task: TaskId| {
            view.all_fits(task).find(|host| {
                let (cores, duration_s) =
                    (view.workflow.task(task).cores, view.expected_s(task, *host));
                let profile = &profiles[host.index()];
                profile.earliest_s(view.now_s, cores, duration_s) <= view.now_s
            })
        };
        let others = self.0.queue.iter().enumerate().skip(1).take(DEPTH);
        let mut found = others.filter_map(|(place, task)| Some((place, jumps(*task)?)));
        let (place, host) = found.next()?;
        Some(self.0.start(place, host, view))
    }
}

/// Conservative backfilling: a task can jump the queue if all tasks before it can still start when
/// promised.
#[derive(Debug, Default)]
pub struct Conservative {
    jobs: QueuedJobs,
    /// Whether nothing has changed since no task could start.
    is_settled: bool,
}

impl Scheduler for Conservative {
    fn ready(&mut self, task: TaskId, _: &View<'_>) {
        self.jobs.queue.push(task);
        self.is_settled = false;
    }

    fn ended(&mut self, task: TaskId, _: HostId, _: &View<'_>) {
        self.jobs.ended(task);
        self.is_settled = false;
    }

    fn freed(&mut self, _: HostId, _: &View<'_>) {
        self.is_settled = false;
    }

    fn next(&mut self, view: &View<'_>) -> Option<(TaskId, HostId)> {
        if self.is_settled {
            return None;
        }
        let mut profiles = self.jobs.profiles(view);
        for place in 0..self.jobs.queue.len().min(DEPTH) {
            let task = self.jobs.queue[place];
            let (host, start_s) = promise(task, &profiles, view)?;
            if start_s <= view.now_s && view.fits(task, host) {
                return Some(self.jobs.start(place, host, view));
            }
            let (cores, duration_s) = (view.workflow.task(task).cores, view.expected_s(task, host));
            profiles[host.index()].reserve(start_s, cores, duration_s);
        }
        self.is_settled = true;
        None
    }
}
