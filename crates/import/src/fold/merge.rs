//! The programs of all ranks as one: common parts become one step, other parts are steps of some
//! ranks.

use super::align::Align;
use super::each::Orders;
use super::points::{Levels, Points};
use super::ranks::Ranks;
use super::relation::Relation;
use super::sequence::{Act, Node, What};
use crate::event::{Event, Message};

/// Step of several ranks.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) ranks: Ranks,
    pub(crate) doing: Doing,
}

/// Event or loop of a step.
#[derive(Debug, Clone)]
pub(crate) enum Doing {
    /// An event, with the partner's relation, the event of each rank, and the name of the request
    /// that something awaits.
    Act {
        relations: Box<[Option<Relation>; 2]>,
        acts: Vec<(u32, Act)>,
        request: Option<String>,
    },
    /// A loop, with the iterations of each rank.
    Loop {
        counts: Vec<(u32, u64)>,
        body: Vec<Step>,
    },
    /// A loop over levels, whose points are the ranks' in the body.
    Levels {
        levels: Box<Levels>,
        body: Vec<Step>,
    },
}

impl Act {
    /// The messages of the event.
    pub(crate) fn messages(&self) -> [Option<Message>; 2] {
        match self.event {
            Event::Send(it)
            | Event::Receive(it)
            | Event::BeginSend(it, _)
            | Event::BeginReceive(it, _) => [Some(it), None],
            Event::Exchange { to, from } => [Some(to), Some(from)],
            Event::Wait(_) => [self.begun.map(|it| it.0), None],
            Event::Compute(_) | Event::WaitAll | Event::Collective(_) => [None, None],
        }
    }

    /// The relations to its partners.
    pub(super) fn relations(&self, point: u32, points: &Points) -> [Option<Relation>; 2] {
        let messages = self.messages();
        std::array::from_fn(|place| {
            let peer = messages[place].and_then(|it| it.peer);
            let peer = peer.filter(|_| !self.each[place].is_some());
            peer.map(|peer| Relation::of(points.at(point), peer, points.are_several()))
        })
    }

    /// The orders of all other ranks that are common to both.
    pub(super) fn orders(&self, other: &Self) -> Option<[Orders; 2]> {
        let [to, from] = [0, 1].map(|place| self.each[place].common(other.each[place]));
        Some([to?, from?])
    }
}

/// True if the steps of a loop are done with each other rank.
pub(crate) fn is_each(body: &[Step]) -> bool {
    body.iter().any(|step| match &step.doing {
        Doing::Act { acts, .. } => acts[0].1.is_each(),
        Doing::Loop { .. } | Doing::Levels { .. } => false,
    })
}

/// Steps for the first rank, to which others are added.
fn steps(rank: u32, points: &Points, nodes: Vec<Node>) -> Vec<Step> {
    let step = |node: Node| Step {
        ranks: Ranks::of(points.count(), |it| it == rank),
        doing: match node.what {
            What::Act(act) => Doing::Act {
                relations: Box::new(act.relations(rank, points)),
                acts: vec![(rank, act)],
                request: None,
            },
            What::Loop { count, body } => Doing::Loop {
                counts: vec![(rank, count)],
                body: steps(rank, points, body),
            },
        },
    };
    nodes.into_iter().map(step).collect()
}

/// Merges the programs of ranks: the longest first, which shows the most of the others. Ranks whose
/// comparison would take too long are their own part.
pub(crate) fn merged(mut programs: Vec<(u32, Vec<Node>)>, points: &Points) -> Vec<Step> {
    programs.sort_by_key(|(rank, nodes)| (std::cmp::Reverse(size(nodes)), *rank));
    let mut align = Align::new(points);
    let (mut all, mut others) = (Vec::new(), Vec::new());
    for (rank, nodes) in programs {
        let pairs = align.pairs(&all, rank, &nodes);
        if align.is_spent() {
            others.extend(steps(rank, points, nodes));
        } else {
            all = joined(&mut align, all, rank, nodes, pairs);
        }
    }
    all.extend(others);
    all
}

/// Number of nodes, including the nodes in loops.
pub(super) fn size(nodes: &[Node]) -> usize {
    let one = |node: &Node| match &node.what {
        What::Act(_) => 1,
        What::Loop { body, .. } => 1 + size(body),
    };
    nodes.iter().map(one).sum()
}

/// Joins a rank's nodes with steps: the pairs, and the nodes between them.
fn joined(
    align: &mut Align<'_>,
    steps: Vec<Step>,
    rank: u32,
    nodes: Vec<Node>,
    pairs: Vec<(usize, usize)>,
) -> Vec<Step> {
    let points = align.points;
    let mut result = Vec::with_capacity(steps.len().max(nodes.len()));
    let (mut steps, mut nodes) = (steps.into_iter(), nodes.into_iter());
    let (mut step_at, mut node_at) = (0, 0);
    for (step_to, node_to) in pairs {
        result.extend(steps.by_ref().take(step_to - step_at));
        let alone = nodes.by_ref().take(node_to - node_at).collect();
        result.extend(self::steps(rank, points, alone));
        if let (Some(step), Some(node)) = (steps.next(), nodes.next()) {
            result.push(both(align, step, rank, node));
        }
        (step_at, node_at) = (step_to + 1, node_to + 1);
    }
    result.extend(steps);
    result.extend(self::steps(rank, points, nodes.collect()));
    result
}

/// A step that a rank does, too.
fn both(align: &mut Align<'_>, mut step: Step, rank: u32, node: Node) -> Step {
    step.ranks.insert(rank);
    step.doing = match (step.doing, node.what) {
        (
            Doing::Act {
                relations,
                mut acts,
                request,
            },
            What::Act(act),
        ) => {
            let others = act.relations(rank, align.points);
            let mut common = relations;
            for (of, other) in common.iter_mut().zip(others) {
                *of = of.zip(other).and_then(|(one, other)| one.common(other));
            }
            // The first one has what is common to all.
            let (_, first) = &mut acts[0];
            first.each = first.orders(&act).unwrap_or_default();
            acts.push((rank, act));
            Doing::Act {
                relations: common,
                acts,
                request,
            }
        }
        (Doing::Loop { mut counts, body }, What::Loop { count, body: nodes }) => {
            counts.push((rank, count));
            let pairs = align.pairs(&body, rank, &nodes);
            let body = joined(align, body, rank, nodes, pairs);
            Doing::Loop { counts, body }
        }
        (doing, _) => doing,
    };
    step
}
