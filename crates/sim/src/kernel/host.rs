//! Reasons why a kernel stops a run, and the host that is reported.

use std::fmt;

use super::Stopped;

/// Host that runs units on a kernel, and knows how messages call them.
pub trait Host: fmt::Debug {
    /// Keeps why the run can't continue, unless that is known already: `time_s` is the simulated
    /// time, in seconds, and `unit` the unit that met it; `None` when the trouble concerns the
    /// whole run.
    fn fail(&self, time_s: f64, unit: Option<UnitAt>, trouble: Trouble);
}

/// A unit and the place in the program that it is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnitAt {
    /// The unit.
    pub unit: u32,
    /// The place, as the host numbers places; [`NO_SITE`](super::NO_SITE) if the unit is at no
    /// place.
    pub site: u32,
}

/// Trouble that a kernel finds with a run.
#[derive(Debug)]
pub enum Trouble {
    /// A time that is to pass is negative or not finite.
    Seconds(f64),
    /// The simulated time is not a finite number any more.
    TimeOverflow,
    /// A unit awaits something that is not of this simulation.
    ForeignAwait,
    /// A unit awaits two things at the same time.
    TwoWaits,
    /// Units go on and on at one instant.
    Livelock {
        /// Number of events.
        events: u64,
        /// The first of the units that took part in the last of them.
        among: Vec<UnitAt>,
        /// Number of further ones.
        more: u32,
    },
    /// A process returned an error.
    Returned(Stopped),
    /// The resources that processes share cannot be as they were made.
    Impossible(String),
}
