//! Simulates a workflow until all of its tasks have ended.

mod attempts;
mod data;
mod events;
mod jobs;
mod queues;

use prophet_contention::FlowId;
use prophet_text::Problem;

use crate::hosts::Hosts;
use crate::prediction::TaskExecution;
use crate::scheduler::{Gate, View};
use crate::{
    DecisionTime, HostId, NotPredicted, Scheduler, TaskId, Workflow, WorkflowFailure,
    WorkflowMachine, WorkflowPrediction, quoted,
};
use attempts::Attempts;
use data::{DataTransfers, Purpose};
use events::{Event, Events};
use queues::Queues;

/// Simulates a workflow on a machine.
///
/// A task is ready once its parents have ended, its files have arrived, it has been submitted, and
/// the queue lets it pass. It occupies its cores and memory from its start to its end. It reads its
/// inputs from wherever they are, computes, and writes its outputs to its site's shared file
/// system, or to its host's disk if the site has none. After a failed attempt, it reads and
/// computes again.
///
/// # Errors
///
/// Returns an error if the machine can't run the workflow, if the scheduler's decisions are
/// impossible, or if all attempts of a task fail.
pub fn simulate(
    workflow: &Workflow,
    machine: &WorkflowMachine,
    scheduler: &mut dyn Scheduler,
) -> Result<WorkflowPrediction, NotPredicted> {
    machine.check(workflow)?;
    scheduler.begin(workflow, machine)?;
    let mut simulation = Simulation::new(workflow, machine, scheduler);
    let queue = &machine.queues[0];
    let [before, after] = queue.engine_jobs;
    simulation.now_s = queue.passes_in_turn_s(0.0, 0..before, machine.seed);
    simulation.run()?;
    let last_s = simulation
        .runs
        .iter()
        .map(|it| it.end_s)
        .fold(0.0, f64::max);
    Ok(WorkflowPrediction {
        end_s: queue.passes_in_turn_s(last_s, before..before + after, machine.seed),
        runs: simulation.runs,
        moved_bytes: simulation.data.moved_bytes,
        jobs: simulation.queues.into_runs(),
        started: simulation.started,
        decided: DecisionTime::of(simulation.scheduler),
        failed: simulation.attempts.into_failed(),
    })
}

/// The host of a task that doesn't have one yet.
const NOWHERE: HostId = HostId(u32::MAX);

struct Simulation<'a> {
    workflow: &'a Workflow,
    machine: &'a WorkflowMachine,
    scheduler: &'a mut dyn Scheduler,
    now_s: f64,
    hosts: Hosts,
    data: DataTransfers<'a>,
    queues: Queues<'a>,
    events: Events,
    attempts: Attempts,
    failure: Option<WorkflowFailure>,
    /// What each task waits for: until it is ready, its number of unfinished parents; while it
    /// runs, its number of transfers.
    left: Vec<u32>,
    runs: Vec<TaskExecution>,
    /// Tasks in the order of their starts.
    started: Vec<TaskId>,
    ended: usize,
}

impl<'a> Simulation<'a> {
    fn new(
        workflow: &'a Workflow,
        machine: &'a WorkflowMachine,
        scheduler: &'a mut dyn Scheduler,
    ) -> Self {
        let parents = |it| u32::try_from(workflow.parents(it).len()).unwrap_or(u32::MAX);
        let run = TaskExecution {
            host: NOWHERE,
            ready_s: 0.0,
            start_s: 0.0,
            end_s: 0.0,
        };
        Self {
            workflow,
            machine,
            scheduler,
            now_s: 0.0,
            hosts: Hosts::new(machine),
            data: DataTransfers::new(workflow, machine),
            queues: Queues::new(workflow, machine),
            events: Events::default(),
            attempts: Attempts::new(machine.seed),
            failure: None,
            left: workflow.ids().map(parents).collect(),
            runs: vec![run; workflow.len()],
            started: Vec::with_capacity(workflow.len()),
            ended: 0,
        }
    }

    fn run(&mut self) -> Result<(), NotPredicted> {
        for task in self.workflow.ids() {
            if self.left[task.index()] == 0 {
                self.submit(task);
            }
        }
        for place in 0..self.queues.jobs.len() {
            self.submit_next_job(place);
        }
        let mut arrived: Vec<FlowId> = Vec::new();
        while self.ended < self.workflow.len() {
            let next_s = self.events.next_s().min(self.data.next_s());
            if next_s == f64::INFINITY {
                break;
            }
            self.now_s = next_s;
            while let Some(event) = self.events.pop(next_s) {
                self.handle_event(event);
            }
            if let Some(failure) = self.failure.take() {
                return Err(NotPredicted::Failed(failure));
            }
            self.data.advance(next_s, &mut arrived);
            for flow in arrived.drain(..) {
                let purpose = self.data.arrived(flow);
                self.transferred(purpose);
            }
            // Tasks start only after all events at this time, including events caused by other
            // events.
            if self.events.next_s() > next_s {
                self.dispatch()?;
            }
        }
        if self.ended == self.workflow.len() {
            return Ok(());
        }
        let waits = self
            .runs
            .iter()
            .position(|it| it.host == NOWHERE)
            .unwrap_or(0);
        let name = self.workflow.task_names.get(waits);
        let what = "the scheduler never starts the task, although nothing else runs";
        let help = "Correct the scheduler, or use another one.";
        let problem = Problem::with_help(what, help).in_part(format!("task {}", quoted(name)));
        Err(problem.into())
    }

    fn submit(&mut self, task: TaskId) {
        let submitted_s = self.now_s.max(self.workflow.task(task).release_s);
        let host = self.scheduler.decided(task);
        let (ready_s, later) = self.queues.submit(task, submitted_s, host);
        self.events.add(ready_s, Event::Ready(task));
        for (time_s, host) in later {
            self.events.add(time_s, Event::Passed(host));
        }
    }

    /// Schedules the next job submission at a site. `place` is its index among the sites with jobs.
    fn submit_next_job(&mut self, place: usize) {
        let number = u32::try_from(place).expect("there are at most a thousand sites");
        if let Some(time_s) = self.queues.jobs[place].next_s() {
            self.events.add(time_s, Event::Submitted(number));
        }
    }

    fn handle_event(&mut self, event: Event) {
        match event {
            Event::Ready(task) => {
                self.runs[task.index()].ready_s = self.now_s;
                self.queues.ready(task, self.now_s);
                self.tell(|scheduler, view| scheduler.ready(task, view));
            }
            Event::Computed(task) => self.write(task),
            Event::Failed(task) => self.fail(task),
            Event::Passed(host) => self.tell(|scheduler, view| scheduler.freed(host, view)),
            Event::Submitted(place) => {
                self.queues.jobs[place as usize].submit();
                self.submit_next_job(place as usize);
            }
            Event::JobEnded(place, run) => {
                let jobs = &mut self.queues.jobs[place as usize];
                jobs.end(run, &mut self.hosts);
                for (host, _) in jobs.places(run).to_vec() {
                    self.tell(|scheduler, view| scheduler.freed(host, view));
                }
            }
        }
    }

    fn transferred(&mut self, purpose: Purpose) {
        match purpose {
            Purpose::Read(task) => {
                self.left[task.index()] -= 1;
                if self.left[task.index()] == 0 {
                    self.compute(task);
                }
            }
            Purpose::Write(task) => {
                self.left[task.index()] -= 1;
                if self.left[task.index()] == 0 {
                    self.end(task);
                }
            }
            Purpose::Push(child) => self.release(child),
        }
    }

    fn release(&mut self, child: TaskId) {
        self.left[child.index()] -= 1;
        if self.left[child.index()] == 0 {
            self.submit(child);
        }
    }

    fn dispatch(&mut self) -> Result<(), Problem> {
        loop {
            self.start_jobs(false);
            let (scheduler, view) = self.parts();
            let Some((task, host)) = scheduler.next(&view) else {
                if self.start_jobs(true) {
                    continue;
                }
                return Ok(());
            };
            let fits = host.index() < view.machine.len() && view.fits(task, host);
            let is_waiting =
                self.left[task.index()] == 0 && self.runs[task.index()].host == NOWHERE;
            if !fits || !is_waiting {
                let what =
                    "the scheduler starts a task that is not ready, or on a host without room";
                let help = "Correct the scheduler, or use another one.";
                let place = format!("task {}", quoted(self.workflow.task_name(task)));
                return Err(Problem::with_help(what, help).in_part(place));
            }
            self.start(task, host);
        }
    }

    /// Starts other users' jobs: only those before all waiting tasks, or all that can start.
    /// Returns `true` if any job started.
    fn start_jobs(&mut self, all: bool) -> bool {
        if self.queues.jobs.is_empty() {
            return false;
        }
        let mut ends = Vec::new();
        let queues = &mut self.queues;
        queues.start_jobs(all, self.now_s, &mut self.hosts, &mut ends);
        for &(end_s, place, run) in &ends {
            self.events.add(end_s, Event::JobEnded(place, run));
        }
        !ends.is_empty()
    }

    fn start(&mut self, task: TaskId, host: HostId) {
        self.hosts.take(self.workflow.task(task), host);
        let run = &mut self.runs[task.index()];
        run.host = host;
        run.start_s = self.now_s;
        self.started.push(task);
        let ready_s = run.ready_s;
        if !self.queues.jobs.is_empty() {
            let expected_s = self.parts().1.expected_s(task, host);
            let end_s = self.now_s + expected_s;
            self.queues.start(task, ready_s, host, end_s);
        }
        self.read(task);
    }

    fn read(&mut self, task: TaskId) {
        let host = self.runs[task.index()].host;
        let is_home = self.scheduler.home(task).is_some();
        self.left[task.index()] = self.data.read(self.now_s, task, host, is_home);
        if self.left[task.index()] == 0 {
            self.compute(task);
        }
    }

    /// Retries a task on its host, or lets the workflow fail.
    fn fail(&mut self, task: TaskId) {
        if self.attempts.fail(task, self.workflow.task(task)) {
            return self.read(task);
        }
        let failure = WorkflowFailure {
            task: self.workflow.task_name(task).to_owned(),
            attempts: self.attempts.failed(task),
            at_s: self.now_s,
        };
        // If several tasks fail at the same time, report the first one.
        self.failure.get_or_insert(failure);
    }

    fn compute(&mut self, task: TaskId) {
        let host = self.runs[task.index()].host;
        let it = self.workflow.task(task);
        let seconds = self.machine.seconds(self.workflow, it, host);
        let (after_s, event) = match self.attempts.fails_after(task, it) {
            Some(part) => (seconds * part, Event::Failed(task)),
            None => (seconds, Event::Computed(task)),
        };
        self.events.add(self.now_s + after_s, event);
    }

    fn write(&mut self, task: TaskId) {
        let host = self.runs[task.index()].host;
        self.left[task.index()] = self.data.write(self.now_s, task, host);
        if self.left[task.index()] == 0 {
            self.end(task);
        }
    }

    fn end(&mut self, task: TaskId) {
        let run = &mut self.runs[task.index()];
        run.end_s = self.now_s;
        let host = run.host;
        self.ended += 1;
        self.hosts.give(self.workflow.task(task), host);
        self.queues.ended(task, host);
        self.tell(|scheduler, view| scheduler.ended(task, host, view));
        let workflow = self.workflow;
        for child in workflow.children(task) {
            let home = self.scheduler.home(child);
            let is_pushed =
                home.is_some_and(|home| self.data.push(self.now_s, task, host, child, home));
            if !is_pushed {
                self.release(child);
            }
        }
    }

    fn tell(&mut self, what: impl FnOnce(&mut dyn Scheduler, &View<'_>)) {
        let (scheduler, view) = self.parts();
        what(scheduler, &view);
    }

    fn parts(&mut self) -> (&mut dyn Scheduler, View<'_>) {
        let gate = self.queues.are_gates().then_some(&self.queues as &dyn Gate);
        let view = View {
            workflow: self.workflow,
            machine: self.machine,
            now_s: self.now_s,
            hosts: &self.hosts,
            local_bytes: &self.data,
            gate,
        };
        (&mut *self.scheduler, view)
    }
}
