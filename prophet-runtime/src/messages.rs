//! Messages between ranks, as the communication elements send and receive them.
//!
//! What a message costs on each side is settled when it is sent or matched: both ends become
//! points in time, and a rank is resumed once, at its end.

use crate::engine::{World, add};
use crate::failure::Cause;
use crate::matching::{Context, Envelope, Letter, Post};
use crate::network::Network;
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

impl World<'_> {
    /// The network between two ranks.
    fn network(&self, a: u32, b: u32) -> &Network {
        let nid = |rank: u32| self.system.mapping.get(rank as usize);
        if nid(a) == nid(b) {
            &self.system.intranode
        } else {
            &self.system.network
        }
    }

    /// Sends a message at this instant; returns when its sender is free again.
    fn send(&self, from: u32, message: Outgoing) -> Result<f64, Stopped> {
        let communication = self.communication();
        communication.messages.set(communication.messages.get() + 1);
        let mut matching = communication.matching.borrow_mut();
        let now_s = self.now_s();
        let (free_s, arrival_s) = if let Some(cost_s) = message.cost_s {
            (now_s + cost_s, now_s + cost_s)
        } else {
            let network = self.network(from, message.dest);
            let sent = network.send(now_s, message.bytes, matching.clocks(from));
            (sent.sender_free_s, sent.arrival_s)
        };
        let Outgoing {
            dest,
            context,
            tag,
            bytes,
            cost_s,
        } = message;
        let envelope = Envelope {
            source: from,
            context,
            tag,
        };
        let letter = Letter {
            envelope,
            bytes,
            arrival_s,
            priced: cost_s.is_some(),
        };
        let post = matching.send(dest, letter);
        drop(matching);
        if let Some(post) = post {
            let end_s = self.receive(dest, &post, letter)?;
            self.resume_at(post.unit, end_s)?;
        }
        Ok(free_s)
    }

    /// Prices a receive that has its message; returns when it ends.
    fn receive(&self, rank: u32, post: &Post, letter: Letter) -> Result<f64, Stopped> {
        let Letter {
            envelope: Envelope { source, .. },
            bytes,
            arrival_s,
            priced,
        } = letter;
        if bytes > post.bytes_max {
            let cause = Cause::Truncated {
                source,
                message_bytes: bytes,
                receive_bytes: post.bytes_max,
            };
            return Err(self.fail(Some(post.unit), cause));
        }
        let there_s = arrival_s.max(post.posted_s);
        let end_s = match post.cost_s {
            Some(cost_s) => there_s + cost_s,
            None if priced => there_s,
            None => {
                let mut matching = self.communication().matching.borrow_mut();
                let clocks = matching.clocks(rank);
                self.network(source, rank)
                    .receive(post.posted_s, arrival_s, bytes, clocks)
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
}

impl Wait<'_> {
    /// Sends a message; returns whether the sender is free at once, else waits until it is.
    pub(crate) fn send(&mut self, message: Outgoing) -> Result<bool, Stopped> {
        let ctx = self.ctx();
        let free_s = ctx.world().send(ctx.rank(), message)?;
        self.busy_until(free_s)
    }

    /// Sends a message without waiting for anything.
    pub(crate) fn post_send(&self, message: Outgoing) -> Result<(), Stopped> {
        let ctx = self.ctx();
        ctx.world().send(ctx.rank(), message).map(|_| ())
    }

    /// Receives a message; returns whether that is over at once, else waits until it is.
    pub(crate) fn receive(&mut self, message: Incoming) -> Result<bool, Stopped> {
        let ctx = self.ctx();
        let (world, rank) = (ctx.world(), ctx.rank());
        let Incoming {
            envelope,
            bytes_max,
            cost_s,
        } = message;
        let mut post = Post {
            envelope,
            bytes_max,
            cost_s,
            posted_s: ctx.now_s(),
            unit: ctx.unit(),
            generation: 0,
        };
        let letter = world
            .communication()
            .matching
            .borrow_mut()
            .take(rank, envelope);
        if let Some(letter) = letter {
            let end_s = world.receive(rank, &post, letter)?;
            let over = end_s <= ctx.now_s();
            if !over {
                self.until(end_s)?;
            }
            return Ok(over);
        }
        post.generation = self.register()?;
        world.communication().matching.borrow_mut().post(rank, post);
        Ok(false)
    }

    /// Takes a receive back whose wait is dropped. One that has its message has taken it.
    pub(crate) fn withdraw_receive(&self) {
        let ctx = self.ctx();
        let mut matching = ctx.world().communication().matching.borrow_mut();
        matching.withdraw(ctx.rank(), ctx.unit(), self.generation());
    }

    /// Communicates until `free_s`; returns whether that is now.
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
