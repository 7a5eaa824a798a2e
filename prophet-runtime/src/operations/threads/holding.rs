//! Implements what a thread does with a lock: takes it, holds it, and releases it.

use std::task::Poll;

use super::gate::Gate;
use super::turn::candidate;
use crate::engine::process::{ProcessCtx, Wait};
use crate::kernel::{Activity, Spending as _, Wanted};
use crate::language::Stopped;
use crate::omp::{Candidate, LockName};

/// A thread's way through a lock. It asks for the lock, waits, holds it, and releases it.
#[derive(Debug)]
pub(crate) struct Holding<'a> {
    wait: Wait<'a>,
    name: LockName,
    /// The index of the lock, once it has been found.
    lock: usize,
    /// The index of the element that takes the lock.
    element: u32,
    /// The thread as a candidate for the lock, while it is waiting.
    candidate: Option<Candidate>,
    holds: bool,
}

impl<'a> Holding<'a> {
    pub(crate) fn new(ctx: &'a ProcessCtx<'_>, name: LockName, element: u32) -> Self {
        Self {
            wait: Wait::new(ctx),
            name,
            lock: 0,
            element,
            candidate: None,
            holds: false,
        }
    }

    /// Takes the lock if it is free. Otherwise, begins to wait for it.
    fn take(&mut self, candidate: Candidate) -> Result<bool, Stopped> {
        let ctx = self.wait.ctx();
        let world = ctx.world();
        let mut locks = world.omp.locks.locks.borrow_mut();
        let lock = &mut locks[self.lock];
        // A thread that has had the lock in this round and asks again must not go before those with
        // later turns.
        self.holds = lock.holder.is_none() && lock.released != world.omp.turns.rounds();
        if self.holds {
            lock.holder = Some((ctx.unit(), self.element));
            self.candidate = None;
            let waited_s = ctx.now_s() - candidate.since_s;
            world.unit(ctx.unit()).spend(Activity::Wait, waited_s);
            world.trace_synchronized(ctx.unit(), candidate.since_s, lock.last);
        } else {
            let generation = self.wait.register()?;
            let candidate = Candidate {
                generation,
                ..candidate
            };
            self.candidate = Some(candidate);
            lock.enqueue(candidate);
            lock.pass_on(&world.omp.turns, world);
        }
        Ok(self.holds)
    }

    fn wanted(&self) -> Wanted {
        let world = self.wait.ctx().world();
        let holder = world.omp.locks.locks.borrow()[self.lock].holder;
        let Some((unit, element)) = holder else {
            return Wanted {
                text: "its turn".to_owned(),
                process: None,
            };
        };
        let at = world.site(element);
        let at = at.map_or(String::new(), |site| format!(" {site}"));
        let text = match world.members.who(unit).thread {
            Some(thread) => format!("thread {thread} to leave{at}"),
            None => format!("itself to leave{at}"),
        };
        Wanted {
            text,
            process: Some(unit),
        }
    }
}

impl Gate for Holding<'_> {
    fn enter(&mut self) -> Poll<Result<bool, Stopped>> {
        let Some(candidate) = self.candidate else {
            let ctx = self.wait.ctx();
            let world = ctx.world();
            self.lock = world.omp.locks.place(ctx.rank(), self.name);
            self.wait.register()?;
            let candidate = candidate(&self.wait);
            self.candidate = Some(candidate);
            world.omp.turns.ask_lock(world, candidate);
            return Poll::Pending;
        };
        if !self.wait.granted() {
            self.wait.explain(|| self.wanted());
            return Poll::Pending;
        }
        if self.take(candidate)? {
            return Poll::Ready(Ok(true));
        }
        Poll::Pending
    }

    fn leave(&mut self) -> Poll<Result<(), Stopped>> {
        self.holds = false;
        let world = self.wait.ctx().world();
        let mut locks = world.omp.locks.locks.borrow_mut();
        let lock = &mut locks[self.lock];
        lock.holder = None;
        lock.last = self.wait.ctx().unit();
        lock.released = world.omp.turns.rounds();
        lock.pass_on(&world.omp.turns, world);
        Poll::Ready(Ok(()))
    }
}

impl Drop for Holding<'_> {
    /// Releases the lock, leaves the queue, or passes on a turn that the thread got in the
    /// meantime.
    fn drop(&mut self) {
        let world = self.wait.ctx().world();
        if world.closes() {
            return;
        }
        if self.holds {
            let _ = self.leave();
        } else if let Some(candidate) = self.candidate {
            let mut locks = world.omp.locks.locks.borrow_mut();
            let lock = &mut locks[self.lock];
            let who = |other: &Candidate| (other.unit, other.generation);
            let before = lock.queue.len();
            lock.queue.retain(|other| who(other) != who(&candidate));
            if lock.queue.len() == before {
                lock.pass_on(&world.omp.turns, world);
            }
        }
    }
}
