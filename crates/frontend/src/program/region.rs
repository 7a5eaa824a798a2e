//! Defines regions, whose content several threads execute, or one thread at a time.

use super::action::Gate;
use super::{DiagramIndex, ElementIndex};
use crate::lang::ir::{Expression, Needs};

/// A region, each part of which is a separate diagram.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// The node that contains the region's content or forks into its branches.
    pub element: ElementIndex,
    /// Which threads execute the content.
    pub construct: Construct,
    /// The content: a diagram for each section or branch, or otherwise a single diagram.
    pub parts: Vec<DiagramIndex>,
    /// What the construct's expressions need at run time, including the functions that they call.
    pub needs: Needs,
}

/// Which threads execute a region's content.
#[derive(Debug, Clone, PartialEq)]
pub enum Construct {
    /// Every thread of a team runs the content.
    Parallel(Team),
    /// The threads of a team share the iterations.
    ParallelDo(Team, Box<Iterations>),
    /// The threads of a team: each takes another part whenever it is idle.
    ParallelSections(Team),
    /// One thread runs each part. All of them end before the flow continues.
    Fork,
    /// One thread runs each part, once a token has arrived on every flow that leads to the part,
    /// and again when further tokens have. The list contains, for each flow, the part that it leads
    /// to. The first flow starts the region. The flow after the region continues when no token can
    /// move any more.
    Flows(Vec<usize>),
    /// Only the threads that the gate lets in run the content.
    Gated(Gate),
}

/// The number of threads in a team, an int; `None` means the system's default.
pub type Team = Option<Expression>;

/// The iterations of a loop that a team shares.
#[derive(Debug, Clone, PartialEq)]
pub struct Iterations {
    /// Number of iterations, an int.
    pub count: Expression,
    /// The variable that holds the iteration's number, from 0; `None` if the content doesn't use
    /// it.
    pub variable: Option<String>,
    /// How the threads take iterations.
    pub schedule: Schedule,
    /// Number of iterations that a thread takes at a time, an int; if `None`, the schedule decides.
    pub chunk: Option<Expression>,
}

/// How threads take iterations, as in OpenMP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Schedule {
    /// Each thread's iterations are fixed from the start.
    #[default]
    Static,
    /// Each thread takes further iterations when it is free.
    Dynamic,
    /// Each thread takes further iterations when it is free, and fewer of them each time.
    Guided,
}

impl Region {
    /// Iterates over the construct's expressions.
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

    /// Returns the variable that the region sets for its content, if there is one.
    pub fn variable(&self) -> Option<&str> {
        match &self.construct {
            Construct::ParallelDo(_, shared) => shared.variable.as_deref(),
            _ => None,
        }
    }
}
