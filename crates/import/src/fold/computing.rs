//! Computing of recordings, as a part of the call after it while programs are compared: only calls
//! tell which steps belong together.

use std::collections::VecDeque;

use super::node::{Act, Before, Node, What};
use super::ranks::Ranks;
use super::step::{Doing, Step};
use crate::event::{Event, Work};

/// The nodes of a rank, in which computing is a part of the event after it.
pub(super) fn attached(nodes: Vec<Node>) -> Vec<Node> {
    let mut result: Vec<Node> = Vec::with_capacity(nodes.len());
    for mut node in nodes {
        match &mut node.what {
            What::Loop { body, .. } => *body = attached(std::mem::take(body)),
            What::Act(act) if !act.is_computing() => {
                let before = result.last().and_then(|it| match &it.what {
                    What::Act(it) if it.is_computing() => Some(Before {
                        work: it.work,
                        times: it.times,
                    }),
                    _ => None,
                });
                if before.is_some() {
                    act.before = before;
                    result.pop();
                }
            }
            What::Act(_) => {}
        }
        result.push(node);
    }
    result
}

/// The steps, in which computing is a step of its own, before the event's.
pub(super) fn apart(steps: Vec<Step>) -> Vec<Step> {
    let mut all = Ranks::default();
    if let Some(first) = steps.first() {
        all = first.ranks.without_any();
    }
    for step in &steps {
        all.add(&step.ranks);
    }
    let mut result = Vec::with_capacity(steps.len());
    let mut steps = VecDeque::from(steps);
    while !steps.is_empty() {
        let (ranks, acts) = taken(steps.make_contiguous(), &all);
        if !acts.is_empty() {
            let doing = Doing::Act {
                relations: Box::new([None, None]),
                acts,
                request: None,
            };
            result.push(Step { ranks, doing });
        }
        result.extend(steps.pop_front().map(|mut step| {
            if let Doing::Loop { body, .. } | Doing::Levels { body, .. } = &mut step.doing {
                *body = apart(std::mem::take(body));
            }
            step
        }));
    }
    result
}

/// Takes the computing before the first of these steps, by its ranks: by all, where all of them
/// compute there, even if calls after it differ, since ranks at edges lack neighbors.
fn taken(steps: &mut [Step], all: &Ranks) -> (Ranks, Vec<(u32, Act)>) {
    let (mut ranks, mut begun) = (all.without_any(), all.without_any());
    let mut places = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        for (number, (rank, act)) in acts(step).iter().enumerate() {
            if act.before.is_some() && !begun.has(*rank) {
                ranks.insert(*rank);
                places.push((at, number));
            }
        }
        begun.add(&step.ranks);
        if places.is_empty() || begun == *all {
            break;
        }
    }
    if ranks != *all {
        let first = acts(&steps[0]);
        let is_before = first.iter().any(|it| it.1.before.is_some());
        let compute = first.iter().filter(|_| is_before);
        let compute = compute.map(|(rank, act)| (*rank, computing(act)));
        return (steps[0].ranks.clone(), compute.collect());
    }
    let mut take = |(at, number): (usize, usize)| match &mut steps[at].doing {
        Doing::Act { acts, .. } => {
            let (rank, act) = &mut acts[number];
            let compute = computing(act);
            act.before = None;
            Some((*rank, compute))
        }
        _ => None,
    };
    (ranks, places.into_iter().filter_map(&mut take).collect())
}

/// The event of each rank.
fn acts(step: &Step) -> &[(u32, Act)] {
    match &step.doing {
        Doing::Act { acts, .. } => acts,
        Doing::Loop { .. } | Doing::Levels { .. } => &[],
    }
}

/// The computing before an event.
fn computing(act: &Act) -> Act {
    let none = Before {
        work: Work::default(),
        times: act.times,
    };
    let Before { work, times } = act.before.unwrap_or(none);
    Act {
        event: Event::Compute(Work::default()),
        each: Default::default(),
        begun: None,
        work,
        bytes: 0.0,
        times,
        before: None,
        ..act.clone()
    }
}
