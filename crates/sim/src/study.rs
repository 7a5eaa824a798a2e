//! Runs simulation studies written in Rust. Their processes can spawn other processes, and need
//! neither a machine nor a UML model.

mod combine;
pub mod failure;
mod log;
mod process;
mod tasks;
mod trouble;

use std::fmt;

use crate::kernel::{Kernel, Stopped, run};
pub use combine::Interrupted;
use failure::Failure;
pub use log::{LogEntry, Logged};
pub use process::{Handle, Hold, Join, Process, ProcessId, StatusText};
use tasks::Tasks;
use trouble::First;

/// A simulation that you can run any number of times. A study consists of plain data, such as a
/// seed and limits, so you can send it to another thread.
///
/// A study has no machine. Its first process receives the *model*, the data that all processes
/// share (such as facilities, mailboxes and tables), and spawns the other processes. The study runs
/// until nothing is left to do, unless a limit or [`Process::stop`] ends it earlier.
///
/// ```
/// use prophet_sim::{Facility, Study};
///
/// let desk = Facility::new("desk", 1);
/// let run = Study::new().run(&desk, async |sim, desk| {
///     for _ in 0..3 {
///         sim.spawn(async |customer| desk.use_for(&customer, 2.0).await);
///         sim.hold(1.0).await?;
///     }
///     Ok(())
/// })?;
/// assert_eq!(run.end_s, 6.0);
/// assert_eq!(desk.statistics().utilization, 1.0);
/// # Ok::<(), prophet_sim::Failure>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    seed: u64,
    until_s: Option<f64>,
    events_max: u64,
    instant_events_max: Option<u64>,
    status: bool,
}

const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<Study>();
};

impl Default for Study {
    fn default() -> Self {
        Self::new()
    }
}

impl Study {
    /// Creates a study with seed 0 and no limits.
    pub fn new() -> Self {
        Self {
            seed: 0,
            until_s: None,
            events_max: u64::MAX,
            instant_events_max: None,
            status: false,
        }
    }

    /// Sets the seed of the random numbers from [`Process::generator`].
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Ends the run at this simulated time in seconds, once everything at that time has happened.
    ///
    /// When the run ends, the clock shows this time, even if the last event was earlier. Processes
    /// that would wait forever count as unfinished, not as a deadlock. With infinity or NaN, there
    /// is no limit.
    #[must_use]
    pub fn until(mut self, time_s: f64) -> Self {
        self.until_s = Some(time_s).filter(|time_s| time_s.is_finite());
        self
    }

    /// Ends the run after this many events, once everything at that simulated time has happened.
    ///
    /// Each resumption of a process is an event.
    #[must_use]
    pub fn events(mut self, events_max: u64) -> Self {
        self.events_max = events_max;
        self
    }

    /// Stops the run as a livelock after this many events at the same time. The default is
    /// 10,000,000 events, plus up to 10,000 for each process.
    #[must_use]
    pub fn livelock_after(mut self, events: u64) -> Self {
        self.instant_events_max = Some(events);
        self
    }

    /// Records what each process is waiting for at the end of the run, in [`Run::status`].
    #[must_use]
    pub fn with_status(mut self) -> Self {
        self.status = true;
        self
    }

    /// Runs `program` as the first process, passing it `model`, until the study ends.
    ///
    /// Processes can borrow from `model` but from nothing else outside the run, because everything
    /// that a spawned process borrows must live as long as the run.
    ///
    /// The run ends when nothing is left to do, when it reaches a limit, or when a process stops
    /// it. Processes that are still waiting are then dropped.
    ///
    /// # Errors
    ///
    /// Returns an error if a process fails, or if there is a livelock or deadlock. It is a deadlock
    /// if nothing is left to do, but processes that aren't in the [background](Handle::background)
    /// are still waiting.
    pub fn run<M, P>(&self, model: &M, program: P) -> Result<Run, Failure>
    where
        P: for<'w> AsyncFnOnce(Process<'w>, &'w M) -> Result<(), Stopped>,
    {
        self.run_logged(model, Logged::nothing(), program)
    }

    /// Runs the study like [`Study::run`], and logs to `log` what the processes do.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Study::run`].
    pub fn run_logged<M, P>(&self, model: &M, log: Logged<'_>, program: P) -> Result<Run, Failure>
    where
        P: for<'w> AsyncFnOnce(Process<'w>, &'w M) -> Result<(), Stopped>,
    {
        let first = First::default();
        let kernel = Kernel::new(&first, 0);
        if let Some(events) = self.instant_events_max {
            kernel.set_steps_max(events);
        }
        let tasks = Tasks::new(&kernel, self.seed, log, self.events_max);
        let closing = Closing(&tasks);
        process::spawn(&tasks, |first| program(first, model));
        if let Some(until_s) = self.until_s {
            tasks.stop_at(until_s);
        }
        let mut polled = &tasks;
        let ended = run(&kernel, &mut polled);
        if let Some(failure) = first.failure(&tasks) {
            return Err(failure);
        }
        if let Some(stuck) = ended.stuck {
            return Err(trouble::deadlock(stuck, kernel.now_s(), &tasks));
        }
        let run = Run {
            end_s: kernel.now_s(),
            events: ended.events,
            processes: tasks.spawned(),
            unfinished: tasks.unfinished(),
            status: self.status.then(|| tasks.status_text(&[])),
        };
        drop(closing);
        Ok(run)
    }
}

/// Drops the processes before the data that they borrow, no matter how the run ends.
struct Closing<'w>(&'w Tasks<'w>);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// The result of running a [`Study`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Run {
    /// The simulated time at the end of the run, in seconds.
    pub end_s: f64,
    /// Number of events.
    pub events: u64,
    /// Number of processes that were spawned, including the first.
    pub processes: u32,
    /// Number of processes that hadn't ended when the run ended.
    pub unfinished: u32,
    /// What each process was waiting for at the end of the run, or `None` if you don't call
    /// [`Study::with_status`].
    pub status: Option<String>,
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} s simulated, {} events, {} processes, {} unfinished",
            self.end_s, self.events, self.processes, self.unfinished
        )
    }
}
