//! Defines the reasons why a kernel stops a run, and the host that it notifies.

use std::fmt;

use super::Stopped;

/// The owner of a kernel's units. It records failures, and knows what to call the units in
/// messages.
pub trait Host: fmt::Debug {
    /// Records why the run can't continue, unless a reason is already known. `time_s` is the
    /// simulated time in seconds. `unit` is the unit in trouble, or `None` if the trouble concerns
    /// the whole run.
    fn fail(&self, time_s: f64, unit: Option<UnitAt>, trouble: Trouble);
}

/// A unit and its place in the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnitAt {
    /// The unit.
    pub unit: u32,
    /// The host's number for that place, or [`NO_SITE`](super::NO_SITE).
    pub site: u32,
}

/// A problem that a kernel finds in a run.
#[derive(Debug)]
pub enum Trouble {
    /// A duration is negative or not finite.
    Seconds(f64),
    /// The simulated time is no longer a finite number.
    TimeOverflow,
    /// A unit awaits something that doesn't belong to this simulation.
    ForeignAwait,
    /// A unit awaits two waits at the same time.
    TwoWaits,
    /// Units run again and again at the same instant.
    Livelock {
        /// Number of events at the instant.
        events: u64,
        /// The first of the units that took part in the last of these events.
        among: Vec<UnitAt>,
        /// Number of units that took part but aren't in `among`.
        more: u32,
    },
    /// A process returned an error.
    Returned(Stopped),
    /// A shared resource has a parameter with an impossible value, as described.
    Impossible(String),
}
