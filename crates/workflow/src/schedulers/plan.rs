//! Follows schedules that are made before any task runs.

use std::collections::{BTreeSet, VecDeque};

use prophet_text::Problem;

use crate::{DecisionTime, HostId, Scheduler, TaskId, View, Workflow, WorkflowMachine, quoted};

/// A schedule: each task's host, and when the task would start if everything goes as planned.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    pub hosts: Vec<HostId>,
    /// Planned start of each task, in seconds. Only the order of the starts matters: on each host,
    /// or of all tasks if hosts are decided when tasks start.
    pub starts_s: Vec<f64>,
    pub decided: DecisionTime,
}

/// A method for planning when and where tasks run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Planner {
    /// Of the tasks whose parents are planned, plans the one that can end first.
    ///
    /// Ibarra and Kim, Heuristic Algorithms for Scheduling Independent Tasks on Nonidentical
    /// Processors (1977).
    MinMin,
    /// Of the tasks whose parents are planned, plans the one whose earliest end is the latest.
    MaxMin,
    /// Heterogeneous earliest finish time.
    ///
    /// Topcuoglu, Hariri and Wu, Performance-Effective and Low-Complexity Task Scheduling for
    /// Heterogeneous Computing (2002).
    Heft,
    /// Critical path on a processor, from the same paper as [`Self::Heft`]. Processors are hosts
    /// here.
    Cpop,
    /// Predict earliest finish time.
    ///
    /// Arabnejad and Barbosa, List Scheduling Algorithm for Heterogeneous Systems by an Optimistic
    /// Cost Table (2014).
    Peft,
}

/// Follows a plan: each host runs its tasks in the plan's order.
#[derive(Debug)]
pub struct Planned {
    planner: Option<Planner>,
    plan: Plan,
    /// Tasks that haven't started, in the plan's order. Each host has its own queue, or all tasks
    /// are in the first one.
    queues: Vec<VecDeque<TaskId>>,
    is_ready: Vec<bool>,
    changed: BTreeSet<HostId>,
}

impl Planned {
    /// Creates a scheduler that makes its plan when the simulation starts.
    pub fn by(planner: Planner) -> Self {
        Self {
            planner: Some(planner),
            ..Self::new(Plan::default())
        }
    }

    pub fn new(plan: Plan) -> Self {
        Self {
            planner: None,
            plan,
            queues: Vec::new(),
            is_ready: Vec::new(),
            changed: BTreeSet::new(),
        }
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the host whose queue contains the tasks of `host`.
    fn queue_of(&self, host: HostId) -> HostId {
        match self.plan.decided {
            DecisionTime::Plan | DecisionTime::Submission => host,
            DecisionTime::Start => HostId(0),
        }
    }
}

/// Checks that the host of each task exists and is large enough.
pub(super) fn check_hosts(
    workflow: &Workflow,
    machine: &WorkflowMachine,
    hosts: &[HostId],
) -> Result<(), Problem> {
    let help = "Create a plan for this workflow and machine.";
    if hosts.len() != workflow.len() {
        let (planned, tasks) = (hosts.len(), workflow.len());
        let what = format!("the plan is for {planned} tasks, but the workflow has {tasks}");
        return Err(Problem::with_help(what, help));
    }
    for (task, host) in workflow.ids().zip(hosts) {
        let is_there = host.index() < machine.len();
        if !is_there || !machine.can_run(workflow.task(task), *host) {
            let place = format!("task {}", quoted(workflow.task_name(task)));
            let what = "the plan's host for the task is missing or too small";
            return Err(Problem::with_help(what, help).in_part(place));
        }
    }
    Ok(())
}

impl Scheduler for Planned {
    fn begin(&mut self, workflow: &Workflow, machine: &WorkflowMachine) -> Result<(), Problem> {
        if let Some(planner) = self.planner {
            self.plan = planner.plan(workflow, machine)?;
        }
        check_hosts(workflow, machine, &self.plan.hosts)?;
        if self.plan.starts_s.len() != workflow.len() {
            let help = "Create a plan for this workflow and machine.";
            return Err(Problem::with_help(
                "the plan does not contain the start times of all tasks",
                help,
            ));
        }
        let mut places = vec![0; workflow.len()];
        for (place, task) in workflow.order().iter().enumerate() {
            places[task.index()] = place;
        }
        // Tasks that take no time can start at the same time as their parents.
        let mut tasks: Vec<TaskId> = workflow.ids().collect();
        let start = |it: &TaskId| self.plan.starts_s[it.index()];
        let place = |it: &TaskId| places[it.index()];
        tasks.sort_by(|a, b| start(a).total_cmp(&start(b)).then(place(a).cmp(&place(b))));
        self.queues = vec![VecDeque::new(); machine.len()];
        for task in tasks {
            let queue = self.queue_of(self.plan.hosts[task.index()]);
            self.queues[queue.index()].push_back(task);
        }
        self.is_ready = vec![false; workflow.len()];
        Ok(())
    }

    fn home(&self, task: TaskId) -> Option<HostId> {
        let is_planned = self.plan.decided == DecisionTime::Plan;
        self.decided(task).filter(|_| is_planned)
    }

    fn decided(&self, task: TaskId) -> Option<HostId> {
        let host = self.plan.hosts.get(task.index()).copied();
        host.filter(|_| self.plan.decided != DecisionTime::Start)
    }

    fn ready(&mut self, task: TaskId, _: &View<'_>) {
        self.is_ready[task.index()] = true;
        let queue = self.queue_of(self.plan.hosts[task.index()]);
        self.changed.insert(queue);
    }

    fn ended(&mut self, _: TaskId, host: HostId, view: &View<'_>) {
        self.freed(host, view);
    }

    fn freed(&mut self, host: HostId, _: &View<'_>) {
        self.changed.insert(self.queue_of(host));
    }

    fn next(&mut self, view: &View<'_>) -> Option<(TaskId, HostId)> {
        while let Some(&number) = self.changed.first() {
            let queue = &mut self.queues[number.index()];
            let (is_ready, hosts) = (&self.is_ready, &self.plan.hosts);
            let host = |it: TaskId| hosts[it.index()];
            let can_start = |it: &mut TaskId| is_ready[it.index()] && view.fits(*it, host(*it));
            if let Some(task) = queue.pop_front_if(can_start) {
                return Some((task, host(task)));
            }
            self.changed.remove(&number);
        }
        None
    }
}
