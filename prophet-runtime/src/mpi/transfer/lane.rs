//! Implements messages in the local engine, where sender and receiver each act at their own time.

use prophet_machine::network::later;

use super::{Ending, Post};
use crate::kernel::local::Found;
use crate::kernel::{Activity, Spending as _};
use crate::language::Stopped;
use crate::messages::letter::{Arrived, Envelope, Letter, Mode, Owner};
use crate::messages::message::{Incoming, Outgoing, Part};
use crate::messages::requests::{Completion, Origin, Progress};
use crate::mpi::{Lane, Mpi};
use crate::results::failure::Cause;

/// Something that folded processes support only if they all post their receives before they send.
const RENDEZVOUS: &str = "sends that wait for their receives";

/// The arrival time of a message that is still to come from another thread. No message can arrive
/// at this time.
const TO_COME: f64 = f64::INFINITY;

impl Mpi<'_> {
    /// Gives a message to a posted receive in the local engine. The rank continues if it isn't
    /// waiting for anything else.
    pub(super) fn hand_over_local(&self, post: &Post, arrived: Arrived) -> Result<(), Stopped> {
        let Owner::Request(request) = post.owner else {
            return Ok(());
        };
        let progress = Progress::Received(arrived);
        self.check_progress(request, progress)?;
        let mut requests = self.requests();
        if let Some(wait) = requests.progress(request, progress) {
            let rank = requests.waiting(wait).rank;
            if let Some(lane) = self.lane(rank) {
                lane.wake();
            }
        }
        Ok(())
    }
}

/// Rare actions: see [`Lane`].
impl Mpi<'_> {
    /// Gives a message to rank `dest` when its line doesn't take the message.
    #[cold]
    #[inline(never)]
    fn deliver_aside(&self, dest: u32, letter: Letter) -> Result<(), Stopped> {
        let Some(lane) = self.lane(dest) else {
            self.send_abroad(dest, letter);
            return Ok(());
        };
        if let Some(post) = lane.take_post(dest, &letter.envelope) {
            let arrived = letter.arrived_at(letter.time_s);
            return self.hand_over_local(&post, arrived);
        }
        lane.put_aside(dest, &letter);
        Ok(())
    }

    /// Lets a sender continue that is waiting for rank `to` to receive. Returns when its message
    /// arrives, in seconds, or [`TO_COME`] if the sender is in another thread, which must still
    /// send the message.
    #[cold]
    #[inline(never)]
    fn fetch_rendezvous(
        &self,
        to: u32,
        (source, tag): (u32, i64),
        (sent_s, bytes): (f64, u64),
    ) -> Result<f64, Stopped> {
        let now_s = self.now_of(to);
        if self.fetches(to, (source, tag), (sent_s, bytes), now_s) {
            return Ok(TO_COME);
        }
        self.local.influences.bind(source, to);
        self.start_rendezvous((source, to), (sent_s, later(sent_s, now_s)), bytes)
    }

    /// Sends a message at `start_s` that has been waiting for its receive since `sent_s`. Returns
    /// when it arrives, in seconds. Its sender continues at that time too.
    pub(super) fn start_rendezvous(
        &self,
        (source, to): (u32, u32),
        (sent_s, start_s): (f64, f64),
        bytes: u64,
    ) -> Result<f64, Stopped> {
        let network = self.network(source, to);
        let Some(sender) = self.lane(source) else {
            return Ok(start_s);
        };
        let sent = sender.with_nic(|nic| network.send(start_s, bytes, nic));
        let sent = self.altered_sent((source, to), sender.unit.site.get(), start_s, sent);
        let end_s = sent.arrival_s;
        let sent = Completion {
            end_s,
            start_s,
            cause: self.trace_id(to),
            message: None,
        };
        self.charge_send(self.local.place(source), sent_s, sent);
        sender.advance(end_s)?;
        sender.wake();
        Ok(end_s)
    }

    /// Ends the run because a message is larger than its receive allows.
    #[cold]
    #[inline(never)]
    fn fail_size(&self, rank: u32, bytes_max: u64, source: u32, bytes: u64) -> Stopped {
        let cause = Cause::Truncated {
            source,
            message_bytes: bytes,
            receive_bytes: bytes_max,
        };
        self.fail_at(Some(rank), self.element_of(rank), cause)
    }
}

impl Lane<'_> {
    /// Sends a message. The rank continues when it is free again.
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(crate) fn send(self, message: &Outgoing) -> Result<(), Stopped> {
        self.count_message();
        let now_s = self.now_s();
        let sent = self.with_nic(|nic| self.mpi.price_send(self.rank, message, now_s, nic));
        let free_s = sent.sender_free_s;
        let number = if self.mpi.watches_messages() {
            let message = *message;
            self.mpi.number_sent(self.rank, &message, (now_s, free_s))
        } else {
            0
        };
        self.deliver(
            message.dest,
            &message.letter(self.sender(message), sent, number),
        )?;
        self.go_on_at(free_s)
    }

    #[inline]
    fn go_on_at(self, free_s: f64) -> Result<(), Stopped> {
        let now_s = self.now_s();
        if free_s > now_s {
            self.advance(free_s)?;
            self.unit.spend(Activity::Communicate, free_s - now_s);
        }
        Ok(())
    }

    /// Sends a message without waiting until it arrives. The rank spends only as much time as the
    /// network occupies the sender.
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(crate) fn post_send(self, message: &Outgoing, origin: Origin) -> Result<(), Stopped> {
        self.count_message();
        let start_s = self.now_s();
        let sent = self.with_nic(|nic| self.mpi.price_send(self.rank, message, start_s, nic));
        let number = self.mpi.number_message(self.rank, message);
        self.deliver(
            message.dest,
            &message.letter(self.sender(message), sent, number),
        )?;
        let end_s = sent.sender_free_s;
        let busy_s = message.cost_s.map_or(end_s, |_| start_s);
        if self.mpi.tracer.is_some() {
            let message = *message;
            self.mpi.trace_sent(self.rank, &message, busy_s);
        }
        let completion = Completion {
            end_s,
            start_s,
            cause: None,
            message: self.mpi.last_message(self.rank, message),
        };
        self.mpi.requests().note_sent(origin, completion);
        match message.cost_s {
            Some(_) => Ok(()),
            None => self.go_on_at(end_s),
        }
    }

    /// Gives a message to rank `dest`, which continues if it is waiting for a message from that
    /// source.
    #[inline]
    pub(super) fn deliver(self, dest: u32, letter: &Letter) -> Result<(), Stopped> {
        if self.put(dest, letter) {
            return Ok(());
        }
        self.mpi.deliver_aside(dest, *letter)
    }

    /// Sends a message that waits for its receive. Returns the send's times if the receive has
    /// already been posted.
    pub(crate) fn send_rendezvous(self, message: &Outgoing) -> Result<Option<Completion>, Stopped> {
        if self.local.alone.is_some() {
            return Err(self.unsuited(RENDEZVOUS));
        }
        self.count_message();
        let (world, now_s) = (self.mpi, self.now_s());
        let envelope = message.envelope(self.sender(message));
        let number = world.number_message(self.rank, message);
        world.trace_sends(self.rank, message);
        let Some(post) = self.take_post(message.dest, &envelope) else {
            if self.local.folded.is_some() {
                return Err(self.unsuited(RENDEZVOUS));
            }
            // The receiver looks for the element here.
            self.unit.site.set(message.element);
            let letter = Letter {
                envelope,
                bytes: message.bytes,
                time_s: now_s,
                envelope_s: now_s,
                mode: Mode::Rendezvous,
                number,
            };
            self.deliver(message.dest, &letter)?;
            return Ok(None);
        };
        self.local.influences.bind(self.rank, message.dest);
        let start_s = later(now_s, post.posted_s);
        let sent = self.with_nic(|nic| world.price_send(self.rank, message, start_s, nic));
        let end_s = sent.arrival_s;
        let letter = message.letter(envelope.source, sent, number);
        let arrived = Arrived {
            is_late: post.posted_s > now_s,
            ..letter.arrived_at(end_s)
        };
        world.hand_over_local(&post, arrived)?;
        let sent = Completion {
            end_s,
            start_s,
            cause: world.trace_id(message.dest),
            message: None,
        };
        world.charge_send(self.local.place(self.rank), now_s, sent);
        self.advance(end_s)?;
        Ok(Some(sent))
    }

    /// Sends a message that has been waiting for its receive, because the receive has been posted.
    /// Returns the message for the receive, or `None` if it is still to come.
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    fn fetch(self, envelope: &Envelope, found: Found) -> Result<Option<Arrived>, Stopped> {
        let Envelope { source, tag, .. } = *envelope;
        let mut arrival_s = found.time_s;
        if found.waits() {
            let sent = (found.time_s, found.bytes);
            let fetched_s = self.mpi.fetch_rendezvous(self.rank, (source, tag), sent)?;
            if fetched_s >= TO_COME {
                return Ok(None);
            }
            arrival_s = fetched_s;
        }
        Ok(Some(Arrived {
            source,
            tag,
            bytes: found.bytes,
            arrival_s,
            priced: found.is_priced(),
            is_late: found.waits() && self.now_s() > found.time_s,
            number: found.number,
        }))
    }

    /// Receives a message if it has arrived. Returns `true` if it has.
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(crate) fn receive(self, message: &Incoming) -> Result<bool, Stopped> {
        let Some(found) = self.take(&message.envelope) else {
            return Ok(false);
        };
        let Some(arrived) = self.fetch(&message.envelope, found)? else {
            return Ok(false);
        };
        let (world, now_s) = (self.mpi, self.now_s());
        if arrived.bytes > message.bytes_max {
            let Arrived { source, bytes, .. } = arrived;
            return Err(world.fail_size(self.rank, message.bytes_max, source, bytes));
        }
        let ending = Ending {
            rank: self.rank,
            unit: self.rank,
            cost_s: message.cost_s,
            since_s: now_s,
            from_s: now_s,
            part: Part::of(message.envelope.context),
            begun: None,
        };
        let times = self.with_nic(|nic| world.price_receive(self.unit, ending, arrived, nic));
        if world.watches_messages() {
            let sent = (arrived.source, arrived.number, arrived.tag);
            let content = (arrived.bytes, arrived.is_late);
            let there = (times.since_s, times.there_s);
            world.note_taken(self.rank, ending.part, sent, content, there, times.end_s);
        }
        self.advance(times.end_s)?;
        Ok(true)
    }

    /// Posts a receive. Returns its request. If it is `alone`, the program's waits don't find it.
    pub(crate) fn post_receive(
        self,
        message: &Incoming,
        origin: Origin,
        alone: bool,
    ) -> Result<u32, Stopped> {
        let world = self.mpi;
        let operation = message.operation();
        let request = if alone {
            world.requests().open_alone(origin, operation)
        } else {
            world.requests().open(origin, operation)
        };
        let post = message.post(self.now_s(), Owner::Request(request));
        match self.take(&message.envelope) {
            None => self.post(post),
            Some(found) => match self.fetch(&message.envelope, found)? {
                Some(arrived) => world.hand_over_local(&post, arrived)?,
                None => self.keep_fetched(post),
            },
        }
        Ok(request)
    }
}
