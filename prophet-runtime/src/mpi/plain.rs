//! The short way of the local engine: plain operations, which nothing alters and nobody watches.
//!
//! Each function here does an operation of a program completely, or nothing at all. In that case
//! the long way, by [`Lane`]'s other functions, does it, and finds whatever is wrong with it. A
//! short way calls nothing, so that it saves no registers; what would take a call is not plain.

use super::{Lane, Mpi};
use crate::kernel::local::STEPS_FREE;
use crate::kernel::{Activity, NO_ELEMENT, Phase, Spending as _};
use crate::language::element::Element;
use crate::machine::network::later;
use crate::messages::letter::{ANY_TAG, Envelope};
use crate::results::elements::Entry;

/// Steps of an element: one begins it, one continues after it.
const STEPS: u16 = 2;

impl Mpi<'_> {
    /// Lets ranks take the short way, unless the operations of this run are not plain.
    pub(crate) fn choose_way(&self) {
        let stands_for_others = self.local.folded.is_some() || self.local.alone.is_some();
        let is_altered = self.altered.is_some();
        let is_watched = self.tracer.is_some() || self.watches_messages();
        let is_plain = !stands_for_others && !is_altered && !is_watched;
        self.local.plain.set(is_plain);
    }
}

/// A receive whose price the machine determines, of an element that began at `since_s`, or begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainReceive<'e> {
    pub(crate) element: &'e Element,
    pub(crate) source: i64,
    pub(crate) tag: i64,
    pub(crate) bytes_max: i64,
    pub(crate) since_s: Option<f64>,
}

/// State of a plain receive after a poll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlainState {
    /// The receive has its message.
    Over,
    /// The receive waits, with this generation.
    Waits(u32),
}

#[expect(clippy::inline_always, reason = "a call costs as much as the work")]
impl<'w> Lane<'w> {
    /// Computes for `cost_s` seconds.
    #[inline(always)]
    pub(crate) fn compute_plainly(self, element: &Element, cost_s: f64) -> Option<()> {
        let turn = self.plain_turn()?;
        let (entry, start_s) = (self.plain_entry(element)?, self.now_s());
        let end_s = start_s + cost_s;
        let seconds = end_s - start_s;
        if !(0.0..=f64::MAX).contains(&cost_s) || !Entry::takes(seconds) || !self.may_make(STEPS) {
            return None;
        }
        self.local.turn.set(turn - 1);
        self.pass(STEPS, end_s);
        self.unit.spend(Activity::Compute, cost_s);
        self.end_plainly(entry, seconds);
        Some(())
    }

    /// Sends `bytes` bytes into the line of rank `dest`.
    #[inline(always)]
    pub(crate) fn send_plainly(
        self,
        element: &Element,
        (dest, tag, bytes): (i64, i64, i64),
    ) -> Option<()> {
        let turn = self.plain_turn()?;
        // A negative number is a very large one.
        let place = dest.wrapping_sub(i64::from(self.local.first()));
        let place = usize::try_from(place.cast_unsigned()).ok()?;
        let there = self.local.lines.get(place)?;
        let entry = self.plain_entry(element)?;
        let (bytes, start_s) = (bytes.cast_unsigned(), self.now_s());
        let is_eager = bytes <= self.mpi.eager_bytes_min;
        if !is_eager || !there.has_room() || !self.may_make(STEPS) {
            return None;
        }
        let place = u32::try_from(place).ok()?;
        let network = self
            .mpi
            .network(self.rank, place.wrapping_add(self.local.first()));
        let mut nic = self.line.nic.get();
        let sent = network.send(start_s, bytes, &mut nic);
        let seconds = sent.sender_free_s - start_s;
        if !Entry::takes(seconds) {
            return None;
        }
        self.local.turn.set(turn - 1);
        self.line.nic.set(nic);
        self.count_message();
        self.pass(STEPS, sent.sender_free_s);
        self.unit.spend(Activity::Communicate, seconds);
        self.end_plainly(entry, seconds);
        // At the end, where a call finds nothing to save.
        if there.put_plain(self.rank, (tag, bytes), sent.arrival_s) {
            self.local.ready.push(place);
        }
        Some(())
    }

    /// Receives a message that is in the rank's line, or begins to wait for it.
    #[inline(always)]
    pub(crate) fn receive_plainly(self, receive: &PlainReceive<'_>) -> Option<PlainState> {
        let begins = receive.since_s.is_none();
        // A negative number is a very large one.
        let is_process = receive.source.cast_unsigned() < u64::from(self.mpi.system.processes);
        if !self.local.plain.get() || begins && (!is_process || receive.tag == ANY_TAG) {
            return None;
        }
        let source = u32::try_from(receive.source).ok()?;
        let envelope = Envelope::of_program(source, receive.tag);
        let steps = if begins { STEPS } else { 0 };
        let Some(place) = self.line.find(&envelope) else {
            let may_wait = begins && receive.bytes_max >= 0 && self.may_make(STEPS + 1);
            return may_wait.then(|| self.wait_plainly(&envelope)).flatten();
        };
        let (found, now_s) = (self.line.look(place), self.now_s());
        let entry = self.plain_entry(receive.element)?;
        let is_plain = found.flags == 0 && !self.local.influences.are_noted();
        if !is_plain || found.bytes.cast_signed() > receive.bytes_max || !self.may_make(steps) {
            return None;
        }
        let there_s = later(found.time_s, now_s);
        let (mut end_s, mut nic) = (there_s, self.line.nic.get());
        if self.mpi.charges_ends {
            let network = self.mpi.network(source, self.rank);
            end_s = network.receive(now_s, found.time_s, found.bytes, &mut nic);
        }
        let seconds = end_s - receive.since_s.unwrap_or(now_s);
        if !Entry::takes(seconds) {
            return None;
        }
        self.line.nic.set(nic);
        self.line.remove(place);
        self.unit.spend(Activity::Wait, there_s - now_s);
        self.unit.spend(Activity::Communicate, end_s - there_s);
        self.pass(steps, end_s);
        self.end_plainly(entry, seconds);
        Some(PlainState::Over)
    }

    /// Lets an element begin to wait for a message that is not in the line.
    #[inline(always)]
    fn wait_plainly(self, envelope: &Envelope) -> Option<PlainState> {
        if self.line.more() > 0 || self.unit.phase.get() != Phase::Running {
            return None;
        }
        self.line.steps.set(self.line.steps.get() + STEPS + 1);
        self.line.want(envelope);
        Some(PlainState::Waits(self.unit.wait()))
    }

    /// Number of elements that the rank may begin in its turn, if they are plain.
    #[inline(always)]
    fn plain_turn(self) -> Option<u32> {
        let turn = self.local.turn.get();
        (turn > 0 && self.local.plain.get()).then_some(turn)
    }

    /// The totals of an element, unless it is new.
    #[inline(always)]
    fn plain_entry(self, element: &Element) -> Option<&'w Entry> {
        self.mpi.elements.executed(element.index)
    }

    /// Adds an execution to the totals of its element.
    #[inline(always)]
    fn end_plainly(self, entry: &Entry, seconds: f64) {
        self.unit.site.set(NO_ELEMENT);
        entry.record_short(seconds);
    }

    /// True if the rank may make some more steps without an account.
    #[inline(always)]
    fn may_make(self, steps: u16) -> bool {
        self.line.steps.get() + steps <= STEPS_FREE
    }

    /// Makes steps that end at `time_s`, now or later.
    #[inline(always)]
    fn pass(self, steps: u16, time_s: f64) {
        let line = self.line;
        if time_s > line.now_s.get() {
            line.now_s.set(time_s);
            line.steps.set(0);
        } else {
            line.steps.set(line.steps.get() + steps);
        }
    }
}
