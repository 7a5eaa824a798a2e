//! Implements waits for requests: sends and receives that have begun but not ended.

use crate::engine::process::Wait;
use crate::language::Stopped;
use crate::language::element::{Element, Requested};
use crate::messages::letter::Owner;
use crate::messages::message::{Incoming, Outgoing};
use crate::messages::requests::{Batch, Completion, Operation, Origin, Until, Waiting};
use crate::mpi::transfer::Completing;
use crate::results::failure::Cause;

impl Wait<'_> {
    /// Sends a message without waiting until it arrives. Returns `true` if the sender is free
    /// immediately. Otherwise, begins to wait until it is.
    pub(crate) fn post_send(
        &mut self,
        message: &Outgoing,
        origin: Origin,
    ) -> Result<bool, Stopped> {
        let ctx = self.ctx();
        let (world, rank, now_s) = (ctx.world(), ctx.rank(), ctx.now_s());
        if world.is_rendezvous(rank, message) {
            let operation = Operation::Send { dest: message.dest };
            let owner = Owner::Request(world.requests().open(origin, operation));
            world.send_rendezvous((rank, origin.unit), message, owner)?;
            world.trace_sent(origin.unit, message, now_s);
            return Ok(true);
        }
        if world.nics.are_shared() && world.sends_shared(rank, message) {
            return self.send_shared(message, Some(origin));
        }
        let free_s = world.send(rank, message)?;
        let sent = Completion {
            end_s: free_s,
            start_s: now_s,
            cause: None,
            message: world.last_message(rank, message),
        };
        world.note_sent(origin, message.dest, sent);
        if message.cost_s.is_some() {
            world.trace_sent(origin.unit, message, now_s);
            return Ok(true);
        }
        world.trace_sent(origin.unit, message, free_s);
        self.busy_until(free_s)
    }

    /// Begins a request without a partner. It is complete immediately.
    #[cold]
    pub(crate) fn post_nothing(&self, origin: Origin) {
        let ctx = self.ctx();
        let now_s = ctx
            .lane()
            .map_or_else(|| ctx.now_s(), super::super::mpi::lane::Lane::now_s);
        let over = Completion {
            end_s: now_s,
            start_s: now_s,
            cause: None,
            message: None,
        };
        ctx.world().note_sent(origin, origin.rank, over);
    }

    /// Returns the origin of an operation that an element of this process begins. `name` is the
    /// name of the request.
    #[inline]
    pub(crate) fn origin(&self, element: &Element, name: u32) -> Origin {
        let ctx = self.ctx();
        Origin {
            rank: ctx.rank(),
            unit: ctx.unit(),
            element: element.index,
            name,
        }
    }

    /// Posts a receive, and returns its request. If it is `alone`, the program's waits don't find
    /// it.
    pub(crate) fn post_receive(
        &self,
        message: &Incoming,
        origin: Origin,
        alone: bool,
    ) -> Result<u32, Stopped> {
        let ctx = self.ctx();
        let (world, rank, now_s) = (ctx.world(), ctx.rank(), ctx.now_s());
        let operation = message.operation();
        let request = if alone {
            world.requests().open_alone(origin, operation)
        } else {
            world.requests().open(origin, operation)
        };
        let post = message.post(now_s, Owner::Request(request));
        let mut matching = world.communication().matching.borrow_mut();
        if !message.envelope.is_wild()
            && let Some(letter) = matching.take(rank, &message.envelope)
        {
            world.meet(&mut matching, rank, &post, (&letter, now_s))?;
            return Ok(request);
        }
        matching.post(rank, post);
        if message.envelope.is_wild() {
            world.look_at_wildcards(rank);
        }
        Ok(request)
    }

    /// Takes the requests with these names, or all requests. Fails if the process has never begun a
    /// request with one of the names.
    pub(crate) fn take_requests(&self, requested: Requested) -> Result<Batch, Stopped> {
        let ctx = self.ctx();
        let mut requests = ctx.world().requests();
        let mut taken = Batch::EMPTY;
        for request in requested.names() {
            let name = request.map(|request| request.index);
            let Some(batch) = requests.take(ctx.rank(), name) else {
                let request = request.map_or("", |request| request.name).to_owned();
                return Err(ctx.fail(Cause::NoRequest { request }));
            };
            taken = requests.join(taken, batch);
        }
        Ok(taken)
    }

    /// Takes the requests with these names, or all requests, as far as the process has begun any.
    pub(crate) fn take_begun(&self, requested: Requested) -> Batch {
        let ctx = self.ctx();
        let mut requests = ctx.world().requests();
        let mut taken = Batch::EMPTY;
        for request in requested.names() {
            let name = request.map(|request| request.index);
            if let Some(batch) = requests.take(ctx.rank(), name) {
                taken = requests.join(taken, batch);
            }
        }
        taken
    }

    /// Begins to wait for requests. Returns what the wait is still waiting for.
    pub(crate) fn complete(&mut self, batch: Batch) -> Result<Completing, Stopped> {
        let ctx = self.ctx();
        let (world, since_s) = (ctx.world(), ctx.now_s());
        let mut waiting = Waiting {
            rank: ctx.rank(),
            unit: ctx.unit(),
            generation: 0,
            since_s,
            batch,
            until: Until::All,
        };
        if !batch.is_empty() && ctx.lane().is_none() && world.charges_one_by_one(waiting.rank) {
            world.trace_waits(waiting.unit);
            waiting.generation = self.register()?;
            return Ok(Completing::Open(world.begin_charging(waiting)));
        }
        if batch.open > 0 {
            world.trace_waits(waiting.unit);
            waiting.generation = self.register()?;
            ctx.lane().map_or(Ok(()), |lane| lane.count_steps(1))?;
            return Ok(Completing::Open(world.requests().wait(waiting)));
        }
        if let Some(lane) = ctx.lane() {
            let end_s = lane.with_nic(|nic| world.charge(&waiting, nic));
            lane.advance(end_s)?;
            return Ok(Completing::Over);
        }
        let end_s = {
            let mut matching = world.communication().matching.borrow_mut();
            world.charge(&waiting, matching.clocks(waiting.rank))
        };
        if end_s <= since_s {
            return Ok(Completing::Over);
        }
        self.until(end_s)?;
        Ok(Completing::Timed)
    }

    /// Leaves the requests of a wait that was dropped to later waits.
    pub(crate) fn give_up_requests(&self, state: Completing) {
        let ctx = self.ctx();
        if let Completing::Open(wait) = state {
            let mut requests = ctx.world().requests();
            if requests.give_up(wait, ctx.unit(), self.generation()) {
                ctx.world().forget_charging(wait);
            }
        }
    }
}

/// Waits for any of several requests.
impl Wait<'_> {
    /// Begins to wait for any request in a batch. The batch must not be empty.
    pub(crate) fn complete_any(&mut self, batch: Batch) -> Result<Completing, Stopped> {
        let ctx = self.ctx();
        let world = ctx.world();
        if !world.keeps_sends {
            let problem =
                "a model that waits for any of several requests must call `Model::waits_for_any`";
            return Err(ctx.fail(Cause::System(problem.to_owned())));
        }
        world.trace_waits(ctx.unit());
        let generation = self.register()?;
        let wait = world.requests().wait(Waiting {
            rank: ctx.rank(),
            unit: ctx.unit(),
            generation,
            since_s: ctx.now_s(),
            batch,
            until: Until::Any,
        });
        world.look_at_choice(wait);
        Ok(Completing::Open(wait))
    }

    pub(crate) fn take_chosen(&self) -> Option<u32> {
        let ctx = self.ctx();
        ctx.world().requests().take_chosen(ctx.unit())
    }

    /// Leaves the requests of a wait for any of several, which was dropped, to later waits.
    pub(crate) fn give_up_choice(&self, state: Completing) {
        let world = self.ctx().world();
        if self.take_chosen().is_none()
            && let Completing::Open(wait) = state
        {
            world.alarms.set(world.choice(wait), f64::INFINITY);
            self.give_up_requests(state);
        }
    }
}
