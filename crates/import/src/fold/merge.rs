//! The programs of all ranks as one: what they have in common is one step, the rest is for some.

use super::each::Orders;
use super::ranks::Ranks;
use super::relation::Relation;
use super::sequence::{Act, Node, What};
use crate::event::{Event, Message};

/// Largest table of an alignment.
const TABLE_MAX: usize = 16 << 20;

/// Step of several ranks.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) ranks: Ranks,
    pub(crate) doing: Doing,
}

/// Event or loop of a step.
#[derive(Debug, Clone)]
pub(crate) enum Doing {
    /// An event, with the partner's relation and the event of each rank.
    Act {
        relations: [Option<Relation>; 2],
        acts: Vec<(u32, Act)>,
    },
    /// A loop, with the iterations of each rank.
    Loop {
        counts: Vec<(u32, u64)>,
        body: Vec<Step>,
    },
}

/// Kinds of events that can be one step.
#[derive(Debug, PartialEq, Eq)]
enum Class {
    Compute,
    Send,
    Receive,
    BeginSend,
    BeginReceive,
    Wait(Option<bool>),
    WaitAll,
    Exchange,
    Collective(crate::event::Kind, bool),
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

    fn class(&self) -> Class {
        match &self.event {
            Event::Compute(_) => Class::Compute,
            Event::Send(_) => Class::Send,
            Event::Receive(_) => Class::Receive,
            Event::BeginSend(..) => Class::BeginSend,
            Event::BeginReceive(..) => Class::BeginReceive,
            Event::Wait(_) => Class::Wait(self.begun.map(|it| it.1)),
            Event::WaitAll => Class::WaitAll,
            Event::Exchange { .. } => Class::Exchange,
            Event::Collective(it) => Class::Collective(it.kind, it.blocks.is_some()),
        }
    }

    /// The relations to its partners.
    fn relations(&self, rank: u32, ranks: u32) -> [Option<Relation>; 2] {
        let messages = self.messages();
        std::array::from_fn(|place| {
            let peer = messages[place].and_then(|it| it.peer);
            let peer = peer.filter(|_| !self.each[place].is_some());
            peer.map(|peer| Relation::of(rank, peer, ranks))
        })
    }

    /// The orders of all other ranks that are common to both.
    fn orders(&self, other: &Self) -> Option<[Orders; 2]> {
        let [to, from] = [0, 1].map(|place| self.each[place].common(other.each[place]));
        Some([to?, from?])
    }

    /// Number of equal sizes and tags.
    fn likeness(&self, other: &Self) -> u32 {
        let pairs = self.messages().into_iter().zip(other.messages());
        let of = |(one, other): (Option<Message>, Option<Message>)| match (one, other) {
            (Some(one), Some(other)) => {
                u32::from(one.bytes == other.bytes) + u32::from(one.tag == other.tag)
            }
            _ => 0,
        };
        pairs.map(of).sum()
    }
}

/// True if the steps of a loop are done with each other rank.
pub(crate) fn is_each(body: &[Step]) -> bool {
    body.iter().any(|step| match &step.doing {
        Doing::Act { acts, .. } => acts[0].1.is_each(),
        Doing::Loop { .. } => false,
    })
}

/// Merge of the programs of ranks, one after the other.
#[derive(Debug)]
pub(crate) struct Merge {
    ranks: u32,
}

/// Steps for the first rank, to which others are added.
fn steps(rank: u32, ranks: u32, nodes: Vec<Node>) -> Vec<Step> {
    let step = |node: Node| Step {
        ranks: Ranks::of(ranks, |it| it == rank),
        doing: match node.what {
            What::Act(act) => Doing::Act {
                relations: act.relations(rank, ranks),
                acts: vec![(rank, act)],
            },
            What::Loop { count, body } => Doing::Loop {
                counts: vec![(rank, count)],
                body: steps(rank, ranks, body),
            },
        },
    };
    nodes.into_iter().map(step).collect()
}

/// Merges the programs of ranks: the longest first, which shows the most of the others.
pub(crate) fn merged(mut programs: Vec<(u32, Vec<Node>)>) -> Result<Vec<Step>, String> {
    let ranks = u32::try_from(programs.len()).unwrap_or(u32::MAX);
    programs.sort_by_key(|(rank, nodes)| (std::cmp::Reverse(size(nodes)), *rank));
    let merge = Merge { ranks };
    let mut all = Vec::new();
    for (rank, nodes) in programs {
        if all.is_empty() {
            all = steps(rank, ranks, nodes);
        } else {
            all = merge
                .add(all, rank, nodes)
                .map_err(|why| format!("rank {rank}: {why}"))?;
        }
    }
    Ok(all)
}

fn size(nodes: &[Node]) -> usize {
    let one = |node: &Node| match &node.what {
        What::Act(_) => 1,
        What::Loop { body, .. } => 1 + size(body),
    };
    nodes.iter().map(one).sum()
}

impl Merge {
    /// Adds a rank's nodes to steps.
    fn add(&self, steps: Vec<Step>, rank: u32, nodes: Vec<Node>) -> Result<Vec<Step>, String> {
        let pairs = self.alignment(&steps, rank, &nodes)?;
        let mut result = Vec::with_capacity(steps.len().max(nodes.len()));
        let (mut steps, mut nodes) = (steps.into_iter(), nodes.into_iter());
        let (mut step_at, mut node_at) = (0, 0);
        for (step_to, node_to) in pairs {
            result.extend(steps.by_ref().take(step_to - step_at));
            let alone = nodes.by_ref().take(node_to - node_at).collect();
            result.extend(self::steps(rank, self.ranks, alone));
            if let (Some(step), Some(node)) = (steps.next(), nodes.next()) {
                result.push(self.joined(step, rank, node)?);
            }
            (step_at, node_at) = (step_to + 1, node_to + 1);
        }
        result.extend(steps);
        result.extend(self::steps(rank, self.ranks, nodes.collect()));
        Ok(result)
    }

    fn joined(&self, mut step: Step, rank: u32, node: Node) -> Result<Step, String> {
        step.ranks.insert(rank);
        step.doing = match (step.doing, node.what) {
            (
                Doing::Act {
                    relations,
                    mut acts,
                },
                What::Act(act),
            ) => {
                let others = act.relations(rank, self.ranks);
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
                }
            }
            (Doing::Loop { mut counts, body }, What::Loop { count, body: nodes }) => {
                counts.push((rank, count));
                let body = self.add(body, rank, nodes)?;
                Doing::Loop { counts, body }
            }
            (doing, _) => doing,
        };
        Ok(step)
    }

    /// Pairs of a step and a node that can be one, in order, with the highest score.
    fn alignment(
        &self,
        steps: &[Step],
        rank: u32,
        nodes: &[Node],
    ) -> Result<Vec<(usize, usize)>, String> {
        let table = self.table(steps, rank, nodes)?;
        let width = nodes.len() + 1;
        let mut pairs = Vec::new();
        let (mut step, mut node) = (0, 0);
        while step < steps.len() && node < nodes.len() {
            let best = table[step * width + node];
            let with = self.score(&steps[step], rank, &nodes[node])?;
            if with > 0 && best == with + table[(step + 1) * width + node + 1] {
                pairs.push((step, node));
                (step, node) = (step + 1, node + 1);
            } else if best == table[(step + 1) * width + node] {
                step += 1;
            } else {
                node += 1;
            }
        }
        Ok(pairs)
    }

    /// The best scores of the rests of both.
    fn table(&self, steps: &[Step], rank: u32, nodes: &[Node]) -> Result<Vec<u32>, String> {
        let width = nodes.len() + 1;
        let size = width * (steps.len() + 1);
        if size > TABLE_MAX {
            return Err(format!(
                "{} steps do not repeat, too many to compare with those of other ranks",
                nodes.len()
            ));
        }
        let mut table = vec![0; size];
        for step in (0..steps.len()).rev() {
            for node in (0..nodes.len()).rev() {
                let without = table[(step + 1) * width + node].max(table[step * width + node + 1]);
                let with = self.score(&steps[step], rank, &nodes[node])?;
                let both = table[(step + 1) * width + node + 1] + with;
                table[step * width + node] = if with > 0 { without.max(both) } else { without };
            }
        }
        Ok(table)
    }

    /// Measure of how well a node fits a step; 0 if it doesn't.
    fn score(&self, step: &Step, rank: u32, node: &Node) -> Result<u32, String> {
        match (&step.doing, &node.what) {
            (Doing::Act { relations, acts }, What::Act(act)) => {
                let (_, first) = &acts[0];
                if first.class() != act.class() || first.orders(act).is_none() {
                    return Ok(0);
                }
                Ok(self.act_score(relations, first, rank, act))
            }
            (Doing::Loop { counts, body }, What::Loop { count, body: nodes }) => {
                if is_each(body) != nodes.iter().any(Node::is_each) {
                    return Ok(0);
                }
                let same_count = counts.iter().all(|(_, it)| it == count);
                let inside = self.table(body, rank, nodes)?[0];
                Ok(if same_count { inside } else { inside / 4 })
            }
            _ => Ok(0),
        }
    }

    fn act_score(
        &self,
        relations: &[Option<Relation>; 2],
        first: &Act,
        rank: u32,
        act: &Act,
    ) -> u32 {
        if let (Event::Collective(one), Event::Collective(other)) = (&first.event, &act.event) {
            let is_same = one.root == other.root && one.bytes == other.bytes;
            return if is_same { 20 } else { 0 };
        }
        let mut score = 2 + first.likeness(act);
        let others = act.relations(rank, self.ranks);
        for (one, other) in relations.iter().zip(&others) {
            match (one, other) {
                (None, None) => {}
                (Some(one), Some(other)) => match one.common(*other) {
                    Some(common) => score += common.score(),
                    None => return 0,
                },
                _ => return 0,
            }
        }
        score
    }
}
