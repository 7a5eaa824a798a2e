//! Process-oriented discrete-event simulation.

pub mod kernel;
pub mod resources;
pub mod statistics;
pub mod study;
pub mod variates;

pub use kernel::Stopped;
pub use resources::{
    Buffer, Condition, Discipline, Event, Facility, Mailbox, SharedFacility, Storage,
};
pub use study::failure::{self, Failure};
pub use study::{Handle, Process, Run, Study};

#[cfg(doctest)]
#[doc = include_str!("../../../docs/simulation-library.md")]
mod page {}
