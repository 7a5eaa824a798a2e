//! Defines observers, which can watch a run and end it.

use std::ops::ControlFlow;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Progress {
    /// The simulated time in seconds. In the local engine, it is the time of any one process.
    pub(crate) time_s: f64,
    pub(crate) events: u64,
    pub(crate) messages: u64,
}

/// Watches a run every [`LOOK_EVERY`](super::LOOK_EVERY) events, and can end it.
///
/// The engine itself has neither a real clock nor a terminal, so these belong to the observer.
pub(crate) trait Observer {
    /// Receives the progress of the run, and decides whether it goes on.
    fn look(&mut self, progress: Progress) -> ControlFlow<()>;
}

/// Lets every run go on until it ends.
#[derive(Debug)]
pub(crate) struct Nobody;

impl Observer for Nobody {
    fn look(&mut self, _: Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// How a run without a failure ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) events: u64,
    pub(crate) early: bool,
}
