//! Collectives: what ranks ask of them, and the future of a call.

mod algorithms;
mod calls;

use std::fmt;
use std::pin::Pin;
use std::task::{self, Poll};

use algorithms::{Step, step};
pub(crate) use calls::Calls;
use calls::Waiting;

use crate::elements::Element;
use crate::engine::{Lane, Wanted, add};
use crate::failure::Cause;
use crate::matching::{Context, Envelope};
use crate::messages::{Incoming, Outgoing};
use crate::price::Cost;
use crate::process::Wait;
use crate::stopped::Stopped;

/// The collectives there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    /// From one rank to all.
    Broadcast,
    /// From all ranks to all, combined.
    AllReduce,
    /// Nobody leaves before all have come.
    Barrier,
}

impl Operation {
    /// The stereotype.
    pub(crate) const fn kind(self) -> &'static str {
        match self {
            Self::Broadcast => "broadcast",
            Self::AllReduce => "allreduce",
            Self::Barrier => "barrier",
        }
    }
}

/// What one rank asks of a collective: all ranks have to ask the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Signature {
    pub(crate) operation: Operation,
    /// The root of a rooted collective, else 0.
    pub(crate) root: u32,
    pub(crate) bytes: u64,
    /// Whether the ranks name its price.
    pub(crate) priced: bool,
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.operation.kind())?;
        match self.operation {
            Operation::Broadcast => write!(f, " of {} bytes from {}", self.bytes, self.root)?,
            Operation::AllReduce => write!(f, " of {} bytes", self.bytes)?,
            Operation::Barrier => {}
        }
        f.write_str(if self.priced {
            " with a cost"
        } else {
            " without a cost"
        })
    }
}

/// The future of a collective's `execute`.
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Collective<'a> {
    wait: Wait<'a>,
    element: &'a Element,
    cost: Cost,
    root: i64,
    bytes: i64,
    start_s: f64,
    /// The number of the call among the rank's collectives.
    number: u64,
    operation: Operation,
    state: State,
    step: u32,
}

/// What a collective is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It has not begun.
    New,
    /// It has a cost and waits for the other ranks, then for its cost.
    Gathered,
    /// It has a cost, and that has passed.
    Over,
    /// Its algorithm sends.
    Sending,
    /// Its algorithm receives.
    Receiving,
}

impl<'a> Collective<'a> {
    pub(crate) fn new(
        wait: Wait<'a>,
        element: &'a Element,
        operation: Operation,
        (root, bytes): (i64, i64),
        cost: Cost,
    ) -> Self {
        Self {
            wait,
            element,
            cost,
            root,
            bytes,
            start_s: 0.0,
            number: 0,
            operation,
            state: State::New,
            step: 0,
        }
    }

    /// Joins the other ranks; returns the state that follows.
    fn begin(&mut self) -> Result<State, Stopped> {
        let ctx = self.wait.ctx();
        let world = ctx.world();
        let lane = ctx.lane();
        self.start_s = match lane {
            None => ctx.begin(self.element, self.operation.kind())?,
            Some(lane) => lane.begin()?,
        };
        ctx.process("root", self.root)?;
        ctx.bytes(self.bytes)?;
        let cost_s = ctx.seconds(self.cost)?;
        let communication = world.communication();
        self.number = match lane {
            None => communication.matching.borrow_mut().count_call(ctx.rank()),
            Some(lane) => lane.count_call(),
        };
        let here = self.signature();
        let entered = communication.calls.borrow_mut().enter(
            self.number,
            (ctx.rank(), self.element.index),
            world.system.processes,
            here,
        );
        match entered {
            Err((there, other, element)) => Err(ctx.fail(Cause::Mismatch {
                call: self.number + 1,
                here: here.to_string(),
                other,
                other_element: world.site(element),
                there: there.to_string(),
            })),
            Ok(Some(waiting)) => {
                let latest_s = self.leave(waiting)?;
                let Some(cost_s) = cost_s else {
                    return Ok(State::Sending);
                };
                let unit = world.unit(ctx.unit());
                add(&unit.wait_s, latest_s - ctx.now_s());
                add(&unit.communication_s, cost_s);
                let Some(lane) = lane else {
                    self.wait.until(latest_s + cost_s)?;
                    return Ok(State::Gathered);
                };
                lane.advance(latest_s + cost_s)?;
                Ok(State::Over)
            }
            Ok(None) => {
                let Some(cost_s) = cost_s else {
                    return Ok(State::Sending);
                };
                let generation = self.wait.register()?;
                let waiting = Waiting {
                    unit: ctx.unit(),
                    generation,
                    since_s: ctx.now_s(),
                    cost_s,
                };
                communication.calls.borrow_mut().wait(self.number, waiting);
                Ok(State::Gathered)
            }
        }
    }

    /// All ranks are there: those that waited leave after their own costs. Returns when the last
    /// came, which is now if the engine orders the ranks by time.
    fn leave(&self, mut waiting: Vec<Waiting>) -> Result<f64, Stopped> {
        let ctx = self.wait.ctx();
        let world = ctx.world();
        let since_s = waiting.iter().map(|waiting| waiting.since_s);
        let latest_s = since_s.fold(ctx.now_s(), f64::max);
        for Waiting {
            unit,
            since_s,
            cost_s,
            ..
        } in waiting.drain(..)
        {
            add(&world.unit(unit).wait_s, latest_s - since_s);
            add(&world.unit(unit).communication_s, cost_s);
            match world.lane(unit) {
                None => world.resume_at(unit, latest_s + cost_s)?,
                Some(lane) => {
                    lane.advance(latest_s + cost_s)?;
                    lane.wake();
                }
            }
        }
        world.communication().calls.borrow_mut().spare.push(waiting);
        Ok(latest_s)
    }

    /// What this rank asks, in the ranges that [`Self::begin`] checks.
    fn signature(&self) -> Signature {
        Signature {
            operation: self.operation,
            root: u32::try_from(self.root).unwrap_or(0),
            bytes: u64::try_from(self.bytes).unwrap_or(0),
            priced: self.cost != Cost::ByMachine,
        }
    }

    /// Does the steps of the algorithm until one takes time; returns whether all are done.
    fn go_on(&mut self) -> Result<bool, Stopped> {
        let ctx = self.wait.ctx();
        let (call, rank) = (self.signature(), ctx.rank());
        let tag = self.number.cast_signed();
        while let Some(step) = step(call, rank, ctx.world().system.processes, self.step) {
            self.step += 1;
            let context = Context::Collective;
            let over = match step {
                Step::Send(dest) => {
                    self.state = State::Sending;
                    let bytes = call.bytes;
                    self.wait.send(&Outgoing {
                        dest,
                        context,
                        tag,
                        bytes,
                        cost_s: None,
                    })?
                }
                Step::Receive(source) => {
                    self.state = State::Receiving;
                    let envelope = Envelope {
                        source,
                        context,
                        tag,
                    };
                    let bytes_max = call.bytes;
                    self.wait.receive(&Incoming {
                        envelope,
                        bytes_max,
                        cost_s: None,
                    })?
                }
            };
            if !over {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// [`Self::go_on`] in the local engine: until a message is not there.
    fn go_on_local(&mut self, lane: Lane<'_>) -> Result<bool, Stopped> {
        let call = self.signature();
        let tag = self.number.cast_signed();
        let (context, bytes, ranks) =
            (Context::Collective, call.bytes, lane.world.system.processes);
        self.state = State::Receiving;
        let next = |number| step(call, lane.rank, ranks, number);
        while let Some(step) = next(self.step) {
            match step {
                Step::Send(dest) => {
                    let message = Outgoing {
                        dest,
                        context,
                        tag,
                        bytes,
                        cost_s: None,
                    };
                    lane.send(&message, true)?;
                }
                Step::Receive(source) => {
                    let envelope = Envelope {
                        source,
                        context,
                        tag,
                    };
                    let message = Incoming {
                        envelope,
                        bytes_max: bytes,
                        cost_s: None,
                    };
                    if !lane.receive(&message)? {
                        self.wait.want(lane, envelope)?;
                        if let Some(Step::Send(dest)) = next(self.step + 1) {
                            lane.expect_send(dest);
                        }
                        return Ok(false);
                    }
                }
            }
            self.step += 1;
        }
        Ok(true)
    }

    fn poll_local(&mut self, lane: Lane<'_>) -> Poll<Result<(), Stopped>> {
        if self.state == State::New {
            if !lane.may_begin() {
                return Poll::Pending;
            }
            self.state = self.begin()?;
            if self.state == State::Gathered {
                return Poll::Pending;
            }
        } else if !self.wait.granted() {
            return Poll::Pending;
        }
        if matches!(self.state, State::Sending | State::Receiving) && !self.go_on_local(lane)? {
            return Poll::Pending;
        }
        lane.finish(self.element, self.operation.kind(), self.start_s);
        Poll::Ready(Ok(()))
    }

    fn wanted(&self) -> Wanted {
        let ctx = self.wait.ctx();
        let (call, ranks) = (self.signature(), ctx.world().system.processes);
        let last = self
            .step
            .checked_sub(1)
            .and_then(|last| step(call, ctx.rank(), ranks, last));
        if let Some(Step::Receive(source)) = last {
            let text = format!("its part from process {source}");
            return Wanted {
                text,
                process: Some(source),
            };
        }
        let communication = ctx.world().communication();
        let arrived = communication
            .calls
            .borrow_mut()
            .call(self.number)
            .map(|call| call.arrived);
        let missing = ranks - arrived.unwrap_or(ranks);
        let process = communication.matching.borrow().first_behind(self.number);
        let text = match process {
            Some(process) if missing > 1 => {
                format!("{missing} processes to join, the first of them process {process}")
            }
            Some(process) => format!("process {process} to join"),
            None => "others to join".to_owned(),
        };
        Wanted { text, process }
    }
}

impl Future for Collective<'_> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut task::Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if let Some(lane) = this.wait.ctx().lane() {
            return this.poll_local(lane);
        }
        if this.state == State::New {
            this.state = this.begin()?;
            if this.state == State::Gathered {
                return Poll::Pending;
            }
        } else if !this.wait.granted() {
            this.wait.explain(|| this.wanted());
            return Poll::Pending;
        }
        if matches!(this.state, State::Sending | State::Receiving) && !this.go_on()? {
            return Poll::Pending;
        }
        this.wait.ctx().finish(this.element, this.start_s);
        Poll::Ready(Ok(()))
    }
}

impl Drop for Collective<'_> {
    fn drop(&mut self) {
        let generation = self.wait.generation();
        if generation == 0 {
            return;
        }
        let ctx = self.wait.ctx();
        match self.state {
            State::Gathered => {
                let mut calls = ctx.world().communication().calls.borrow_mut();
                calls.withdraw(self.number, ctx.unit(), generation);
            }
            State::Receiving => self.wait.withdraw_receive(),
            State::New | State::Sending | State::Over => {}
        }
    }
}

#[cfg(test)]
mod tests;
