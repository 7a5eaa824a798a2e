//! Defines the interface that schedulers implement.

use std::fmt;

use prophet_text::Problem;

use crate::hosts::Hosts;
use crate::{DecisionTime, HostId, TaskId, Workflow, WorkflowMachine};

/// What a scheduler can see of the simulation.
#[derive(Debug)]
pub struct View<'a> {
    pub workflow: &'a Workflow,
    pub machine: &'a WorkflowMachine,
    /// Current time, in seconds.
    pub now_s: f64,
    pub(crate) hosts: &'a Hosts,
    pub(crate) local_bytes: &'a dyn Local,
    /// Queues that can keep a task from starting on a host that has room; `None` if there are no
    /// such queues.
    pub(crate) gate: Option<&'a dyn Gate>,
}

/// Answers questions about the queues of sites.
pub(crate) trait Gate: fmt::Debug {
    /// Returns `true` if the queue of a host's site allows a task to start now.
    fn is_open(&self, task: TaskId, host: HostId, now_s: f64) -> bool;
    /// Returns when a submitted task passes the queue of the host's site, ignoring other users'
    /// jobs.
    fn passes_s(&self, task: TaskId, host: HostId) -> f64;
    /// Returns which cores other users' jobs occupy, and when they are expected to be free.
    fn held(&self) -> Box<dyn Iterator<Item = (HostId, u32, f64)> + '_>;
}

/// Answers questions about the locations of files.
pub(crate) trait Local: fmt::Debug {
    /// Returns how many bytes of the task's inputs are on the host.
    fn on(&self, task: TaskId, host: HostId) -> f64;
    /// Returns how many bytes of the task's inputs are at the host's site, including on the host
    /// itself.
    fn at_site(&self, task: TaskId, host: HostId) -> f64;
}

impl View<'_> {
    /// Returns `true` if the host has room for the task now.
    pub fn fits(&self, task: TaskId, host: HostId) -> bool {
        self.hosts.fits(self.workflow.task(task), host) && self.is_open(task, host)
    }

    fn is_open(&self, task: TaskId, host: HostId) -> bool {
        let is_open = |it: &dyn Gate| it.is_open(task, host, self.now_s);
        self.gate.is_none_or(is_open)
    }

    /// Returns the fastest host that has room for a task now.
    pub fn first_fit(&self, task: TaskId) -> Option<HostId> {
        if self.gate.is_none() {
            return self.hosts.first(self.workflow.task(task));
        }
        self.all_fits(task).next()
    }

    /// Returns all hosts that have room for a task now, from the fastest to the slowest.
    pub fn all_fits(&self, task: TaskId) -> impl Iterator<Item = HostId> {
        let hosts = self.hosts.all(self.workflow.task(task));
        hosts.filter(move |it| self.is_open(task, *it))
    }

    /// Returns when the queue of the host's site lets the task start, in seconds; now or later.
    pub fn opens_s(&self, task: TaskId, host: HostId) -> f64 {
        let passes_s = self.gate.map_or(0.0, |it| it.passes_s(task, host));
        passes_s.max(self.now_s)
    }

    /// Returns which cores other users' jobs occupy: the host, the number of cores, and when the
    /// job is expected to end, in seconds.
    pub fn held_by_others(&self) -> impl Iterator<Item = (HostId, u32, f64)> {
        self.gate.into_iter().flat_map(|it| it.held())
    }

    /// Returns how long the task computes on the host, in seconds.
    pub fn seconds(&self, task: TaskId, host: HostId) -> f64 {
        let task = self.workflow.task(task);
        self.machine.seconds(self.workflow, task, host)
    }

    /// Returns how long the task is expected to take on the host, in seconds: the requested time,
    /// or else the true time.
    pub fn expected_s(&self, task: TaskId, host: HostId) -> f64 {
        let requested_s = self.workflow.task(task).requested_s;
        requested_s.unwrap_or_else(|| self.seconds(task, host))
    }

    /// Returns how many bytes of the task's inputs are on the host.
    pub fn bytes_on(&self, task: TaskId, host: HostId) -> f64 {
        self.local_bytes.on(task, host)
    }

    /// Returns how many bytes of the task's inputs are at the host's site.
    pub fn bytes_at_site(&self, task: TaskId, host: HostId) -> f64 {
        self.local_bytes.at_site(task, host)
    }
}

impl DecisionTime {
    /// Returns when a scheduler decides where tasks run. The scheduler must have begun.
    pub(crate) fn of(scheduler: &dyn Scheduler) -> Self {
        let first = TaskId(0);
        match (scheduler.home(first), scheduler.decided(first)) {
            (Some(_), _) => Self::Plan,
            (None, Some(_)) => Self::Submission,
            (None, None) => Self::Start,
        }
    }
}

/// Decides which tasks start on which hosts.
///
/// The simulation tells the scheduler which tasks are ready and which have ended, and then asks for
/// tasks to start until the scheduler has no more. Schedulers must not use any other information,
/// so that every simulation gives the same result.
///
/// ```
/// use prophet_workflow::{HostId, Scheduler, TaskId, View};
///
/// /// Starts the task that became ready last.
/// #[derive(Debug, Default)]
/// struct LastFirst(Vec<TaskId>);
///
/// impl Scheduler for LastFirst {
///     fn ready(&mut self, task: TaskId, _: &View<'_>) {
///         self.0.push(task);
///     }
///
///     fn next(&mut self, view: &View<'_>) -> Option<(TaskId, HostId)> {
///         let host = view.first_fit(*self.0.last()?)?;
///         Some((self.0.pop()?, host))
///     }
/// }
/// ```
pub trait Scheduler: fmt::Debug {
    /// Prepares to schedule a workflow on a machine that can run it. Planners make their plan here.
    ///
    /// # Errors
    ///
    /// Returns an error if the scheduler can't handle the workflow or the machine.
    fn begin(&mut self, workflow: &Workflow, machine: &WorkflowMachine) -> Result<(), Problem> {
        let _ = (workflow, machine);
        Ok(())
    }

    /// Returns the host that is planned for a task, if any. Files are sent there as soon as they
    /// are written. If no host is planned, the task fetches its files once it has its cores.
    fn home(&self, task: TaskId) -> Option<HostId> {
        let _ = task;
        None
    }

    /// Returns the host that a task will run on, if this is decided before the task is ready. The
    /// task then waits only in the queue of the host's site.
    fn decided(&self, task: TaskId) -> Option<HostId> {
        self.home(task)
    }

    fn ready(&mut self, task: TaskId, view: &View<'_>);

    /// Tells the scheduler that a task has ended and that its cores are free.
    fn ended(&mut self, task: TaskId, host: HostId, view: &View<'_>) {
        let _ = (task, host, view);
    }

    /// Tells the scheduler that a host may have room now, because another user's job ended or the
    /// queue of the host's site let a task pass.
    fn freed(&mut self, host: HostId, view: &View<'_>) {
        let _ = (host, view);
    }

    /// Returns the next task to start now, and a host that has room for it; `None` if no task can
    /// start now.
    fn next(&mut self, view: &View<'_>) -> Option<(TaskId, HostId)>;
}
