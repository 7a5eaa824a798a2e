//! Explains why a run of a study couldn't continue.

use std::error::Error;
use std::fmt;

use crate::kernel::wording;

pub use crate::kernel::ProcessError;

/// Why a run failed: the cause, the process, and the simulated time.
///
/// Its text can have several lines, and has no trailing newline.
///
/// If your own error ended the run, [`source`](Error::source) returns that error, and
/// [`Self::error`] returns it as its own type.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Failure {
    /// The simulated time of the failure, in seconds.
    pub time_s: f64,
    /// The number of the process that failed, or `None` if the whole run failed.
    pub process: Option<u32>,
    /// The cause of the failure.
    pub cause: Box<Cause>,
}

impl Failure {
    /// Returns the error with which a process stopped the run, if there is one and it has type `E`.
    ///
    /// ```
    /// use std::fmt;
    /// use prophet_sim::Study;
    ///
    /// #[derive(Debug, PartialEq)]
    /// struct OutOfCash {
    ///     needed: u32,
    /// }
    /// # impl fmt::Display for OutOfCash {
    /// #     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    /// #         write!(f, "{} are needed", self.needed)
    /// #     }
    /// # }
    /// # impl std::error::Error for OutOfCash {}
    ///
    /// fn pay(cash: u32, needed: u32) -> Result<u32, OutOfCash> {
    ///     cash.checked_sub(needed).ok_or(OutOfCash { needed })
    /// }
    ///
    /// let run = Study::new().run(&(), async |sim, ()| {
    ///     let left = pay(100, 60)?;
    ///     sim.hold(1.0).await?;
    ///     pay(left, 60)?;
    ///     Ok(())
    /// });
    /// let failure = run.unwrap_err();
    /// assert_eq!(failure.error(), Some(&OutOfCash { needed: 60 }));
    /// assert_eq!((failure.process, failure.time_s), (Some(0), 1.0));
    /// ```
    pub fn error<E: Error + 'static>(&self) -> Option<&E> {
        match &*self.cause {
            Cause::Error(error) => error.downcast_ref(),
            _ => None,
        }
    }
}

/// What can stop a run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// Processes are waiting, and nothing will wake them.
    Deadlock(Deadlock),
    /// The run continues, but simulated time doesn't advance.
    Livelock(Livelock),
    /// A duration is negative or not finite.
    Seconds(f64),
    /// The simulated time is no longer a finite number.
    TimeOverflow,
    /// A process returned an error.
    Error(ProcessError),
    /// A process awaits something that doesn't belong to this simulation.
    ForeignAwait,
    /// A process awaits two things at the same time.
    TwoWaits,
    /// A process returned [`Stopped`](crate::Stopped), but nothing had stopped this run.
    Stopped,
    /// A shared resource has a parameter with an impossible value, such as a quantum of 0 s.
    Impossible(String),
}

/// A deadlock: processes are waiting, and nothing will wake them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Deadlock {
    /// The first waiting processes, by number.
    pub waiting: Vec<WaitingProcess>,
    /// Number of further waiting processes.
    pub more: u32,
    /// Number of processes that the run has spawned.
    pub processes: u32,
    /// Processes that wait for each other in a cycle: each waits for the next, and the last for the
    /// first. Empty if there is no cycle.
    pub cycle: Vec<u32>,
}

/// A waiting process in a [`Deadlock`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WaitingProcess {
    /// Number of the process.
    pub process: u32,
    /// Name of the process, if any.
    pub name: Option<String>,
    /// What the process is waiting for, as text that follows "waits for".
    pub wanted: String,
}

/// A livelock: processes run again and again at the same time.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Livelock {
    /// Number of events at that time.
    pub events: u64,
    /// The numbers of processes that took part in the last of these events, lowest numbers first.
    pub among: Vec<u32>,
    /// Number of further processes that took part.
    pub more: u32,
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &*self.cause {
            Cause::Error(error) => Some(&**error),
            _ => None,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Cause::Impossible(problem) = &*self.cause {
            return f.write_str(problem);
        }
        write!(f, "{}", self.cause)?;
        write!(f, "\n  at {} s of simulated time", self.time_s)?;
        if let Some(process) = self.process {
            write!(f, ", process {process}")?;
        }
        match &*self.cause {
            Cause::Deadlock(deadlock) => deadlock.details(f),
            Cause::Livelock(livelock) => livelock.details(f),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deadlock(deadlock) => deadlock.fmt(f),
            Self::Livelock(livelock) => livelock.fmt(f),
            Self::Seconds(seconds) if *seconds < 0.0 => write!(f, "negative time: {seconds} s"),
            Self::Seconds(seconds) => write!(f, "the time is not a finite number: {seconds}"),
            Self::TimeOverflow => f.write_str("the simulated time is no longer a finite number"),
            Self::Error(error) => error.fmt(f),
            Self::ForeignAwait => {
                f.write_str("foreign await: the process awaits something outside the simulation")
            }
            Self::TwoWaits => f.write_str("the process awaits two things at the same time"),
            Self::Stopped => f.write_str("the process returned an error from another simulation"),
            Self::Impossible(problem) => f.write_str(problem),
        }
    }
}

impl fmt::Display for Deadlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let waiting = self.waiting.len() as u64 + u64::from(self.more);
        wording::deadlock(waiting, self.processes, f)
    }
}

impl Deadlock {
    fn details(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for waiting in &self.waiting {
            write!(f, "\n  process {}", waiting.process)?;
            if let Some(name) = &waiting.name {
                write!(f, " `{}`", name.escape_debug())?;
            }
            write!(f, " waits for {}", waiting.wanted)?;
        }
        wording::more(self.more, f)?;
        let full = |number: &u32| format!("process {number}");
        wording::cycle(&self.cycle, (full, |number: &u32| *number), "processes", f)
    }
}

impl fmt::Display for Livelock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        wording::livelock(self.events, f)
    }
}

impl Livelock {
    fn details(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\n  these never stop:")?;
        for process in &self.among {
            write!(f, "\n  process {process}")?;
        }
        wording::more(self.more, f)
    }
}
