//! Defines regions: content that several threads execute, or one thread at a time.

use super::action::Gate;
use super::{DiagramIndex, ElementIndex};
use crate::lang::ir::{Expression, Needs};

/// A region. Each of its parts is a separate diagram.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// The node that contains the region's content, or forks into its branches.
    pub element: ElementIndex,
    /// Which threads execute the content.
    pub construct: Construct,
    /// The content: a diagram for each section or branch, or a single diagram.
    pub parts: Vec<DiagramIndex>,
    /// What the construct's expressions need at run time, including the functions that they call.
    pub needs: Needs,
}

/// Which threads execute a region's content.
#[derive(Debug, Clone, PartialEq)]
pub enum Construct {
    /// All threads of a team execute the content.
    Parallel(Team),
    /// The threads of a team share the iterations.
    ParallelDo(Team, Box<Iterations>),
    /// The threads of a team share the parts: an idle thread takes the next part.
    ParallelSections(Team),
    /// Each part runs in its own thread. The flow continues after all of them have ended.
    Fork,
    /// Each part runs in its own thread when a token has arrived on every flow that leads to it,
    /// and again when further tokens have arrived. The list contains the part that each flow leads
    /// to. The first flow starts the region. The flow continues after the region when no token can
    /// move.
    Flows(Vec<usize>),
    /// Only the threads that the gate lets in execute the content.
    Gated(Gate),
}

/// Number of threads in a team, an int; `None` for the system's default.
pub type Team = Option<Expression>;

/// The iterations of a loop that a team shares.
#[derive(Debug, Clone, PartialEq)]
pub struct Iterations {
    /// Number of iterations, an int.
    pub count: Expression,
    /// The variable with the iteration's number, counted from 0; `None` if the content doesn't use
    /// it.
    pub variable: Option<String>,
    /// How iterations are distributed over the threads.
    pub schedule: Schedule,
    /// Number of iterations that a thread takes at a time, an int; `None` for the schedule's
    /// default.
    pub chunk: Option<Expression>,
}

/// How iterations are distributed over threads, as in OpenMP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Schedule {
    /// The iterations of each thread are fixed from the start.
    #[default]
    Static,
    /// A thread takes more iterations whenever it is idle.
    Dynamic,
    /// A thread takes more iterations whenever it is idle, but fewer each time.
    Guided,
}

impl Region {
    /// Iterates over the expressions of the construct.
    pub fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let (team, shared) = match &self.construct {
            Construct::Parallel(team) | Construct::ParallelSections(team) => (team.as_ref(), None),
            Construct::ParallelDo(team, shared) => (team.as_ref(), Some(shared)),
            Construct::Fork | Construct::Flows(_) | Construct::Gated(_) => (None, None),
        };
        let shared = shared
            .into_iter()
            .flat_map(|it| [Some(&it.count), it.chunk.as_ref()]);
        team.into_iter().chain(shared.flatten())
    }

    /// Returns the variable that the region sets for its content; `None` if it doesn't set one.
    pub fn variable(&self) -> Option<&str> {
        match &self.construct {
            Construct::ParallelDo(_, shared) => shared.variable.as_deref(),
            _ => None,
        }
    }
}
