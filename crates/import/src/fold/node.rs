//! Represents the events and loops of a rank, with measurements summed over their executions.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::order::Orders;
use super::points::Span;
use crate::event::{Group, Message, RankEvent, Work};

#[derive(Debug, Clone)]
pub(crate) struct FoldNode {
    pub(crate) what: FoldNodeKind,
    pub(super) hash: u64,
}

#[derive(Debug, Clone)]
pub(crate) enum FoldNodeKind {
    Act(Act),
    Loop { count: u64, body: Vec<FoldNode> },
}

#[derive(Debug, Clone)]
pub(crate) struct Act {
    pub(crate) event: RankEvent,
    /// The orders in which a loop can visit all other ranks.
    pub(crate) each: [Orders; 2],
    /// The message that a wait completes; `true` for a send.
    pub(crate) begun: Option<(Message, bool)>,
    pub(crate) work: Work,
    /// Bytes of a collective whose blocks differ, or of messages whose sizes depend on data.
    pub(crate) bytes: f64,
    pub(crate) times: u64,
    /// Call site, if it matters. Computing has the call site of the next call.
    pub(crate) site: Option<u32>,
    /// Base-2 logarithm of the distance to the partner, if all distances at the call site are
    /// powers of two, and the number of ranks or side of the grid that they divide.
    pub(crate) level: Option<(Span, u8)>,
    /// The computing before the event, as long as it is attached to the event.
    pub(super) before: Option<Before>,
}

/// The computing before an event, summed over all executions of the event.
#[derive(Debug, Clone, Copy)]
pub(super) struct Before {
    pub(super) work: Work,
    pub(super) times: u64,
}

impl Before {
    fn plus(self, other: Self) -> Self {
        Self {
            work: self.work.plus(other.work),
            times: self.times + other.times,
        }
    }
}

impl Act {
    pub(super) fn is_computing(&self) -> bool {
        matches!(self.event, RankEvent::Compute(_))
    }

    /// Returns the group of a collective; `None` if all ranks take part.
    pub(super) fn group(&self) -> Option<&Group> {
        match &self.event {
            RankEvent::Collective(it) => it.group.as_deref(),
            _ => None,
        }
    }

    /// Returns `true` if it is repeated with each of the other ranks.
    pub(crate) fn is_each(&self) -> bool {
        self.each.iter().any(|it| it.is_some())
    }
}

impl FoldNode {
    pub(super) fn act(act: Act) -> Self {
        let mut hasher = DefaultHasher::new();
        act.begun.hash(&mut hasher);
        act.site.hash(&mut hasher);
        match &act.event {
            RankEvent::Compute(_) => 0.hash(&mut hasher),
            RankEvent::Send(message) => (1, message).hash(&mut hasher),
            RankEvent::Receive(message) => (2, message).hash(&mut hasher),
            RankEvent::BeginSend(message, request) => (3, message, request).hash(&mut hasher),
            RankEvent::BeginReceive(message, request) => (4, message, request).hash(&mut hasher),
            RankEvent::Wait(request) => (5, request).hash(&mut hasher),
            RankEvent::WaitAll => 6.hash(&mut hasher),
            RankEvent::Exchange { to, from } => (7, to, from).hash(&mut hasher),
            RankEvent::Collective(it) => {
                (8, it.kind, it.root, it.bytes, it.blocks.is_some()).hash(&mut hasher);
                it.group.as_ref().map(|it| it.number).hash(&mut hasher);
            }
        }
        let hash = hasher.finish();
        Self {
            what: FoldNodeKind::Act(act),
            hash,
        }
    }

    pub(super) fn repeat(count: u64, body: Vec<FoldNode>) -> Self {
        let mut node = Self {
            what: FoldNodeKind::Loop { count, body },
            hash: 0,
        };
        node.rehash();
        node
    }

    pub(super) fn rehash(&mut self) {
        if let FoldNodeKind::Loop { count, body } = &self.what {
            let mut hasher = DefaultHasher::new();
            (9, count).hash(&mut hasher);
            for node in body {
                node.hash.hash(&mut hasher);
            }
            self.hash = hasher.finish();
        }
    }

    /// Returns `true` if it is repeated with each of the other ranks.
    pub(crate) fn is_each(&self) -> bool {
        matches!(&self.what, FoldNodeKind::Act(act) if act.is_each())
    }

    pub(super) fn is_computing(&self) -> bool {
        matches!(&self.what, FoldNodeKind::Act(act) if act.is_computing())
    }

    pub(super) fn absorb(&mut self, other: &Self) {
        match (&mut self.what, &other.what) {
            (FoldNodeKind::Act(act), FoldNodeKind::Act(other)) => {
                act.work = act.work.plus(other.work);
                act.bytes += other.bytes;
                act.times += other.times;
                act.before = match (act.before, other.before) {
                    (Some(one), Some(other)) => Some(one.plus(other)),
                    (one, other) => one.or(other),
                };
            }
            (FoldNodeKind::Loop { body, .. }, FoldNodeKind::Loop { body: others, .. }) => {
                body.iter_mut()
                    .zip(others)
                    .for_each(|(it, other)| it.absorb(other));
            }
            _ => {}
        }
    }

    /// Splits off some of the executions as a separate node.
    pub(super) fn split(&mut self, share: u64) -> Self {
        let mut taken = self.clone();
        match (&mut self.what, &mut taken.what) {
            (FoldNodeKind::Act(act), FoldNodeKind::Act(taken)) => {
                let times = (act.times / share).max(1);
                #[expect(clippy::cast_precision_loss, reason = "it is a share")]
                let part = times as f64 / act.times as f64;
                taken.times = times;
                taken.work = act.work.times(part);
                taken.bytes = act.bytes * part;
                act.times -= times.min(act.times - 1);
                act.work = act.work.times(1.0 - part);
                act.bytes *= 1.0 - part;
            }
            (FoldNodeKind::Loop { body, .. }, FoldNodeKind::Loop { body: taken, .. }) => {
                for (it, taken) in body.iter_mut().zip(taken) {
                    *taken = it.split(share);
                }
            }
            _ => {}
        }
        taken
    }
}
