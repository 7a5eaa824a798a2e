//! Defines the interface between the run loop and the program that it polls.

use std::ops::ControlFlow;
use std::task::Poll;

use super::Stopped;

/// Number of events between two calls of [`Program::look`]. They take microseconds to milliseconds
/// of real time.
pub const LOOK_EVERY: u64 = 4096;

/// A program that runs on a kernel: its processes and the state that they share.
pub trait Program {
    /// Returns the number of events after which the run stops.
    fn events_max(&self) -> u64 {
        u64::MAX
    }

    /// Called when a unit resumes. Returns the unit of its process.
    #[inline]
    fn resume(&self, unit: u32) -> u32 {
        unit
    }

    /// Runs a process until it waits or ends; `None` if the unit has no process.
    fn poll(&mut self, process: u32) -> Option<Poll<Result<(), Stopped>>>;

    /// Prefetches the memory of a unit that will be polled soon.
    #[inline]
    fn prefetch(&self, _: u32) {}

    /// Drops a process that has ended.
    fn end(&mut self, process: u32);

    /// Releases the resources of a process that has ended.
    fn release(&mut self, _: u32) {}

    /// Returns `true` if the program, rather than the kernel, has work left at this instant.
    #[inline]
    fn is_busy(&self) -> bool {
        false
    }

    /// Returns the simulated time of the program's next alarm in seconds, or infinity if there is
    /// none.
    #[inline]
    fn alarm_s(&self) -> f64 {
        f64::INFINITY
    }

    /// Called when the alarm is due. Its tasks are settled at the end of the instant.
    fn sound(&self) {}

    /// Settles what units requested at this instant. Returns the number of events that this took,
    /// or `None` if only events at later times are left.
    #[inline]
    fn settle(&mut self) -> Option<u64> {
        None
    }

    /// Like [`Self::settle`], for work that must wait until everything else at this instant is
    /// done.
    fn settle_last(&mut self) -> Option<u64> {
        None
    }

    /// Answers inquiries when nothing else is left to do at this instant.
    fn answer(&mut self) {}

    /// Decides whether the run continues, given its progress so far. Called every [`LOOK_EVERY`]
    /// events.
    fn look(&mut self, _: Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Returns `true` if processes are still waiting when there are no more events.
    fn some_wait(&self) -> bool;

    /// Returns the waiting units, in the order in which messages name them.
    fn waiting(&self) -> Vec<u32>;

    /// Returns what a unit must wait for before it can start, or `None` if it can start now or has
    /// started.
    fn waits_to_start(&self, _: u32) -> Option<Wanted> {
        None
    }
}

/// The progress of a run, for [`Program::look`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The simulated time, in seconds.
    pub time_s: f64,
    /// Number of events so far.
    pub events: u64,
}

/// What a unit is waiting for, as reported in a deadlock.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// What the unit is waiting for, as text that follows "waits for".
    pub text: String,
    /// The unit that could end the wait, if known. For a process, it is the process's first thread.
    pub process: Option<u32>,
}
