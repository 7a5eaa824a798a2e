//! Tracks the queues of sites: which tasks they let pass, and other users' jobs in them.

use std::collections::BTreeSet;

use super::jobs::SiteJobs;
use crate::hosts::Hosts;
use crate::prediction::JobRun;
use crate::scheduler::Gate;
use crate::{HostId, TaskId, Workflow, WorkflowMachine};

#[derive(Debug)]
pub(super) struct Queues<'a> {
    workflow: &'a Workflow,
    machine: &'a WorkflowMachine,
    /// Whether a task can pass the queues of two sites at different times.
    differ: bool,
    /// When the engine can submit the next task.
    free_s: f64,
    /// When each task was submitted; empty if not needed.
    submitted_s: Vec<f64>,
    pub(super) jobs: Vec<SiteJobs>,
    /// Index in `jobs` of each site; `None` for sites without jobs.
    of_site: Vec<Option<u32>>,
    /// Ready tasks that wait to start, sorted by the bits of their times; empty without jobs.
    waiting: BTreeSet<(u64, TaskId)>,
}

impl<'a> Queues<'a> {
    pub(super) fn new(workflow: &'a Workflow, machine: &'a WorkflowMachine) -> Self {
        let queues = &machine.queues;
        let first = &queues[0];
        let is_alike = |it: &crate::Queue| {
            let times = (it.submit_delay_s, it.cycle_s, it.wait);
            times == (first.submit_delay_s, first.cycle_s, first.wait) && !it.wait.is_random()
        };
        let differ = queues.len() > 1 && !queues.iter().all(is_alike);
        let mut jobs = Vec::new();
        let mut of_site = vec![None; queues.len()];
        for (site, queue) in queues.iter().enumerate() {
            if !queue.jobs.is_empty() {
                of_site[site] = u32::try_from(jobs.len()).ok();
                jobs.push(SiteJobs::new(machine, site));
            }
        }
        let asked = differ || !jobs.is_empty();
        Self {
            workflow,
            machine,
            differ,
            free_s: 0.0,
            submitted_s: vec![0.0; if asked { workflow.len() } else { 0 }],
            jobs,
            of_site,
            waiting: BTreeSet::new(),
        }
    }

    /// Returns when a task that is due for submission is ready, and which sites let it pass later.
    ///
    /// A task whose host is decided waits only for that host's site.
    pub(super) fn submit(
        &mut self,
        task: TaskId,
        due_s: f64,
        host: Option<HostId>,
    ) -> (f64, Vec<(f64, HostId)>) {
        let interval_s = self.machine.queues[0].submit_interval_s;
        let submitted_s = if interval_s > 0.0 {
            due_s.max(self.free_s)
        } else {
            due_s
        };
        self.free_s = submitted_s + interval_s;
        if let Some(place) = self.submitted_s.get_mut(task.index()) {
            *place = submitted_s;
        }
        let passes_s = |site: usize| {
            let queue = &self.machine.queues[site];
            queue.passes_s(submitted_s, self.machine.seed, task.0, site)
        };
        let site = host.map_or(0, |it| self.machine.site(it));
        if !self.differ || host.is_some() {
            return (passes_s(site), Vec::new());
        }
        let mut all: Vec<(f64, HostId)> = Vec::new();
        let mut first = 0;
        for group in self.machine.groups() {
            all.push((passes_s(group.site), HostId(first)));
            first += group.count;
        }
        all.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        let ready_s = all[0].0;
        all.retain(|it| it.0 > ready_s);
        all.dedup_by_key(|it| it.0);
        (ready_s, all)
    }

    /// Returns the runs of jobs, site by site.
    pub(super) fn into_runs(self) -> Vec<JobRun> {
        self.jobs.into_iter().flat_map(|it| it.runs).collect()
    }

    /// Returns `true` if queues or jobs can keep a task from starting on a host that has room.
    pub(super) fn are_gates(&self) -> bool {
        !self.submitted_s.is_empty()
    }

    pub(super) fn ready(&mut self, task: TaskId, now_s: f64) {
        if !self.jobs.is_empty() {
            self.waiting.insert((now_s.to_bits(), task));
        }
    }

    /// Removes a starting task from the queue, and makes its cores unavailable to the site's jobs.
    pub(super) fn start(&mut self, task: TaskId, ready_s: f64, host: HostId, end_s: f64) {
        self.waiting.remove(&(ready_s.to_bits(), task));
        if let Some(jobs) = self.of_site[self.machine.site(host)] {
            let cores = self.workflow.task(task).cores;
            self.jobs[jobs as usize].took(task, cores, end_s);
        }
    }

    pub(super) fn ended(&mut self, task: TaskId, host: HostId) {
        if let Some(jobs) = self.of_site[self.machine.site(host)] {
            self.jobs[jobs as usize].gave(task, self.workflow.task(task).cores);
        }
    }

    /// Starts jobs: only those that were submitted before all waiting tasks, or all that can start.
    /// Adds the end of each started job, with its indices, to `ends`.
    pub(super) fn start_jobs(
        &mut self,
        all: bool,
        now_s: f64,
        hosts: &mut Hosts,
        ends: &mut Vec<(f64, u32, u32)>,
    ) {
        let first = self.waiting.first().map(|it| f64::from_bits(it.0));
        let until_s = if all { None } else { first }.unwrap_or(f64::INFINITY);
        for (place, jobs) in (0..).zip(&mut self.jobs) {
            jobs.start(until_s, now_s, hosts, |end_s, run| {
                ends.push((end_s, place, run));
            });
        }
    }
}

impl Gate for Queues<'_> {
    fn is_open(&self, task: TaskId, host: HostId, now_s: f64) -> bool {
        let site = self.machine.site(host);
        if self.differ && self.passes_s(task, host) > now_s {
            return false;
        }
        let Some(jobs) = self.of_site[site] else {
            return true;
        };
        let it = self.workflow.task(task);
        let seconds = || self.machine.seconds(self.workflow, it, host);
        let expected_s = it.requested_s.unwrap_or_else(seconds);
        let ready_s = self.passes_s(task, host);
        self.jobs[jobs as usize].lets(ready_s, it.cores, now_s, expected_s)
    }

    fn passes_s(&self, task: TaskId, host: HostId) -> f64 {
        let site = self.machine.site(host);
        let submitted_s = self.submitted_s[task.index()];
        let queue = &self.machine.queues[site];
        queue.passes_s(submitted_s, self.machine.seed, task.0, site)
    }

    fn held(&self) -> Box<dyn Iterator<Item = (HostId, u32, f64)> + '_> {
        Box::new(self.jobs.iter().flat_map(SiteJobs::held))
    }
}
