//! Describes why and where a run failed.

mod accelerators;
mod deadlock;
mod devices;
mod locate;
mod prices;
mod threads;
mod unmet;

use std::fmt;

use prophet_machine::shortage::Shortage;
use prophet_sim::kernel::{ProcessError, wording};

use crate::language::Stopped;
use crate::language::fault::Fault;
use crate::language::number::NOT_HERE;
use crate::language::place::ModelPlace;
pub use accelerators::Unfit;
pub(crate) use deadlock::HELD;
pub use deadlock::{Deadlock, Untaken, WaitingProcess};
pub use devices::{NoDevice, NoDevices};
pub use prices::{NoPrice, NoPrices};
pub use threads::{Construct, Misuse};
pub use unmet::Unmet;

/// Why a run failed: the cause, the element, the process, and the simulated time.
///
/// Its text can have several lines, and has no trailing newline. A failure ends the run, but you
/// can run the [`Simulation`](crate::Simulation) again.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// The simulated time of the failure, in seconds.
    pub time_s: f64,
    /// The process that failed, or `None` if the whole run failed.
    pub process: Option<u32>,
    /// The thread that failed, or `None` if the process has only one.
    pub thread: Option<u32>,
    /// The element that the process was at, or `None` if it wasn't at any.
    pub element: Option<Site>,
    /// Why the run failed.
    pub cause: Box<Cause>,
}

impl Failure {
    /// Whether the values of parameters can be the cause.
    pub(crate) const fn depends_on_values(&self) -> bool {
        matches!(
            &*self.cause,
            Cause::Cost { .. }
                | Cause::Fault(_)
                | Cause::NoGuardHolds(_)
                | Cause::NoSuchProcess { .. }
                | Cause::NoSuchRoot { .. }
                | Cause::NegativeSize { .. }
                | Cause::Threads(_)
        )
    }
}

/// An element of the model, as messages name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The element's name in the model.
    pub name: String,
    /// The element's id in the model.
    pub id: i64,
    /// The element's stereotype.
    pub kind: &'static str,
    /// Where the element is in the model's file, if known.
    pub place: Option<ModelPlace>,
}

impl Site {
    /// If an element's place is known, writes a line with it below a line with this indentation.
    fn below(site: Option<&Self>, indent: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = site.and_then(|site| site.place.as_ref());
        ModelPlace::below(place, indent, f)
    }
}

/// The cause of a [`Failure`].
#[derive(Debug, Clone, PartialEq)]
pub enum Cause {
    /// Processes are waiting, and nothing will wake them.
    Deadlock(Deadlock),
    /// The run continues, but simulated time doesn't advance.
    Livelock(Livelock),
    /// An element's cost is negative or not finite.
    Cost {
        /// The cost, in seconds.
        cost_s: f64,
    },
    /// An element that needs a CPU has no cost of its own.
    Unpriced,
    /// The simulated time is no longer a finite number.
    TimeOverflow,
    /// The model's own code caused a fault.
    Fault(Fault),
    /// A process returned an error of its own.
    Error(ProcessError),
    /// None of a decision's guards is true.
    NoGuardHolds(Unmet),
    /// A message goes to or comes from a process that doesn't exist.
    NoSuchProcess {
        /// The name of the tag: `dest`, `source`, or `root`.
        role: &'static str,
        /// The process number in the model.
        value: i64,
        /// Number of processes in the run.
        processes: u32,
    },
    /// The root of a collective isn't a rank of its communicator.
    NoSuchRoot {
        /// The root in the model.
        root: i64,
        /// Number of ranks in the communicator.
        ranks: u32,
        /// The communicator's processes, as text that continues "a collective". Empty for all
        /// processes.
        among: String,
    },
    /// The number of a process isn't a whole number.
    NotWhole {
        /// The name of the tag: `dest` or `source`.
        role: &'static str,
    },
    /// A process waits for a request that it hasn't begun.
    NoRequest {
        /// The request's name.
        request: String,
    },
    /// A size is negative.
    NegativeSize {
        /// The size in the model, in bytes.
        bytes: i64,
    },
    /// A message is larger than its receive allows.
    Truncated {
        /// The sending process.
        source: u32,
        /// The message's size, in bytes.
        message_bytes: u64,
        /// The maximum size that the receive accepts, in bytes.
        receive_bytes: u64,
    },
    /// A receive expects a value from a message that doesn't carry one.
    NoValue {
        /// The sending process.
        source: u32,
        /// The message's tag.
        tag: i64,
    },
    /// The program asks for threads, or uses them, in a way that OpenMP doesn't allow.
    Threads(Misuse),
    /// Two processes call collectives that don't match.
    Mismatch {
        /// The number of the call in the communicator, from 1.
        call: u64,
        /// The communicator's processes, as text that continues "a collective". Empty for all
        /// processes.
        among: String,
        /// The call of the process that reports the mismatch.
        here: String,
        /// The other process, which called first.
        other: u32,
        /// The element at which the other process called, if known.
        other_element: Option<Site>,
        /// The call of the other process.
        there: String,
    },
    /// A process awaits something that doesn't belong to this simulation.
    ForeignAwait,
    /// A process awaits two waits at the same time.
    TwoWaits,
    /// A process returned [`Stopped`], but nothing had stopped this run.
    Stopped,
    /// An accelerator can't do what an element requests.
    Accelerator(Unfit),
    /// The working sets of a node's processes don't fit in its memory.
    NodeMemory(Shortage),
    /// The machine has no prices for some of the model's operations.
    NoPrices(NoPrices),
    /// The machine can't simulate some of the devices that the model uses.
    NoDevices(NoDevices),
    /// The system parameters contradict each other.
    System(String),
    /// A change of the machine that arrived during the run is invalid.
    Changes(String),
}

impl Cause {
    /// Returns why a run fails if a process returns `stopped`.
    pub(crate) fn returned(stopped: Stopped) -> Self {
        let Some(error) = stopped.error() else {
            return Self::Stopped;
        };
        match error.downcast_ref::<Fault>() {
            Some(fault) => Self::Fault(fault.clone()),
            None => Self::Error(error),
        }
    }
}

/// A process, or one of its threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Who {
    /// The number of the process.
    pub process: u32,
    /// The thread, or `None` if the process has only one.
    pub thread: Option<u32>,
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {}", self.process)?;
        self.thread
            .iter()
            .try_for_each(|thread| write!(f, ", thread {thread}"))
    }
}

/// Why simulated time didn't advance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Livelock {
    /// The loops of a process had this many iterations at the same instant.
    Turns(u32),
    /// There were this many events at the same instant.
    Events(u64),
    /// There were too many events at the same instant, and the last ones form a cycle.
    Cycle {
        /// Number of events at the instant.
        events: u64,
        /// The first processes that took part in the last events, and their elements.
        among: Vec<Participant>,
        /// Number of other processes that took part.
        more: u32,
    },
}

/// A process that runs again and again at the same instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    /// The number of the process.
    pub process: u32,
    /// The thread, or `None` if the process has only one.
    pub thread: Option<u32>,
    /// The element that the process is at, or `None` if it isn't at any.
    pub element: Option<Site>,
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.cause {
            Cause::Error(error) => Some(&**error),
            _ => None,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Cause::System(_) | Cause::NoPrices(_) | Cause::NoDevices(_) = &*self.cause {
            // The run hasn't started yet.
            return self.cause.fmt(f);
        }
        write!(f, "{}", self.cause)?;
        write!(
            f,
            "\n  at {} of simulated time",
            prophet_text::short_time(self.time_s)
        )?;
        if let Some(process) = self.process {
            let thread = self.thread;
            write!(f, ", {}", Who { process, thread })?;
        }
        if let Some(element) = &self.element {
            write!(f, ", {element}")?;
        }
        Site::below(self.element.as_ref(), "  ", f)?;
        match &*self.cause {
            Cause::Deadlock(deadlock) => deadlock.details(f),
            Cause::Fault(fault) => fault.details(f),
            Cause::Livelock(Livelock::Cycle { among, more, .. }) => {
                f.write_str("\n  these never stop:")?;
                for participant in among {
                    let Participant {
                        process,
                        thread,
                        ref element,
                    } = *participant;
                    write!(f, "\n  {}", Who { process, thread })?;
                    if let Some(element) = element {
                        write!(f, " at {element}")?;
                    }
                    Site::below(element.as_ref(), "    ", f)?;
                }
                wording::more(*more, f)
            }
            Cause::Mismatch {
                call,
                among,
                here,
                other,
                other_element,
                there,
            } => {
                write!(f, "\n  call {call} of a collective{among} is {here} here, ")?;
                write!(f, "but {there} in process {other}")?;
                other_element
                    .iter()
                    .try_for_each(|element| write!(f, ", {element}"))?;
                Site::below(other_element.as_ref(), "  ", f)
            }
            Cause::Threads(misuse) => misuse.details(f),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", self.kind, self.name.escape_debug())?;
        // Where the place follows, the id says nothing more.
        match self.place {
            Some(_) => Ok(()),
            None => write!(f, " (id {})", self.id),
        }
    }
}

const NOT_WHOLE: &str = "is not a whole number, so it cannot identify a process";

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deadlock(deadlock) => deadlock.fmt(f),
            Self::Livelock(livelock) => livelock.fmt(f),
            Self::Cost { cost_s } => write_cost(f, *cost_s),
            Self::Unpriced => f.write_str("an element that occupies a CPU has no cost"),
            Self::TimeOverflow => f.write_str("the simulated time is no longer a finite number"),
            Self::Fault(fault) => fault.fmt(f),
            Self::Error(error) => error.fmt(f),
            Self::NoGuardHolds(unmet) => unmet.fmt(f),
            Self::NoSuchProcess {
                role,
                value: NOT_HERE,
                ..
            } => {
                let end = if *role == "dest" { "src" } else { "trg" };
                write!(f, "the `<{end}>` of its `rud` names a different process")
            }
            Self::NoSuchProcess {
                role,
                value,
                processes,
            } => {
                let last = processes.saturating_sub(1);
                let numbers = format_args!("the processes are numbered 0 to {last}");
                write!(f, "{role} is {value}, but {numbers}")
            }
            Self::Threads(misuse) => misuse.fmt(f),
            Self::NoSuchRoot { root, ranks, among } => {
                let last = ranks.saturating_sub(1);
                let what = ["ranks", "processes"][usize::from(among.is_empty())];
                let numbers = format_args!("the {what}{among} are numbered 0 to {last}");
                write!(f, "root is {root}, but {numbers}")
            }
            Self::NotWhole { role } => write!(f, "{role} {NOT_WHOLE}"),
            Self::NoRequest { request } => write!(
                f,
                "this process has not started a send or receive with the request `{}`",
                request.escape_debug()
            ),
            Self::NegativeSize { bytes } => write!(f, "the size is negative: {bytes} bytes"),
            Self::Truncated {
                source,
                message_bytes,
                receive_bytes,
            } => write!(
                f,
                "the message from process {source} has {message_bytes} bytes, \
                 but its receive accepts at most {receive_bytes}"
            ),
            Self::NoValue { source, tag } => write!(
                f,
                "the message from process {source} with tag {tag} carries no value, but its \
                 receive expects one"
            ),
            Self::Mismatch { .. } => f.write_str("processes call different collectives"),
            Self::ForeignAwait => {
                f.write_str("foreign await: the process awaits something outside the simulation")
            }
            Self::TwoWaits => f.write_str("the process awaits two things at the same time"),
            Self::Stopped => f.write_str("the process returned an error from another simulation"),
            Self::Accelerator(unfit) => unfit.fmt(f),
            Self::NodeMemory(shortage) => shortage.fmt(f),
            Self::NoPrices(missing) => missing.fmt(f),
            Self::NoDevices(missing) => missing.fmt(f),
            Self::System(problem) | Self::Changes(problem) => f.write_str(problem),
        }
    }
}

fn write_cost(f: &mut fmt::Formatter<'_>, cost_s: f64) -> fmt::Result {
    if cost_s.is_nan() || cost_s >= 0.0 {
        return write!(
            f,
            "the cost is not a finite number: {cost_s}; does it divide by 0?"
        );
    }
    // Six digits are enough to recognize a cost.
    let shown = format!("{cost_s:.5e}").parse().unwrap_or(cost_s);
    write!(f, "negative cost: {shown} s")
}

impl fmt::Display for Livelock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Turns(turns) => {
                write!(
                    f,
                    "livelock: a loop ran {turns} times without advancing simulated time"
                )
            }
            Self::Events(events) | Self::Cycle { events, .. } => wording::livelock(*events, f),
        }
    }
}
