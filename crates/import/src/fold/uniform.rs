//! Describes what ranks do on average, for steps about which nothing more general is known: an
//! exchange with the recorded numbers, sizes and order of messages, in which every send has a
//! matching receive by construction.

use super::node::Act;
use super::points::Points;
use super::sizes::MEAN;
use super::step::{Step, StepAction};
use crate::RankEvent;
use crate::event::Kind;

/// Minimum number of iterations in the largest run; a loop with fewer doesn't remain a loop.
const LOOP_MIN: f64 = 4.0;

pub(super) type Amounts = Vec<f64>;

/// A part of what an average rank does. It is executed a number of times per iteration of the
/// enclosing loop.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) kind: PartKind,
    pub(super) times: Amounts,
    /// Seconds of computing, or total bytes of messages, in an iteration.
    pub(super) amounts: Amounts,
}

#[derive(Debug)]
pub(super) enum PartKind {
    Compute,
    Messages,
    Called(Kind),
    Loop(Vec<Part>),
}

/// The ranks that execute a step, in order, each with its number of executions.
type Executions = Vec<(u32, f64)>;

/// Returns the parts that stand for these steps, which all ranks of the points start.
pub(super) fn parts(steps: &[Step], points: &Points) -> Vec<Part> {
    let all: Executions = (0..points.count()).map(|it| (it, 1.0)).collect();
    let body = sums(&all, points);
    let mut parts = Vec::new();
    add(steps, points, &all, &body, &mut parts);
    parts
}

fn sums(executions: &Executions, points: &Points) -> Amounts {
    let mut sums = vec![0.0; points.runs().len()];
    for (point, times) in executions {
        sums[points.at(*point).run] += times;
    }
    sums
}

/// Adds the steps of a loop body to the parts of the loop; `within` states how often each rank
/// executes it. All ranks of a run together execute the body `body` times.
fn add(
    steps: &[Step],
    points: &Points,
    within: &Executions,
    body: &Amounts,
    parts: &mut Vec<Part>,
) {
    for step in steps {
        match &step.doing {
            StepAction::Act { acts, .. } => add_acts(acts, points, within, body, parts),
            StepAction::Levels {
                levels,
                body: steps,
            } => {
                let inner = &levels.points;
                // A rank visits each of its levels equally often.
                let times = |it: u32| times_of(within, inner.at(it).rank);
                let all: Executions = (0..inner.count()).map(|it| (it, times(it))).collect();
                add(steps, inner, &all, body, parts);
            }
            StepAction::Loop {
                counts,
                body: steps,
            } => {
                #[expect(clippy::cast_precision_loss, reason = "it is a mean")]
                let mut inner: Executions = { counts.iter() }
                    .map(|(it, count)| (*it, times_of(within, *it) * *count as f64))
                    .collect();
                inner.sort_unstable_by_key(|it| it.0);
                let own = sums(&inner, points);
                let times: Amounts = own
                    .iter()
                    .zip(body)
                    .map(|(own, all)| own / all.max(1.0))
                    .collect();
                if times[points.largest()] < LOOP_MIN {
                    add(steps, points, &inner, body, parts);
                    continue;
                }
                let mut parts_of_body = Vec::new();
                add(steps, points, &inner, &own, &mut parts_of_body);
                parts.push(Part {
                    kind: PartKind::Loop(parts_of_body),
                    amounts: vec![0.0; times.len()],
                    times,
                });
            }
        }
    }
}

fn times_of(executions: &Executions, point: u32) -> f64 {
    let place = executions.binary_search_by_key(&point, |it| it.0);
    place.map_or(0.0, |it| executions[it].1)
}

fn add_acts(
    acts: &[(u32, Act)],
    points: &Points,
    within: &Executions,
    body: &Amounts,
    parts: &mut Vec<Part>,
) {
    let (mut times, mut amounts) = (vec![0.0; body.len()], vec![0.0; body.len()]);
    for (point, act) in acts {
        let run = points.at(*point).run;
        let own = times_of(within, *point) / body[run].max(1.0);
        times[run] += own;
        amounts[run] += own * amount(act);
    }
    let (_, first) = &acts[0];
    let kind = match &first.event {
        RankEvent::Compute(_) => PartKind::Compute,
        RankEvent::Send(_) | RankEvent::BeginSend(..) | RankEvent::Exchange { .. } => {
            PartKind::Messages
        }
        RankEvent::Collective(it) => PartKind::Called(it.kind),
        RankEvent::Receive(_)
        | RankEvent::BeginReceive(..)
        | RankEvent::Wait(_)
        | RankEvent::WaitAll => return,
    };
    // A body has one part of each kind, where the first of that kind is.
    let is_same = |it: &&mut Part| match (&it.kind, &kind) {
        (PartKind::Compute, PartKind::Compute) | (PartKind::Messages, PartKind::Messages) => true,
        (PartKind::Called(one), PartKind::Called(other)) => one == other,
        _ => false,
    };
    match parts.iter_mut().find(is_same) {
        Some(part) => {
            let add = |to: &mut Amounts, more: &Amounts| {
                to.iter_mut().zip(more).for_each(|(it, more)| *it += more);
            };
            add(&mut part.times, &times);
            add(&mut part.amounts, &amounts);
        }
        None => parts.push(Part {
            kind,
            times,
            amounts,
        }),
    }
}

#[expect(clippy::cast_precision_loss, reason = "it is a mean")]
/// Returns the seconds or bytes of a single execution.
fn amount(act: &Act) -> f64 {
    let mean = |sum: f64| sum / act.times.max(1) as f64;
    match &act.event {
        RankEvent::Compute(_) => mean(act.work.seconds),
        RankEvent::Collective(it) if it.blocks.is_some() => mean(act.bytes),
        RankEvent::Collective(it) => it.bytes as f64,
        _ => match act.messages()[0].and_then(|it| it.bytes) {
            Some(MEAN) => mean(act.bytes),
            bytes => bytes.unwrap_or(0) as f64,
        },
    }
}
