//! Regions: content that several threads execute, or one thread at a time.

use super::action::Gate;
use super::{DiagramIndex, ElementIndex};
use crate::lang::ir::{Expression, Needs};

/// A region; each part of its content is its own diagram.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// The node that has the content, or forks.
    pub element: ElementIndex,
    /// Threads that execute the content.
    pub construct: Construct,
    /// The content: a diagram for each section or branch, else one.
    pub parts: Vec<DiagramIndex>,
    /// Needs of the construct's expressions and of the functions that they call.
    pub needs: Needs,
}

/// Threads that execute the content of a region.
#[derive(Debug, Clone, PartialEq)]
pub enum Construct {
    /// Each thread of a team.
    Parallel(Team),
    /// The threads of a team, which share the iterations.
    ParallelDo(Team, Box<Iterations>),
    /// The threads of a team, each of which takes a part when it has nothing to do.
    ParallelSections(Team),
    /// A thread for each part; all end before the flow continues.
    Fork,
    /// A thread for each part, which runs when a token has come on each flow that leads to the
    /// part, and again when others have; the part of each flow is given. The first flow starts it
    /// all, and the flow after it continues when no token can move.
    Flows(Vec<usize>),
    /// The threads that the gate lets in.
    Gated(Gate),
}

/// The number of threads of a team, an int; `None` for as many as the system says.
pub type Team = Option<Expression>;

/// Iterations of a loop that a team shares.
#[derive(Debug, Clone, PartialEq)]
pub struct Iterations {
    /// Number of iterations, an int.
    pub count: Expression,
    /// The variable that has the iteration's number, from 0, where the content uses it.
    pub variable: Option<String>,
    /// Rule by which the threads take iterations.
    pub schedule: Schedule,
    /// Number of iterations that a thread takes at a time, an int; `None` if the schedule decides.
    pub chunk: Option<Expression>,
}

/// Rule by which threads take iterations, as in OpenMP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Schedule {
    /// Each has its own from the start.
    #[default]
    Static,
    /// The next free thread takes the next iterations.
    Dynamic,
    /// The next free thread takes the next iterations, fewer and fewer each time.
    Guided,
}

impl Region {
    /// The expressions of the construct.
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

    /// The variable that the content has from the region.
    pub fn variable(&self) -> Option<&str> {
        match &self.construct {
            Construct::ParallelDo(_, shared) => shared.variable.as_deref(),
            _ => None,
        }
    }
}
