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

/// Share of the messages from which a first rank that sends or receives them is a master.
const MASTER_MIN: f64 = 0.75;

pub(super) type Amounts = Vec<f64>;

/// A part of what an average rank does. It is executed a number of times per iteration of the
/// enclosing loop.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) kind: PartKind,
    /// For messages between a master and the others: their number over all ranks.
    pub(super) times: Amounts,
    /// Seconds of computing, or total bytes of messages, in an iteration.
    pub(super) amounts: Amounts,
}

#[derive(Debug)]
pub(super) enum PartKind {
    Compute(Role),
    /// Messages that all ranks send to each other, that the master sends to the others, or that the
    /// others send to the master.
    Messages(Role),
    Called(Kind),
    Loop(Vec<Part>),
}

/// Which ranks act. If the first rank is a master, it differs from the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    All,
    Master,
    Others,
}

/// The ranks that execute a step, in order, each with its number of executions.
type Executions = Vec<(u32, f64)>;

/// Returns the parts that stand for these steps, which all ranks of the points start.
pub(super) fn parts(steps: &[Step], points: &Points) -> Vec<Part> {
    let all: Executions = (0..points.count()).map(|it| (it, 1.0)).collect();
    let body = sums(&all, points);
    let mut sent = [0.0; 2];
    count_sent(steps, points, &mut sent);
    let has_master = points.most() > 3 && sent[1] > MASTER_MIN * (sent[0] + sent[1]);
    let mut parts = Vec::new();
    Averages { has_master }.add(steps, points, &all, &body, &mut parts);
    parts
}

/// Counts the messages of the largest run: those between other ranks, and those to or from the
/// first rank.
fn count_sent(steps: &[Step], points: &Points, sent: &mut [f64; 2]) {
    for step in steps {
        match &step.doing {
            StepAction::Act { acts, .. } => {
                for (point, act) in acts {
                    let point = points.at(*point);
                    if point.run == points.largest() && is_sent(&act.event) {
                        #[expect(clippy::cast_precision_loss, reason = "it is a share")]
                        let times = act.times as f64;
                        sent[usize::from(role(point.pid, act) != Role::All)] += times;
                    }
                }
            }
            StepAction::Loop { body, .. } => count_sent(body, points, sent),
            StepAction::Levels { levels, body } => count_sent(body, &levels.points, sent),
        }
    }
}

fn is_sent(event: &RankEvent) -> bool {
    matches!(
        event,
        RankEvent::Send(_) | RankEvent::BeginSend(..) | RankEvent::Exchange { .. }
    )
}

/// Returns the role of a rank in an event if the first rank is a master.
fn role(pid: i64, act: &Act) -> Role {
    match (&act.event, pid) {
        (RankEvent::Collective(_), _) => Role::All,
        (_, 0) => Role::Master,
        (RankEvent::Compute(_), _) => Role::Others,
        _ if act.messages()[0].and_then(|it| it.peer) == Some(0) => Role::Others,
        _ => Role::All,
    }
}

fn sums(executions: &Executions, points: &Points) -> Amounts {
    let mut sums = vec![0.0; points.runs().len()];
    for (point, times) in executions {
        sums[points.at(*point).run] += times;
    }
    sums
}

struct Averages {
    has_master: bool,
}

impl Averages {
    /// Adds the steps of a loop body to the parts of the loop; `within` states how often each rank
    /// executes it. All ranks of a run together execute the body `body` times.
    fn add(
        &self,
        steps: &[Step],
        points: &Points,
        within: &Executions,
        body: &Amounts,
        parts: &mut Vec<Part>,
    ) {
        for step in steps {
            match &step.doing {
                StepAction::Act { acts, .. } => self.add_acts(acts, points, within, body, parts),
                StepAction::Levels {
                    levels,
                    body: steps,
                } => {
                    let inner = &levels.points;
                    // A rank visits each of its levels equally often.
                    let times = |it: u32| times_of(within, inner.at(it).rank);
                    let all: Executions = (0..inner.count()).map(|it| (it, times(it))).collect();
                    self.add(steps, inner, &all, body, parts);
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
                    let times = quotients(&own, body);
                    let is_loop = times[points.largest()] >= LOOP_MIN;
                    if !is_loop || self.has_master && !is_even(&inner, &own, points) {
                        self.add(steps, points, &inner, body, parts);
                        continue;
                    }
                    let mut parts_of_body = Vec::new();
                    self.add(steps, points, &inner, &own, &mut parts_of_body);
                    parts.push(Part {
                        kind: PartKind::Loop(parts_of_body),
                        amounts: vec![0.0; times.len()],
                        times,
                    });
                }
            }
        }
    }

    fn add_acts(
        &self,
        acts: &[(u32, Act)],
        points: &Points,
        within: &Executions,
        body: &Amounts,
        parts: &mut Vec<Part>,
    ) {
        for role in [Role::All, Role::Master, Role::Others] {
            let is_its = |(point, act): &&(u32, Act)| {
                let own = self::role(points.at(*point).pid, act);
                role == if self.has_master { own } else { Role::All }
            };
            let mut own = acts.iter().filter(is_its).peekable();
            let Some(kind) = own.peek().and_then(|it| kind(&it.1, role)) else {
                continue;
            };
            let (mut times, mut amounts) = (vec![0.0; body.len()], vec![0.0; body.len()]);
            for (point, act) in own {
                let run = points.at(*point).run;
                let executions = times_of(within, *point);
                times[run] += executions;
                amounts[run] += executions * amount(act);
            }
            let within = |(run, body): (usize, &f64)| {
                let ranks = f64::from(points.runs()[run].ranks);
                match (role, &kind) {
                    (Role::All, _) => *body,
                    (Role::Others, PartKind::Compute(_)) => body * (ranks - 1.0) / ranks,
                    _ => body / ranks,
                }
            };
            let body: Amounts = body.iter().enumerate().map(within).collect();
            let [times, amounts] = [times, amounts].map(|it| quotients(&it, &body));
            add_part(
                Part {
                    kind,
                    times,
                    amounts,
                },
                parts,
            );
        }
    }
}

/// Divides sums over all ranks by the number of executions, if there are any.
fn quotients(sums: &Amounts, executions: &Amounts) -> Amounts {
    let pairs = sums.iter().zip(executions);
    pairs
        .map(|(sum, all)| if *all > 0.0 { sum / all } else { *sum })
        .collect()
}

/// Returns `true` if all ranks of each run execute a body equally often.
fn is_even(executions: &Executions, sums: &Amounts, points: &Points) -> bool {
    executions.len() == points.count() as usize
        && executions.iter().all(|(point, times)| {
            let run = points.at(*point).run;
            let mean = sums[run] / f64::from(points.runs()[run].ranks);
            (times - mean).abs() < 1e-6 * mean
        })
}

fn kind(act: &Act, role: Role) -> Option<PartKind> {
    Some(match &act.event {
        RankEvent::Compute(_) => PartKind::Compute(role),
        event if is_sent(event) => PartKind::Messages(role),
        RankEvent::Collective(it) => PartKind::Called(it.kind),
        _ => return None,
    })
}

/// Adds a part. A body has one part of each kind, where the first of that kind is.
fn add_part(part: Part, parts: &mut Vec<Part>) {
    let is_same = |it: &&mut Part| match (&it.kind, &part.kind) {
        (PartKind::Compute(one), PartKind::Compute(other))
        | (PartKind::Messages(one), PartKind::Messages(other)) => one == other,
        (PartKind::Called(one), PartKind::Called(other)) => one == other,
        _ => false,
    };
    match parts.iter_mut().find(is_same) {
        Some(known) => {
            let add = |to: &mut Amounts, more: &Amounts| {
                to.iter_mut().zip(more).for_each(|(it, more)| *it += more);
            };
            add(&mut known.times, &part.times);
            add(&mut known.amounts, &part.amounts);
        }
        None => parts.push(part),
    }
}

fn times_of(executions: &Executions, point: u32) -> f64 {
    let place = executions.binary_search_by_key(&point, |it| it.0);
    place.map_or(0.0, |it| executions[it].1)
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
