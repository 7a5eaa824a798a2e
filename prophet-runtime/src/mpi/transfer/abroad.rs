//! Exchanges messages and calls between ranks in different threads. Each thread acts only for its
//! own ranks, so the thread of the sender prices a message that waits for its receive.

use prophet_machine::network::later;

use crate::kernel::local::{Abroad, Fetch, Mail};
use crate::kernel::{Activity, Spending as _};
use crate::language::Stopped;
use crate::messages::letter::{Context, Envelope, Letter, Mode, Post};
use crate::mpi::collectives::Waiting;
use crate::mpi::{Lane, Mpi};

impl Mpi<'_> {
    /// Sends a message to a rank in another thread, or stores it if its sender runs alone. If too
    /// many messages are waiting in the other thread, the running rank's turn ends now, and it
    /// steps aside.
    pub(super) fn send_abroad(&self, dest: u32, letter: Letter) {
        if let Some(alone) = &self.local.alone {
            alone.send(dest, letter);
        }
        let Some(abroad) = self.local.abroad() else {
            return;
        };
        if abroad.send(dest, Mail::Letter { dest, letter }) {
            self.local.floods.set(true);
            self.local.turn.set(0);
        }
    }

    /// Fetches a message if it waits for its receive and its sender is in another thread. The
    /// receive was posted at `posted_s`. Returns `false` if the sender is in this thread.
    pub(super) fn fetches(
        &self,
        dest: u32,
        (source, tag): (u32, i64),
        (sent_s, bytes): (f64, u64),
        posted_s: f64,
    ) -> bool {
        if self.local.line(source).is_some() {
            return false;
        }
        let fetch = Fetch {
            source,
            dest,
            tag,
            bytes,
            sent_s,
            start_s: later(sent_s, posted_s),
        };
        if let Some(abroad) = self.local.abroad() {
            abroad.send(source, Mail::Fetch(fetch));
        }
        true
    }

    pub(crate) fn take_mail(&self, abroad: &Abroad) -> Result<(), Stopped> {
        let Some(mail) = abroad.take_mail() else {
            return Ok(());
        };
        self.local.floods.set(false);
        for mail in &mail {
            match *mail {
                Mail::Letter { dest, letter } => self.arrive(abroad, dest, &letter)?,
                Mail::Fetch(fetch) => self.send_fetched(abroad, fetch)?,
                Mail::Fetched { dest, letter } => self.arrive_fetched(abroad, dest, &letter)?,
                Mail::Gathered {
                    communicator,
                    call,
                    latest_s,
                } => self.leave_gathered(communicator, call, latest_s)?,
            }
        }
        if self.local.floods.get() {
            abroad.set_flooded(true);
        }
        abroad.give_back(mail);
        Ok(())
    }

    /// Delivers a message from another thread.
    fn arrive(&self, abroad: &Abroad, dest: u32, letter: &Letter) -> Result<(), Stopped> {
        let Some(lane) = self.lane(dest) else {
            return Ok(());
        };
        if letter.mode == Mode::Rendezvous
            && let Some(post) = lane.take_post(dest, &letter.envelope)
        {
            let (of, sent) = (
                (letter.envelope.source, letter.envelope.tag),
                (letter.time_s, letter.bytes),
            );
            self.fetches(dest, of, sent, post.posted_s);
            abroad.keep_fetched(dest, post);
            return Ok(());
        }
        lane.deliver(dest, letter)
    }

    /// Sends a message to another thread, because its receive has been posted there.
    fn send_fetched(&self, abroad: &Abroad, fetch: Fetch) -> Result<(), Stopped> {
        let Fetch {
            source,
            dest,
            tag,
            bytes,
            sent_s,
            start_s,
        } = fetch;
        let end_s = self.start_rendezvous((source, dest), (sent_s, start_s), bytes)?;
        let letter = Letter {
            envelope: Envelope {
                source,
                context: Context::Program,
                tag,
            },
            bytes,
            time_s: end_s,
            envelope_s: end_s,
            mode: Mode::Eager,
            number: 0,
        };
        abroad.send(dest, Mail::Fetched { dest, letter });
        Ok(())
    }

    fn arrive_fetched(&self, abroad: &Abroad, dest: u32, letter: &Letter) -> Result<(), Stopped> {
        match abroad.take_fetched(dest, letter.envelope.source) {
            Some(post) => self.hand_over_local(&post, letter.arrived_at(letter.time_s)),
            None => match self.lane(dest) {
                Some(lane) => lane.deliver(dest, letter),
                None => Ok(()),
            },
        }
    }

    /// Lets the ranks of this thread leave a collective with a cost. The last of all ranks arrived
    /// at `latest_s`.
    fn leave_gathered(&self, communicator: u32, call: u64, latest_s: f64) -> Result<(), Stopped> {
        let communication = self.communication();
        let communicator = communication.numbered(communicator);
        let waiting = communicator.and_then(|it| it.calls.borrow_mut().take_gathered(call));
        waiting
            .into_iter()
            .flatten()
            .try_for_each(|waiting| self.leave_local(&waiting, latest_s))
    }

    /// Lets a rank leave a collective with a cost. The last rank arrived there at `latest_s`.
    pub(crate) fn leave_local(&self, waiting: &Waiting, latest_s: f64) -> Result<(), Stopped> {
        let Some(lane) = self.lane_at(waiting.unit) else {
            return Ok(());
        };
        lane.unit.spend(Activity::Wait, latest_s - waiting.since_s);
        lane.unit.spend(Activity::Communicate, waiting.cost_s);
        lane.advance(latest_s + waiting.cost_s)?;
        lane.wake();
        Ok(())
    }
}

impl Lane<'_> {
    /// Stores a receive that the rank has posted while its message is on the way from another
    /// thread.
    #[cold]
    pub(super) fn keep_fetched(self, post: Post) {
        if let Some(abroad) = self.local.abroad() {
            abroad.keep_fetched(self.rank, post);
        }
    }
}
