//! Messages in the local engine, where both sides act at their own times.

use super::{Ending, Incoming, Outgoing, Post};
use crate::engine::{Lane, World, add};
use crate::matching::{Arrived, Envelope, Letter, Mode, Owner};
use crate::network::later;
use crate::process::Wait;
use crate::requests::{Completion, Origin, Progress};
use crate::stopped::Stopped;

impl World<'_> {
    /// Gives a message to a receive that is posted, in the local engine. The rank that waits for
    /// it and for nothing else goes on.
    fn hand_over_local(&self, post: &Post, arrived: Arrived) -> Result<(), Stopped> {
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

impl Lane<'_> {
    /// Sends a message; the rank goes on when it is free again if it `waits`. Returns when that
    /// is.
    #[inline]
    pub(crate) fn send(self, message: &Outgoing, waits: bool) -> Result<f64, Stopped> {
        self.count_message();
        let now_s = self.now_s();
        let sent = self.with_nic(|nic| self.world.price_send(self.rank, message, now_s, nic));
        self.deliver(message.dest, &message.letter(self.rank, sent))?;
        let free_s = sent.sender_free_s;
        if waits && free_s > now_s {
            add(&self.unit.communication_s, free_s - now_s);
            self.advance(free_s)?;
        }
        Ok(free_s)
    }

    /// Sends a message without waiting for it.
    pub(crate) fn post_send(self, message: &Outgoing, origin: Origin) -> Result<(), Stopped> {
        let start_s = self.now_s();
        let end_s = self.send(message, message.cost_s.is_none())?;
        let sent = Completion { end_s, start_s };
        self.world.requests().note_sent(origin, sent);
        Ok(())
    }

    /// Gives a message to rank `dest`, which goes on if it waits for one of that source.
    #[inline]
    fn deliver(self, dest: u32, letter: &Letter) -> Result<(), Stopped> {
        if !self.put(dest, letter) && self.deliver_aside(dest, letter)? {
            return Ok(());
        }
        self.satisfy(dest, &letter.envelope);
        Ok(())
    }

    /// [`Self::deliver`] when the line does not take it; returns whether a posted receive has it.
    #[cold]
    #[inline(never)]
    fn deliver_aside(self, dest: u32, letter: &Letter) -> Result<bool, Stopped> {
        if let Some(post) = self.take_post(dest, &letter.envelope) {
            let arrived = letter.arrived_at(letter.time_s);
            self.world.hand_over_local(&post, arrived)?;
            return Ok(true);
        }
        self.put_aside(dest, letter);
        Ok(false)
    }

    /// Sends a message that waits for its receive; returns its times if that is posted.
    #[cold]
    pub(crate) fn send_rendezvous(self, message: &Outgoing) -> Result<Option<Completion>, Stopped> {
        self.count_message();
        let (world, now_s) = (self.world, self.now_s());
        let envelope = message.envelope(self.rank);
        let Some(post) = self.take_post(message.dest, &envelope) else {
            let letter = Letter {
                envelope,
                bytes: message.bytes,
                time_s: now_s,
                // Its sender is found by its rank.
                mode: Mode::Rendezvous(0),
            };
            self.deliver(message.dest, &letter)?;
            return Ok(None);
        };
        let start_s = later(now_s, post.posted_s);
        let sent = self.with_nic(|nic| world.price_send(self.rank, message, start_s, nic));
        let end_s = sent.arrival_s;
        let arrived = message.letter(self.rank, sent).arrived_at(end_s);
        world.hand_over_local(&post, arrived)?;
        let sent = Completion { end_s, start_s };
        world.charge_send(self.rank, now_s, sent);
        self.advance(end_s)?;
        Ok(Some(sent))
    }

    /// Lets a message that meets its receive travel, if it has waited for that; the receive was
    /// posted now. Returns what the receive sees of it.
    #[inline]
    fn fetch(self, letter: &Letter) -> Result<Arrived, Stopped> {
        match letter.mode {
            Mode::Eager | Mode::Priced => Ok(letter.arrived_at(letter.time_s)),
            Mode::Rendezvous(_) => self.fetch_rendezvous(letter),
        }
    }

    #[cold]
    fn fetch_rendezvous(self, letter: &Letter) -> Result<Arrived, Stopped> {
        let (world, source) = (self.world, letter.envelope.source);
        let start_s = later(letter.time_s, self.now_s());
        let network = world.network(source, self.rank);
        let Some(sender) = world.lane(source) else {
            return Ok(letter.arrived_at(start_s));
        };
        let sent = sender.with_nic(|nic| network.send(start_s, letter.bytes, nic));
        let end_s = sent.arrival_s;
        world.charge_send(source, letter.time_s, Completion { end_s, start_s });
        sender.advance(end_s)?;
        sender.wake();
        Ok(letter.arrived_at(end_s))
    }

    /// Receives a message if it is there; returns whether it was.
    #[inline]
    pub(crate) fn receive(self, message: &Incoming) -> Result<bool, Stopped> {
        let Some(letter) = self.take(&message.envelope) else {
            return Ok(false);
        };
        let arrived = self.fetch(&letter)?;
        let (world, now_s) = (self.world, self.now_s());
        let element = world.element_of(self.rank);
        world.check_size(message.bytes_max, arrived, self.rank, element)?;
        let ending = Ending {
            rank: self.rank,
            unit: self.rank,
            cost_s: message.cost_s,
            since_s: now_s,
            from_s: now_s,
        };
        let end_s = self.with_nic(|nic| world.end_receive(ending, arrived, nic));
        self.advance(end_s)?;
        Ok(true)
    }

    /// Posts a receive; returns its request. One that is `alone` is found by no wait of the
    /// program.
    pub(crate) fn post_receive(
        self,
        message: &Incoming,
        origin: Origin,
        alone: bool,
    ) -> Result<u32, Stopped> {
        let world = self.world;
        let operation = message.operation();
        let request = if alone {
            world.requests().open_alone(origin, operation)
        } else {
            world.requests().open(origin, operation)
        };
        let post = message.post(self.now_s(), Owner::Request(request));
        match self.take(&message.envelope) {
            None => self.post(post),
            Some(letter) => {
                let arrived = self.fetch(&letter)?;
                world.hand_over_local(&post, arrived)?;
            }
        }
        Ok(request)
    }
}

impl Wait<'_> {
    /// Begins a wait for a message in the local engine.
    #[inline]
    pub(crate) fn want(&mut self, lane: Lane<'_>, envelope: Envelope) -> Result<(), Stopped> {
        self.register()?;
        lane.count_steps(1)?;
        lane.want(&envelope);
        Ok(())
    }
}
