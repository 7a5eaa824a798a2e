//! Runs tasks on the hosts that they ran on in a recording.

use std::collections::{BTreeSet, VecDeque};

use prophet_text::Problem;

use crate::{HostId, Scheduler, TaskId, View, Workflow, WorkflowMachine};

/// First come, first served on each host. The host of each task is known in advance.
#[derive(Debug)]
pub struct AsRecorded {
    hosts: Vec<HostId>,
    queues: Vec<VecDeque<TaskId>>,
    changed: BTreeSet<HostId>,
}

impl AsRecorded {
    /// `hosts` lists the host of each task, by the task's index.
    pub fn new(hosts: Vec<HostId>) -> Self {
        Self {
            hosts,
            queues: Vec::new(),
            changed: BTreeSet::new(),
        }
    }
}

impl Scheduler for AsRecorded {
    fn begin(&mut self, workflow: &Workflow, machine: &WorkflowMachine) -> Result<(), Problem> {
        super::plan::check_hosts(workflow, machine, &self.hosts)?;
        self.queues = vec![VecDeque::new(); machine.len()];
        Ok(())
    }

    fn decided(&self, task: TaskId) -> Option<HostId> {
        self.hosts.get(task.index()).copied()
    }

    fn ready(&mut self, task: TaskId, _: &View<'_>) {
        let host = self.hosts[task.index()];
        self.queues[host.index()].push_back(task);
        self.changed.insert(host);
    }

    fn ended(&mut self, _: TaskId, host: HostId, _: &View<'_>) {
        self.changed.insert(host);
    }

    fn freed(&mut self, host: HostId, _: &View<'_>) {
        self.changed.insert(host);
    }

    fn next(&mut self, view: &View<'_>) -> Option<(TaskId, HostId)> {
        while let Some(&host) = self.changed.first() {
            let queue = &mut self.queues[host.index()];
            if let Some(task) = queue.pop_front_if(|it| view.fits(*it, host)) {
                return Some((task, host));
            }
            self.changed.remove(&host);
        }
        None
    }
}
