//! Computes the lanes of a chart, which show the cores that each task or other user's job occupies
//! on a host.

use std::collections::BTreeSet;

use crate::{HostId, TaskId, Workflow, WorkflowMachine, WorkflowPrediction};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LaneHolder {
    Task(TaskId),
    /// A run of another user's job: its index in [`WorkflowPrediction::jobs`].
    Job(usize),
}

/// Adjacent cores of a host that are occupied for some time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bar {
    pub(crate) holder: LaneHolder,
    pub(crate) host: HostId,
    pub(crate) core: u32,
    pub(crate) count: u32,
    pub(crate) start_s: f64,
    pub(crate) end_s: f64,
}

/// Occupied cores without known positions: host, start, end, cores, holder.
type Hold = (HostId, f64, f64, u32, LaneHolder);

/// Returns a bar for everything that occupies cores during the workflow, sorted by host and start.
pub(crate) fn bars(
    workflow: &Workflow,
    machine: &WorkflowMachine,
    prediction: &WorkflowPrediction,
) -> Vec<Bar> {
    let makespan_s = prediction.makespan_s();
    let mut holds: Vec<Hold> = Vec::new();
    for task in workflow.ids() {
        let run = prediction.run(task);
        let cores = workflow.task(task).cores;
        holds.push((
            run.host,
            run.start_s,
            run.end_s,
            cores,
            LaneHolder::Task(task),
        ));
    }
    for (number, job) in prediction.jobs().iter().enumerate() {
        for &(host, cores) in &job.places {
            if job.end_s > 0.0 && job.start_s < makespan_s {
                holds.push((host, job.start_s, job.end_s, cores, LaneHolder::Job(number)));
            }
        }
    }
    // At equal times, whatever takes no time comes first.
    let key = |it: &Hold| (it.0, it.4);
    holds.sort_by(|left, right| {
        let starts = left.1.total_cmp(&right.1).then(left.2.total_cmp(&right.2));
        left.0
            .cmp(&right.0)
            .then(starts)
            .then(key(left).cmp(&key(right)))
    });
    let mut bars = Vec::new();
    for of_host in holds.chunk_by(|left, right| left.0 == right.0) {
        of_one_host(machine.group(of_host[0].0).cores, of_host, &mut bars);
    }
    bars
}

fn of_one_host(cores: u32, holds: &[Hold], bars: &mut Vec<Bar>) {
    let mut free: BTreeSet<u32> = (0..cores).collect();
    // What is occupied, with the bits of the end time, which isn't negative here.
    let mut held: BTreeSet<(u64, u32)> = BTreeSet::new();
    for &(host, start_s, end_s, count, holder) in holds {
        while let Some(&(end, core)) = held.first()
            && f64::from_bits(end) <= start_s
        {
            held.pop_first();
            free.insert(core);
        }
        let taken: Vec<u32> = free.iter().copied().take(count as usize).collect();
        for core in &taken {
            free.remove(core);
            held.insert((end_s.to_bits(), *core));
        }
        for run in taken.chunk_by(|left, right| left + 1 == *right) {
            bars.push(Bar {
                holder,
                host,
                core: run[0],
                count: u32::try_from(run.len()).unwrap_or(u32::MAX),
                start_s,
                end_s,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Draft, Group, Job, Task, TaskCost, schedulers::Fcfs, simulate};

    #[test]
    fn no_core_has_two_bars_at_a_time() {
        let mut draft = Draft::new("bars");
        for number in 0..60_u32 {
            let mut task = Task::new(TaskCost::Seconds(f64::from(number * 7 % 5)));
            task.cores = 1 + number % 3;
            draft.task(&number.to_string(), task);
        }
        let workflow = draft.finish().expect("it is right");
        let mut machine =
            WorkflowMachine::new(vec![Group::new("host", 2, 4)]).expect("it is right");
        let job = |submit_s| Job {
            submit_s,
            cores: 5,
            run_s: 3.0,
            requested_s: 3.0,
        };
        machine.queues[0].jobs = [-1.0, 4.0].map(job).into();
        let prediction = simulate(&workflow, &machine, &mut Fcfs::default()).expect("it runs");
        let bars = bars(&workflow, &machine, &prediction);
        for (number, bar) in bars.iter().enumerate() {
            assert!(bar.core + bar.count <= 4);
            for other in &bars[..number] {
                let is_apart = bar.host != other.host
                    || bar.core >= other.core + other.count
                    || other.core >= bar.core + bar.count
                    || bar.start_s >= other.end_s
                    || other.start_s >= bar.end_s;
                assert!(is_apart, "{bar:?} {other:?}");
            }
        }
        for task in workflow.ids() {
            let of_task = bars.iter().filter(|it| it.holder == LaneHolder::Task(task));
            let cores: u32 = of_task.map(|it| it.count).sum();
            assert_eq!(cores, workflow.task(task).cores);
        }
    }
}
