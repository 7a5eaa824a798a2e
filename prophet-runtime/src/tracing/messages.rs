//! Records messages and collectives.

use std::cell::Cell;

use prophet_machine::network::later;
use prophet_trace::{Record, Role, UnitId, UnitState};

use super::traced::Sending;
use super::{Span, Tracer, Tracing};
use crate::kernel::Kernel;
use crate::language::element::Element;
use crate::messages::letter::Arrived;
use crate::messages::message::{Begun, Outgoing, Part};
use crate::messages::requests::{Completion, Numbered};

impl Part {
    #[inline]
    const fn state(self, own: UnitState) -> UnitState {
        match self {
            Self::Whole | Self::Some => own,
            Self::OfCollective => UnitState::Collective,
        }
    }

    /// Completes the last record of a wait, and of a transfer that began at `began_s`.
    #[inline]
    fn last(self, record: Record, began_s: f64) -> Record {
        match self {
            Self::Whole => record.began(began_s),
            Self::Some | Self::OfCollective => record,
        }
    }
}

impl Sending {
    /// Completes the record of the time that a unit is busy with the message.
    #[inline]
    fn of(&self, record: Record) -> Record {
        let record = record.message(Role::Send, self.number, self.dest, self.bytes);
        match self.part {
            Part::Whole | Part::Some => record.tag(self.tag),
            // A collective's messages aren't the program's own.
            Part::OfCollective => record,
        }
    }
}

/// Records sends.
impl Tracing<'_> {
    /// Records that a unit has sent its process's latest message, and is busy with it until
    /// `free_s`.
    #[inline]
    pub(crate) fn trace_sent(&self, unit: u32, message: &Outgoing, free_s: f64) {
        if let Some(tracer) = self.recorder() {
            self.trace_last_sent(tracer, unit, message, free_s);
        }
    }

    #[cold]
    #[inline(never)]
    fn trace_last_sent(&self, tracer: &Tracer, unit: u32, message: &Outgoing, free_s: f64) {
        let number = tracer.last_number(tracer.id(self, unit).pid);
        let busy = (self.now_of(unit), free_s);
        self.trace_numbered(unit, message, number, busy);
    }

    /// Records that a unit has sent message `number`, and how long it is busy with that.
    #[expect(clippy::inline_always, reason = "a message stays in registers")]
    #[inline(always)]
    pub(crate) fn trace_numbered(&self, unit: u32, message: &Outgoing, number: u32, busy: Span) {
        if let Some(tracer) = self.recorder() {
            let (start_s, end_s) = (busy.0, later(busy.1, busy.0));
            let sending = Sending::new(message, number);
            tracer.add(self, unit, |UnitId { pid, tid }, element| {
                let state = message.part.state(UnitState::Send);
                let record = Record::new(pid, tid, state, start_s, end_s);
                [message
                    .part
                    .last(sending.of(record.element(element)), start_s)]
            });
        }
    }

    /// Records that a unit waits until the latest message of its process is matched.
    pub(crate) fn trace_sends(&self, unit: u32, message: &Outgoing) {
        if let Some(tracer) = self.recorder() {
            let number = tracer.last_number(tracer.id(self, unit).pid);
            let sending = Sending::new(message, number);
            tracer.with(unit, |unit| unit.sending = Some(sending));
        }
    }

    /// Records that a unit has been waiting for its own send since `since_s`.
    #[inline]
    pub(crate) fn trace_send_charged(&self, unit: u32, since_s: f64, sent: Completion) {
        if let Some(tracer) = self.recorder() {
            tracer.send_charged(self, unit, since_s, sent);
        }
    }

    /// Returns what identifies a process's latest message, for a later wait.
    #[inline]
    pub(crate) fn last_message(&self, rank: u32, message: &Outgoing) -> Option<Numbered> {
        self.recorder().map(|tracer| Numbered {
            number: tracer.last_number(rank),
            element: message.element,
        })
    }

    /// Records that the message of a non-blocking send is now in transit. A unit posted its receive
    /// at `start_s`.
    pub(crate) fn trace_travels(&self, unit: u32, source: u32, message: Numbered, start_s: f64) {
        let Some(tracer) = self.recorder() else {
            return;
        };
        // Only receives that are given up lead to later records.
        if start_s >= self.now_s() - tracer.late_s {
            let start = tracer.record(self, unit, UnitState::Wait, (start_s, start_s));
            let start = start.element(message.element).cause(start.unit());
            tracer.push(self, start.partner(source).begun_message(message.number));
        }
    }

    /// Returns a unit's identity in records, so that it can be reported later as a cause.
    #[inline]
    pub(crate) fn trace_id(&self, unit: u32) -> Option<UnitId> {
        self.recorder().map(|tracer| tracer.id(self, unit))
    }
}

/// Records receives.
impl Tracing<'_> {
    /// Records that a unit has received a message that it waited for, and how long it is busy with
    /// it. `begun` says which element began the receive, if it is a request.
    #[expect(clippy::inline_always, reason = "a message stays in registers")]
    #[inline(always)]
    pub(crate) fn trace_received(
        &self,
        unit: u32,
        part: Part,
        begun: Option<Begun>,
        arrived: Arrived,
        times: Times,
    ) {
        if let Some(tracer) = self.recorder() {
            tracer.received(self, (unit, begun), part, arrived, times);
        }
    }

    /// Records that a receive is posted, which takes no time.
    pub(crate) fn trace_posted(&self, unit: u32) {
        if let Some(tracer) = self.recorder() {
            let now_s = self.now_of(unit);
            let record = tracer.record(self, unit, UnitState::Receive, (now_s, now_s));
            tracer.push(self, record.began(now_s));
        }
    }

    /// Records that a unit waits for several operations. They are recorded once all have been
    /// matched.
    #[inline]
    pub(crate) fn trace_waits(&self, unit: u32) {
        if let Some(tracer) = self.recorder() {
            tracer.hold_back(self, unit);
        }
    }
}

/// When a receive begins to wait, gets its message, and ends, in simulated seconds.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_field_names, reason = "units of measurement come last")]
pub(crate) struct Times {
    pub(crate) since_s: f64,
    pub(crate) there_s: f64,
    pub(crate) end_s: f64,
}

/// A call of a collective, for the trace.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    pub(crate) root: Option<u32>,
    pub(crate) bytes: u64,
    /// The communicator's first process, or `None` for the communicator of all processes.
    pub(crate) comm: Option<u32>,
}

impl Call {
    fn of(self, record: Record) -> Record {
        let record = record.bytes(self.bytes);
        let record = self.root.map_or(record, |root| record.partner(root));
        self.comm.map_or(record, |pid| record.comm(pid))
    }
}

/// A collective with a cost, for the trace.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gathering {
    pub(crate) call: Call,
    /// The last process that arrived, and when.
    pub(crate) last: UnitId,
    pub(crate) latest_s: f64,
}

impl Tracing<'_> {
    /// Records a collective with a cost, for a unit that arrived at `since_s` and leaves at
    /// `end_s`.
    pub(crate) fn trace_gathered(&self, unit: u32, since_s: f64, end_s: f64, all: &Gathering) {
        let Some(tracer) = self.recorder() else {
            return;
        };
        if all.latest_s > since_s {
            let wait = tracer.record(self, unit, UnitState::Wait, (since_s, all.latest_s));
            tracer.push(self, all.call.of(wait).cause(all.last));
        }
        let record = tracer.record(self, unit, UnitState::Collective, (all.latest_s, end_s));
        tracer.push(self, all.call.of(record).began(since_s));
    }

    /// Records a collective that sends messages. A unit began it at `start_s` and leaves it now.
    #[inline]
    pub(crate) fn trace_collective(
        &self,
        unit: u32,
        element: &Element,
        start_s: f64,
        call: impl FnOnce() -> Call,
    ) {
        if let Some(tracer) = self.recorder() {
            let record = tracer.content(self, unit, element, start_s);
            tracer.push(self, call().of(record));
        }
    }
}

impl Tracer {
    #[inline]
    pub(crate) fn number_message(&self, rank: u32) -> u32 {
        let Some(sent) = self.sent.get(rank as usize) else {
            return 0;
        };
        let number = sent.get();
        sent.set(number.wrapping_add(1));
        number
    }

    #[inline]
    fn last_number(&self, rank: u32) -> u32 {
        let count = self.sent.get(rank as usize).map_or(0, Cell::get);
        count.wrapping_sub(1)
    }

    #[cold]
    #[inline(never)]
    fn send_charged(&self, kernel: &Kernel<'_>, unit: u32, since_s: f64, sent: Completion) {
        let start_s = sent.start_s.max(since_s);
        if start_s > since_s {
            let wait = self.record(kernel, unit, UnitState::Wait, (since_s, start_s));
            let wait = sent.cause.map_or(wait, |cause| wait.cause(cause));
            self.push(kernel, wait);
        }
        let span = (start_s, sent.end_s);
        let sending = self.with(unit, |unit| unit.sending.take());
        let record = if let Some(sending) = sending {
            let state = sending.part.state(UnitState::Send);
            let record = self.record(kernel, unit, state, span);
            sending.part.last(sending.of(record), since_s)
        } else {
            let record = self.record(kernel, unit, UnitState::Send, span);
            sent.message.map_or(record, |message| {
                record
                    .element(message.element)
                    .begun_message(message.number)
            })
        };
        self.push(kernel, record);
    }

    #[expect(clippy::inline_always, reason = "a message stays in registers")]
    #[inline(always)]
    fn received(
        &self,
        kernel: &Kernel<'_>,
        (unit, begun): (u32, Option<Begun>),
        part: Part,
        arrived: Arrived,
        times: Times,
    ) {
        let Times {
            since_s,
            there_s,
            end_s,
        } = times;
        let Arrived {
            source,
            number,
            tag,
            bytes,
            ..
        } = arrived;
        let both = |UnitId { pid, tid }, element| {
            let wait = Record::new(pid, tid, UnitState::Wait, since_s, there_s).element(element);
            let wait = wait.message(Role::Receive, number, source, bytes);
            let busy = wait.then(part.state(UnitState::Receive), later(end_s, there_s));
            let busy = busy.element(begun.map_or(element, |begun| begun.element));
            let busy = match part {
                Part::Whole | Part::Some => busy.tag(tag),
                Part::OfCollective => busy,
            };
            let late = arrived.is_late.then(|| wait.unit());
            let wait = late.map_or(wait, |own| wait.cause(own));
            [wait, part.last(busy, since_s)]
        };
        if there_s > since_s {
            self.add(kernel, unit, both);
        } else {
            self.add(kernel, unit, |id, element| [both(id, element)[1]]);
        }
    }
}
