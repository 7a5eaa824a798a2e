//! Attaches computing to the call that follows it while recorded programs are compared, because
//! only calls show which steps belong together.

use super::node::{Act, Before, FoldNode, FoldNodeKind};
use super::ranks::RankSet;
use super::step::{Step, StepAction};
use crate::event::{RankEvent, Work};

/// Maximum number of steps among which ranks can start after the same computing. It allows for
/// messages to and from 26 neighbors.
const AHEAD: usize = 128;

/// Returns a rank's nodes. Computing becomes part of the event that follows it.
pub(super) fn attached(nodes: Vec<FoldNode>) -> Vec<FoldNode> {
    let mut result: Vec<FoldNode> = Vec::with_capacity(nodes.len());
    for mut node in nodes {
        match &mut node.what {
            FoldNodeKind::Loop { body, .. } => *body = attached(std::mem::take(body)),
            FoldNodeKind::Act(act) if !act.is_computing() => {
                let before = result.last().and_then(|it| match &it.what {
                    FoldNodeKind::Act(it) if it.is_computing() => Some(Before {
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
            FoldNodeKind::Act(_) => {}
        }
        result.push(node);
    }
    result
}

/// Returns the steps. Computing becomes a separate step before its event.
pub(super) fn apart(mut steps: Vec<Step>) -> Vec<Step> {
    let Some(mut all) = steps.first().map(|it| it.ranks.clone()) else {
        return steps;
    };
    for step in &steps {
        all.add(&step.ranks);
    }
    let mut result = Vec::with_capacity(steps.len());
    let compute: Vec<_> = { 0..steps.len() }
        .map(|at| take_computing(&mut steps[at..], &all))
        .collect();
    for (compute, mut step) in compute.into_iter().zip(steps) {
        result.extend(compute);
        if let StepAction::Loop { body, .. } | StepAction::Levels { body, .. } = &mut step.doing {
            *body = apart(std::mem::take(body));
        }
        result.push(step);
    }
    result
}

/// Takes the computing before the first of these steps. If all ranks compute there, it becomes a
/// single step of all ranks. The next calls may differ, because ranks at edges have fewer
/// neighbors.
fn take_computing(steps: &mut [Step], all: &RankSet) -> Option<Step> {
    if acts(&steps[0]).iter().all(|it| it.1.before.is_none()) {
        return None;
    }
    let (ranks, acts) = if let Some(places) = common(steps, all) {
        let take = |(at, number): (usize, usize)| match &mut steps[at].doing {
            StepAction::Act { acts, .. } => {
                let (rank, act) = &mut acts[number];
                let compute = (*rank, computing(act));
                act.before = None;
                Some(compute)
            }
            StepAction::Loop { .. } | StepAction::Levels { .. } => None,
        };
        (all.clone(), places.into_iter().filter_map(take).collect())
    } else {
        let compute = acts(&steps[0]).iter();
        let compute = compute.map(|(rank, act)| (*rank, computing(act)));
        (steps[0].ranks.clone(), compute.collect())
    };
    let doing = StepAction::Act {
        relations: Box::new([None, None]),
        acts,
        request: None,
    };
    Some(Step { ranks, doing })
}

/// Returns where each rank's first event in these steps is, as step and index, if each rank
/// computes before it.
fn common(steps: &[Step], all: &RankSet) -> Option<Vec<(usize, usize)>> {
    let mut begun = all.without_any();
    let mut places = Vec::new();
    for (at, step) in steps.iter().take(AHEAD).enumerate() {
        let earlier = begun.clone();
        begun.add(&step.ranks);
        // A loop's computing is in its body.
        let is_act = matches!(step.doing, StepAction::Act { .. });
        if !is_act && begun != earlier {
            return None;
        }
        for (number, (rank, act)) in acts(step).iter().enumerate() {
            if !earlier.has(*rank) {
                act.before?;
                places.push((at, number));
            }
        }
        if begun == *all {
            return Some(places);
        }
    }
    None
}

fn acts(step: &Step) -> &[(u32, Act)] {
    match &step.doing {
        StepAction::Act { acts, .. } => acts,
        StepAction::Loop { .. } | StepAction::Levels { .. } => &[],
    }
}

fn computing(act: &Act) -> Act {
    let none = Before {
        work: Work::default(),
        times: act.times,
    };
    let Before { work, times } = act.before.unwrap_or(none);
    Act {
        event: RankEvent::Compute(Work::default()),
        each: Default::default(),
        begun: None,
        work,
        bytes: 0.0,
        times,
        before: None,
        ..act.clone()
    }
}
