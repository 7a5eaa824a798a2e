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
//! A [`Study`] is plain data: a seed, and limits for the run. A [`Process`] runs an async closure
//! or function, and simulated time passes whenever it awaits. The first process receives the shared
//! data, the *model*, and spawns all other processes. Processes wait for [`resources`], which
//! collect statistics:
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
//! A process returns a `Result`, and `?` works on waits as well as on your own errors: both become
//! a [`Stopped`]. The run's [`Failure`] says which process failed and when, and [returns your
//! error](Failure::error). A run also fails if its processes wait for each other forever, or run
//! forever without time advancing. The failure names these processes.
//!
//! # Time and order
//!
//! Times are `f64` values in seconds. You can use another unit, even though names contain `seconds`
//! or `_s`. A hold ends at `start + duration`, a single addition, so results are exact if these
//! sums are exact. Events at the same time happen in the order in which they were scheduled. A run
//! depends only on the study, the model and the seed. There is no global state, and the same inputs
//! produce the same bits on every platform.
//!
//! # Modules
//!
//! - [`study`]: studies, their processes, and logs.
//! - [`failure`]: why a run couldn't continue.
//! - [`resources`]: what processes wait for (facilities, storages, buffers, mailboxes, events,
//!   conditions), and how much it is used.
//! - [`statistics`]: statistics of your own observations, with confidence intervals.
//! - [`variates`]: random numbers from ten distributions.
//! - `kernel`, with the feature `kernel`: the foundation for other kinds of simulations. Its API
//!   can change in any release.
//!
//! | module | purpose |
//! |---|---|
//! | `kernel` | the foundation of all simulations: units, their waits, the clock, future events |
//! | `resources` | resources that processes share and wait for |
//! | `statistics` | statistics of your observations, with confidence intervals |
//! | `study` | simulation studies: runs, their processes, and logs |
//! | `variates` | random numbers from many distributions |

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
