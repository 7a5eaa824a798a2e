//! Implements what a rank does in the local engine. It happens at the rank's own time, and usually
//! needs only its own cache line.

use std::task::Poll;

use prophet_machine::network::NicClocks;

use super::Mpi;
use crate::kernel::local::{Folded, Found, Line, Local, STEPS_FREE};
use crate::kernel::{Activity, EXCESS_MAX, NO_ELEMENT, Spending as _, Unit};
use crate::language::Stopped;
use crate::language::element::Element;
use crate::messages::letter::{Envelope, Letter, Post};
use crate::messages::message::Outgoing;
use crate::results::failure::{Cause, Livelock};

/// A rank and its state, looked up once per poll.
///
/// It stays in registers as long as nothing needs its address, so rare actions take the rank's
/// number instead.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lane<'w> {
    pub(crate) mpi: &'w Mpi<'w>,
    pub(crate) unit: &'w Unit,
    pub(crate) rank: u32,
    pub(crate) local: &'w Local,
    pub(crate) line: &'w Line,
}

impl<'w> Mpi<'w> {
    /// Returns the lane of a rank, if the local engine runs that rank on this thread.
    pub(crate) fn lane(&'w self, rank: u32) -> Option<Lane<'w>> {
        self.lane_of(rank, self.local.place(rank))
    }

    pub(crate) fn lane_at(&'w self, place: u32) -> Option<Lane<'w>> {
        self.lane_of(place.wrapping_add(self.local.first()), place)
    }

    #[inline]
    pub(crate) fn lane_of(&'w self, rank: u32, place: u32) -> Option<Lane<'w>> {
        let line = self.local.lines.get(place as usize)?;
        Some(Lane {
            mpi: self,
            unit: self.first_units().get(place as usize)?,
            rank,
            local: &self.local,
            line,
        })
    }

    /// Returns the rank that sends to rank 0 when rank 0, which stands for all ranks, sends
    /// `message`.
    #[cold]
    #[inline(never)]
    fn sender_in(&self, folded: &Folded, message: &Outgoing) -> u32 {
        folded
            .source(message.context, message.dest)
            .unwrap_or_else(|| {
                self.needs_order("partners that differ between processes");
                message.dest
            })
    }

    /// Counts the steps of a rank beyond [`STEPS_FREE`].
    #[cold]
    #[inline(never)]
    fn count_excess(&self, rank: u32, local: &Local, steps: u16) -> Result<(), Stopped> {
        let excess = &local.excess;
        excess.set(excess.get() + u64::from(steps));
        if excess.get() <= EXCESS_MAX {
            return Ok(());
        }
        self.needs_order("too many steps at the same time");
        let cause = Cause::Livelock(Livelock::Events(EXCESS_MAX));
        Err(self.fail(Some(rank), cause))
    }
}

impl Lane<'_> {
    #[inline]
    pub(crate) fn now_s(self) -> f64 {
        self.line.now_s.get()
    }

    /// Advances the rank's clock. Never moves it back.
    #[inline]
    pub(crate) fn advance(self, time_s: f64) -> Result<(), Stopped> {
        if time_s <= self.line.now_s.get() {
            return Ok(());
        }
        if !(..=f64::MAX).contains(&time_s) {
            return Err(self.mpi.fail(Some(self.rank), Cause::TimeOverflow));
        }
        self.line.now_s.set(time_s);
        self.line.steps.set(0);
        Ok(())
    }

    /// Returns `true` if the rank can begin an element. Otherwise, its turn is over.
    #[inline]
    pub(crate) fn may_begin(self) -> bool {
        let turn = self.local.turn.get();
        if turn == 0 {
            self.local.end_turn(self.rank, self.unit);
            return false;
        }
        self.local.turn.set(turn - 1);
        true
    }

    /// Lets time pass, unless the rank's turn is over.
    #[inline(never)]
    pub(crate) fn hold(self, seconds: f64) -> Poll<Result<(), Stopped>> {
        if !self.may_begin() {
            return Poll::Pending;
        }
        if !(0.0..=f64::MAX).contains(&seconds) {
            let cause = Cause::Cost { cost_s: seconds };
            return Poll::Ready(Err(self.mpi.fail(Some(self.rank), cause)));
        }
        self.count_steps(1)?;
        self.mpi.trace_hold(self.rank);
        self.advance(self.now_s() + seconds)?;
        self.unit.spend(Activity::Hold, seconds);
        self.mpi.trace_held(self.rank);
        Poll::Ready(Ok(()))
    }

    /// Begins an execution of an element. Returns the start time in seconds.
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(crate) fn begin(self, element: &Element, kind: &'static str) -> Result<f64, Stopped> {
        // One step begins the element, and another one continues after it.
        self.count_steps(2)?;
        self.mpi.trace_begin(self.unit, element, kind);
        Ok(self.now_s())
    }

    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(crate) fn finish(self, element: &Element, kind: &'static str, start_s: f64) {
        let seconds = self.now_s() - start_s;
        self.unit.site.set(NO_ELEMENT);
        self.mpi.elements.execute(element, kind, seconds);
    }

    /// Ends an execution that began at `start_s`. The element is one that contains others, or that
    /// has several messages.
    #[inline]
    pub(crate) fn finish_content(self, element: &Element, kind: &'static str, start_s: f64) {
        self.mpi.trace_content(self.rank, element, start_s);
        self.finish(element, kind, start_s);
    }

    /// Counts steps at the same instant, and at least as many as the event engine would.
    ///
    /// The event engine counts the steps of all ranks at an instant. A single rank knows only that
    /// the event engine would accept the run too if there are few steps beyond [`STEPS_FREE`].
    #[inline]
    pub(crate) fn count_steps(self, steps: u16) -> Result<(), Stopped> {
        let sum = self.line.steps.get() + steps;
        self.line.steps.set(sum);
        if sum <= STEPS_FREE {
            return Ok(());
        }
        self.line.steps.set(STEPS_FREE);
        self.mpi.count_excess(self.rank, self.local, steps)
    }

    /// Ends the run because this engine doesn't support what the program does. `what` completes the
    /// sentence "the program uses".
    #[inline]
    pub(crate) fn unsuited(self, what: &'static str) -> Stopped {
        self.mpi.needs_order(what);
        Stopped::RECORDED
    }

    #[inline]
    pub(crate) fn count_message(self) {
        let messages = &self.local.messages;
        messages.set(messages.get() + 1);
    }

    /// Returns the number by which a message's receiver knows this rank.
    #[inline]
    pub(crate) fn sender(self, message: &Outgoing) -> u32 {
        match &self.local.folded {
            None => self.rank,
            Some(folded) => self.mpi.sender_in(folded, message),
        }
    }

    /// Calls `price` with the clocks of the rank's network interface.
    #[inline]
    pub(crate) fn with_nic<T>(self, price: impl FnOnce(&mut NicClocks) -> T) -> T {
        let mut nic = self.line.nic.get();
        let priced = price(&mut nic);
        self.line.nic.set(nic);
        priced
    }

    /// Gives a message to rank `dest`, which continues if it is waiting for a message from that
    /// source. Returns `true` if the rank's line takes the message. The lines of other threads
    /// never do.
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(crate) fn put(self, dest: u32, letter: &Letter) -> bool {
        let place = self.local.place(dest);
        let Some(line) = self.local.lines.get(place as usize) else {
            return false;
        };
        if !line.put(letter) {
            return false;
        }
        self.keep_number(dest, letter.number);
        if line.satisfy(&letter.envelope) {
            self.local.ready.push(place);
        }
        true
    }

    /// Stores a message that no posted receive can take, in the line or elsewhere.
    #[inline]
    pub(crate) fn put_aside(self, dest: u32, letter: &Letter) {
        let place = self.local.place(dest);
        let line = &self.local.lines[place as usize];
        if line.put_behind(letter) {
            self.keep_number(dest, letter.number);
        } else {
            self.local.put_aside(dest, *letter);
        }
        if line.satisfy(&letter.envelope) {
            self.local.ready.push(place);
        }
    }

    pub(crate) fn post(self, post: Post) {
        let place = self.local.place(self.rank);
        self.local.posts().borrow_mut().post(place, post);
        self.line.set_posted(true);
    }

    /// Takes the oldest receive with this envelope that rank `dest` has posted.
    pub(crate) fn take_post(self, dest: u32, envelope: &Envelope) -> Option<Post> {
        let line = self.local.line(dest)?;
        if !line.has_posted() {
            return None;
        }
        let place = self.local.place(dest);
        let mut posts = self.local.posts().borrow_mut();
        let post = posts.take_post(place, envelope);
        line.set_posted(posts.has_posts(place));
        post
    }

    /// Ends the rank's wait, which the rank notices when it continues.
    pub(crate) fn wake(self) {
        self.local.ready.push(self.local.place(self.rank));
    }

    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(crate) fn take(self, envelope: &Envelope) -> Option<Found> {
        let Some(found) = self.line.take(envelope) else {
            if self.line.more() == 0 {
                return self.local.imagined(envelope);
            }
            return match self.local.take_aside(self.rank, *envelope) {
                Some(letter) => Some(Found::of(&letter)),
                None => self.local.imagined(envelope),
            };
        };
        match self.local.numbers.get() {
            None => Some(found),
            Some(numbers) => {
                let position = found.number as usize;
                let number = self.local.take_number(numbers, self.rank, position);
                Some(Found { number, ..found })
            }
        }
    }

    /// Stores the number of the message that was just added to the line of rank `dest`, if messages
    /// are watched.
    #[inline]
    fn keep_number(self, dest: u32, number: u32) {
        if let Some(numbers) = self.local.numbers.get() {
            self.local.keep_number(numbers, dest, number);
        }
    }

    /// Makes the rank wait for a message from this source.
    #[inline]
    pub(crate) fn want(self, envelope: &Envelope) {
        self.line.want(envelope);
    }

    /// Announces the rank that this rank will send to when it continues, so that the receiver's
    /// memory can be prefetched.
    #[inline]
    pub(crate) fn expect_send(self, dest: u32) {
        self.line.next_dest.set(dest);
    }

    pub(crate) fn want_nothing(self) {
        self.line.want_nothing();
    }
}
