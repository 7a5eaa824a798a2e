//! Implements signals between the threads of a process.

use std::pin::Pin;
use std::task::{Context, Poll};

use super::turn::candidate;
use crate::engine::process::{ProcessCtx, Wait};
use crate::kernel::{Activity, Spending as _, Wanted};
use crate::language::Stopped;
use crate::language::element::SignalName;
use crate::omp::Candidate;

/// Sends a signal to the threads of this process. One of them will accept it.
pub(crate) fn send(ctx: &ProcessCtx<'_>, signal: SignalName) {
    let world = ctx.world();
    let place = world.omp.signals.place(ctx.rank(), signal.index);
    let mut boxes = world.omp.signals.boxes.borrow_mut();
    boxes[place].put(ctx.unit(), &world.omp.turns, world);
}

pub(crate) fn accept<'a>(ctx: &'a ProcessCtx<'_>, signal: SignalName) -> Accepting<'a> {
    Accepting {
        wait: Wait::new(ctx),
        signal,
        place: 0,
        candidate: None,
    }
}

#[derive(Debug)]
pub(crate) struct Accepting<'a> {
    wait: Wait<'a>,
    signal: SignalName,
    /// The index of the mailbox, once it has been found.
    place: usize,
    candidate: Option<Candidate>,
}

impl Accepting<'_> {
    /// Asks for a turn, so that threads which accept signals at the same instant do so in the order
    /// of their numbers.
    fn ask(&mut self) -> Result<(), Stopped> {
        let ctx = self.wait.ctx();
        let world = ctx.world();
        self.place = world.omp.signals.place(ctx.rank(), self.signal.index);
        self.wait.register()?;
        let candidate = candidate(&self.wait);
        self.candidate = Some(candidate);
        world.omp.turns.ask_lock(world, candidate);
        Ok(())
    }

    /// Takes a signal if there is one. Otherwise, begins to wait for the next.
    fn take(&mut self, candidate: Candidate) -> Result<bool, Stopped> {
        let ctx = self.wait.ctx();
        let world = ctx.world();
        let mut boxes = world.omp.signals.boxes.borrow_mut();
        let signals = &mut boxes[self.place];
        if signals.take() {
            self.candidate = None;
            let waited_s = ctx.now_s() - candidate.since_s;
            world.unit(ctx.unit()).spend(Activity::Wait, waited_s);
            world.trace_synchronized(ctx.unit(), candidate.since_s, signals.last);
            return Ok(true);
        }
        let generation = self.wait.register()?;
        let candidate = Candidate {
            generation,
            ..candidate
        };
        self.candidate = Some(candidate);
        signals.enqueue(candidate);
        Ok(false)
    }

    fn wanted(&self) -> Wanted {
        let world = self.wait.ctx().world();
        let sent = world.omp.signals.boxes.borrow()[self.place].sent;
        let name = self.signal.name.escape_debug();
        let text = match sent {
            0 => format!("the signal `{name}`, which nothing has sent"),
            1 => format!("the signal `{name}`, which was sent once and has already been accepted"),
            _ => format!("the signal `{name}`, which was sent and accepted {sent} times"),
        };
        Wanted {
            text,
            process: None,
        }
    }
}

impl Future for Accepting<'_> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let Some(candidate) = this.candidate else {
            this.ask()?;
            return Poll::Pending;
        };
        if !this.wait.granted() {
            this.wait.explain(|| this.wanted());
            return Poll::Pending;
        }
        if this.take(candidate)? {
            return Poll::Ready(Ok(()));
        }
        Poll::Pending
    }
}

impl Drop for Accepting<'_> {
    fn drop(&mut self) {
        let world = self.wait.ctx().world();
        if world.closes() {
            return;
        }
        if let Some(candidate) = self.candidate {
            let mut boxes = world.omp.signals.boxes.borrow_mut();
            boxes[self.place].withdraw(candidate, &world.omp.turns, world);
        }
    }
}
