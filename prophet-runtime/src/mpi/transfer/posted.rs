//! Operations that a process begins and waits for later.

use super::Ending;
use crate::engine::process::Wait;
use crate::engine::{Lane, World};
use crate::kernel::Wanted;
use crate::language::element::{Element, Requested};
use crate::language::stopped::Stopped;
use crate::machine::network::{NicClocks, later};
use crate::messages::matching::{ANY_SOURCE, ANY_TAG, Arrived, Envelope, Matching, Owner};
use crate::messages::message::{Begun, Incoming, Outgoing, Part};
use crate::messages::requests::{
    Batch, Completion, Operation, Origin, Progress, Request, Requests, Until, Waiting,
};
use crate::results::failure::Cause;

impl Ending {
    /// A receive that a wait charges from `now_s` on, with its message.
    pub(super) fn of_request(
        waiting: &Waiting,
        request: &Request,
        now_s: f64,
    ) -> Option<(Self, Arrived)> {
        let Operation::Receive { cost_s, .. } = request.operation else {
            return None;
        };
        let Progress::Received(arrived) = request.progress else {
            return None;
        };
        let ending = Self {
            rank: waiting.rank,
            unit: waiting.unit,
            cost_s,
            since_s: now_s,
            from_s: now_s,
            part: Part::Some,
            begun: Some(Begun {
                element: request.origin.element,
                number: request.number,
            }),
        };
        Some((ending, arrived))
    }
}

impl Incoming {
    pub(super) fn operation(&self) -> Operation {
        Operation::Receive {
            envelope: self.envelope,
            bytes_max: self.bytes_max,
            cost_s: self.cost_s,
        }
    }
}

/// A sender that waits for a process to receive its message.
pub(crate) fn wanted_receiver(dest: u32) -> Wanted {
    Wanted {
        text: format!("process {dest} to receive its message"),
        process: Some(dest),
    }
}

impl Envelope {
    /// A receiver that waits for such a message.
    pub(crate) fn wanted(&self) -> Wanted {
        let tag = match self.tag {
            ANY_TAG => "any tag".to_owned(),
            tag => format!("tag {tag}"),
        };
        let (source, process) = match self.source {
            ANY_SOURCE => ("any process".to_owned(), None),
            source => (format!("process {source}"), Some(source)),
        };
        Wanted {
            text: format!("a message with {tag} from {source}"),
            process,
        }
    }
}

impl World<'_> {
    /// The requests of this run.
    pub(super) fn requests(&self) -> std::cell::RefMut<'_, Requests> {
        let communication = self.communication();
        let requests = communication
            .requests
            .get_or_init(|| Requests::new(self.system.processes).into());
        requests.borrow_mut()
    }

    /// Takes a request that no wait of the program finds.
    pub(crate) fn take_request(&self, request: u32) -> Batch {
        self.requests().take_alone(request)
    }

    /// Leaves such a request to the next wait for all of its rank.
    pub(crate) fn leave_request(&self, request: u32) {
        self.requests().adopt(request);
    }

    /// Notes what has become of a request. The unit that waits for it and for nothing else goes
    /// on when all of them are charged.
    pub(super) fn progress(
        &self,
        matching: &mut Matching,
        request: u32,
        progress: Progress,
    ) -> Result<(), Stopped> {
        self.check_progress(request, progress)?;
        let ended = self.requests().progress(request, progress);
        if self.nics.are_shared() && self.charge_met(request) {
            return Ok(());
        }
        let Some(wait) = ended else { return Ok(()) };
        if self.requests().waiting(wait).until == Until::Any {
            self.look_at_choice(wait);
            return Ok(());
        }
        let waiting = self.requests().take_wait(wait);
        let end_s = self.charge(&waiting, matching.clocks(waiting.rank));
        self.resume_at(waiting.unit, end_s)
    }

    /// Fails if a message is larger than the receive that it has met.
    pub(super) fn check_progress(&self, request: u32, progress: Progress) -> Result<(), Stopped> {
        let Progress::Received(arrived) = progress else {
            return Ok(());
        };
        let (origin, operation) = {
            let requests = self.requests();
            let request = requests.get(request);
            (request.origin, request.operation)
        };
        match operation {
            Operation::Receive { bytes_max, .. } => {
                self.check_size(bytes_max, arrived, origin.unit, origin.element)
            }
            Operation::Send { .. } => Ok(()),
        }
    }

    /// Charges what a unit has waited for, by arrival, then in the order of posting; returns when
    /// that ends.
    pub(super) fn charge(&self, waiting: &Waiting, nic: &mut NicClocks) -> f64 {
        let mut now_s = waiting.since_s;
        let requests = self.requests().empty(&waiting.batch);
        for request in requests {
            now_s = self.charge_one(waiting, &request, now_s, nic);
        }
        // A send takes no time of its own: it is the same whenever it is looked at.
        self.wait_for_send(waiting.unit, now_s, waiting.batch.sent)
    }

    /// Charges one request from `now_s` on; returns when that ends.
    pub(super) fn charge_one(
        &self,
        waiting: &Waiting,
        request: &Request,
        now_s: f64,
        nic: &mut NicClocks,
    ) -> f64 {
        if let Some((ending, arrived)) = Ending::of_request(waiting, request, now_s) {
            return later(now_s, self.end_receive(ending, arrived, nic));
        }
        match request.progress {
            Progress::Sent(sent) => self.wait_for_send(waiting.unit, now_s, sent),
            _ => now_s,
        }
    }

    /// Lets a unit wait from `now_s` on until a send is complete; returns when that is.
    pub(super) fn wait_for_send(&self, unit: u32, now_s: f64, sent: Completion) -> f64 {
        if sent.end_s <= now_s {
            return now_s;
        }
        self.charge_send(unit, now_s, sent);
        sent.end_s
    }

    /// What a wait for requests waits for: the first that is open.
    pub(crate) fn describe_wait(&self, state: Completing) -> Wanted {
        let requests = self.requests();
        let open = match state {
            Completing::Open(wait) => requests.first_open(wait),
            Completing::Over | Completing::Timed => None,
        };
        let Some(Request {
            origin, operation, ..
        }) = open
        else {
            return Wanted {
                text: "its messages".to_owned(),
                process: None,
            };
        };
        let site = self.site(origin.element);
        let site = site.map_or_else(String::new, |site| format!(", begun at {site}"));
        let Wanted { text, process } = match *operation {
            Operation::Receive { envelope, .. } => envelope.wanted(),
            Operation::Send { dest } => wanted_receiver(dest),
        };
        let others = match state {
            Completing::Open(wait) => requests.others_that_end(wait),
            Completing::Over | Completing::Timed => 0,
        };
        match others {
            0 => Wanted {
                text: text + &site,
                process,
            },
            // Whoever ends it, no other keeps it from going on.
            _ => Wanted {
                text: format!(
                    "{text}{site}, or for another of its {} requests",
                    others + 1
                ),
                process: None,
            },
        }
    }
}

impl Wait<'_> {
    /// Sends a message without waiting for it; returns whether the sender is free at once, else
    /// waits until it is.
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

    /// What an element of this process begins under the name of a request.
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

    /// Posts a receive; returns its request. One that is `alone` is found by no wait of the
    /// program.
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

    /// The requests of some names, or all; fails when the process has begun none of one of them.
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

    /// The requests of some names, or all, as far as the process has begun any.
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

    /// Waits for requests; returns whether they are over at once, else the number of the wait, if
    /// it is not only for time.
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

    /// Leaves the requests of a wait that is dropped to the next.
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

impl Lane<'_> {
    /// Ends a wait for requests that have all met their partners.
    pub(crate) fn complete(self, state: Completing) -> Result<(), Stopped> {
        let Completing::Open(wait) = state else {
            return Ok(());
        };
        let waiting = self.world.requests().take_wait(wait);
        let end_s = self.with_nic(|nic| self.world.charge(&waiting, nic));
        self.advance(end_s)
    }
}

/// How a wait for requests goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Completing {
    /// It is over.
    Over,
    /// All have met their partners, and time has to pass.
    Timed,
    /// Some have not; the number of the wait in [`Requests`].
    Open(u32),
}
