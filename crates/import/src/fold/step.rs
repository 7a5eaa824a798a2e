//! Represents steps that several ranks execute, and compares them with the events of one rank.

use super::node::{Act, FoldNode, FoldNodeKind};
use super::order::Orders;
use super::points::{Levels, Points};
use super::ranks::RankSet;
use super::relation::Relation;
use crate::event::{Message, RankEvent};

#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) ranks: RankSet,
    pub(crate) doing: StepAction,
}

#[derive(Debug, Clone)]
pub(crate) enum StepAction {
    /// An event: the relation to the partner, each rank's own event, and the name of an awaited
    /// request.
    Act {
        relations: Box<[Option<Relation>; 2]>,
        acts: Vec<(u32, Act)>,
        request: Option<String>,
    },
    Loop {
        counts: Vec<(u32, u64)>,
        body: Vec<Step>,
    },
    /// A loop over levels. Points in its body are pairs of a rank and a level.
    Levels {
        levels: Box<Levels>,
        body: Vec<Step>,
    },
}

impl Act {
    pub(crate) fn messages(&self) -> [Option<Message>; 2] {
        match self.event {
            RankEvent::Send(it)
            | RankEvent::Receive(it)
            | RankEvent::BeginSend(it, _)
            | RankEvent::BeginReceive(it, _) => [Some(it), None],
            RankEvent::Exchange { to, from } => [Some(to), Some(from)],
            RankEvent::Wait(_) => [self.begun.map(|it| it.0), None],
            RankEvent::Compute(_) | RankEvent::WaitAll | RankEvent::Collective(_) => [None, None],
        }
    }

    pub(super) fn relations(&self, point: u32, points: &Points) -> [Option<Relation>; 2] {
        let messages = self.messages();
        std::array::from_fn(|place| {
            let peer = messages[place].and_then(|it| it.peer);
            let peer = peer.filter(|_| !self.each[place].is_some());
            peer.map(|peer| Relation::of(points.at(point), peer, points.are_several()))
        })
    }

    /// Returns the orders over all other ranks that fit both steps.
    pub(super) fn orders(&self, other: &Self) -> Option<[Orders; 2]> {
        let [to, from] = [0, 1].map(|place| self.each[place].common(other.each[place]));
        Some([to?, from?])
    }
}

/// Returns `true` if a loop repeats its steps with each of the other ranks.
pub(crate) fn is_each(body: &[Step]) -> bool {
    body.iter().any(|step| match &step.doing {
        StepAction::Act { acts, .. } => acts[0].1.is_each(),
        StepAction::Loop { .. } | StepAction::Levels { .. } => false,
    })
}

pub(super) fn size(nodes: &[FoldNode]) -> usize {
    let one = |node: &FoldNode| match &node.what {
        FoldNodeKind::Act(_) => 1,
        FoldNodeKind::Loop { body, .. } => 1 + size(body),
    };
    nodes.iter().map(one).sum()
}
