//! Represents units: what each of them still has to do, and what it is waiting for.

use std::collections::VecDeque;

use super::cpus::Who;
use super::messages::Request;
use super::program::Op;

/// A step of a unit. An operation consists of several steps.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Do(Op),
    /// Records that an operation has ended.
    Note,
    Iteration(usize),
    /// Reaches a phase of a team.
    Phase(usize, usize),
    /// Requests iterations of a phase.
    Take(usize, usize),
    /// Waits until the whole team has arrived.
    Barrier(usize, usize),
    /// Waits until its team's threads have ended.
    Join(usize),
    Enter(Lock),
    Leave(Lock),
    /// Waits until all of these are complete.
    Await(Vec<Request>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lock {
    Critical(usize),
    Atomic(usize),
}

/// Something that a unit wants. It is granted when no other unit can ask for anything at that time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    Lock(Lock),
    Iterations(usize, usize),
    Single(usize, usize),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum State {
    Ready,
    /// The unit continues at this time.
    Until(f64),
    /// The unit has a CPU, or is waiting for one.
    Computes,
    /// The unit is waiting for a CPU that it will keep.
    Starts,
    /// The unit continues when its message lets it.
    Sends(usize),
    Awaits(Vec<Request>),
    /// The unit requests its rank's network interface for a receive.
    Receives,
    /// What the unit wants, and since when.
    Wishes(f64, Wish),
    AtBarrier(usize, usize),
    Joins(usize),
    Ended,
}

#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) pid: usize,
    /// The pid, and then the numbers in the regions.
    pub(crate) path: Vec<usize>,
    /// The team that the unit was created for, or `None` for the first thread of a process.
    pub(crate) team: Option<usize>,
    pub(crate) todo: VecDeque<Step>,
    pub(crate) state: State,
}

impl Unit {
    pub(crate) fn new(path: Vec<usize>, team: Option<usize>) -> Self {
        Self {
            pid: path[0],
            path,
            team,
            todo: VecDeque::new(),
            state: State::Ready,
        }
    }

    pub(crate) fn who(&self, unit: usize) -> Who {
        let tid = if self.path.len() > 1 {
            self.path[self.path.len() - 1]
        } else {
            0
        };
        Who {
            pid: self.pid,
            tid,
            unit,
        }
    }

    /// Puts steps in front of those that the unit still has to execute.
    pub(crate) fn first(&mut self, steps: impl IntoIterator<Item = Step>) {
        let steps: Vec<Step> = steps.into_iter().collect();
        for step in steps.into_iter().rev() {
            self.todo.push_front(step);
        }
    }

    pub(crate) fn first_ops(&mut self, ops: &[Op]) {
        self.first(ops.iter().cloned().map(Step::Do));
    }
}
