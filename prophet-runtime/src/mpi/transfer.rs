//! Implements messages between ranks, for the elements that send and receive them.
//!
//! What a message costs on each side is computed when it is sent or matched. So it is known then
//! when each side ends, and its rank resumes only once, at that time.

mod abroad;
mod between;
mod charges;
mod charging;
mod choice;
mod ending;
mod flowing;
mod lane;
mod nic;
mod nics;
mod posted;
mod rendezvous;
mod wildcards;
use prophet_machine::network::{Network, NicClocks, Sent, later};

use crate::kernel::{Activity, Spending as _, Unit};
use crate::language::Stopped;
use crate::messages::letter::{Arrived, Context, Envelope, Letter, Mode, Owner, Post};
use crate::messages::matching::Matching;
use crate::messages::message::{Incoming, Outgoing, Part};
use crate::messages::requests::{Completion, Progress};
use crate::mpi::Mpi;
use crate::results::failure::Cause;
use crate::tracing::Times;
pub(crate) use between::Between;
pub(crate) use charges::Charges;
pub(crate) use ending::Ending;
pub(crate) use nics::{Nics, Work};
pub(crate) use posted::{Completing, wanted_receiver};

impl Outgoing {
    #[inline]
    pub(crate) fn always_eager(&self) -> bool {
        self.cost_s.is_some() || self.context == Context::Collective
    }

    #[inline]
    pub(crate) fn envelope(&self, from: u32) -> Envelope {
        Envelope {
            source: from,
            context: self.context,
            tag: self.tag,
        }
    }

    #[inline]
    pub(crate) fn letter(&self, from: u32, sent: Sent, number: u32) -> Letter {
        Letter {
            envelope: self.envelope(from),
            bytes: self.bytes,
            time_s: sent.arrival_s,
            envelope_s: sent.envelope_s,
            mode: match self.cost_s {
                None => Mode::Eager,
                Some(_) => Mode::Priced,
            },
            number,
        }
    }
}

impl Incoming {
    /// Converts the arguments to a receive that has been waiting since `posted_s`.
    #[inline]
    pub(crate) fn post(&self, posted_s: f64, owner: Owner) -> Post {
        Post {
            envelope: self.envelope,
            bytes_max: self.bytes_max,
            cost_s: self.cost_s,
            posted_s,
            owner,
            number: 0,
        }
    }
}

impl Mpi<'_> {
    #[inline]
    pub(crate) fn network(&self, a: u32, b: u32) -> &Network {
        let within = match self.between {
            Between::OneNetwork => false,
            Between::NodesOfTheirOwn => a == b,
            Between::Mapped => self.are_neighbors(a, b),
        };
        if within {
            &self.system.intranode
        } else {
            &self.system.network
        }
    }

    /// Returns `true` if two ranks are on the same node.
    #[inline]
    pub(crate) fn are_neighbors(&self, a: u32, b: u32) -> bool {
        let nid = |rank: u32| self.system.mapping.get(rank as usize);
        nid(a) == nid(b)
    }

    /// Returns `true` if a message must wait for its receive before it is sent.
    ///
    /// Messages of collectives are always expected, so they can be sent immediately.
    #[inline]
    pub(crate) fn is_rendezvous(&self, from: u32, message: &Outgoing) -> bool {
        message.bytes > self.eager_bytes_min
            && self.is_above_limit(from, message.dest, message.bytes, message.always_eager())
    }

    #[cold]
    #[inline(never)]
    fn is_above_limit(&self, from: u32, dest: u32, bytes: u64, always_eager: bool) -> bool {
        let protocol = &self.system.protocol;
        let limit = if self.are_neighbors(from, dest) {
            protocol.intranode_eager_bytes
        } else {
            protocol.eager_bytes
        };
        bytes > limit && !always_eager
    }

    /// Sends a message at this instant. Returns when its sender is free again, in seconds.
    pub(crate) fn send(&self, from: u32, message: &Outgoing) -> Result<f64, Stopped> {
        let mut matching = self.communication().matching.borrow_mut();
        self.send_now(&mut matching, from, message)
    }

    #[inline]
    pub(crate) fn send_now(
        &self,
        matching: &mut Matching,
        from: u32,
        message: &Outgoing,
    ) -> Result<f64, Stopped> {
        let communication = self.communication();
        communication.messages.set(communication.messages.get() + 1);
        let sent = self.price_now(matching, from, message);
        if self.flows(from, message) {
            self.depart(matching, from, (message, sent))?;
            return Ok(sent.sender_free_s);
        }
        let letter = message.letter(from, sent, self.number_message(from, message));
        if let Some(post) = matching.take_post(message.dest, &letter.envelope) {
            let arrived = letter.arrived_at(letter.time_s);
            self.hand_over(matching, message.dest, &post, arrived)?;
        } else if matching.keep(message.dest, letter) {
            self.look_at_wildcards(message.dest);
        }
        Ok(sent.sender_free_s)
    }

    #[inline]
    fn price_now(&self, matching: &mut Matching, from: u32, message: &Outgoing) -> Sent {
        let now_s = self.now_s();
        self.with_clocks(matching, (from, message.dest), |nic| {
            self.price_send(from, message, now_s, nic)
        })
    }

    /// Calls `price` with the clocks of the network interface through which `rank` communicates
    /// with `other`.
    #[inline]
    fn with_clocks<T>(
        &self,
        matching: &mut Matching,
        (rank, other): (u32, u32),
        price: impl FnOnce(&mut NicClocks) -> T,
    ) -> T {
        if self.nics.are_shared()
            && let Some(nic) = self.node_nic(rank, other)
        {
            let mut clocks = nic.get();
            let priced = price(&mut clocks);
            nic.set(clocks);
            return priced;
        }
        price(matching.clocks(rank))
    }

    #[inline]
    fn price_send(&self, from: u32, message: &Outgoing, now_s: f64, nic: &mut NicClocks) -> Sent {
        if let Some(cost_s) = message.cost_s {
            let end_s = now_s + cost_s;
            return Sent {
                sender_free_s: end_s,
                envelope_s: end_s,
                arrival_s: end_s,
            };
        }
        let network = self.network(from, message.dest);
        let sent = network.send(now_s, message.bytes, nic);
        self.altered_sent((from, message.dest), message.element, now_s, sent)
    }

    /// Gives a message to the receive that has been waiting for it.
    #[inline]
    pub(crate) fn hand_over(
        &self,
        matching: &mut Matching,
        rank: u32,
        post: &Post,
        arrived: Arrived,
    ) -> Result<(), Stopped> {
        match post.owner {
            Owner::Unit { unit, generation } => {
                self.check_size(post.bytes_max, arrived, unit, self.element_of(unit))?;
                let ending = Ending {
                    rank,
                    unit,
                    cost_s: post.cost_s,
                    since_s: post.posted_s,
                    from_s: self.now_s(),
                    part: Part::of(post.envelope.context),
                    begun: None,
                };
                self.end_of_unit(matching, ending, arrived, generation)
            }
            Owner::Request(request) => {
                self.progress(matching, request, Progress::Received(arrived))
            }
        }
    }

    /// Prices a receive that has its message. Returns when the receive ends, in seconds.
    #[inline]
    pub(crate) fn end_receive(&self, ending: Ending, letter: Arrived, nic: &mut NicClocks) -> f64 {
        let times = self.price_receive(self.unit(ending.unit), ending, letter, nic);
        if self.watches_messages() {
            self.note_received(ending.unit, ending.part, ending.begun, letter, times);
        }
        times.end_s
    }

    /// Prices a unit's receive that has its message, and accounts for the time.
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    fn price_receive(
        &self,
        unit: &Unit,
        ending: Ending,
        letter: Arrived,
        nic: &mut NicClocks,
    ) -> Times {
        let there_s = later(letter.arrival_s, ending.from_s);
        if self.local.influences.are_noted() {
            self.note_influence(ending, letter);
        }
        let end_s = match ending.cost_s {
            Some(cost_s) => there_s + cost_s,
            None if letter.priced || !self.charges_ends => there_s,
            None => {
                let network = self.network(letter.source, ending.rank);
                network.receive(ending.from_s, letter.arrival_s, letter.bytes, nic)
            }
        };
        let since_s = ending.since_s;
        unit.spend(Activity::Wait, there_s - since_s);
        unit.spend(
            Activity::Communicate,
            ending.cost_s.unwrap_or(end_s - there_s),
        );
        Times {
            since_s,
            there_s,
            end_s,
        }
    }

    /// Records that a sender has influenced its receiver's clock. If a wait is for several
    /// requests, the order of its charges depends on all arrivals.
    #[cold]
    #[inline(never)]
    fn note_influence(&self, ending: Ending, letter: Arrived) {
        let influences = &self.local.influences;
        if ending.begun.is_none() && letter.arrival_s <= ending.from_s {
            influences.come_early(letter.source, ending.rank);
        } else {
            influences.bind(letter.source, ending.rank);
        }
    }

    /// Accounts for the time that a unit has been waiting for its own send, since `since_s`.
    fn charge_send(&self, unit: u32, since_s: f64, sent: Completion) {
        self.trace_send_charged(unit, since_s, sent);
        let unit = self.unit(unit);
        let start_s = later(since_s, sent.start_s);
        unit.spend(Activity::Wait, start_s - since_s);
        unit.spend(Activity::Communicate, sent.end_s - start_s);
    }

    /// Fails if a message is larger than its receive allows.
    #[inline]
    pub(crate) fn check_size(
        &self,
        bytes_max: u64,
        letter: Arrived,
        unit: u32,
        element: u32,
    ) -> Result<(), Stopped> {
        if letter.bytes <= bytes_max {
            return Ok(());
        }
        let cause = Cause::Truncated {
            source: letter.source,
            message_bytes: letter.bytes,
            receive_bytes: bytes_max,
        };
        Err(self.fail_at(Some(unit), element, cause))
    }

    /// Returns the times of a message that an element sends at `start_s`, after changes. If the
    /// message shares links, noise only changes its time there.
    #[inline]
    fn altered_sent(
        &self,
        (from, dest): (u32, u32),
        element: u32,
        start_s: f64,
        sent: Sent,
    ) -> Sent {
        let Some(altered) = &self.altered else {
            return sent;
        };
        let sent = altered.scaled_sent(element, start_s, sent);
        if self.share_links(from, dest) {
            return sent;
        }
        altered.noisy_sent(from, sent)
    }

    /// Applies this run's changes to the times of an envelope whose message waits for its receive.
    /// Draws no random factor, because the message itself draws one when it is sent.
    fn altered_envelope(&self, element: u32, start_s: f64, ahead: Sent) -> Sent {
        match &self.altered {
            None => ahead,
            Some(altered) => altered.scaled_sent(element, start_s, ahead),
        }
    }

    /// Returns the factor for the size of a message on shared links.
    fn altered_flow(&self, sender: u32, element: u32) -> f64 {
        match &self.altered {
            None => 1.0,
            Some(altered) => altered.flow(sender, element),
        }
    }
}
