//! Messages between ranks, as the communication elements send and receive them.
//!
//! What a message costs on each side is settled when it is sent or matched: both ends become
//! points in time, and a rank is resumed once, at its end.

mod charges;
mod choice;
mod lane;
mod nic;
mod posted;
mod rendezvous;
mod wildcards;

use crate::engine::World;
use crate::engine::process::Wait;
use crate::kernel::{Unit, add};
use crate::language::stopped::Stopped;
use crate::machine::network::{Network, NicClocks, Sent, later};
use crate::machine::system::System;
use crate::messages::matching::{Arrived, Context, Envelope, Letter, Matching, Mode, Owner, Post};
use crate::messages::message::{Begun, Incoming, Outgoing, Part};
use crate::messages::requests::{Completion, Progress};
use crate::results::failure::Cause;
use crate::tracing::Times;
pub(crate) use charges::Charges;
pub(crate) use nic::Nics;
pub(crate) use posted::{Completing, wanted_receiver};

/// What tells the network between two ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Between {
    /// Nothing: that within nodes is that between them.
    OneNetwork,
    /// Each rank has a node of its own.
    NodesOfTheirOwn,
    /// Where they are.
    Mapped,
}

impl Between {
    pub(crate) fn of(system: &System) -> Self {
        if system.network == system.intranode {
            return Self::OneNetwork;
        }
        let mut nodes = system.mapping.clone();
        nodes.sort_unstable();
        if nodes.is_sorted_by(|a, b| a < b) {
            Self::NodesOfTheirOwn
        } else {
            Self::Mapped
        }
    }
}

impl Outgoing {
    /// Whether it is sent at once, whatever its size.
    #[inline]
    fn always_eager(&self) -> bool {
        self.cost_s.is_some() || self.context == Context::Collective
    }

    #[inline]
    fn envelope(&self, from: u32) -> Envelope {
        Envelope {
            source: from,
            context: self.context,
            tag: self.tag,
        }
    }

    #[inline]
    fn letter(&self, from: u32, sent: Sent, number: u32) -> Letter {
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
    /// The receive as it waits for its message, posted at `posted_s`.
    #[inline]
    fn post(&self, posted_s: f64, owner: Owner) -> Post {
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

/// A receive that ends: who charges it, and since when it waits, in simulated seconds.
#[derive(Debug, Clone, Copy)]
struct Ending {
    rank: u32,
    unit: u32,
    cost_s: Option<f64>,
    /// When it began to wait.
    since_s: f64,
    /// The earliest that it can end.
    from_s: f64,
    /// What it is to the execution of its element.
    part: Part,
    /// What has begun it, if it is a request.
    begun: Option<Begun>,
}

impl World<'_> {
    /// The network between two ranks.
    #[inline]
    fn network(&self, a: u32, b: u32) -> &Network {
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

    /// Whether two ranks are on one node.
    #[inline]
    fn are_neighbors(&self, a: u32, b: u32) -> bool {
        let nid = |rank: u32| self.system.mapping.get(rank as usize);
        nid(a) == nid(b)
    }

    /// Whether a message waits for its receive before it travels.
    ///
    /// Collectives know that theirs are wanted: they always send at once.
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

    /// Sends a message at this instant; returns when its sender is free again.
    fn send(&self, from: u32, message: &Outgoing) -> Result<f64, Stopped> {
        let mut matching = self.communication().matching.borrow_mut();
        self.send_now(&mut matching, from, message)
    }

    #[inline]
    fn send_now(
        &self,
        matching: &mut Matching,
        from: u32,
        message: &Outgoing,
    ) -> Result<f64, Stopped> {
        let communication = self.communication();
        communication.messages.set(communication.messages.get() + 1);
        let sent = self.price_now(matching, from, message);
        let letter = message.letter(from, sent, self.number_message(from, message));
        if let Some(post) = matching.take_post(message.dest, &letter.envelope) {
            let arrived = letter.arrived_at(letter.time_s);
            self.hand_over(matching, message.dest, &post, arrived)?;
        } else if matching.keep(message.dest, letter) {
            self.look_at_wildcards(message.dest);
        }
        Ok(sent.sender_free_s)
    }

    /// Prices a message that is sent at this instant.
    #[inline]
    fn price_now(&self, matching: &mut Matching, from: u32, message: &Outgoing) -> Sent {
        let now_s = self.now_s();
        self.with_clocks(matching, (from, message.dest), |nic| {
            self.price_send(from, message, now_s, nic)
        })
    }

    /// The clocks of the network interface of `rank` when it communicates with `other`, for
    /// `price`.
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
        self.scaled_sent(message.element, now_s, sent)
    }

    /// What becomes of a message of an element that is sent at `start_s`, in a what-if.
    #[inline]
    fn scaled_sent(&self, element: u32, start_s: f64, sent: Sent) -> Sent {
        match self.scaled {
            None => sent,
            Some(scaled) => scaled.sent(element, start_s, sent),
        }
    }

    /// Gives a message to the receive that has waited for it.
    #[inline]
    fn hand_over(
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

    /// Prices a receive that has its message; returns when it ends.
    #[inline]
    fn end_receive(&self, ending: Ending, letter: Arrived, nic: &mut NicClocks) -> f64 {
        let times = self.price_receive(self.unit(ending.unit), ending, letter, nic);
        if self.watches_messages() {
            self.note_received(ending.unit, ending.part, ending.begun, letter, times);
        }
        times.end_s
    }

    /// Prices a receive of a unit that has its message, and accounts for it.
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
        let end_s = match ending.cost_s {
            Some(cost_s) => there_s + cost_s,
            None if letter.priced || !self.charges_ends => there_s,
            None => {
                let network = self.network(letter.source, ending.rank);
                network.receive(ending.from_s, letter.arrival_s, letter.bytes, nic)
            }
        };
        let since_s = ending.since_s;
        add(&unit.wait_s, there_s - since_s);
        add(
            &unit.communication_s,
            ending.cost_s.unwrap_or(end_s - there_s),
        );
        Times {
            since_s,
            there_s,
            end_s,
        }
    }

    /// Accounts for a unit that has waited since `since_s` for a send of its own.
    fn charge_send(&self, unit: u32, since_s: f64, sent: Completion) {
        self.trace_send_charged(unit, since_s, sent);
        let unit = self.unit(unit);
        let start_s = later(since_s, sent.start_s);
        add(&unit.wait_s, start_s - since_s);
        add(&unit.communication_s, sent.end_s - start_s);
    }

    /// Fails if a message is larger than its receive.
    #[inline]
    fn check_size(
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
}

impl Wait<'_> {
    /// Sends a message; returns whether the sender is free at once, else waits until it is.
    #[inline]
    pub(crate) fn send(&mut self, message: &Outgoing) -> Result<bool, Stopped> {
        let ctx = self.ctx();
        if ctx.world().is_rendezvous(ctx.rank(), message) {
            return self.send_rendezvous(message);
        }
        if ctx.world().nics.are_shared() && ctx.world().sends_shared(ctx.rank(), message) {
            return self.send_shared(message, None);
        }
        let free_s = ctx.world().send(ctx.rank(), message)?;
        ctx.world().trace_sent(ctx.unit(), message, free_s);
        self.busy_until(free_s)
    }

    /// Receives a message; returns whether that is over at once, else waits until it is.
    #[inline]
    pub(crate) fn receive(&mut self, message: &Incoming) -> Result<bool, Stopped> {
        let ctx = self.ctx();
        let (world, rank, unit) = (ctx.world(), ctx.rank(), ctx.unit());
        let now_s = ctx.now_s();
        let mut matching = world.communication().matching.borrow_mut();
        if !message.envelope.is_wild()
            && let Some(letter) = matching.take(rank, &message.envelope)
        {
            if letter.mode == Mode::Rendezvous {
                let generation = self.register()?;
                let post = message.post(now_s, Owner::Unit { unit, generation });
                world.meet(&mut matching, rank, &post, (&letter, now_s))?;
                return Ok(false);
            }
            let arrived = letter.arrived_at(letter.time_s);
            world.check_size(message.bytes_max, arrived, unit, world.element_of(unit))?;
            let ending = Ending {
                rank,
                unit,
                cost_s: message.cost_s,
                since_s: now_s,
                from_s: now_s,
                part: Part::of(message.envelope.context),
                begun: None,
            };
            if world.nics.are_shared() && world.is_shared(&ending, arrived) {
                let generation = self.register()?;
                world.end_of_unit(&mut matching, ending, arrived, generation)?;
                return Ok(false);
            }
            let end_s = world.end_receive(ending, arrived, matching.clocks(rank));
            drop(matching);
            let over = end_s <= now_s;
            if !over {
                self.until(end_s)?;
            }
            return Ok(over);
        }
        let generation = self.register()?;
        let owner = Owner::Unit { unit, generation };
        matching.post(rank, message.post(now_s, owner));
        if message.envelope.is_wild() {
            world.look_at_wildcards(rank);
        }
        Ok(false)
    }

    /// Takes a receive back whose wait is dropped. One that has its message has taken it.
    pub(crate) fn withdraw_receive(&self) {
        let ctx = self.ctx();
        if let Some(lane) = ctx.lane() {
            return lane.want_nothing();
        }
        let (world, rank) = (ctx.world(), ctx.rank());
        let owner = Owner::Unit {
            unit: ctx.unit(),
            generation: self.generation(),
        };
        let mut matching = world.communication().matching.borrow_mut();
        if matching.withdraw(rank, owner) && !world.closes() {
            world.look_at_wildcards(rank);
        }
    }

    /// Communicates until `free_s`; returns whether that is now.
    #[inline]
    pub(crate) fn busy_until(&mut self, free_s: f64) -> Result<bool, Stopped> {
        let ctx = self.ctx();
        let now_s = ctx.now_s();
        if free_s <= now_s {
            return Ok(true);
        }
        add(
            &ctx.world().unit(ctx.unit()).communication_s,
            free_s - now_s,
        );
        self.until(free_s)?;
        Ok(false)
    }
}
