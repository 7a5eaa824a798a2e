//! Defines observers, which watch a run.

use std::ops::ControlFlow;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Progress {
    /// The simulated time in seconds; in the local engine, the time of any one process.
    pub(crate) time_s: f64,
    pub(crate) events: u64,
    pub(crate) messages: u64,
}

/// Looks at a run every [`LOOK_EVERY`](super::LOOK_EVERY) events, and can end it.
///
/// Unlike its caller, the engine has no real clock and no terminal.
pub(crate) trait Observer {
    /// Receives the progress of the run, and decides whether it continues.
    fn look(&mut self, progress: Progress) -> ControlFlow<()>;
}

/// Lets every run continue to its end.
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
