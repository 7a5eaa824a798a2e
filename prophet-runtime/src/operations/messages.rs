//! Implements waits for messages: blocking sends and receives.

use crate::engine::process::Wait;
use crate::kernel::{Activity, Spending as _};
use crate::language::Stopped;
use crate::messages::letter::{Envelope, Owner};
use crate::messages::message::{Incoming, Outgoing, Part};
use crate::messages::requests::Origin;
use crate::mpi::Lane;
use crate::mpi::transfer::{Ending, Work};

impl Wait<'_> {
    /// Sends a message. Returns `true` if the sender is free immediately. Otherwise, begins to wait
    /// until it is.
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

    /// Receives a message. Returns `true` if the receive ends immediately. Otherwise, begins to
    /// wait until it does.
    #[inline]
    pub(crate) fn receive(&mut self, message: &Incoming) -> Result<bool, Stopped> {
        let ctx = self.ctx();
        let (world, rank, unit) = (ctx.world(), ctx.rank(), ctx.unit());
        let now_s = ctx.now_s();
        let mut matching = world.communication().matching.borrow_mut();
        if !message.envelope.is_wild()
            && let Some(letter) = matching.take(rank, &message.envelope)
        {
            let Some(arrived) = world.arrived(&letter) else {
                let generation = self.register()?;
                let post = message.post(now_s, Owner::Unit { unit, generation });
                world.meet(&mut matching, rank, &post, (&letter, now_s))?;
                return Ok(false);
            };
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

    /// Withdraws a receive whose wait was dropped. If the receive already has its message, that
    /// message is lost.
    #[cold]
    #[inline(never)]
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

    /// Spends time on communication until `free_s`. Returns `true` if that is now.
    #[inline]
    pub(crate) fn busy_until(&mut self, free_s: f64) -> Result<bool, Stopped> {
        let ctx = self.ctx();
        let now_s = ctx.now_s();
        if free_s <= now_s {
            return Ok(true);
        }
        ctx.world()
            .unit(ctx.unit())
            .spend(Activity::Communicate, free_s - now_s);
        self.until(free_s)?;
        Ok(false)
    }

    /// Sends a message that must wait for its receive, and begins to wait until the message has
    /// arrived.
    #[cold]
    pub(super) fn send_rendezvous(&mut self, message: &Outgoing) -> Result<bool, Stopped> {
        let ctx = self.ctx();
        let (world, unit) = (ctx.world(), ctx.unit());
        let generation = self.register()?;
        let owner = Owner::Unit { unit, generation };
        world.send_rendezvous((ctx.rank(), unit), message, owner)?;
        world.trace_sends(unit, message);
        Ok(false)
    }

    /// Sends a message through a shared network interface, and begins to wait until the sender is
    /// free.
    #[cold]
    pub(super) fn send_shared(
        &mut self,
        message: &Outgoing,
        origin: Option<Origin>,
    ) -> Result<bool, Stopped> {
        let ctx = self.ctx();
        let (world, from, unit) = (ctx.world(), ctx.rank(), ctx.unit());
        let generation = self.register()?;
        let work = Work::Send {
            from,
            message: *message,
            unit,
            generation,
            origin,
        };
        world.give_work_of(unit, world.now_s(), work);
        Ok(false)
    }

    #[inline]
    pub(crate) fn want(&mut self, lane: Lane<'_>, envelope: Envelope) -> Result<(), Stopped> {
        self.register_lane(lane)?;
        lane.count_steps(1)?;
        lane.want(&envelope);
        Ok(())
    }
}
