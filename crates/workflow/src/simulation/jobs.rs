//! Starts other users' jobs at a site, in submission order or with EASY backfilling.
//!
//! A job that fits starts before any task that was submitted later. A task waits while an earlier
//! job waits, unless backfilling lets the task jump the queue. A job never waits for a task that is
//! still waiting, because the scheduler may be holding that task back for a different reason.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use crate::hosts::Hosts;
use crate::prediction::JobRun;
use crate::{HostId, Job, Policy, TaskId, WorkflowMachine};

/// Number of waiting jobs that backfilling considers.
const DEPTH: usize = 1_000;

/// What occupies cores: a task, or a run of a job, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CoreHolder {
    Task(TaskId),
    Job(u32),
}

#[derive(Debug)]
pub(super) struct SiteJobs {
    site: usize,
    policy: Policy,
    list: Arc<[Job]>,
    hosts: Vec<HostId>,
    free: u64,
    submitted: usize,
    /// Submitted jobs that haven't started, in submission order.
    waiting: VecDeque<u32>,
    /// Occupied cores, by the time when they are expected to be free and by what occupies them.
    holds: BTreeMap<(u64, CoreHolder), u32>,
    ends: BTreeMap<CoreHolder, u64>,
    pub(super) runs: Vec<JobRun>,
}

/// Converts a time to an integer that sorts in the same way. Times before the start of the workflow
/// are negative.
fn order(time_s: f64) -> u64 {
    let bits = time_s.to_bits();
    let mask = if time_s.is_sign_negative() {
        u64::MAX
    } else {
        1 << 63
    };
    bits ^ mask
}

fn time_s(order: u64) -> f64 {
    let mask = if order >> 63 == 0 { u64::MAX } else { 1 << 63 };
    f64::from_bits(order ^ mask)
}

impl SiteJobs {
    pub(super) fn new(machine: &WorkflowMachine, site: usize) -> Self {
        let queue = &machine.queues[site];
        let hosts: Vec<HostId> = machine
            .hosts()
            .filter(|it| machine.site(*it) == site)
            .collect();
        let cores = |it: &HostId| u64::from(machine.group(*it).cores);
        Self {
            site,
            policy: queue.policy,
            list: Arc::clone(&queue.jobs),
            free: hosts.iter().map(cores).sum(),
            hosts,
            submitted: 0,
            waiting: VecDeque::new(),
            holds: BTreeMap::new(),
            ends: BTreeMap::new(),
            runs: Vec::new(),
        }
    }

    pub(super) fn next_s(&self) -> Option<f64> {
        self.list.get(self.submitted).map(|it| it.submit_s)
    }

    pub(super) fn submit(&mut self) {
        self.waiting
            .push_back(u32::try_from(self.submitted).unwrap_or(u32::MAX));
        self.submitted += 1;
    }

    pub(super) fn took(&mut self, task: TaskId, cores: u32, end_s: f64) {
        self.hold(CoreHolder::Task(task), cores, end_s);
    }

    pub(super) fn gave(&mut self, task: TaskId, cores: u32) {
        self.release(CoreHolder::Task(task), cores);
    }

    fn hold(&mut self, holder: CoreHolder, cores: u32, end_s: f64) {
        self.free -= u64::from(cores);
        self.holds.insert((order(end_s), holder), cores);
        self.ends.insert(holder, order(end_s));
    }

    fn release(&mut self, holder: CoreHolder, cores: u32) {
        self.free += u64::from(cores);
        if let Some(end) = self.ends.remove(&holder) {
            self.holds.remove(&(end, holder));
        }
    }

    /// Frees the cores of a job whose run has ended.
    pub(super) fn end(&mut self, run: u32, hosts: &mut Hosts) {
        let places = &self.runs[run as usize].places;
        let mut cores = 0;
        for &(host, count) in places {
            hosts.give_cores(host, count);
            cores += count;
        }
        self.release(CoreHolder::Job(run), cores);
    }

    pub(super) fn places(&self, run: u32) -> &[(HostId, u32)] {
        &self.runs[run as usize].places
    }

    /// Starts the waiting jobs that were submitted by `until_s` and can start.
    pub(super) fn start(
        &mut self,
        until_s: f64,
        now_s: f64,
        hosts: &mut Hosts,
        mut started: impl FnMut(f64, u32),
    ) {
        while let Some(place) = self.next(until_s, now_s) {
            let Some(number) = self.waiting.remove(place) else {
                return;
            };
            let job = self.list[number as usize];
            let run = u32::try_from(self.runs.len()).unwrap_or(u32::MAX);
            let end_s = now_s + job.run_s;
            self.runs.push(JobRun {
                site: self.site,
                job: number as usize,
                start_s: now_s,
                end_s,
                places: self.places_for(job.cores, hosts),
            });
            self.hold(CoreHolder::Job(run), job.cores, now_s + job.requested_s);
            started(end_s, run);
        }
    }

    /// Returns the position, among the waiting jobs, of the next one to start.
    fn next(&self, until_s: f64, now_s: f64) -> Option<usize> {
        let is_due = |it: &Job| it.submit_s <= until_s;
        let first = self.list[*self.waiting.front()? as usize];
        if is_due(&first) && u64::from(first.cores) <= self.free {
            return Some(0);
        }
        if self.policy == Policy::Fcfs {
            return None;
        }
        let (shadow_s, spare) = self.shadow(first.cores, now_s);
        let others = self.waiting.iter().enumerate().skip(1).take(DEPTH);
        let mut can = others.filter(|(_, number)| {
            let job = self.list[**number as usize];
            let is_short = now_s + job.requested_s <= shadow_s;
            let cores = u64::from(job.cores);
            is_due(&job) && cores <= self.free && (is_short || cores <= spare)
        });
        can.next().map(|it| it.0)
    }

    /// Returns when `cores` cores are expected to be free, and how many others are free then.
    fn shadow(&self, cores: u32, now_s: f64) -> (f64, u64) {
        let mut free = self.free;
        let mut at_s = now_s;
        for (&(end, _), &held) in &self.holds {
            if free >= u64::from(cores) {
                break;
            }
            free += u64::from(held);
            at_s = time_s(end).max(now_s);
        }
        (at_s, free.saturating_sub(u64::from(cores)))
    }

    /// Returns `true` if a task that became ready at `ready_s` can start, because no job waits
    /// before it or because it may jump the queue.
    pub(super) fn lets(&self, ready_s: f64, cores: u32, now_s: f64, expected_s: f64) -> bool {
        let Some(&number) = self.waiting.front() else {
            return true;
        };
        let first = self.list[number as usize];
        if first.submit_s > ready_s {
            return true;
        }
        if self.policy == Policy::Fcfs {
            return false;
        }
        let (shadow_s, spare) = self.shadow(first.cores, now_s);
        now_s + expected_s <= shadow_s || u64::from(cores) <= spare
    }

    /// Takes free cores from the site's hosts, in the order of the hosts.
    fn places_for(&self, cores: u32, hosts: &mut Hosts) -> Vec<(HostId, u32)> {
        let mut places = Vec::new();
        let mut left = cores;
        for &host in &self.hosts {
            let count = hosts.cores(host).min(left);
            if count > 0 {
                hosts.take_cores(host, count);
                places.push((host, count));
                left -= count;
            }
            if left == 0 {
                break;
            }
        }
        places
    }

    pub(super) fn held(&self) -> impl Iterator<Item = (HostId, u32, f64)> {
        let jobs = self.holds.keys().filter_map(|&(end, holder)| match holder {
            CoreHolder::Job(run) => Some((time_s(end), run)),
            CoreHolder::Task(_) => None,
        });
        jobs.flat_map(|(end_s, run)| {
            let places = self.places(run).iter();
            places.map(move |&(host, cores)| (host, cores, end_s))
        })
    }
}
