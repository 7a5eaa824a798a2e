//! Describes what a prediction shows: use of hosts, the critical path.

use crate::{HostId, Machine, Prediction, TaskId, Workflow};

/// Use of a host.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Usage {
    /// The host.
    pub host: HostId,
    /// Tasks that ran on it.
    pub tasks: usize,
    /// Seconds that its cores were held, summed over the cores.
    pub core_s: f64,
    /// The used time, as a share of what all its cores had until the end of the workflow.
    pub utilization: f64,
}

/// Use of all hosts.
pub fn usages(workflow: &Workflow, machine: &Machine, prediction: &Prediction) -> Vec<Usage> {
    let usage = |host| Usage {
        host,
        tasks: 0,
        core_s: 0.0,
        utilization: 0.0,
    };
    let mut usages: Vec<Usage> = machine.hosts().map(usage).collect();
    for task in workflow.ids() {
        let run = prediction.run(task);
        let usage = &mut usages[run.host.index()];
        usage.tasks += 1;
        usage.core_s += (run.end_s - run.start_s) * f64::from(workflow.task(task).cores);
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

/// Reason why a task did not start earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// This is the first: it waits for its submission and the queue alone.
    Submission,
    /// This waited for the end of the task before, and then for files and the queue.
    Parent,
    /// This waited for the cores of the task before.
    Cores,
}

/// A task on the critical path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The task.
    pub task: TaskId,
    /// Reason why it did not start earlier.
    pub cause: Cause,
}

/// The tasks that determine the makespan, from the first to the last: each waited for the one
/// before it.
pub fn critical_path(workflow: &Workflow, prediction: &Prediction) -> Vec<Step> {
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
        // The task on the same host whose end let it start.
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
            (Some(holder), _) if run.start_s > run.ready_s => (Cause::Cores, Some(holder)),
            (_, Some(parent)) => (Cause::Parent, Some(parent)),
            _ => (Cause::Submission, None),
        };
        path.push(Step { task, cause });
        at = next.filter(|it| !is_seen[it.index()]);
    }
    path.reverse();
    path
}
