//! Computing of recordings, as a part of the call after it while programs are compared: only calls
//! tell which steps belong together.

use super::node::{Act, Before, Node, What};
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
    let mut result = Vec::with_capacity(steps.len());
    for mut step in steps {
        match &mut step.doing {
            Doing::Loop { body, .. } | Doing::Levels { body, .. } => {
                *body = apart(std::mem::take(body));
            }
            Doing::Act { acts, .. } => {
                if acts.iter().any(|it| it.1.before.is_some()) {
                    let acts = acts.iter().map(|(rank, act)| (*rank, computing(act)));
                    let doing = Doing::Act {
                        relations: Box::new([None, None]),
                        acts: acts.collect(),
                        request: None,
                    };
                    let ranks = step.ranks.clone();
                    result.push(Step { ranks, doing });
                }
            }
        }
        result.push(step);
    }
    result
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
