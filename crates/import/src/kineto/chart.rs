//! Turns recorded moments into tasks. A task ends at its moment, and takes the time since the last
//! moment that it waits for.

use super::profile::Ns;
use crate::event::Work;
use crate::graph::Moment;
use crate::tasks::{TASKS_MAX, Task, TaskAction, Tasks};

/// A rank's tasks, and when they ended.
#[derive(Debug)]
pub(super) struct Chart {
    pub(super) tasks: Tasks,
    ends: Vec<Ns>,
    first: Ns,
}

impl Chart {
    pub(super) fn new(first: Ns) -> Self {
        Self {
            tasks: Tasks::default(),
            ends: Vec::new(),
            first,
        }
    }

    pub(super) fn end(&self, number: u32) -> Ns {
        self.ends[number as usize]
    }

    pub(super) fn is_full(&self) -> bool {
        self.ends.len() >= TASKS_MAX
    }

    /// Returns when the last of these tasks ends.
    fn last(&self, after: &[u32]) -> Ns {
        let ends = after.iter().map(|it| self.end(*it));
        ends.max().unwrap_or(self.first)
    }

    fn add(&mut self, task: Task, after: &[u32], end: Ns) -> u32 {
        let number = self.tasks.graph.add(task);
        for earlier in after {
            self.tasks.graph.require(number, Moment::End, *earlier);
        }
        self.ends.push(end);
        number
    }

    /// Adds computing on a thread until a given time. If there is no task before it, the thread was
    /// idle.
    pub(super) fn compute(&mut self, unit: u32, end: Ns, after: &[u32]) -> u32 {
        let begin = self.last(after);
        let end = end.max(begin);
        let (doing, delay_s) = if after.is_empty() {
            (TaskAction::Nothing, seconds(end - begin))
        } else {
            (
                TaskAction::Compute(Work::seconds(seconds(end - begin))),
                0.0,
            )
        };
        self.timed(unit, (doing, delay_s), after, end)
    }

    /// Adds work on a stream between two times.
    pub(super) fn work(
        &mut self,
        unit: u32,
        doing: TaskAction,
        (start, end): (Ns, Ns),
        after: &[u32],
    ) -> u32 {
        let delay_s = seconds((start - self.last(after)).max(0));
        self.timed(unit, (doing, delay_s), after, end)
    }

    /// Adds a delay that doesn't depend on the speed of the machine.
    pub(super) fn latency(&mut self, unit: u32, time: Ns, after: u32) -> u32 {
        let end = self.end(after).saturating_add(time);
        self.timed(unit, (TaskAction::Nothing, seconds(time)), &[after], end)
    }

    /// Adds a moment after the last of these tasks.
    pub(super) fn moment(&mut self, after: &[u32]) -> u32 {
        let end = self.last(after);
        self.timed(0, (TaskAction::Nothing, 0.0), after, end)
    }

    fn timed(
        &mut self,
        unit: u32,
        (doing, delay_s): (TaskAction, f64),
        after: &[u32],
        end: Ns,
    ) -> u32 {
        let name = self.ends.len() as u64;
        let task = Task {
            doing,
            unit,
            delay_s,
            name,
        };
        self.add(task, after, end)
    }
}

#[expect(clippy::cast_precision_loss, reason = "times are below 2^53")]
pub(super) fn seconds(time: Ns) -> f64 {
    time as f64 * 1e-9
}
