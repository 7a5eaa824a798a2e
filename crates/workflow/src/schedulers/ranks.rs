//! Makes plans based on ranks of tasks, such as the time from a task to the end of the workflow.

use prophet_text::Problem;

use super::plan::{Plan, Planner};
use super::profile::{Profile, first_end};
use crate::{HostId, TaskId, Workflow, WorkflowMachine};

/// Maximum number of cells in a table with a row per task and a column per host.
const MOST_CELLS: usize = 50_000_000;
/// Relative difference up to which ranks are treated as equal, because numbers can be added in
/// different orders.
const SAME: f64 = 1e-9;

impl Planner {
    /// Plans when and where the tasks of a workflow run on a machine.
    ///
    /// # Errors
    ///
    /// Returns an error if the machine can't run the workflow, or if planning would take too much
    /// memory.
    pub fn plan(self, workflow: &Workflow, machine: &WorkflowMachine) -> Result<Plan, Problem> {
        machine.check(workflow)?;
        plan(self, workflow, machine)
    }
}

/// Plans a workflow that fits the machine.
fn plan(planner: Planner, workflow: &Workflow, machine: &WorkflowMachine) -> Result<Plan, Problem> {
    let mut planning = Planning::new(workflow, machine);
    match planner {
        Planner::Heft => {
            let upward = planning.upward();
            planning.by_priority(&upward, Planning::place_first_end);
        }
        Planner::Cpop => planning.cpop(),
        Planner::Peft => planning.peft()?,
        Planner::MinMin => planning.greedy(false),
        Planner::MaxMin => planning.greedy(true),
    }
    Ok(planning.plan)
}

struct Planning<'a> {
    workflow: &'a Workflow,
    machine: &'a WorkflowMachine,
    profiles: Vec<Profile>,
    plan: Plan,
    ends_s: Vec<f64>,
    /// Number of bytes that each task gets from each of its parents, in the order of the parents.
    bytes: Vec<f64>,
    /// Share of all pairs of different hosts that are at the same site.
    share_within: f64,
}

impl<'a> Planning<'a> {
    fn new(workflow: &'a Workflow, machine: &'a WorkflowMachine) -> Self {
        let profile = |it| Profile::new(machine.group(it).cores);
        let plan = Plan {
            hosts: vec![HostId(0); workflow.len()],
            starts_s: vec![0.0; workflow.len()],
            ..Plan::default()
        };
        Self {
            profiles: machine.hosts().map(profile).collect(),
            plan,
            ends_s: vec![f64::NAN; workflow.len()],
            bytes: bytes(workflow),
            share_within: share_within(machine),
            workflow,
            machine,
        }
    }

    /// Returns a task's parents, and how many bytes each of them sends.
    fn parents(&self, task: TaskId) -> impl Iterator<Item = (TaskId, f64)> + use<'_> {
        let range = self.workflow.parents.range(task.index());
        self.workflow
            .parents(task)
            .zip(self.bytes[range].iter().copied())
    }

    fn bytes_to(&self, task: TaskId, child: TaskId) -> f64 {
        let range = self.workflow.parents.range(child.index());
        let place = self
            .workflow
            .parents
            .of(child.index())
            .partition_point(|it| *it < task.0);
        self.bytes[range.start + place]
    }

    /// Returns how long a transfer from one host to another takes, in seconds.
    fn transfer_s(&self, bytes: f64, from: HostId, to: HostId) -> f64 {
        if from == to || bytes == 0.0 {
            return 0.0;
        }
        let (source, site) = (self.machine.site(from), self.machine.site(to));
        self.move_s(bytes, source == site, source)
    }

    fn move_s(&self, bytes: f64, is_within: bool, source: usize) -> f64 {
        let shared = self.machine.shared[source];
        let storage_s = shared.map_or(0.0, |it| {
            bytes / it.read_bytes_per_s + bytes / it.write_bytes_per_s
        });
        let link = match (is_within, shared) {
            (true, Some(_)) => None,
            (true, None) => self.machine.within,
            (false, _) => self.machine.between,
        };
        storage_s + link.map_or(0.0, |it| it.latency_s + bytes / it.bytes_per_s)
    }

    /// Returns the mean duration of a transfer over all pairs of different hosts.
    fn mean_transfer_s(&self, bytes: f64) -> f64 {
        if bytes == 0.0 || self.machine.len() == 1 {
            return 0.0;
        }
        let within = self.move_s(bytes, true, 0);
        within * self.share_within + self.move_s(bytes, false, 0) * (1.0 - self.share_within)
    }

    fn seconds(&self, task: TaskId, host: HostId) -> f64 {
        self.machine
            .seconds(self.workflow, self.workflow.task(task), host)
    }

    /// Returns the mean duration of a task over the hosts that can run it.
    fn mean_s(&self, task: TaskId) -> f64 {
        let it = self.workflow.task(task);
        let (mut sum, mut count) = (0.0, 0.0);
        for group in self.machine.groups() {
            if it.cores <= group.cores && it.memory_bytes <= group.memory_bytes {
                let seconds = WorkflowMachine::group_seconds(self.workflow, it, group);
                sum += seconds * f64::from(group.count);
                count += f64::from(group.count);
            }
        }
        sum / count
    }

    /// Returns the longest mean time from each task's start to the end of the workflow.
    fn upward(&self) -> Vec<f64> {
        let mut ranks = vec![0.0; self.workflow.len()];
        for &task in self.workflow.order().iter().rev() {
            let after = self.workflow.children(task).map(|child| {
                self.mean_transfer_s(self.bytes_to(task, child)) + ranks[child.index()]
            });
            ranks[task.index()] = self.mean_s(task) + after.fold(0.0, f64::max);
        }
        ranks
    }

    /// Returns the longest mean time from the start of the workflow to each task's start.
    fn downward(&self) -> Vec<f64> {
        let mut ranks: Vec<f64> = vec![0.0; self.workflow.len()];
        for &task in self.workflow.order() {
            let before = self.parents(task).map(|(parent, bytes)| {
                ranks[parent.index()] + self.mean_s(parent) + self.mean_transfer_s(bytes)
            });
            ranks[task.index()] = before.fold(0.0, f64::max);
        }
        ranks
    }

    /// Plans the tasks. Always chooses the one with the highest priority whose parents are planned.
    fn by_priority(&mut self, priorities: &[f64], mut place: impl FnMut(&mut Self, TaskId)) {
        let mut left: Vec<usize> = self
            .workflow
            .ids()
            .map(|it| self.workflow.parents(it).len())
            .collect();
        let mut queue = std::collections::BinaryHeap::new();
        let entry = |it: TaskId| (Total(priorities[it.index()]), std::cmp::Reverse(it));
        queue.extend(
            self.workflow
                .ids()
                .filter(|it| left[it.index()] == 0)
                .map(entry),
        );
        while let Some((_, std::cmp::Reverse(task))) = queue.pop() {
            place(self, task);
            for child in self.workflow.children(task) {
                left[child.index()] -= 1;
                if left[child.index()] == 0 {
                    queue.push(entry(child));
                }
            }
        }
    }

    /// Returns when everything that a task needs has arrived on a host.
    fn arrival_s(&self, task: TaskId, host: HostId) -> f64 {
        let release_s = self.workflow.task(task).release_s;
        let arrivals = self.parents(task).map(|(parent, bytes)| {
            let from = self.plan.hosts[parent.index()];
            self.ends_s[parent.index()] + self.transfer_s(bytes, from, host)
        });
        arrivals.fold(release_s, f64::max)
    }

    /// Returns the hosts that can run a task, when its inputs arrive there, and how long it takes
    /// there.
    fn candidates(&self, task: TaskId) -> impl Iterator<Item = (HostId, f64, f64)> + use<'_> {
        let it = self.workflow.task(task);
        let hosts = self
            .machine
            .hosts()
            .filter(move |host| self.machine.can_run(it, *host));
        hosts.map(move |host| (host, self.arrival_s(task, host), self.seconds(task, host)))
    }

    fn earliest(&self, task: TaskId) -> Option<(HostId, f64, f64)> {
        first_end(
            self.candidates(task),
            &self.profiles,
            self.workflow.task(task).cores,
        )
    }

    fn reserve(&mut self, task: TaskId, host: HostId, start_s: f64) {
        let duration_s = self.seconds(task, host);
        let cores = self.workflow.task(task).cores;
        self.profiles[host.index()].reserve(start_s, cores, duration_s);
        self.plan.hosts[task.index()] = host;
        self.plan.starts_s[task.index()] = start_s;
        self.ends_s[task.index()] = start_s + duration_s;
    }

    fn place_first_end(&mut self, task: TaskId) {
        if let Some((host, start_s, _)) = self.earliest(task) {
            self.reserve(task, host, start_s);
        }
    }

    fn place_on(&mut self, task: TaskId, host: HostId) {
        let cores = self.workflow.task(task).cores;
        let (ready_s, duration_s) = (self.arrival_s(task, host), self.seconds(task, host));
        let start_s = self.profiles[host.index()].earliest_s(ready_s, cores, duration_s);
        self.reserve(task, host, start_s);
    }

    fn cpop(&mut self) {
        let (upward, downward) = (self.upward(), self.downward());
        let sums: Vec<f64> = upward.iter().zip(&downward).map(|it| it.0 + it.1).collect();
        let longest = sums.iter().copied().fold(0.0, f64::max);
        let is_longest = |it: &TaskId| sums[it.index()] >= longest * (1.0 - SAME);
        let entries = || {
            self.workflow
                .ids()
                .filter(|it| self.workflow.parents(*it).len() == 0)
        };
        let mut is_critical = vec![false; sums.len()];
        let mut next = entries().find(is_longest);
        let mut critical = Vec::new();
        while let Some(task) = next {
            is_critical[task.index()] = true;
            critical.push(task);
            next = self.workflow.children(task).find(is_longest);
        }
        let can_all = |host: &HostId| {
            let can = |it: &TaskId| self.machine.can_run(self.workflow.task(*it), *host);
            critical.iter().all(can)
        };
        let total = |host: &HostId| {
            critical
                .iter()
                .map(|it| self.seconds(*it, *host))
                .sum::<f64>()
        };
        let hosts = self.machine.hosts().filter(can_all);
        let home = hosts.min_by(|left, right| total(left).total_cmp(&total(right)));
        self.by_priority(&sums, |planning, task| match home {
            Some(home) if is_critical[task.index()] => planning.place_on(task, home),
            _ => planning.place_first_end(task),
        });
    }

    fn peft(&mut self) -> Result<(), Problem> {
        let hosts = self.machine.len();
        if self.workflow.len().saturating_mul(hosts) > MOST_CELLS {
            let what = format!("PEFT's table would have more than {MOST_CELLS} cells");
            return Err(Problem::with_help(
                what,
                "Use another scheduler, such as `heft`.",
            ));
        }
        let table = self.optimistic();
        let mean = |row: &[f64]| {
            let cells = row.iter().filter(|it| it.is_finite());
            let (sum, count) = cells.fold((0.0, 0.0), |it, cell| (it.0 + cell, it.1 + 1.0));
            sum / count
        };
        let ranks: Vec<f64> = table.chunks(hosts).map(mean).collect();
        self.by_priority(&ranks, |planning, task| {
            let row = &table[task.index() * hosts..][..hosts];
            let cores = planning.workflow.task(task).cores;
            let mut best: Option<(f64, HostId, f64)> = None;
            for (host, ready_s, duration_s) in planning.candidates(task) {
                let profile = &planning.profiles[host.index()];
                let start_s = profile.earliest_s(ready_s, cores, duration_s);
                let end_s = start_s + duration_s + row[host.index()];
                if best.is_none_or(|it| end_s < it.0) {
                    best = Some((end_s, host, start_s));
                }
            }
            if let Some((_, host, start_s)) = best {
                planning.reserve(task, host, start_s);
            }
        });
        Ok(())
    }

    /// Returns the optimistic cost table: for each task on each host, the shortest time from the
    /// task's end to the end of the workflow, if each later task had its best host to itself.
    fn optimistic(&self) -> Vec<f64> {
        let hosts = self.machine.len();
        let mut table = vec![0.0_f64; self.workflow.len() * hosts];
        // Time of a task and everything after it, for each host.
        let mut with_it = vec![f64::INFINITY; hosts];
        for &child in self.workflow.order().iter().rev() {
            let row = child.index() * hosts;
            for host in self.machine.hosts() {
                let can = self.machine.can_run(self.workflow.task(child), host);
                let cell = table[row + host.index()] + self.seconds(child, host);
                with_it[host.index()] = if can { cell } else { f64::INFINITY };
            }
            let best = with_it.iter().copied().fold(f64::INFINITY, f64::min);
            for (parent, bytes) in self.parents(child) {
                let elsewhere = best + self.mean_transfer_s(bytes);
                let row = &mut table[parent.index() * hosts..][..hosts];
                for (cell, here) in row.iter_mut().zip(&with_it) {
                    *cell = cell.max(here.min(elsewhere));
                }
            }
        }
        table
    }

    /// Plans tasks greedily. Of the tasks whose parents are planned, chooses the one that can end
    /// first or, if `is_last`, the one whose earliest end is the latest.
    fn greedy(&mut self, is_last: bool) {
        let mut left: Vec<usize> = self
            .workflow
            .ids()
            .map(|it| self.workflow.parents(it).len())
            .collect();
        let mut ready: Vec<(TaskId, (HostId, f64, f64))> = Vec::new();
        let free: Vec<TaskId> = self
            .workflow
            .ids()
            .filter(|it| left[it.index()] == 0)
            .collect();
        ready.extend(
            free.into_iter()
                .filter_map(|it| Some((it, self.earliest(it)?))),
        );
        while !ready.is_empty() {
            let sign = if is_last { -1.0 } else { 1.0 };
            let key = |it: &(TaskId, (HostId, f64, f64))| (Total(sign * it.1.2), it.0);
            let chosen = (0..ready.len())
                .min_by_key(|it| key(&ready[*it]))
                .unwrap_or(0);
            let (task, (host, start_s, _)) = ready.swap_remove(chosen);
            self.reserve(task, host, start_s);
            // On that host, the other tasks can now only end later, so only tasks for which it was
            // best need a new best host.
            for entry in &mut ready {
                if entry.1.0 == host
                    && let Some(earliest) = self.earliest(entry.0)
                {
                    entry.1 = earliest;
                }
            }
            for child in self.workflow.children(task) {
                left[child.index()] -= 1;
                if left[child.index()] == 0
                    && let Some(earliest) = self.earliest(child)
                {
                    ready.push((child, earliest));
                }
            }
        }
    }
}

/// Returns how many bytes each task gets from each of its parents, in the order of the parents.
#[expect(clippy::cast_precision_loss, reason = "files are far below 2^52 bytes")]
fn bytes(workflow: &Workflow) -> Vec<f64> {
    let mut bytes = vec![0.0; workflow.parents.len()];
    for task in workflow.ids() {
        let start = workflow.parents.range(task.index()).start;
        let parents = workflow.parents.of(task.index());
        for file in workflow.inputs(task) {
            if let Some(writer) = workflow.writer(file) {
                let place = parents.partition_point(|it| *it < writer.0);
                bytes[start + place] += workflow.size_bytes(file) as f64;
            }
        }
    }
    bytes
}

/// Returns the share of all pairs of different hosts that are at the same site.
fn share_within(machine: &WorkflowMachine) -> f64 {
    let mut sites = vec![0.0; machine.shared.len()];
    for group in machine.groups() {
        sites[group.site] += f64::from(group.count);
    }
    let all: f64 = sites.iter().sum();
    let pairs: f64 = sites.iter().map(|it| it * (it - 1.0)).sum();
    if all > 1.0 {
        pairs / (all * (all - 1.0))
    } else {
        1.0
    }
}

/// A number with a total order.
#[derive(Debug, Clone, Copy)]
struct Total(f64);

impl Ord for Total {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Total {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Total {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Total {}
