//! Implements the fast path of the local engine, for plain operations: those that are neither
//! altered nor watched.
//!
//! Each function here either performs an operation completely or does nothing. In the latter case,
//! the slow path in the other functions of [`Lane`] performs the operation, and reports any problem
//! with it. The fast path doesn't call functions, so it doesn't have to save registers. An
//! operation that takes a call isn't plain.

use prophet_machine::network::{NicClocks, Sent, later};

use super::{Lane, Mpi};
use crate::kernel::local::{Line, STEPS_FREE};
use crate::kernel::{Activity, NO_ELEMENT, Phase, Spending as _};
use crate::language::element::Element;
use crate::messages::letter::{ANY_TAG, Envelope};
use crate::results::elements::Entry;

/// Number of steps of an element. One begins it, and the other continues after it.
const STEPS: u16 = 2;

impl Mpi<'_> {
    /// Allows the fast path if all operations of this run are plain.
    pub(crate) fn choose_way(&self) {
        let stands_for_others = self.local.folded.is_some() || self.local.alone.is_some();
        let is_altered = self.altered.is_some();
        let is_watched = self.tracer.is_some() || self.watches_messages();
        let is_plain = !stands_for_others && !is_altered && !is_watched;
        self.local.plain.set(is_plain);
    }
}

/// A receive whose price the machine determines. Its element began at `since_s`, or begins now.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainReceive<'e> {
    pub(crate) element: &'e Element,
    pub(crate) source: i64,
    pub(crate) tag: i64,
    pub(crate) bytes_max: Option<i64>,
    pub(crate) since_s: Option<f64>,
}

#[derive(Debug, Clone, Copy)]
struct Priced {
    bytes: u64,
    /// When both the message and the rank are ready, in seconds.
    there_s: f64,
    end_s: f64,
    /// The clocks of the rank's network interface after the receive.
    nic: NicClocks,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlainState {
    Over,
    /// The receive is waiting. The number is the generation of the wait.
    Waits(u32),
}

#[expect(clippy::inline_always, reason = "a call costs as much as the work")]
impl<'w> Lane<'w> {
    #[inline(always)]
    pub(crate) fn compute_plainly(self, element: &Element, cost_s: f64) -> Option<()> {
        let turn = self.plain_turn()?;
        let (entry, start_s) = (self.plain_entry(element)?, self.now_s());
        let end_s = start_s + cost_s;
        let seconds = end_s - start_s;
        if cost_s < 0.0 {
            return None;
        }
        // If the time is moderate, the cost is finite.
        let units = Entry::moderate(seconds)?;
        self.pass(STEPS, end_s)?;
        self.local.turn.set(turn - 1);
        self.unit.spend(Activity::Compute, cost_s);
        self.end_plainly(entry, seconds, units);
        Some(())
    }

    /// Sends `bytes` bytes to the line of rank `dest`.
    #[inline(always)]
    pub(crate) fn send_plainly(
        self,
        element: &Element,
        (dest, tag, bytes): (i64, i64, i64),
    ) -> Option<()> {
        let turn = self.plain_turn()?;
        // As an unsigned number, a negative one is very large.
        let place = dest.wrapping_sub(i64::from(self.local.first()));
        let place = u32::try_from(place.cast_unsigned()).ok()?;
        let entry = self.plain_entry(element)?;
        let bytes = bytes.cast_unsigned();
        if bytes > self.mpi.eager_bytes_min {
            return None;
        }
        let (there, sent, nic) = self.price_plainly(place, bytes)?;
        let seconds = sent.sender_free_s - self.now_s();
        let units = Entry::short(seconds)?;
        self.send_priced(STEPS, seconds, sent.sender_free_s, nic)?;
        self.local.turn.set(turn - 1);
        self.end_plainly(entry, seconds, units.into());
        // At the end of the function, a call doesn't make it save registers.
        let envelope = Envelope::of_program(self.rank, tag);
        if there.put_plain(&envelope, bytes, sent.arrival_s) {
            self.local.ready.push(place);
        }
        Some(())
    }

    /// Sends a message of a collective to the line of rank `dest`, if the run is plain.
    #[inline(always)]
    pub(crate) fn send_part_plainly(self, dest: u32, (tag, bytes): (i64, u64)) -> Option<()> {
        let place = self.local.place(dest);
        let (there, sent, nic) = self.price_plainly(place, bytes)?;
        let seconds = sent.sender_free_s - self.now_s();
        if !seconds.is_finite() {
            return None;
        }
        self.send_priced(0, seconds, sent.sender_free_s, nic)?;
        let envelope = Envelope::of_collective(self.rank, tag);
        if there.put_plain(&envelope, bytes, sent.arrival_s) {
            self.local.ready.push(place);
        }
        Some(())
    }

    /// Returns the line of the rank at a place, and the times of a message to that rank, if the
    /// line has room.
    #[inline(always)]
    fn price_plainly(self, place: u32, bytes: u64) -> Option<(&'w Line, Sent, NicClocks)> {
        let there = self.local.lines.get(place as usize)?;
        if !there.has_room() {
            return None;
        }
        let dest = place.wrapping_add(self.local.first());
        let mut nic = self.line.nic.get();
        let network = self.mpi.network(self.rank, dest);
        let sent = network.send(self.now_s(), bytes, &mut nic);
        Some((there, sent, nic))
    }

    /// Lets time pass until the sender is free again.
    #[inline(always)]
    fn send_priced(self, steps: u16, seconds: f64, free_s: f64, nic: NicClocks) -> Option<()> {
        self.pass(steps, free_s)?;
        self.line.nic.set(nic);
        self.count_message();
        self.unit.spend(Activity::Communicate, seconds);
        Some(())
    }

    /// Receives a message from the rank's line, or begins to wait for it.
    #[inline(always)]
    pub(crate) fn receive_plainly(self, receive: &PlainReceive<'_>) -> Option<PlainState> {
        let begins = receive.since_s.is_none();
        // As an unsigned number, a negative one is very large.
        let is_process = receive.source.cast_unsigned() < u64::from(self.mpi.system.processes);
        if !self.local.plain.get() || !is_process || receive.tag == ANY_TAG {
            return None;
        }
        let source = u32::try_from(receive.source).ok()?;
        let envelope = Envelope::of_program(source, receive.tag);
        let Some(place) = self.line.find(&envelope) else {
            let may_wait = begins && receive.bytes_max.is_none_or(|bytes| bytes >= 0);
            let waits = may_wait.then(|| self.wait_plainly(&envelope, STEPS + 1));
            return waits.flatten().map(PlainState::Waits);
        };
        let priced = self.price_found(place, source)?;
        let entry = self.plain_entry(receive.element)?;
        let seconds = priced.end_s - receive.since_s.unwrap_or(self.now_s());
        let bytes = priced.bytes.cast_signed();
        if receive.bytes_max.is_some_and(|bytes_max| bytes > bytes_max) {
            return None;
        }
        let units = Entry::short(seconds)?;
        self.take_priced(place, if begins { STEPS } else { 0 }, &priced)?;
        self.end_plainly(entry, seconds, units.into());
        Some(PlainState::Over)
    }

    /// Receives a message of a collective that [`Self::send_part_plainly`] sent, or begins to wait
    /// for it.
    #[inline(always)]
    pub(crate) fn receive_part_plainly(self, source: u32, tag: i64) -> Option<PlainState> {
        let envelope = Envelope::of_collective(source, tag);
        let Some(place) = self.line.find(&envelope) else {
            return self.wait_plainly(&envelope, 1).map(PlainState::Waits);
        };
        let priced = self.price_found(place, source)?;
        if !priced.end_s.is_finite() {
            return None;
        }
        self.take_priced(place, 0, &priced)?;
        Some(PlainState::Over)
    }

    /// Returns the message at a position of the rank's line if it is plain, with the times of its
    /// receive.
    #[inline(always)]
    fn price_found(self, place: usize, source: u32) -> Option<Priced> {
        let (found, now_s) = (self.line.look(place), self.now_s());
        if found.flags != 0 || self.local.influences.are_noted() {
            return None;
        }
        let there_s = later(found.time_s, now_s);
        let (mut end_s, mut nic) = (there_s, self.line.nic.get());
        if self.mpi.charges_ends {
            let network = self.mpi.network(source, self.rank);
            end_s = network.receive(now_s, found.time_s, found.bytes, &mut nic);
        }
        Some(Priced {
            bytes: found.bytes,
            there_s,
            end_s,
            nic,
        })
    }

    /// Takes a message from a position of the rank's line.
    #[inline(always)]
    fn take_priced(self, place: usize, steps: u16, priced: &Priced) -> Option<()> {
        let now_s = self.now_s();
        self.pass(steps, priced.end_s)?;
        self.line.nic.set(priced.nic);
        self.line.remove(place);
        self.unit.spend(Activity::Wait, priced.there_s - now_s);
        self.unit
            .spend(Activity::Communicate, priced.end_s - priced.there_s);
        Some(())
    }

    /// Begins to wait for a message that isn't in the line, after `steps` steps.
    #[inline(always)]
    fn wait_plainly(self, envelope: &Envelope, steps: u16) -> Option<u32> {
        if self.line.more() > 0 || self.unit.phase.get() != Phase::Running {
            return None;
        }
        self.make(steps)?;
        self.line.want(envelope);
        Some(self.unit.wait())
    }

    /// Returns the number of elements that the rank can still begin in its turn, if operations are
    /// plain.
    #[inline(always)]
    fn plain_turn(self) -> Option<u32> {
        let turn = self.local.turn.get();
        (turn > 0 && self.local.plain.get()).then_some(turn)
    }

    /// Returns the totals of an element, or `None` if it hasn't been executed yet.
    #[inline(always)]
    fn plain_entry(self, element: &Element) -> Option<&'w Entry> {
        self.mpi.elements.executed(element.index)
    }

    /// Adds an execution to the totals of its element.
    #[inline(always)]
    fn end_plainly(self, entry: &Entry, seconds: f64, units: u128) {
        self.unit.site.set(NO_ELEMENT);
        entry.record_units(seconds, units);
    }

    /// Makes steps at this instant, as long as the rank stays within [`STEPS_FREE`].
    #[inline(always)]
    fn make(self, steps: u16) -> Option<()> {
        let sum = self.line.steps.get() + steps;
        (sum <= STEPS_FREE).then(|| self.line.steps.set(sum))
    }

    /// Makes steps that end at `time_s`, which is now or later, as long as the rank stays within
    /// [`STEPS_FREE`].
    #[inline(always)]
    fn pass(self, steps: u16, time_s: f64) -> Option<()> {
        if time_s <= self.now_s() {
            return self.make(steps);
        }
        self.line.now_s.set(time_s);
        self.line.steps.set(0);
        Some(())
    }
}
