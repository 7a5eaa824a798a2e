//! Messages between ranks, as the communication elements send and receive them.
//!
//! What a message costs on each side is settled when it is sent or matched: both ends become
//! points in time, and a rank is resumed once, at its end.

use crate::engine::{Lane, World, add};
use crate::failure::Cause;
use crate::matching::{Arrived, Context, Envelope, Letter, Post};
use crate::network::{Network, NicClocks, Sent, later};
use crate::process::Wait;
use crate::stopped::Stopped;

/// A message as its sender describes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outgoing {
    pub(crate) dest: u32,
    pub(crate) context: Context,
    pub(crate) tag: i64,
    pub(crate) bytes: u64,
    /// The sender's own price in seconds, if it has one.
    pub(crate) cost_s: Option<f64>,
}

/// A message as its receiver describes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Incoming {
    pub(crate) envelope: Envelope,
    /// The most bytes that it takes.
    pub(crate) bytes_max: u64,
    /// The receiver's own price in seconds, if it has one.
    pub(crate) cost_s: Option<f64>,
}

impl Outgoing {
    #[inline]
    fn letter(&self, from: u32, sent: Sent) -> Letter {
        Letter {
            envelope: Envelope {
                source: from,
                context: self.context,
                tag: self.tag,
            },
            bytes: self.bytes,
            arrival_s: sent.arrival_s,
            priced: self.cost_s.is_some(),
        }
    }
}

impl World<'_> {
    /// The network between two ranks.
    #[inline]
    fn network(&self, a: u32, b: u32) -> &Network {
        if self.one_network {
            return &self.system.network;
        }
        let nid = |rank: u32| self.system.mapping.get(rank as usize);
        if nid(a) == nid(b) {
            &self.system.intranode
        } else {
            &self.system.network
        }
    }

    /// Sends a message at this instant; returns when its sender is free again.
    fn send(&self, from: u32, message: &Outgoing) -> Result<f64, Stopped> {
        let communication = self.communication();
        communication.messages.set(communication.messages.get() + 1);
        let mut matching = communication.matching.borrow_mut();
        let sent = self.price_send(from, message, self.now_s(), matching.clocks(from));
        let letter = message.letter(from, sent);
        if let Some(post) = matching.send(message.dest, letter) {
            let clocks = matching.clocks(message.dest);
            let end_s = self.receive(message.dest, &post, letter.arrived(), clocks)?;
            drop(matching);
            self.resume_at(post.unit, end_s)?;
        }
        Ok(sent.sender_free_s)
    }

    #[inline]
    fn price_send(&self, from: u32, message: &Outgoing, now_s: f64, nic: &mut NicClocks) -> Sent {
        if let Some(cost_s) = message.cost_s {
            let end_s = now_s + cost_s;
            return Sent {
                sender_free_s: end_s,
                arrival_s: end_s,
            };
        }
        let network = self.network(from, message.dest);
        network.send(now_s, message.bytes, nic)
    }

    /// Prices a receive that has its message; returns when it ends.
    #[inline]
    fn receive(
        &self,
        rank: u32,
        post: &Post,
        letter: Arrived,
        nic: &mut NicClocks,
    ) -> Result<f64, Stopped> {
        let Arrived {
            bytes,
            arrival_s,
            priced,
        } = letter;
        let source = post.envelope.source;
        if bytes > post.bytes_max {
            return Err(self.truncated(post, bytes));
        }
        let there_s = later(arrival_s, post.posted_s);
        let end_s = match post.cost_s {
            Some(cost_s) => there_s + cost_s,
            None if priced => there_s,
            None => {
                let network = self.network(source, rank);
                network.receive(post.posted_s, arrival_s, bytes, nic)
            }
        };
        let unit = self.unit(post.unit);
        add(&unit.wait_s, there_s - post.posted_s);
        add(
            &unit.communication_s,
            post.cost_s.unwrap_or(end_s - there_s),
        );
        Ok(end_s)
    }

    #[cold]
    fn truncated(&self, post: &Post, message_bytes: u64) -> Stopped {
        let cause = Cause::Truncated {
            source: post.envelope.source,
            message_bytes,
            receive_bytes: post.bytes_max,
        };
        self.fail(Some(post.unit), cause)
    }
}

impl Wait<'_> {
    /// Sends a message; returns whether the sender is free at once, else waits until it is.
    #[inline]
    pub(crate) fn send(&mut self, message: &Outgoing) -> Result<bool, Stopped> {
        let ctx = self.ctx();
        let free_s = ctx.world().send(ctx.rank(), message)?;
        self.busy_until(free_s)
    }

    /// Sends a message without waiting for anything.
    pub(crate) fn post_send(&self, message: &Outgoing) -> Result<(), Stopped> {
        let ctx = self.ctx();
        ctx.world().send(ctx.rank(), message).map(|_| ())
    }

    /// Receives a message; returns whether that is over at once, else waits until it is.
    #[inline]
    pub(crate) fn receive(&mut self, message: &Incoming) -> Result<bool, Stopped> {
        let ctx = self.ctx();
        let mut post = Post {
            envelope: message.envelope,
            bytes_max: message.bytes_max,
            cost_s: message.cost_s,
            posted_s: ctx.now_s(),
            unit: ctx.unit(),
            generation: 0,
        };
        let world = ctx.world();
        let mut matching = world.communication().matching.borrow_mut();
        if let Some(letter) = matching.take(ctx.rank(), post.envelope) {
            let end_s = world.receive(
                ctx.rank(),
                &post,
                letter.arrived(),
                matching.clocks(ctx.rank()),
            )?;
            drop(matching);
            let over = end_s <= post.posted_s;
            if !over {
                self.until(end_s)?;
            }
            return Ok(over);
        }
        post.generation = self.register()?;
        matching.post(ctx.rank(), post);
        Ok(false)
    }

    /// Takes a receive back whose wait is dropped. One that has its message has taken it.
    pub(crate) fn withdraw_receive(&self) {
        let ctx = self.ctx();
        if let Some(lane) = ctx.lane() {
            return lane.want_nothing();
        }
        let mut matching = ctx.world().communication().matching.borrow_mut();
        matching.withdraw(ctx.rank(), ctx.unit(), self.generation());
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

/// The same in the local engine, where both sides act at their own times.
impl Lane<'_> {
    /// Sends a message; the rank goes on when it is free again if it `waits`.
    #[inline]
    pub(crate) fn send(self, message: &Outgoing, waits: bool) -> Result<(), Stopped> {
        self.count_message();
        let now_s = self.now_s();
        let sent = self.with_nic(|nic| self.world.price_send(self.rank, message, now_s, nic));
        self.deliver(message.dest, &message.letter(self.rank, sent));
        let free_s = sent.sender_free_s;
        if waits && free_s > now_s {
            add(&self.unit.communication_s, free_s - now_s);
            self.advance(free_s)?;
        }
        Ok(())
    }

    /// Receives a message if it is there; returns whether it was.
    #[inline]
    pub(crate) fn receive(self, message: &Incoming) -> Result<bool, Stopped> {
        let Some(letter) = self.take(&message.envelope) else {
            return Ok(false);
        };
        let post = Post {
            envelope: message.envelope,
            bytes_max: message.bytes_max,
            cost_s: message.cost_s,
            posted_s: self.now_s(),
            unit: self.rank,
            generation: 0,
        };
        let end_s = self.with_nic(|nic| self.world.receive(self.rank, &post, letter, nic))?;
        self.advance(end_s)?;
        Ok(true)
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
