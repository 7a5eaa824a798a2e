//! Process-oriented discrete-event simulation with async functions.
//!
//! A car drives and parks:
//!
//! ```
//! use prophet_sim::{Failure, Study};
//!
//! fn main() -> Result<(), Failure> {
//!     let run = Study::new().until(15.0).run(&(), async |car, ()| {
//!         loop {
//!             println!("parks at {}", car.now_s());
//!             car.hold(5.0).await?;
//!             println!("drives at {}", car.now_s());
//!             car.hold(2.0).await?;
//!         }
//!     })?;
//!     assert_eq!(run.end_s, 15.0);
//!     Ok(())
//! }
//! ```
//!
//! A [`Study`] is plain data: a seed and how far to run. A [`Process`] is an async closure or
//! function; what it awaits takes simulated time. The first process gets the shared data, the
//! *model*, and spawns the others, which wait for [`resources`] and report statistics of these:
//!
//! ```
//! use prophet_sim::{Facility, Study};
//!
//! let tellers = Facility::new("tellers", 2);
//! Study::new().seed(7).until(1000.0).run(&tellers, async |bank, tellers| {
//!     let mut times = bank.generator("times");
//!     loop {
//!         bank.hold(times.exponential(1.0)?).await?;
//!         let seconds = times.exponential(1.5)?;
//!         bank.spawn(async move |customer| tellers.use_for(&customer, seconds).await);
//!     }
//! })?;
//! assert!((tellers.statistics().utilization - 0.75).abs() < 0.1);
//! # Ok::<(), prophet_sim::Failure>(())
//! ```
//!
//! # Errors
//!
//! A process returns a `Result`, and `?` works on what waits as on any error of yours: both become
//! a [`Stopped`]. The [`Failure`] of the run says which process met it, when, and
//! [gives your error back](Failure::error). A run whose processes wait for each other forever, or
//! continue forever at one time, fails too, and names them.
//!
//! # Time and order
//!
//! Times are seconds in an `f64`; the unit is yours, and names say seconds. A hold ends at
//! `start + duration`, one addition, so that results are exact where arithmetic is. What happens at
//! one time happens in the order in which it was scheduled. A run is a function of the study, the
//! model and the seed: there is no global state, and the same inputs give the same bits on every
//! platform.
//!
//! # Modules
//!
//! - [`study`]: runs, their processes, and logs of them.
//! - [`failure`]: why a run could not continue.
//! - [`resources`]: what processes wait for (facilities, storages, buffers, mailboxes, events,
//!   conditions), and how they were used.
//! - [`statistics`]: statistics of your own, with confidence intervals.
//! - [`variates`]: random numbers of ten distributions.
//! - `kernel`, with the feature `kernel`: what is beneath, for simulations of other kinds, whose
//!   needs may change it at any time.
//!
//! | module | is |
//! |---|---|
//! | `kernel` | the base of every simulation: units and their waits, the clock, and later events |
//! | `resources` | resources that processes share and wait for |
//! | `statistics` | statistics of what happened, with confidence intervals |
//! | `study` | simulation studies |
//! | `variates` | random numbers of many distributions |

#![deny(missing_docs)]

#[cfg(feature = "kernel")]
pub mod kernel;
#[cfg(not(feature = "kernel"))]
#[expect(
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "some of it serves simulations of other kinds alone"
)]
mod kernel;
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
#[doc = include_str!("../GUIDE.md")]
mod page {}
