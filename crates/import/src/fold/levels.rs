//! Finds loops over levels: groups of steps in which partners are twice or half as far away as in
//! the previous group, as in trees, butterflies and multigrid. The number of levels grows with the
//! logarithm of the number of ranks, so recordings of several sizes are needed to find them.

use std::collections::{BTreeMap, BTreeSet};

use super::node::{Act, FoldNode, FoldNodeKind};
use super::points::{Levels, Points, Span};
use super::ranks::{Condition, Conditions, RankSet};
use super::relation::{Relation, Stride};
use super::step::{Step, StepAction};
use super::values::{Expression, whole};
use crate::event::RankEvent;

/// Maximum number of steps to search for a loop.
const WINDOW: usize = 1024;
/// Maximum number of start steps to try before giving up.
const TRIES_MAX: usize = 64;

type Placed = (Step, Option<Level>);

/// Returns the steps, in which groups of steps of the same form become loops over levels.
pub(super) fn fold_levels(steps: Vec<Step>, points: &Points) -> Vec<Step> {
    let all = RankSet::of(points.count(), |_| true);
    let (mut steps, mut loops) = (steps, 0);
    for span in Span::ALL {
        let counts = points.level_counts(span);
        let most = counts.iter().copied().max().unwrap_or(0);
        if most < 2 || counts.iter().all(|it| *it == most) {
            continue;
        }
        let mut finder = LevelFinder {
            points,
            span,
            counts,
            most,
            loops,
        };
        steps = finder.found(steps, &all);
        loops = finder.loops;
    }
    steps
}

struct LevelFinder<'p> {
    points: &'p Points,
    span: Span,
    /// Number of levels in each run, and the largest one.
    counts: Vec<u32>,
    most: u32,
    loops: u32,
}

/// The level of a step, with the relations of its ranks to their partners as a bit set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Level {
    number: u32,
    relations: u8,
}

impl LevelFinder<'_> {
    fn found(&mut self, steps: Vec<Step>, all: &RankSet) -> Vec<Step> {
        let mut steps = steps;
        for step in &mut steps {
            if let StepAction::Loop { body, .. } = &mut step.doing {
                *body = self.found(std::mem::take(body), &step.ranks);
            }
        }
        let levels = levels(&steps, self.span);
        let mut rest: Vec<Placed> = steps.into_iter().zip(levels).collect();
        let mut result = Vec::with_capacity(rest.len());
        let mut tries = TRIES_MAX;
        while !rest.is_empty() {
            let has_level = rest[0].1.is_some() && tries > 0;
            let found =
                has_level.then(|| [true, false].map(|is_up| self.levels(&rest, is_up, all)));
            if let Some((step, taken)) = found.and_then(|it| it.into_iter().flatten().next()) {
                self.loops += 1;
                result.push(step);
                let mut places = 0..;
                rest.retain(|_| places.next().is_some_and(|it| !taken.contains(&it)));
                continue;
            }
            tries -= usize::from(has_level);
            // All steps before the next step with a level.
            let next = rest.iter().skip(1).position(|it| it.1.is_some());
            let behind = rest.split_off(next.map_or(rest.len(), |it| it + 1));
            result.extend(
                std::mem::replace(&mut rest, behind)
                    .into_iter()
                    .map(|it| it.0),
            );
        }
        result
    }

    /// Returns a loop over levels that starts with the first steps, along with the indices of its
    /// steps.
    fn levels(
        &self,
        steps: &[Placed],
        is_up: bool,
        all: &RankSet,
    ) -> Option<(Step, BTreeSet<usize>)> {
        let mut groups = self.groups(steps, is_up, &[])?;
        // A step that has only one level isn't part of the loop.
        let alone: Vec<usize> = { groups[0].iter() }
            .filter(|one| {
                let mut others = groups[1..].iter().flatten();
                !others.any(|it| is_alike(&steps[**one], &steps[*it]))
            })
            .copied()
            .collect();
        if !alone.is_empty() {
            groups = self.groups(steps, is_up, &alone)?;
        }
        let points = self
            .points
            .levels(format!("stride{}", self.loops + 1), self.span);
        let body = self.body(steps, &groups, is_up, &points)?;
        let within = RankSet::of(points.count(), |it| all.has(points.at(it).rank));
        if !is_general(&body, &within, &Conditions::new(&points)) {
            return None;
        }
        let step = Step {
            ranks: all.clone(),
            doing: StepAction::Levels {
                levels: Box::new(Levels { points, is_up }),
                body,
            },
        };
        Some((step, groups.into_iter().flatten().collect()))
    }

    /// Returns the indices of each level's steps in an order that every rank can follow. Returns
    /// `None` if a level is empty, or if a run doesn't have the levels of its size. Steps of the
    /// first level may be missing.
    fn groups(&self, steps: &[Placed], is_up: bool, without: &[usize]) -> Option<Vec<Vec<usize>>> {
        let mut window = Window::new(steps, self.points);
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for turn in 0..self.most {
            let level = if is_up { turn } else { self.most - 1 - turn };
            let mut group: Vec<usize> = Vec::new();
            let first = groups.first();
            window.take(|place| {
                let step = &steps[place];
                let is_known = |it: &Vec<usize>| it.iter().any(|it| is_alike(&steps[*it], step));
                let fits = step.1.is_some_and(|it| it.number == level)
                    && !without.contains(&place)
                    && first.is_none_or(is_known)
                    && !is_known(&group);
                if fits {
                    group.push(place);
                }
                fits
            });
            if group.is_empty() || !self.is_of_size(steps, &group, level) {
                return None;
            }
            groups.push(group);
        }
        Some(groups)
    }

    /// Returns `true` if the runs that have steps of a level are exactly the runs whose size has
    /// that level.
    fn is_of_size(&self, steps: &[Placed], group: &[usize], level: u32) -> bool {
        let mut runs = vec![false; self.points.runs().len()];
        for rank in group.iter().flat_map(|it| steps[*it].0.ranks.iter()) {
            runs[self.points.at(rank).run] = true;
        }
        let mut runs = runs.iter().zip(&self.counts);
        runs.all(|(has, count)| *has == (level < *count))
    }

    /// Merges the steps of all levels into one body.
    fn body(
        &self,
        steps: &[Placed],
        groups: &[Vec<usize>],
        is_up: bool,
        points: &Points,
    ) -> Option<Vec<Step>> {
        let first = groups.first()?;
        // For each step of the first level, the matching steps of all levels, and the steps before
        // it.
        let mut alike: Vec<Vec<(u32, &Step)>> = vec![Vec::new(); first.len()];
        let mut before = vec![BTreeSet::new(); first.len()];
        for (turn, group) in (0..).zip(groups) {
            let level = if is_up { turn } else { self.most - 1 - turn };
            let mut order: Vec<(usize, &Step)> = Vec::new();
            for place in group {
                let (step, _) = &steps[*place];
                let is_it = |it: &usize| is_alike(&steps[*it], &steps[*place]);
                let number = first.iter().position(is_it)?;
                // Steps of the same rank keep their order.
                let own = order.iter().filter(|it| it.1.ranks.meets(&step.ranks));
                before[number].extend(own.map(|it| it.0));
                order.push((number, step));
                alike[number].push((level, step));
            }
        }
        let order = ordered(&before)?;
        order.iter().map(|it| joined(&alike[*it], points)).collect()
    }
}

/// Returns an order of the steps that respects `before`; `None` if `before` contains a cycle.
fn ordered(before: &[BTreeSet<usize>]) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < before.len() {
        let is_next = |it: &usize| {
            !order.contains(it) && before[*it].iter().all(|earlier| order.contains(earlier))
        };
        order.push((0..before.len()).find(is_next)?);
    }
    Some(order)
}

/// The remaining steps in an order that each rank's program allows. Some of them have already been
/// taken.
struct Window<'s> {
    steps: &'s [Placed],
    points: &'s Points,
    is_taken: Vec<bool>,
    /// Each rank's sends and receives, with the indices of their steps.
    messages: BTreeMap<u32, Vec<(usize, &'s RankEvent)>>,
}

impl<'s> Window<'s> {
    fn new(steps: &'s [Placed], points: &'s Points) -> Self {
        let steps = &steps[..steps.len().min(WINDOW)];
        let mut messages: BTreeMap<u32, Vec<(usize, &RankEvent)>> = BTreeMap::new();
        for (place, (step, _)) in steps.iter().enumerate() {
            let StepAction::Act { acts, .. } = &step.doing else {
                continue;
            };
            for (rank, act) in acts {
                if let RankEvent::Send(_) | RankEvent::BeginSend(..) | RankEvent::Receive(_) =
                    act.event
                {
                    messages.entry(*rank).or_default().push((place, &act.event));
                }
            }
        }
        Self {
            steps,
            points,
            is_taken: vec![false; steps.len()],
            messages,
        }
    }

    /// Takes steps that fit, as long as one of them can come next.
    fn take(&mut self, mut fits: impl FnMut(usize) -> bool) {
        loop {
            let mut blocked = RankSet::of(self.points.count(), |_| false);
            let mut has_taken = false;
            for (place, (step, _)) in self.steps.iter().enumerate() {
                if self.is_taken[place] {
                    continue;
                }
                let is_next = !blocked.meets(&step.ranks) && self.is_sent(step);
                if is_next && fits(place) {
                    self.is_taken[place] = true;
                    has_taken = true;
                } else {
                    blocked.add(&step.ranks);
                }
            }
            if !has_taken {
                return;
            }
        }
    }

    /// Returns `false` if the step receives a message that only a later step sends.
    fn is_sent(&self, step: &Step) -> bool {
        let StepAction::Act { acts, .. } = &step.doing else {
            return true;
        };
        let (point, act) = &acts[0];
        let RankEvent::Receive(message) = &act.event else {
            return true;
        };
        let Some(peer) = message.peer else {
            return true;
        };
        let own = self.points.at(*point);
        let Ok(sender) = u32::try_from(i64::from(*point) - own.pid + i64::from(peer)) else {
            return true;
        };
        let of = |rank: u32| self.messages.get(&rank).into_iter().flatten();
        let is_its = |event: &RankEvent| match event {
            RankEvent::Send(it) | RankEvent::BeginSend(it, _) => {
                it.tag == message.tag && it.peer.map(i64::from) == Some(own.pid)
            }
            _ => false,
        };
        let is_taken = |it: &&(usize, &RankEvent)| self.is_taken[it.0];
        let sent = of(sender).filter(|it| is_its(it.1));
        let received =
            of(*point).filter(|it| matches!(it.1, RankEvent::Receive(it) if it == message));
        let (sent_yet, received_yet) = (sent.clone().filter(is_taken), received.filter(is_taken));
        sent.clone().next().is_none() || sent_yet.count() > received_yet.count()
    }
}

/// For each run, the distances at a call site, which are powers of two stored as bits; `None` if a
/// distance isn't a power of two.
type Strides = Option<BTreeMap<usize, u64>>;

type Measure = fn(i64, i64) -> i64;

/// Ways to measure a distance: absolute, forward on the ring, and backward on the ring.
const MEASURES: [Measure; 3] = [
    |apart, _| apart.abs(),
    |apart, ranks| apart.rem_euclid(ranks),
    |apart, ranks| (-apart).rem_euclid(ranks),
];

/// Sets the levels of events at those call sites where, in each run, all distances to partners are
/// powers of two less than the number of ranks or than a side of the grid.
pub(super) fn note_levels(programs: &mut [(u32, Vec<FoldNode>)], points: &Points) {
    let mut places: BTreeMap<u32, [Strides; 3]> = BTreeMap::new();
    for (rank, nodes) in programs.iter() {
        let point = points.at(*rank);
        for_each_message(nodes, &mut |site, peer| {
            let all = places.entry(site);
            let all = all.or_insert_with(|| [const { Some(BTreeMap::new()) }; 3]);
            for (strides, measure) in all.iter_mut().zip(MEASURES) {
                let distance = measure(peer - point.pid, point.ranks).unsigned_abs();
                match strides {
                    Some(runs) if distance.is_power_of_two() => {
                        *runs.entry(point.run).or_default() |= distance;
                    }
                    _ => *strides = None,
                }
            }
        });
    }
    let full = Span::ALL.map(|span| -> (Span, BTreeMap<usize, u64>) {
        let counts = points.level_counts(span).into_iter();
        let full = counts.map(|it| (1_u64 << it) - 1).enumerate();
        (span, full.filter(|it| it.1 > 0).collect())
    });
    let measure = |all: &[Strides; 3]| {
        full.iter().find_map(|(span, full)| {
            let mut fitting = MEASURES.iter().zip(all);
            let found = fitting.find(|it| it.1.as_ref() == Some(full))?;
            Some((*span, *found.0))
        })
    };
    let places: BTreeMap<u32, (Span, Measure)> = places
        .iter()
        .filter_map(|(site, all)| Some((*site, measure(all)?)))
        .collect();
    for (rank, nodes) in programs {
        let point = points.at(*rank);
        note(nodes, &|act| {
            let (span, measure) = places.get(&act.site?)?;
            let distance = measure(peer(act)? - point.pid, point.ranks);
            Some((*span, u8::try_from(distance.ilog2()).ok()?))
        });
    }
}

fn peer(act: &Act) -> Option<i64> {
    let message = act.messages()[0].filter(|_| !act.is_each())?;
    message.peer.map(i64::from)
}

fn for_each_message(nodes: &[FoldNode], take: &mut dyn FnMut(u32, i64)) {
    for node in nodes {
        match &node.what {
            FoldNodeKind::Loop { body, .. } => for_each_message(body, take),
            FoldNodeKind::Act(act) => {
                if let Some((site, peer)) = act.site.zip(peer(act)) {
                    take(site, peer);
                }
            }
        }
    }
}

fn note(nodes: &mut [FoldNode], level: &dyn Fn(&Act) -> Option<(Span, u8)>) {
    for node in nodes {
        match &mut node.what {
            FoldNodeKind::Loop { body, .. } => note(body, level),
            FoldNodeKind::Act(act) => act.level = level(act),
        }
    }
}

/// Returns the levels of steps. Computing has the level of the next call, and a wait for all
/// requests has the level of a message before it.
fn levels(steps: &[Step], span: Span) -> Vec<Option<Level>> {
    let mut levels: Vec<Option<Level>> = steps.iter().map(|it| level(it, span)).collect();
    if levels.iter().all(Option::is_none) {
        return levels;
    }
    for at in 0..steps.len() {
        if is_event(&steps[at], |it| matches!(it, RankEvent::WaitAll)) {
            let before = (0..at).rev().take(WINDOW);
            let mut before = before.filter(|it| levels[*it].is_some());
            let last = before.find(|it| steps[*it].ranks.meets(&steps[at].ranks));
            levels[at] = last
                .and_then(|it| levels[it])
                .map(|it| Level { relations: 0, ..it });
        }
    }
    for at in 0..steps.len() {
        if is_event(&steps[at], |it| matches!(it, RankEvent::Compute(_))) {
            let mut behind = (at + 1..steps.len()).take(WINDOW);
            let next = behind.find(|it| {
                let is_call = !is_event(&steps[*it], |it| matches!(it, RankEvent::Compute(_)));
                is_call
                    && first_site(&steps[*it]) == first_site(&steps[at])
                    && steps[*it].ranks.meets(&steps[at].ranks)
            });
            levels[at] = next.and_then(|it| levels[it]);
        }
    }
    levels
}

fn is_event(step: &Step, is_it: impl Fn(&RankEvent) -> bool) -> bool {
    matches!(&step.doing, StepAction::Act { acts, .. } if is_it(&acts[0].1.event))
}

fn first_site(step: &Step) -> Option<u32> {
    match &step.doing {
        StepAction::Act { acts, .. } => acts[0].1.site,
        StepAction::Loop { body, .. } => first_site(body.first()?),
        StepAction::Levels { .. } => None,
    }
}

fn level(step: &Step, span: Span) -> Option<Level> {
    match &step.doing {
        StepAction::Act {
            relations, acts, ..
        } => {
            let (_, number) = acts[0].1.level.filter(|it| it.0 == span)?;
            let relation = relations[0].as_ref();
            let relation = relation.map_or(0, |it| self::relations(it, number));
            Some(Level {
                number: number.into(),
                relations: relation,
            })
        }
        StepAction::Loop { body, .. } => {
            let mut all = levels(body, span).into_iter();
            let first = all.next()??;
            all.all(|it| it.is_some_and(|it| it.number == first.number))
                .then_some(first)
        }
        StepAction::Levels { .. } => None,
    }
}

/// Returns the relations between ranks and their partners at a level.
fn relations(relation: &Relation, level: u8) -> u8 {
    let back = relation.sized.and_then(|it| it.back);
    let distances = [
        relation.offset,
        relation.offset.map(|it| -it),
        relation.flipped,
        relation.around.map(|it| it.count),
        back.map(|it| it.count),
    ];
    let stride = 1_i64 << level;
    let fits = (0..).zip(distances).filter(|it| it.1 == Some(stride));
    fits.map(|it| 1 << it.0).sum()
}

/// Returns `true` if two steps do the same thing with partners of the same kind.
fn is_alike(one: &Placed, other: &Placed) -> bool {
    is_like(&one.0, &other.0) && is_related(one.1, other.1)
}

fn is_related(one: Option<Level>, other: Option<Level>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => {
            one.relations & other.relations != 0 || one.relations == other.relations
        }
        _ => false,
    }
}

/// Returns `true` if two steps differ only in ranks, partners and sizes.
fn is_like(one: &Step, other: &Step) -> bool {
    match (&one.doing, &other.doing) {
        (StepAction::Act { acts, .. }, StepAction::Act { acts: others, .. }) => {
            let (first, second) = (&acts[0].1, &others[0].1);
            first.site == second.site && first.class() == second.class()
        }
        (StepAction::Loop { body, .. }, StepAction::Loop { body: other, .. }) => {
            body.len() == other.len()
                && body.iter().zip(other).all(|(it, other)| is_like(it, other))
        }
        _ => false,
    }
}

fn joined(steps: &[(u32, &Step)], points: &Points) -> Option<Step> {
    let (_, first) = steps.first()?;
    let mut ranks = RankSet::of(points.count(), |_| false);
    for (level, step) in steps {
        for rank in step.ranks.iter() {
            ranks.insert(points.at_level(rank, *level)?);
        }
    }
    let doing = match &first.doing {
        StepAction::Act { request, .. } => {
            let mut all: Vec<(u32, Act)> = Vec::new();
            for (level, step) in steps {
                let StepAction::Act {
                    acts, request: own, ..
                } = &step.doing
                else {
                    return None;
                };
                // Requests of different levels have different names, but aren't open together.
                if own.is_some() != request.is_some() || acts[0].1.is_each() {
                    return None;
                }
                for (rank, act) in acts {
                    all.push((points.at_level(*rank, *level)?, act.clone()));
                }
            }
            StepAction::Act {
                relations: Box::new([None, None]),
                acts: all,
                request: request.clone(),
            }
        }
        StepAction::Loop { body, .. } => {
            let mut all: Vec<(u32, u64)> = Vec::new();
            let mut bodies: Vec<Vec<(u32, &Step)>> = vec![Vec::new(); body.len()];
            for (level, step) in steps {
                let StepAction::Loop { counts, body } = &step.doing else {
                    return None;
                };
                for (rank, count) in counts {
                    all.push((points.at_level(*rank, *level)?, *count));
                }
                for (place, step) in bodies.iter_mut().zip(body) {
                    place.push((*level, step));
                }
            }
            let body = bodies.iter().map(|it| joined(it, points));
            StepAction::Loop {
                counts: all,
                body: body.collect::<Option<_>>()?,
            }
        }
        StepAction::Levels { .. } => return None,
    };
    Some(Step { ranks, doing })
}

/// Returns `true` if formulas express all conditions, partners and sizes of the steps.
fn is_general(steps: &[Step], all: &RankSet, conditions: &Conditions) -> bool {
    let points = conditions.points();
    let is_whole = |values: Option<Vec<(u32, i64)>>| {
        values.is_none_or(|it| matches!(whole(&it, conditions), Expression::General(_)))
    };
    steps.iter().all(|step| {
        let guard = conditions.guard(&step.ranks, all, &[]);
        if !matches!(guard, None | Some(Condition::General(_))) {
            return false;
        }
        match &step.doing {
            StepAction::Levels { .. } => false,
            StepAction::Loop { counts, body } => {
                let counts = counts.iter();
                let counts = counts.map(|it| (it.0, i64::try_from(it.1).unwrap_or(i64::MAX)));
                is_whole(Some(counts.collect())) && is_general(body, &step.ranks, conditions)
            }
            StepAction::Act { acts, .. } => [0, 1].into_iter().all(|place| {
                let of = |value: fn(crate::event::Message) -> Option<i64>| {
                    let values = acts
                        .iter()
                        .map(|(point, act)| Some((*point, value(act.messages()[place]?)?)));
                    values.collect::<Option<Vec<_>>>()
                };
                let peers = of(|it| it.peer.map(i64::from));
                peers.is_none_or(|it| Stride::of(&it, points).is_some())
                    && is_whole(of(|it| it.tag))
                    && is_whole(of(|it| it.bytes.and_then(|it| i64::try_from(it).ok())))
            }),
        }
    })
}
