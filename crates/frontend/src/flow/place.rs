//! Decides where to write each step.

use super::graph::{Continuation, FlowStep, Goal, Index, ROOT};
use super::region::{Forest, ReducibleRegion, edges};

/// Where to write the steps. States aren't included.
#[derive(Debug)]
pub(super) struct Places {
    /// Whether the step is written at the only edge that leads to it.
    pub(super) is_inline: Vec<bool>,
    pub(super) joins: Vec<Vec<Index>>,
    pub(super) exits: Vec<Vec<Index>>,
    /// Whether the step, or a step that it dominates, branches or heads a loop.
    pub(super) decides: Vec<bool>,
    /// For each step, the single goal that its text leads to, including everything nested in it;
    /// `None` if there is no goal, or more than one.
    pub(super) way_out: Vec<Option<Goal>>,
}

/// A decision at the start of a loop that can become the condition of a `while`.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoopCondition {
    /// Whether the loop continues while the guard does *not* hold.
    pub(super) negated: bool,
    pub(super) inside: Goal,
    pub(super) outside: Goal,
}

/// Returns the condition of the loop at `header` if it can become a `while`.
pub(super) fn condition(
    steps: &[FlowStep],
    region: &ReducibleRegion,
    header: Index,
) -> Option<LoopCondition> {
    let step = &steps[header];
    let Continuation::Branch {
        arms,
        otherwise: Some(otherwise),
    } = &step.way
    else {
        return None;
    };
    let &[arm] = &arms[..] else {
        return None;
    };
    if !step.silent || !region.is_header[header] {
        return None;
    }
    let leaves = |goal| match goal {
        Goal::End => true,
        Goal::Step(index) => !region.loops.within(index, header),
    };
    match (leaves(arm), leaves(*otherwise)) {
        (true, false) => Some(LoopCondition {
            negated: true,
            inside: *otherwise,
            outside: arm,
        }),
        (false, true) => Some(LoopCondition {
            negated: false,
            inside: arm,
            outside: *otherwise,
        }),
        _ => None,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WayOut {
    None,
    One(Goal),
    Many,
}

impl WayOut {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, way) | (way, Self::None) => way,
            _ if self == other => self,
            _ => Self::Many,
        }
    }
}

impl Places {
    pub(super) fn new(steps: &[FlowStep], region: &ReducibleRegion) -> Self {
        let mut entries = vec![0_usize; steps.len()];
        for (source, target) in edges(steps) {
            entries[target] += usize::from(!region.goes_back(source, target));
        }
        let mut places = Self {
            is_inline: vec![false; steps.len()],
            joins: vec![Vec::new(); steps.len()],
            exits: vec![Vec::new(); steps.len()],
            decides: decides(steps, region),
            way_out: Vec::new(),
        };
        let leaving = places.place_inside(region, &entries);
        places.place_outside(steps, region, &entries, leaving);
        places.way_out = places.ways_out(steps, region);
        places
    }

    /// Computes [`Places::way_out`].
    fn ways_out(&self, steps: &[FlowStep], region: &ReducibleRegion) -> Vec<Option<Goal>> {
        // A step's text includes the steps that it dominates, except steps after a loop.
        let mut parent = region.dominators.parent.clone();
        for (header, exits) in self.exits.iter().enumerate() {
            for &exit in exits {
                parent[exit] = header;
            }
        }
        let text = Forest::new(parent);
        let mut ways: Vec<WayOut> = vec![WayOut::None; steps.len()];
        for index in (1..steps.len()).rev() {
            let outside = |goal| match goal {
                Goal::End => true,
                Goal::Step(target) => !text.within(target, index),
            };
            for goal in steps[index].goals().filter(|&goal| outside(goal)) {
                ways[index] = ways[index].and(WayOut::One(goal));
            }
            let parent = text.parent[index];
            let inner = match ways[index] {
                WayOut::One(Goal::Step(target)) if text.within(target, parent) => WayOut::None,
                way => way,
            };
            ways[parent] = ways[parent].and(inner);
        }
        let only = |way| match way {
            WayOut::One(goal) => Some(goal),
            WayOut::None | WayOut::Many => None,
        };
        ways.into_iter().map(only).collect()
    }

    /// Places the steps that don't leave a loop. Returns, for each header, the steps that leave its
    /// loop.
    fn place_inside(&mut self, region: &ReducibleRegion, entries: &[usize]) -> Vec<Vec<Index>> {
        let mut leaving = vec![Vec::new(); entries.len()];
        for (index, &entries) in entries.iter().enumerate().skip(1) {
            let dominator = region.dominators.parent[index];
            let header = innermost_loop(region, dominator);
            if dominator == ROOT {
                self.is_inline[index] = region.states.is_empty();
            } else if header != ROOT && !region.loops.within(index, header) {
                leaving[header].push(index);
            } else if entries == 1 {
                self.is_inline[index] = true;
            } else {
                self.joins[dominator].push(index);
            }
        }
        leaving
    }

    /// Places the steps that leave a loop, starting with the innermost loops.
    fn place_outside(
        &mut self,
        steps: &[FlowStep],
        region: &ReducibleRegion,
        entries: &[usize],
        mut leaving: Vec<Vec<Index>>,
    ) {
        // The loop that each step has been placed after so far, if any.
        let mut behind: Vec<Option<Index>> = vec![None; steps.len()];
        for header in (1..steps.len())
            .rev()
            .filter(|&index| region.is_header[index])
        {
            let mut candidates = std::mem::take(&mut leaving[header]);
            candidates.sort_unstable();
            let follower = follower(steps, region, header, &candidates, entries);
            for index in candidates {
                let outer = region.loops.parent[header];
                if entries[index] == 1 && follower != Some(index) {
                    match behind[index] {
                        None => self.is_inline[index] = true,
                        Some(inner) => self.exits[inner].push(index),
                    }
                } else if outer != ROOT && !region.loops.within(index, outer) {
                    behind[index] = Some(header);
                    leaving[outer].push(index);
                } else {
                    self.exits[header].push(index);
                }
            }
        }
        for header in 1..steps.len() {
            let follower = condition(steps, region, header).map(|condition| condition.outside);
            // Such a step is reached only when the condition ends the loop, so it must come first
            // after it.
            self.exits[header].sort_unstable_by_key(|&index| {
                let first = entries[index] == 1 && follower == Some(Goal::Step(index));
                (!first, index)
            });
        }
    }
}

/// Returns the header of the innermost loop that contains `index`, or [`ROOT`] outside loops.
fn innermost_loop(region: &ReducibleRegion, index: Index) -> Index {
    if region.is_header[index] {
        index
    } else {
        region.loops.parent[index]
    }
}

/// Chooses the step to write after a loop, among the steps with a single incoming edge.
///
/// After a `while`, it's the step that the condition leads to. After other loops, a step with
/// several incoming edges comes next, so the result is `None`. Without such a step, it's the step
/// with the longest text, because short steps are handlers that belong to their guards.
fn follower(
    steps: &[FlowStep],
    region: &ReducibleRegion,
    header: Index,
    candidates: &[Index],
    entries: &[usize],
) -> Option<Index> {
    if let Some(condition) = condition(steps, region, header) {
        return match condition.outside {
            Goal::Step(index) if candidates.contains(&index) => Some(index),
            _ => None,
        };
    }
    if candidates.iter().any(|&index| entries[index] > 1) {
        return None;
    }
    candidates
        .iter()
        .copied()
        .max_by_key(|&index| region.dominators.size[index])
}

/// Computes [`Places::decides`].
fn decides(steps: &[FlowStep], region: &ReducibleRegion) -> Vec<bool> {
    let mut decides = vec![false; steps.len()];
    for index in (1..steps.len()).rev() {
        decides[index] |= steps[index].branches() || region.is_header[index];
        decides[region.dominators.parent[index]] |= decides[index];
    }
    decides
}
