//! Observers of a run while it lasts.

use std::ops::ControlFlow;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Progress {
    /// The simulated time; in the local engine, the time of any process.
    pub(crate) time_s: f64,
    pub(crate) events: u64,
    pub(crate) messages: u64,
}

/// Looks at a run every [`LOOK_EVERY`](super::LOOK_EVERY) events, and may end it.
///
/// The engine has neither a real clock nor a terminal; its caller has.
pub(crate) trait Observer {
    /// Sees how far the run has come, and says whether it continues.
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

/// End of a run without a failure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) events: u64,
    /// True if the observer ended it.
    pub(crate) early: bool,
}
