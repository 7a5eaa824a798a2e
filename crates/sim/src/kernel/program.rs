//! Program that the run loop polls.

use std::ops::ControlFlow;
use std::task::Poll;

use super::Stopped;

/// Events between two looks: some microseconds to some milliseconds.
pub const LOOK_EVERY: u64 = 4096;

/// Program that runs on a kernel: its processes, and the state that they share.
pub trait Program {
    /// The run stops after that many events.
    fn events_max(&self) -> u64 {
        u64::MAX
    }

    /// Notes which unit is resumed, and returns the unit of its process.
    #[inline]
    fn resume(&self, unit: u32) -> u32 {
        unit
    }

    /// Lets a process run until it waits or ends; `None` when the unit has no process.
    fn poll(&mut self, process: u32) -> Option<Poll<Result<(), Stopped>>>;

    /// Lets the processor fetch a unit that will be polled soon.
    #[inline]
    fn prefetch(&self, _: u32) {}

    /// Drops a process that has ended.
    fn end(&mut self, process: u32);

    /// Releases the resources of a process that has ended.
    fn release(&mut self, _: u32) {}

    /// True if something other than the kernel's own work is left to do at this instant.
    #[inline]
    fn is_busy(&self) -> bool {
        false
    }

    /// The simulated time of the program's next alarm, in seconds; infinite without one.
    #[inline]
    fn alarm_s(&self) -> f64 {
        f64::INFINITY
    }

    /// Notes that the alarm's time has come; its tasks are settled with the instant.
    fn sound(&self) {}

    /// Settles what units asked for at this instant; returns how many events that took, and `None`
    /// when only events at later times are left.
    #[inline]
    fn settle(&mut self) -> Option<u64> {
        None
    }

    /// Settles work that waits for everything else at this instant, as [`Self::settle`] does.
    fn settle_last(&mut self) -> Option<u64> {
        None
    }

    /// Answers inquiries when nothing else is left to do at this instant.
    fn answer(&mut self) {}

    /// Sees how far the run has come every [`LOOK_EVERY`] events, and says whether it continues.
    fn look(&mut self, _: Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// True if processes wait though nothing is left to happen.
    fn some_wait(&self) -> bool;

    /// The units that wait, in the order in which messages name them.
    fn waiting(&self) -> Vec<u32>;

    /// Object of the wait of a unit that has not started; `None` for other units.
    fn waits_to_start(&self, _: u32) -> Option<Wanted> {
        None
    }
}

/// Progress of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The simulated time, in seconds.
    pub time_s: f64,
    /// Number of events so far.
    pub events: u64,
}

/// Object of a unit's wait, told when a deadlock is reported.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// A text that follows "waits for".
    pub text: String,
    /// The unit that could end the wait, if there is such a unit; the first thread stands for a
    /// process.
    pub process: Option<u32>,
}
