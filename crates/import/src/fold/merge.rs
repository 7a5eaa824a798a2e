//! Merges the programs of all ranks: parts that they have in common become one step, and the other
//! parts become steps that only some ranks execute.

use super::align::Align;
use super::node::{FoldNode, FoldNodeKind};
use super::points::Points;
use super::ranks::RankSet;
use super::step::{Step, StepAction, size};

/// Creates the steps from the first rank; other ranks are added to them later.
fn steps(rank: u32, points: &Points, nodes: Vec<FoldNode>) -> Vec<Step> {
    let step = |node: FoldNode| Step {
        ranks: RankSet::of(points.count(), |it| it == rank),
        doing: match node.what {
            FoldNodeKind::Act(act) => StepAction::Act {
                relations: Box::new(act.relations(rank, points)),
                acts: vec![(rank, act)],
                request: None,
            },
            FoldNodeKind::Loop { count, body } => StepAction::Loop {
                counts: vec![(rank, count)],
                body: steps(rank, points, body),
            },
        },
    };
    nodes.into_iter().map(step).collect()
}

/// Merges the ranks' programs. Starts with the longest one, which has the most in common with the
/// others. Ranks whose comparison would take too long stay separate.
pub(crate) fn merged(mut programs: Vec<(u32, Vec<FoldNode>)>, points: &Points) -> Vec<Step> {
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

/// Merges a rank's nodes into steps. Nodes between the pairs become steps of their own.
fn joined(
    align: &mut Align<'_>,
    steps: Vec<Step>,
    rank: u32,
    nodes: Vec<FoldNode>,
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
            result.push(merge_node(align, step, rank, node));
        }
        (step_at, node_at) = (step_to + 1, node_to + 1);
    }
    result.extend(steps);
    result.extend(self::steps(rank, points, nodes.collect()));
    result
}

fn merge_node(align: &mut Align<'_>, mut step: Step, rank: u32, node: FoldNode) -> Step {
    step.ranks.insert(rank);
    step.doing = match (step.doing, node.what) {
        (
            StepAction::Act {
                relations,
                mut acts,
                request,
            },
            FoldNodeKind::Act(act),
        ) => {
            let others = act.relations(rank, align.points);
            let mut common = relations;
            for (of, other) in common.iter_mut().zip(others) {
                *of = of.zip(other).and_then(|(one, other)| one.common(other));
            }
            // The first act holds what all have in common.
            let (_, first) = &mut acts[0];
            first.each = first.orders(&act).unwrap_or_default();
            acts.push((rank, act));
            StepAction::Act {
                relations: common,
                acts,
                request,
            }
        }
        (StepAction::Loop { mut counts, body }, FoldNodeKind::Loop { count, body: nodes }) => {
            counts.push((rank, count));
            let pairs = align.pairs(&body, rank, &nodes);
            let body = joined(align, body, rank, nodes, pairs);
            StepAction::Loop { counts, body }
        }
        (doing, _) => doing,
    };
    step
}
