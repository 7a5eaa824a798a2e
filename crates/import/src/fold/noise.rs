//! Drops computing that takes almost no time from measured traces. Any two calls are microseconds
//! apart, and these times would otherwise become meaningless elements in the model.

use std::collections::BTreeMap;

use super::points::Points;
use super::step::{Step, StepAction};
use crate::RankEvent;

/// Share of a rank's longest computing that the dropped computing can have in total.
const SHARE: f64 = 1e-3;

/// Drops the shortest computing, up to a share of each rank's time.
pub(crate) fn left_out(steps: Vec<Step>, points: &Points) -> Vec<Step> {
    let mut blocks = Vec::new();
    measure(&steps, &mut blocks, &|rank| rank);
    let mut totals: BTreeMap<u32, f64> = BTreeMap::new();
    for (rank, seconds) in blocks.iter().flatten() {
        *totals.entry(*rank).or_default() += seconds;
    }
    let mut budgets = vec![0.0_f64; points.runs().len()];
    for (rank, total) in &totals {
        let budget = &mut budgets[points.at(*rank).run];
        *budget = budget.max(SHARE * total);
    }
    let longest = |block: &RankSeconds| block.iter().fold(0.0_f64, |most, it| most.max(it.1));
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by(|one, other| longest(&blocks[*one]).total_cmp(&longest(&blocks[*other])));
    let mut used: BTreeMap<u32, f64> = BTreeMap::new();
    let mut is_kept = vec![true; blocks.len()];
    for number in order {
        let fits = |(rank, seconds): &(u32, f64)| {
            let budget = budgets[points.at(*rank).run];
            used.get(rank).copied().unwrap_or_default() + seconds <= budget
        };
        if blocks[number].iter().all(fits) {
            is_kept[number] = false;
            for (rank, seconds) in &blocks[number] {
                *used.entry(*rank).or_default() += seconds;
            }
        }
    }
    without_blocks(steps, &mut is_kept.into_iter())
}

/// For each rank that computes in a step, the time in seconds.
type RankSeconds = Vec<(u32, f64)>;

/// Returns `true` if a step only computes, and nothing but its time is known.
fn is_timed(step: &Step) -> bool {
    let StepAction::Act { acts, .. } = &step.doing else {
        return false;
    };
    let is_it = |act: &super::node::Act| {
        matches!(act.event, RankEvent::Compute(_)) && act.work.flops == 0.0
    };
    acts.iter().all(|(_, act)| is_it(act))
}

/// Collects the blocks of steps; `rank` maps a point to its rank.
fn measure(steps: &[Step], blocks: &mut Vec<RankSeconds>, rank: &dyn Fn(u32) -> u32) {
    for step in steps {
        match &step.doing {
            StepAction::Act { acts, .. } if is_timed(step) => {
                let seconds = acts.iter().map(|(it, act)| (rank(*it), act.work.seconds));
                blocks.push(seconds.collect());
            }
            StepAction::Act { .. } => {}
            StepAction::Loop { body, .. } => measure(body, blocks, rank),
            StepAction::Levels { levels, body } => {
                measure(body, blocks, &|it| levels.points.at(it).rank);
            }
        }
    }
}

/// Returns the steps without the blocks whose flag is `false`. The flags are in the order of
/// [`measure`].
fn without_blocks(steps: Vec<Step>, is_kept: &mut impl Iterator<Item = bool>) -> Vec<Step> {
    let mut result = Vec::with_capacity(steps.len());
    for mut step in steps {
        if is_timed(&step) {
            if is_kept.next() == Some(true) {
                result.push(step);
            }
            continue;
        }
        if let StepAction::Loop { body, .. } | StepAction::Levels { body, .. } = &mut step.doing {
            let steps = std::mem::take(body);
            *body = without_blocks(steps, is_kept);
            if body.is_empty() {
                continue;
            }
        }
        result.push(step);
    }
    result
}
