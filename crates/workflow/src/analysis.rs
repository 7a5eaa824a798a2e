//! Analyzes a prediction: computes how hosts, sites and task types were used, and finds the
//! critical path.

use std::collections::BTreeMap;

use crate::{HostId, TaskId, Workflow, WorkflowMachine, WorkflowPrediction};

/// Returns a task's core seconds: how long it occupied each core, summed over the cores.
fn core_s(workflow: &Workflow, prediction: &WorkflowPrediction, task: TaskId) -> f64 {
    let run = prediction.run(task);
    (run.end_s - run.start_s) * f64::from(workflow.task(task).cores)
}

/// How much of a host was used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Usage {
    pub host: HostId,
    /// Number of tasks that ran on the host.
    pub tasks: usize,
    /// Core seconds: how long each core was occupied, summed over the host's cores.
    pub core_s: f64,
    /// Core seconds as a share of what the host's cores offer until the workflow ends.
    pub utilization: f64,
}

pub fn usages(
    workflow: &Workflow,
    machine: &WorkflowMachine,
    prediction: &WorkflowPrediction,
) -> Vec<Usage> {
    let usage = |host| Usage {
        host,
        tasks: 0,
        core_s: 0.0,
        utilization: 0.0,
    };
    let mut usages: Vec<Usage> = machine.hosts().map(usage).collect();
    for task in workflow.ids() {
        let usage = &mut usages[prediction.run(task).host.index()];
        usage.tasks += 1;
        usage.core_s += core_s(workflow, prediction, task);
    }
    let makespan_s = prediction.makespan_s();
    for usage in &mut usages {
        let all_s = makespan_s * f64::from(machine.group(usage.host).cores);
        usage.utilization = if all_s > 0.0 {
            usage.core_s / all_s
        } else {
            0.0
        };
    }
    usages
}

/// How much of a site was used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SiteUsage {
    pub site: usize,
    pub tasks: usize,
    /// Core seconds of the tasks: how long they occupied each core, summed over the site's cores.
    pub core_s: f64,
    /// Core seconds as a share of what the site's cores offer until the workflow ends.
    pub utilization: f64,
    /// Share of the site's core time that other users' jobs occupied.
    pub others_utilization: f64,
    /// What the tasks' core hours cost at this site.
    pub price: f64,
}

pub fn site_usages(
    workflow: &Workflow,
    machine: &WorkflowMachine,
    prediction: &WorkflowPrediction,
) -> Vec<SiteUsage> {
    let mut tasks = vec![(0, 0.0); machine.sites()];
    for usage in usages(workflow, machine, prediction) {
        let of_site = &mut tasks[machine.site(usage.host)];
        of_site.0 += usage.tasks;
        of_site.1 += usage.core_s;
    }
    let makespan_s = prediction.makespan_s();
    let mut others_s = vec![0.0; machine.sites()];
    for job in prediction.jobs() {
        let seconds = (job.end_s.min(makespan_s) - job.start_s.max(0.0)).max(0.0);
        let cores: u32 = job.places.iter().map(|it| it.1).sum();
        others_s[job.site] += seconds * f64::from(cores);
    }
    let usage = |site: usize| {
        let (tasks, core_s) = tasks[site];
        #[expect(clippy::cast_precision_loss, reason = "at most 2^44 cores")]
        let all_s = makespan_s * machine.site_cores(site) as f64;
        let share = |it: f64| if all_s > 0.0 { it / all_s } else { 0.0 };
        SiteUsage {
            site,
            tasks,
            core_s,
            utilization: share(core_s),
            others_utilization: share(others_s[site]),
            price: core_s / 3600.0 * machine.prices[site],
        }
    };
    (0..machine.sites()).map(usage).collect()
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TypeUsage<'w> {
    pub(crate) task_type: &'w str,
    pub(crate) tasks: usize,
    /// Core seconds of the type's tasks: how long they occupied each core, summed over the cores.
    pub(crate) core_s: f64,
}

pub(crate) fn type_usages<'w>(
    workflow: &'w Workflow,
    prediction: &WorkflowPrediction,
) -> Vec<TypeUsage<'w>> {
    let mut types: BTreeMap<&str, TypeUsage<'_>> = BTreeMap::new();
    for task in workflow.ids() {
        let task_type = workflow.task_type(task);
        let usage = types.entry(task_type).or_insert(TypeUsage {
            task_type,
            tasks: 0,
            core_s: 0.0,
        });
        usage.tasks += 1;
        usage.core_s += core_s(workflow, prediction, task);
    }
    // Types with equal times stay in name order.
    let mut types: Vec<_> = types.into_values().collect();
    types.sort_by(|left, right| right.core_s.total_cmp(&left.core_s));
    types
}

/// Why a task didn't start earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DelayCause {
    /// The task is the first one. It waited only for its submission and the queue.
    Submission,
    /// The task waited for the previous task to end, then for files and the queue.
    Parent,
    /// The task waited for the previous task to release its cores.
    Cores,
    /// The task waited for the previous task to end, then for other users' jobs.
    Others,
}

impl DelayCause {
    pub fn name(self) -> &'static str {
        match self {
            Self::Submission => "submission",
            Self::Parent => "parent",
            Self::Cores => "cores",
            Self::Others => "jobs of others",
        }
    }
}

/// A task on the critical path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CriticalStep {
    pub task: TaskId,
    pub cause: DelayCause,
}

/// Returns the tasks that determine the makespan, from first to last. Each one had to wait for the
/// one before it.
pub fn critical_path(workflow: &Workflow, prediction: &WorkflowPrediction) -> Vec<CriticalStep> {
    let end_s = |it: &TaskId| prediction.run(*it).end_s;
    let order = |left: &TaskId, right: &TaskId| end_s(left).total_cmp(&end_s(right));
    let mut by_end: Vec<TaskId> = workflow.ids().collect();
    by_end.sort_by(|left, right| {
        let hosts = [left, right].map(|it| prediction.run(*it).host);
        hosts[0].cmp(&hosts[1]).then(order(left, right))
    });
    let mut is_seen = vec![false; workflow.len()];
    let mut path = Vec::new();
    let mut at = workflow.ids().max_by(|left, right| order(left, right));
    while let Some(task) = at {
        is_seen[task.index()] = true;
        let run = prediction.run(task);
        // The task on the same host whose end let this one start.
        let before = |it: &TaskId| {
            let other = prediction.run(*it);
            (other.host, other.end_s) < (run.host, run.start_s)
        };
        let first = by_end.partition_point(before);
        let mut holders = by_end[first..].iter().take_while(|it| {
            let other = prediction.run(**it);
            other.host == run.host && other.end_s <= run.start_s
        });
        let holder = holders.find(|it| !is_seen[it.index()]).copied();
        let parent = workflow
            .parents(task)
            .max_by(|left, right| order(left, right));
        let (cause, next) = match (holder, parent) {
            (Some(holder), _) if run.start_s > run.ready_s => (DelayCause::Cores, Some(holder)),
            (None, _) if run.start_s > run.ready_s && !prediction.jobs().is_empty() => {
                (DelayCause::Others, parent)
            }
            (_, Some(parent)) => (DelayCause::Parent, Some(parent)),
            _ => (DelayCause::Submission, None),
        };
        path.push(CriticalStep { task, cause });
        at = next.filter(|it| !is_seen[it.index()]);
    }
    path.reverse();
    path
}
