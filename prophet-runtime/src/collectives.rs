//! Collectives: which calls belong together, and the algorithms, message by message.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::task::{self, Poll};

use crate::elements::Element;
use crate::engine::{Wanted, add};
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

// The algorithms.

/// One thing that a rank does in a collective's algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// It sends to a rank.
    Send(u32),
    /// It receives from a rank.
    Receive(u32),
}

/// The step with this number, from 0, of rank `rank` of `ranks`; none when it has done its part.
///
/// Broadcast is binomial, the largest subtree first; allreduce is recursive doubling; a barrier
/// is dissemination. All messages carry the collective's bytes.
pub(crate) fn step(call: Signature, rank: u32, ranks: u32, number: u32) -> Option<Step> {
    match call.operation {
        Operation::Broadcast => binomial(call.root, rank, ranks, number),
        Operation::AllReduce => recursive_doubling(rank, ranks, number),
        Operation::Barrier => dissemination(rank, ranks, number),
    }
}

/// A rank's parent is itself without its lowest bit, counted from the root.
fn binomial(root: u32, rank: u32, ranks: u32, number: u32) -> Option<Step> {
    let shifted = |rank: u32| (u64::from(rank) + u64::from(root)) % u64::from(ranks);
    #[expect(clippy::cast_possible_truncation, reason = "below the number of ranks")]
    let absolute = |relative: u32| shifted(relative) as u32;
    let relative = if rank >= root {
        rank - root
    } else {
        rank + (ranks - root)
    };
    let (sends_before, lowest) = if relative == 0 {
        (0, u64::from(ranks).next_power_of_two())
    } else {
        let lowest = relative & relative.wrapping_neg();
        if number == 0 {
            return Some(Step::Receive(absolute(relative - lowest)));
        }
        (1, u64::from(lowest))
    };
    // The largest subtree that has a rank at all; all smaller ones have.
    let above = u64::from(ranks - 1 - relative);
    let largest = if above == 0 {
        0
    } else {
        (lowest / 2).min(1 << above.ilog2())
    };
    let subtree = largest
        .checked_shr(number - sends_before)
        .filter(|subtree| *subtree > 0)?;
    let child = u32::try_from(subtree).ok()? + relative;
    Some(Step::Send(absolute(child)))
}

/// As MPICH does it: of the ranks beyond a power of two, the even ones of the first pairs hand
/// their part to their neighbor, which takes part for both and hands the result back.
fn recursive_doubling(rank: u32, ranks: u32, number: u32) -> Option<Step> {
    let rounds = ranks.ilog2();
    let extra = ranks - (1 << rounds);
    let paired = u64::from(rank) < 2 * u64::from(extra);
    if paired && rank.is_multiple_of(2) {
        return match number {
            0 => Some(Step::Send(rank + 1)),
            1 => Some(Step::Receive(rank + 1)),
            _ => None,
        };
    }
    let number = if paired {
        if number == 0 {
            return Some(Step::Receive(rank - 1));
        }
        number - 1
    } else {
        number
    };
    if number / 2 >= rounds {
        return (paired && number == 2 * rounds).then(|| Step::Send(rank - 1));
    }
    let place = if paired { rank / 2 } else { rank - extra };
    let partner = place ^ (1 << (number / 2));
    let partner = if partner < extra {
        partner * 2 + 1
    } else {
        partner + extra
    };
    Some(exchange(number, partner, partner))
}

/// In round r a rank sends 2^r ranks on and receives from 2^r ranks back.
fn dissemination(rank: u32, ranks: u32, number: u32) -> Option<Step> {
    let distance = 1_u32
        .checked_shl(number / 2)
        .filter(|distance| *distance < ranks)?;
    let on = if rank < ranks - distance {
        rank + distance
    } else {
        rank - (ranks - distance)
    };
    let back = if rank >= distance {
        rank - distance
    } else {
        rank + (ranks - distance)
    };
    Some(exchange(number, on, back))
}

/// Even steps send, odd ones receive.
fn exchange(number: u32, to: u32, from: u32) -> Step {
    if number.is_multiple_of(2) {
        Step::Send(to)
    } else {
        Step::Receive(from)
    }
}

// Which calls belong together.

/// The calls of collectives that not all ranks have made yet.
///
/// The nth call of one rank belongs to the nth call of every other.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    open: VecDeque<Call>,
    /// The number of the first open call.
    first: u64,
    /// Emptied lists, for calls to come.
    spare: Vec<Vec<Waiting>>,
}

/// A call of a collective, from the first rank's to the last rank's.
#[derive(Debug)]
struct Call {
    signature: Signature,
    /// The rank that called first.
    rank: u32,
    /// The element that it called.
    element: u32,
    arrived: u32,
    waiting: Vec<Waiting>,
}

/// A rank that waits for others in a collective with a cost.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    unit: u32,
    generation: u32,
    since_s: f64,
    cost_s: f64,
}

impl Calls {
    fn call(&mut self, number: u64) -> Option<&mut Call> {
        let place = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.open.get_mut(place)
    }

    /// Lets a rank make call `number`. When it is the last, the calls that wait there leave.
    ///
    /// # Errors
    ///
    /// The other rank's call, when that is another collective.
    fn enter(
        &mut self,
        number: u64,
        (rank, element): (u32, u32),
        ranks: u32,
        signature: Signature,
    ) -> Result<Option<Vec<Waiting>>, (Signature, u32, u32)> {
        if self.call(number).is_none() {
            let waiting = self.spare.pop().unwrap_or_default();
            self.open.push_back(Call {
                signature,
                rank,
                element,
                arrived: 0,
                waiting,
            });
        }
        let Some(call) = self.call(number) else {
            return Ok(None);
        };
        if call.signature != signature {
            return Err((call.signature, call.rank, call.element));
        }
        call.arrived += 1;
        if call.arrived < ranks {
            return Ok(None);
        }
        let waiting = std::mem::take(&mut call.waiting);
        while self.open.front().is_some_and(|call| call.arrived == ranks) {
            self.open.pop_front();
            self.first += 1;
        }
        Ok(Some(waiting))
    }

    fn wait(&mut self, number: u64, waiting: Waiting) {
        if let Some(call) = self.call(number) {
            call.waiting.push(waiting);
        }
    }

    /// Takes a rank's call back whose wait is dropped while others are missing.
    fn withdraw(&mut self, number: u64, unit: u32, generation: u32) {
        let Some(call) = self.call(number) else {
            return;
        };
        let before = call.waiting.len();
        call.waiting
            .retain(|waiting| (waiting.unit, waiting.generation) != (unit, generation));
        if call.waiting.len() < before {
            call.arrived -= 1;
        }
    }
}

// The future of a call.

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

    /// Joins the other ranks; returns the seconds that it costs, if it has a cost.
    fn begin(&mut self) -> Result<Option<f64>, Stopped> {
        let ctx = self.wait.ctx();
        let world = ctx.world();
        self.start_s = ctx.begin(self.element, self.operation.kind())?;
        ctx.process("root", self.root)?;
        ctx.bytes(self.bytes)?;
        let cost_s = ctx.seconds(self.cost)?;
        let communication = world.communication();
        {
            let mut matching = communication.matching.borrow_mut();
            let calls = matching.calls(ctx.rank());
            self.number = *calls;
            *calls += 1;
        }
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
                self.leave(waiting)?;
                if let Some(cost_s) = cost_s {
                    add(&world.unit(ctx.unit()).communication_s, cost_s);
                    self.wait.until(ctx.now_s() + cost_s)?;
                }
                Ok(cost_s)
            }
            Ok(None) => {
                if let Some(cost_s) = cost_s {
                    let generation = self.wait.register()?;
                    let since_s = ctx.now_s();
                    let waiting = Waiting {
                        unit: ctx.unit(),
                        generation,
                        since_s,
                        cost_s,
                    };
                    communication.calls.borrow_mut().wait(self.number, waiting);
                }
                Ok(cost_s)
            }
        }
    }

    /// All ranks are there: those that waited leave after their own costs.
    fn leave(&self, mut waiting: Vec<Waiting>) -> Result<(), Stopped> {
        let world = self.wait.ctx().world();
        let now_s = world.now_s();
        for Waiting {
            unit,
            since_s,
            cost_s,
            ..
        } in waiting.drain(..)
        {
            add(&world.unit(unit).wait_s, now_s - since_s);
            add(&world.unit(unit).communication_s, cost_s);
            world.resume_at(unit, now_s + cost_s)?;
        }
        world.communication().calls.borrow_mut().spare.push(waiting);
        Ok(())
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
                    self.wait.send(Outgoing {
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
                    self.wait.receive(Incoming {
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
        if this.state == State::New {
            this.state = State::Gathered;
            if this.begin()?.is_some() {
                return Poll::Pending;
            }
            this.state = State::Sending;
        } else if !this.wait.granted() {
            this.wait.explain(|| this.wanted());
            return Poll::Pending;
        }
        if this.state != State::Gathered && !this.go_on()? {
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
            State::New | State::Sending => {}
        }
    }
}

#[cfg(test)]
mod tests;
