//! Records of messages and collectives.

use std::cell::Cell;

use prophet_trace::{Record, Role, State, UnitId};

use super::{Span, Tracer};
use crate::engine::World;
use crate::matching::{Arrived, Context};
use crate::messages::Outgoing;
use crate::requests::Completion;

/// What a message is to the execution of an element that sends or receives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// All of it.
    Whole,
    /// One of several things that it does.
    Some,
    /// One of the messages of a collective.
    OfCollective,
}

impl Part {
    /// What a blocking operation of a context is.
    #[inline]
    pub(crate) const fn of(context: Context) -> Self {
        match context {
            Context::Program => Self::Whole,
            Context::Collective => Self::OfCollective,
        }
    }

    #[inline]
    const fn state(self, own: State) -> State {
        match self {
            Self::Whole | Self::Some => own,
            Self::OfCollective => State::Collective,
        }
    }

    /// The last record of a wait and a transfer that began at `began_s`.
    #[inline]
    fn last(self, record: Record, began_s: f64) -> Record {
        match self {
            Self::Whole => record.began(began_s),
            Self::Some | Self::OfCollective => record,
        }
    }
}

/// A message that waits for its receive, and its sender with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sending {
    number: u32,
    dest: u32,
    bytes: u64,
    part: Part,
}

/// Sends.
impl World<'_> {
    /// The number of a message that a process sends, among all of its; 0 if nobody wants to know.
    #[inline]
    pub(crate) fn number_message(&self, rank: u32) -> u32 {
        self.tracer.map_or(0, |tracer| tracer.number_message(rank))
    }

    /// Records that a unit has sent the last message of its process, and is busy until `free_s`
    /// with it.
    #[inline]
    pub(crate) fn trace_sent(&self, unit: u32, message: &Outgoing, free_s: f64) {
        if let Some(tracer) = self.tracer {
            tracer.sent(self, unit, message, free_s);
        }
    }

    /// Notes that a unit waits for the receive of the last message of its process.
    pub(crate) fn trace_sends(&self, unit: u32, message: &Outgoing) {
        if let Some(tracer) = self.tracer {
            let sending = tracer.sending(self, unit, message);
            tracer.with(unit, |unit| unit.sending = Some(sending));
        }
    }

    /// Records that a unit has waited since `since_s` for a send of its own.
    #[inline]
    pub(crate) fn trace_send_charged(&self, unit: u32, since_s: f64, sent: Completion) {
        if let Some(tracer) = self.tracer {
            tracer.send_charged(self, unit, since_s, sent);
        }
    }

    /// The unit as records name it, for a cause that is told later.
    #[inline]
    pub(crate) fn trace_id(&self, unit: u32) -> Option<UnitId> {
        self.tracer.map(|tracer| tracer.id(self, unit))
    }
}

/// Receives.
impl World<'_> {
    /// Records that a unit has a message that it has waited for, and how long it is busy with it.
    #[inline]
    pub(crate) fn trace_received(&self, unit: u32, part: Part, arrived: Arrived, times: Times) {
        if let Some(tracer) = self.tracer {
            tracer.received(self, unit, part, arrived, times);
        }
    }

    /// [`Self::trace_received`] of a process of the local engine: the source and the number of the
    /// message, its size, and whether it has waited for its receive.
    #[cold]
    #[inline(never)]
    pub(crate) fn trace_taken(
        &self,
        unit: u32,
        part: Part,
        (source, number): (u32, u32),
        (bytes, is_late): (u64, bool),
        (since_s, there_s): (f64, f64),
        end_s: f64,
    ) {
        let arrived = Arrived {
            source,
            bytes,
            arrival_s: there_s,
            priced: false,
            is_late,
            number,
        };
        let times = Times {
            since_s,
            there_s,
            end_s,
        };
        self.trace_received(unit, part, arrived, times);
    }

    /// Records that a receive is posted, which takes no time.
    pub(crate) fn trace_posted(&self, unit: u32) {
        if let Some(tracer) = self.tracer {
            let now_s = self.now_of(unit);
            let record = tracer.record(self, unit, State::Receive, (now_s, now_s));
            tracer.push(self, record.began(now_s));
        }
    }

    /// Notes that a unit waits for several operations, which are recorded when all have met their
    /// partners.
    #[inline]
    pub(crate) fn trace_waits(&self, unit: u32) {
        if let Some(tracer) = self.tracer {
            tracer.hold_back(self, unit);
        }
    }
}

/// When a receive begins to wait, has its message, and ends, in simulated seconds.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_field_names, reason = "units of measurement come last")]
pub(crate) struct Times {
    pub(crate) since_s: f64,
    pub(crate) there_s: f64,
    pub(crate) end_s: f64,
}

/// A collective with a cost, as it is recorded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gathering {
    /// The process that is its root, if it has one.
    pub(crate) root: Option<u32>,
    pub(crate) bytes: u64,
    /// Who came last, and when.
    pub(crate) last: UnitId,
    pub(crate) latest_s: f64,
}

impl World<'_> {
    /// Records a collective with a cost of a unit that came to it at `since_s` and leaves at
    /// `end_s`.
    pub(crate) fn trace_gathered(&self, unit: u32, since_s: f64, end_s: f64, all: &Gathering) {
        let Some(tracer) = self.tracer else { return };
        let with_root = |record: Record| {
            let record = record.bytes(all.bytes);
            all.root.map_or(record, |root| record.partner(root))
        };
        if all.latest_s > since_s {
            let wait = tracer.record(self, unit, State::Wait, (since_s, all.latest_s));
            tracer.push(self, with_root(wait).cause(all.last));
        }
        let record = tracer.record(self, unit, State::Collective, (all.latest_s, end_s));
        tracer.push(self, with_root(record).began(since_s));
    }
}

impl Tracer {
    #[cold]
    #[inline(never)]
    fn number_message(&self, rank: u32) -> u32 {
        let Some(sent) = self.sent.get(rank as usize) else {
            return 0;
        };
        let number = sent.get();
        sent.set(number.wrapping_add(1));
        number
    }

    #[expect(
        clippy::inline_always,
        reason = "its parts are used where they are found"
    )]
    #[inline(always)]
    fn sending(&self, world: &World<'_>, unit: u32, message: &Outgoing) -> Sending {
        let rank = self.id(world, unit).pid as usize;
        Sending {
            number: self.sent.get(rank).map_or(0, Cell::get).wrapping_sub(1),
            dest: message.dest,
            bytes: message.bytes,
            part: message.part,
        }
    }

    #[cold]
    #[inline(never)]
    fn sent(&self, world: &World<'_>, unit: u32, message: &Outgoing, free_s: f64) {
        let sending = self.sending(world, unit, message);
        let now_s = world.now_of(unit);
        let record = self.busy(world, unit, &sending, (now_s, free_s.max(now_s)));
        self.push(world, sending.part.last(record, now_s));
    }

    #[expect(
        clippy::inline_always,
        reason = "parts of it are changed, and never in memory"
    )]
    #[inline(always)]
    fn busy(&self, world: &World<'_>, unit: u32, sending: &Sending, span: Span) -> Record {
        let record = self.record(world, unit, sending.part.state(State::Send), span);
        record.message(Role::Send, sending.number, sending.dest, sending.bytes)
    }

    #[cold]
    #[inline(never)]
    fn send_charged(&self, world: &World<'_>, unit: u32, since_s: f64, sent: Completion) {
        let start_s = sent.start_s.max(since_s);
        if start_s > since_s {
            let wait = self.record(world, unit, State::Wait, (since_s, start_s));
            let wait = sent.cause.map_or(wait, |cause| wait.cause(cause));
            self.push(world, wait);
        }
        let span = (start_s, sent.end_s);
        let sending = self.with(unit, |unit| unit.sending.take());
        let record = match sending {
            Some(sending) => {
                let record = self.busy(world, unit, &sending, span);
                sending.part.last(record, since_s)
            }
            // One that was begun before: its element's record names the message.
            None => self.record(world, unit, State::Send, span),
        };
        self.push(world, record);
    }

    #[cold]
    #[inline(never)]
    fn received(&self, world: &World<'_>, unit: u32, part: Part, arrived: Arrived, times: Times) {
        let Times {
            since_s,
            there_s,
            end_s,
        } = times;
        let Arrived {
            source,
            number,
            bytes,
            ..
        } = arrived;
        let wait = self.record(world, unit, State::Wait, (since_s, there_s));
        let wait = wait.message(Role::Receive, number, source, bytes);
        if there_s > since_s {
            let late = arrived.is_late.then(|| wait.unit());
            self.push(world, late.map_or(wait, |own| wait.cause(own)));
        }
        let state = part.state(State::Receive);
        let busy = wait.then(state, end_s.max(there_s));
        self.push(world, part.last(busy, since_s));
    }
}
