//! Counts how often each rank sends each message and calls each collective. A model must have the
//! same counts as the runs that it was learned from.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use prophet_text::{Problem, problem};
use prophet_trace::{Role, TraceReader, UnitState};

use super::Programs;
use super::node::{Act, FoldNode, FoldNodeKind};
use super::sizes::MEAN;
use crate::RankEvent;
use crate::event::{Kind, Message};

const SHOWN: usize = 2;

/// A message or collective of a rank, whatever its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CountedCall {
    Sent(u32, i64),
    Called(Kind),
}

/// How often each rank makes each call, by message size. Some sizes depend on data.
#[derive(Debug, Clone, Default)]
pub struct CallCounts {
    counts: BTreeMap<(u32, CountedCall), BTreeMap<Option<u64>, u64>>,
    /// Total computing time of all ranks, in seconds.
    pub computing_s: f64,
}

impl CallCounts {
    pub(super) fn of(programs: &Programs) -> Self {
        let mut all = Self::default();
        for (rank, nodes) in programs {
            all.add_nodes(*rank, nodes, 1);
        }
        all
    }

    fn add_nodes(&mut self, rank: u32, nodes: &[FoldNode], times: u64) {
        for node in nodes {
            match &node.what {
                FoldNodeKind::Loop { count, body } => self.add_nodes(rank, body, times * count),
                FoldNodeKind::Act(act) => self.add_act(rank, act, times),
            }
        }
    }

    fn add_act(&mut self, rank: u32, act: &Act, times: u64) {
        match &act.event {
            RankEvent::Send(it)
            | RankEvent::BeginSend(it, _)
            | RankEvent::Exchange { to: it, .. } => {
                self.add_message(rank, *it, times);
            }
            RankEvent::Collective(it) => {
                let bytes = it.blocks.is_none().then_some(it.bytes);
                self.add(rank, CountedCall::Called(it.kind), bytes, times);
            }
            // The executions are already summed.
            RankEvent::Compute(_) => self.computing_s += act.work.seconds,
            RankEvent::Receive(_)
            | RankEvent::BeginReceive(..)
            | RankEvent::Wait(_)
            | RankEvent::WaitAll => {}
        }
    }

    fn add_message(&mut self, rank: u32, message: Message, times: u64) {
        let call = CountedCall::Sent(message.peer.unwrap_or(0), message.tag.unwrap_or(0));
        self.add(rank, call, message.bytes.filter(|it| *it != MEAN), times);
    }

    fn add(&mut self, rank: u32, call: CountedCall, bytes: Option<u64>, times: u64) {
        let sizes = self.counts.entry((rank, call)).or_default();
        *sizes.entry(bytes).or_default() += times;
    }

    /// Counts the calls in a model's run, from its trace.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace can't be read.
    pub fn of_run(mut reader: TraceReader) -> Result<Self, Problem> {
        let kinds: BTreeMap<u32, String> = { reader.results().elements.iter() }
            .map(|it| (it.index, it.kind.clone()))
            .collect();
        let (mut all, mut records) = (Self::default(), Vec::new());
        let refuse = |it| problem!("cannot read the trace of a run: {it}");
        while reader.next_batch(&mut records).map_err(refuse)? {
            for record in &records {
                let kind = record.element_index().and_then(|it| kinds.get(&it));
                match (record.state, kind.map_or("", String::as_str), record.role()) {
                    (UnitState::Compute, ..) => all.computing_s += record.end_s - record.start_s,
                    (_, "bsend" | "nbsend" | "sendrecv", Some(Role::Send)) => {
                        all.add_message(record.pid, crate::recorded::message(record), 1);
                    }
                    (UnitState::Content | UnitState::Collective, name, None)
                        if record.began_s().is_some() =>
                    {
                        let kind = Kind::ALL.into_iter().find(|it| it.name() == name);
                        if let Some(kind) = kind {
                            let bytes = Some(record.size_bytes().unwrap_or(0));
                            all.add(record.pid, CountedCall::Called(kind), bytes, 1);
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(all)
    }

    pub fn calls(&self) -> u64 {
        self.counts.values().flat_map(BTreeMap::values).sum()
    }

    /// Describes some of the calls whose counts differ between the model and its recording; `None`
    /// if all counts are equal.
    pub fn differences(&self, recorded: &Self) -> Option<String> {
        let none = BTreeMap::new();
        let keys: BTreeSet<_> = self.counts.keys().chain(recorded.counts.keys()).collect();
        let differs = |key: &&&(u32, CountedCall)| {
            let [ours, theirs] = [self, recorded].map(|it| it.counts.get(**key).unwrap_or(&none));
            let is_open = theirs.contains_key(&None);
            let sum = |it: &BTreeMap<_, u64>| it.values().sum::<u64>();
            sum(ours) != sum(theirs) || !is_open && ours != theirs
        };
        let differing: Vec<_> = keys.iter().filter(differs).collect();
        let show = |key: &&&(u32, CountedCall)| {
            let of = |it: &Self| shown(it.counts.get(**key).unwrap_or(&none));
            let (ours, theirs) = (of(self), of(recorded));
            format!("rank {} {} {ours}, recorded {theirs}", key.0, key.1)
        };
        let mut texts: Vec<String> = differing.iter().take(SHOWN).map(show).collect();
        if differing.len() > SHOWN {
            texts.push(format!("{} more", differing.len() - SHOWN));
        }
        (!texts.is_empty()).then(|| texts.join("; "))
    }
}

impl fmt::Display for CountedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sent(to, 0) => write!(f, "sends to {to}"),
            Self::Sent(to, tag) => write!(f, "sends to {to} with tag {tag}"),
            Self::Called(kind) => write!(f, "calls {}", kind.name()),
        }
    }
}

/// Formats the counts by size, such as `5 x 8 B`.
fn shown(sizes: &BTreeMap<Option<u64>, u64>) -> String {
    let mut shown: Vec<String> = { sizes.iter().take(SHOWN) }
        .map(|(bytes, count)| match bytes {
            Some(bytes) => format!("{count} x {bytes} B"),
            None => format!("{count} x some"),
        })
        .collect();
    if sizes.len() > SHOWN {
        shown.push("…".to_owned());
    }
    if shown.is_empty() {
        return "0 x".to_owned();
    }
    shown.join(" + ")
}
