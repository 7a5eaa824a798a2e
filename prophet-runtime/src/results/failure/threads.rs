//! Describes how a program misuses threads.

use std::fmt;

use super::Site;
use crate::language::threads::{MEMBERS_MAX, Schedule, TEAM_MAX};

/// A use of threads that OpenMP doesn't allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misuse {
    /// A region asks for less than one thread, or for more than 65,536.
    TeamSize {
        /// The number of threads that it asks for.
        threads: i64,
    },
    /// There would be more than 4,194,304 threads at the same time, in addition to one for each
    /// process.
    TooMany,
    /// The chunk size of a loop's schedule isn't positive.
    ChunkSize {
        /// The chunk size in the model.
        chunk: i64,
    },
    /// A loop has a negative number of iterations.
    Iterations {
        /// The number of iterations in the model.
        iterations: i64,
    },
    /// A loop has more iterations than can be simulated in reasonable time.
    TooManyIterations {
        /// The number of iterations in the model.
        iterations: i64,
    },
    /// Two threads of a team are in constructs that don't match.
    Constructs {
        /// The construct of the thread that reports this.
        here: Construct,
        /// The thread that arrived first.
        other: u32,
        /// The element that the other thread is at, if known.
        other_element: Option<Site>,
        /// The construct of the other thread.
        there: Construct,
    },
    /// A thread reaches a construct that its team shares while it is in another one.
    Nested {
        /// The construct that the thread reaches.
        here: Construct,
        /// The element that the thread is in.
        outer: Option<Site>,
    },
    /// A thread adds a token to a flow that its element doesn't have.
    Flow {
        /// The number of the flow.
        flow: u32,
    },
}

/// A construct that all threads of a team reach together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Construct {
    /// A loop.
    Loop {
        /// How the iterations are divided among the threads.
        iterations: u64,
        /// How the iterations are distributed.
        schedule: Schedule,
    },
    /// A number of sections.
    Sections(u64),
    /// Work that one thread does for all of them.
    Single,
    /// A barrier.
    Barrier,
    /// The end of the team's region.
    End,
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TeamSize { threads } if *threads > 0 => {
                write!(
                    f,
                    "a team can have at most {TEAM_MAX} threads, not {threads}"
                )
            }
            Self::TeamSize { threads } => {
                write!(f, "a team needs at least one thread, not {threads}")
            }
            Self::TooMany => {
                let most = MEMBERS_MAX;
                write!(
                    f,
                    "there can be at most {most} threads in addition to the first thread of each \
                     process"
                )
            }
            Self::ChunkSize { chunk } => {
                write!(f, "a chunk needs at least one iteration, not {chunk}")
            }
            Self::Iterations { iterations } => {
                write!(f, "the number of iterations is negative: {iterations}")
            }
            Self::TooManyIterations { iterations } => write!(
                f,
                "{iterations} iterations are too many to simulate (at most 1,099,511,627,776): \
                 use fewer iterations with a higher cost"
            ),
            Self::Constructs { .. } => f.write_str("threads of a team reach different constructs"),
            Self::Nested { .. } => f.write_str("a construct of the team is nested in another one"),
            Self::Flow { flow } => write!(f, "no part here is the target of flow {flow}"),
        }
    }
}

impl Misuse {
    /// Writes the details that come after the process, the element, and the time.
    pub(super) fn details(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constructs {
                here,
                other,
                other_element,
                there,
            } => {
                write!(f, "\n  this is {here}, but thread {other} is at {there}")?;
                other_element
                    .iter()
                    .try_for_each(|element| write!(f, ", {element}"))?;
                Site::below(other_element.as_ref(), "  ", f)
            }
            Self::Nested {
                here,
                outer: Some(outer),
            } => {
                write!(
                    f,
                    "\n  it is inside {outer}, which not all threads of the team reach"
                )?;
                Site::below(Some(outer), "  ", f)?;
                match here {
                    Construct::Loop { .. } | Construct::Sections(_) => {
                        f.write_str("\n  to give it a team of its own, set its number of threads")
                    }
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Construct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loop {
                iterations,
                schedule,
            } => write!(f, "a loop of {iterations} iterations, {schedule}"),
            Self::Sections(sections) => write!(f, "{sections} sections"),
            Self::Single => f.write_str("a single"),
            Self::Barrier => f.write_str("a barrier"),
            Self::End => f.write_str("the end of the region"),
        }
    }
}
