//! Aligns the steps and nodes of ranks: finds the pairs, in order, that have the highest total
//! score.
//!
//! Collectives are anchors, because all ranks call them in the same order. Between two anchors, a
//! table contains the best scores for all remainders of both sequences. If the table would be too
//! large, or the work limit is reached, nothing is paired, which is correct for any trace.

use std::ops::Range;

use super::node::{Act, FoldNode, FoldNodeKind};
use super::points::Points;
use super::relation::Relation;
use super::step::{Step, StepAction, is_each, size};
use crate::event::{Collective, Message, RankEvent};

const PART_MAX: u64 = 64 << 20;
const WORK_MAX: u64 = 2 << 30;

/// Score for partners in a cube, if partners in cubes are preferred.
const IN_CUBE: u32 = 9;
/// Score for events with the same tag and size.
const ALIKE: u32 = 2;

/// The kinds of events that can share a step.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Class {
    Compute,
    Send,
    Receive,
    BeginSend,
    BeginReceive,
    Wait(Option<bool>),
    WaitAll,
    Exchange,
    Collective(crate::event::Kind, bool, bool),
}

/// A node of a rank with its relations to partners, which are compared with many steps.
struct Compared<'n> {
    node: &'n FoldNode,
    relations: [Option<Relation>; 2],
    body: Vec<Compared<'n>>,
}

#[derive(Debug)]
pub(super) struct Align<'p> {
    pub(super) points: &'p Points,
    left: u64,
}

impl Act {
    /// Returns the kind of step that the act can belong to.
    pub(super) fn class(&self) -> Class {
        match &self.event {
            RankEvent::Compute(_) => Class::Compute,
            RankEvent::Send(_) => Class::Send,
            RankEvent::Receive(_) => Class::Receive,
            RankEvent::BeginSend(..) => Class::BeginSend,
            RankEvent::BeginReceive(..) => Class::BeginReceive,
            RankEvent::Wait(_) => Class::Wait(self.begun.map(|it| it.1)),
            RankEvent::WaitAll => Class::WaitAll,
            RankEvent::Exchange { .. } => Class::Exchange,
            RankEvent::Collective(it) => {
                Class::Collective(it.kind, it.blocks.is_some(), it.group.is_some())
            }
        }
    }

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

    /// Returns `true` if both events leave the same message properties open. An element has a tag
    /// and a size for all of its ranks or for none.
    fn is_as_open(&self, other: &Self) -> bool {
        if matches!(self.event, RankEvent::Wait(_)) {
            return true;
        }
        let open = |it: Option<Message>| it.map(|it| (it.tag.is_none(), it.bytes.is_none()));
        self.messages().map(open) == other.messages().map(open)
    }
}

impl<'p> Align<'p> {
    pub(super) fn new(points: &'p Points) -> Self {
        let left = WORK_MAX;
        Self { points, left }
    }

    pub(super) fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Returns pairs of a step and a node to merge with it.
    pub(super) fn pairs(
        &mut self,
        steps: &[Step],
        rank: u32,
        nodes: &[FoldNode],
    ) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        let (mut step, mut node) = (0, 0);
        let ends = (steps.len(), nodes.len());
        let anchors = anchors(steps, nodes, self.points.are_several());
        for (step_to, node_to) in anchors.into_iter().chain([ends]) {
            self.align_part(steps, step..step_to, rank, nodes, node..node_to, &mut pairs);
            if step_to < steps.len() {
                pairs.push((step_to, node_to));
            }
            (step, node) = (step_to + 1, node_to + 1);
        }
        pairs
    }

    /// Adds the pairs in two subranges, up to the work limit.
    fn align_part(
        &mut self,
        steps: &[Step],
        of_steps: Range<usize>,
        rank: u32,
        nodes: &[FoldNode],
        of_nodes: Range<usize>,
        pairs: &mut Vec<(usize, usize)>,
    ) {
        let (step_at, node_at) = (of_steps.start, of_nodes.start);
        let (steps, nodes) = (&steps[of_steps], &nodes[of_nodes]);
        let (all, own) = (steps_in(steps) as u64, size(nodes) as u64);
        let work = all.saturating_mul(own);
        if work == 0 || work > PART_MAX.min(self.left) {
            // Scanning them takes time as well.
            self.left = self.left.saturating_sub(all + own);
            return;
        }
        self.left -= work;
        let nodes = &self.compared(rank, nodes);
        let table = self.table(steps, rank, nodes);
        let width = nodes.len() + 1;
        let (mut step, mut node) = (0, 0);
        while step < steps.len() && node < nodes.len() {
            let best = table[step * width + node];
            let with = self.score(&steps[step], rank, &nodes[node]);
            if with > 0 && best == with + table[(step + 1) * width + node + 1] {
                pairs.push((step_at + step, node_at + node));
                (step, node) = (step + 1, node + 1);
            } else if best == table[(step + 1) * width + node] {
                step += 1;
            } else {
                node += 1;
            }
        }
    }

    fn compared<'n>(&self, rank: u32, nodes: &'n [FoldNode]) -> Vec<Compared<'n>> {
        let one = |node: &'n FoldNode| {
            let (relations, body) = match &node.what {
                FoldNodeKind::Act(act) => (act.relations(rank, self.points), Vec::new()),
                FoldNodeKind::Loop { body, .. } => ([None; 2], self.compared(rank, body)),
            };
            Compared {
                node,
                relations,
                body,
            }
        };
        nodes.iter().map(one).collect()
    }

    fn table(&self, steps: &[Step], rank: u32, nodes: &[Compared<'_>]) -> Vec<u32> {
        let width = nodes.len() + 1;
        let mut table = vec![0; width * (steps.len() + 1)];
        for step in (0..steps.len()).rev() {
            for node in (0..nodes.len()).rev() {
                let without = table[(step + 1) * width + node].max(table[step * width + node + 1]);
                let with = self.score(&steps[step], rank, &nodes[node]);
                let both = table[(step + 1) * width + node + 1] + with;
                table[step * width + node] = if with > 0 { without.max(both) } else { without };
            }
        }
        table
    }

    /// Measures how well a node fits a step; returns 0 if it doesn't.
    fn score(&self, step: &Step, rank: u32, with: &Compared<'_>) -> u32 {
        match (&step.doing, &with.node.what) {
            (
                StepAction::Act {
                    relations, acts, ..
                },
                FoldNodeKind::Act(act),
            ) => {
                let (_, first) = &acts[0];
                let fits = (first.site, first.level) == (act.site, act.level)
                    && first.class() == act.class()
                    && first.is_as_open(act)
                    && groups_fit(acts, rank, act);
                if fits && first.orders(act).is_some() {
                    self.act_score((relations, acts), rank, act, &with.relations)
                } else {
                    0
                }
            }
            (StepAction::Loop { counts, body }, FoldNodeKind::Loop { count, .. }) => {
                let nodes = &with.body;
                if is_each(body) != nodes.iter().any(|it| it.node.is_each()) {
                    return 0;
                }
                let run = self.points.at(rank).run;
                let mut own = counts.iter().filter(|it| self.points.at(it.0).run == run);
                let same_count = own.all(|(_, it)| it == count);
                let inside = self.table(body, rank, nodes)[0];
                if same_count { inside } else { inside / 4 }
            }
            _ => 0,
        }
    }

    fn act_score(
        &self,
        (relations, acts): (&[Option<Relation>; 2], &[(u32, Act)]),
        rank: u32,
        act: &Act,
        others: &[Option<Relation>; 2],
    ) -> u32 {
        let run = self.points.at(rank).run;
        let alike = acts.iter().find(|it| self.points.at(it.0).run == run);
        let (_, first) = alike.unwrap_or(&acts[0]);
        // Roots and sizes can depend on the number of ranks.
        if alike.is_none() && matches!(act.event, RankEvent::Collective(_)) {
            return 20;
        }
        if let (RankEvent::Collective(one), RankEvent::Collective(other)) =
            (&first.event, &act.event)
        {
            let is_same = one.root == other.root && one.bytes == other.bytes;
            return if is_same { 20 } else { 0 };
        }
        let mut score = 2 + first.likeness(act);
        for (one, other) in relations.iter().zip(others) {
            match (one, other) {
                (None, None) => {}
                (Some(one), Some(other)) => match one.common(*other) {
                    // Two ranks can share a partner by chance.
                    Some(common) if common.is_rank() && first.likeness(act) < ALIKE => return 0,
                    Some(common) => score += self.relation_score(&common),
                    None => return 0,
                },
                _ => return 0,
            }
        }
        score
    }
}

impl Align<'_> {
    /// Measures how natural a relation is. In a small cube, neighbors along different sides can be
    /// equally far away.
    fn relation_score(&self, relation: &Relation) -> u32 {
        match self.points.order {
            Some(order) if relation.is_in_cube(order) => IN_CUBE,
            _ => relation.score(),
        }
    }
}

/// Returns `true` if a rank's group fits a step, which is the case if the step already has this
/// group, or if the group has no rank in common with the step's other groups.
fn groups_fit(acts: &[(u32, Act)], rank: u32, act: &Act) -> bool {
    let Some(own) = act.group() else {
        return true;
    };
    acts.iter().all(|(other, act)| {
        act.group().is_some_and(|group| {
            own.number == group.number
                || !own.members.contains(other) && !group.members.contains(&rank)
        })
    })
}

fn steps_in(steps: &[Step]) -> usize {
    let one = |step: &Step| match &step.doing {
        StepAction::Act { .. } => 1,
        StepAction::Loop { body, .. } | StepAction::Levels { body, .. } => 1 + steps_in(body),
    };
    steps.iter().map(one).sum()
}

/// A call site, and the collective called there.
type Called<'c> = (Option<u32>, &'c Collective);

/// Returns the positions in both sequences of the collectives of all ranks, if both sequences have
/// the same ones.
fn anchors(steps: &[Step], nodes: &[FoldNode], are_several: bool) -> Vec<(usize, usize)> {
    let of_steps = steps.iter().enumerate().filter_map(|(place, step)| {
        let StepAction::Act { acts, .. } = &step.doing else {
            return None;
        };
        Some((place, (acts[0].1.site, collective(&acts[0].1)?)))
    });
    let of_nodes = nodes.iter().enumerate().filter_map(|(place, node)| {
        let FoldNodeKind::Act(act) = &node.what else {
            return None;
        };
        Some((place, (act.site, collective(act)?)))
    });
    let (of_steps, of_nodes): (Vec<_>, Vec<_>) = (of_steps.collect(), of_nodes.collect());
    let are_same = |(site, one): Called<'_>, (other_site, other): Called<'_>| {
        let is_alike = are_several || (one.root, one.bytes) == (other.root, other.bytes);
        (one.kind, site) == (other.kind, other_site)
            && is_alike
            && one.blocks.is_some() == other.blocks.is_some()
    };
    let pairs = of_steps.iter().zip(&of_nodes);
    if of_steps.len() != of_nodes.len()
        || !pairs.clone().all(|(one, other)| are_same(one.1, other.1))
    {
        return Vec::new();
    }
    pairs.map(|(one, other)| (one.0, other.0)).collect()
}

fn collective(act: &Act) -> Option<&Collective> {
    match &act.event {
        RankEvent::Collective(it) if it.group.is_none() => Some(it),
        _ => None,
    }
}
