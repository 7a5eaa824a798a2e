//! The event engine: polls processes in the order (time, priority, sequence).
//!
//! An instant has parts, repeated until nothing is left of it. The units whose time in the event
//! list has come are polled, in the order in which they were scheduled; then those that others
//! woke at this instant, first in first out; then receives from whoever sends are decided, and
//! waits for requests charge what is there; units that keep their CPUs start; threads that want
//! the next part of a loop get their turns, then those that want a lock; network interfaces are
//! given away, and CPUs at last. All of that may make more units ready, and what comes later waits
//! until nobody is.

mod deadlock;
pub(crate) mod local;
pub(crate) mod process;
mod processes;
mod shared_waits;
pub(crate) mod waiters;
mod world;

use std::task::Poll;

use crate::kernel::{Ended, LOOK_EVERY, Observer, Phase, Progress};
use crate::language::stopped::Stopped;
use crate::results::failure::{Cause, Failure};
pub(crate) use processes::{Processes, Ranks};
pub(crate) use world::World;

/// Runs all processes to their ends, unless `observer` ends the run before.
pub(crate) fn run<P>(
    world: &World<'_>,
    processes: &mut P,
    observer: &mut dyn Observer,
) -> Result<Ended, Failure>
where
    P: Processes,
{
    let events_max = processes.events_max();
    let mut executor = Executor {
        world,
        processes,
        observer,
        events: 0,
        next_look: events_max.min(LOOK_EVERY),
        events_max,
        ended: 0,
        early: false,
    };
    'run: loop {
        while let Some(unit) = world.take_due(|unit| executor.processes.prefetch(unit)) {
            executor.resume(unit);
            if world.has_failed() {
                break 'run;
            }
        }
        if !world.take_work() {
            break;
        }
        while let Some(unit) = world.take_ready() {
            executor.resume(unit);
            if world.has_failed() {
                break 'run;
            }
        }
        let settled = world.takes_attention() && (executor.decide() || world.cpus.admit(world))
            || world.omp.turns.give(world)
            || world.takes_attention() && executor.work();
        if !settled {
            world.cpus.dispatch(world);
        }
        if world.has_failed() {
            break;
        }
        if settled {
            continue;
        }
        if world.takes_attention() && !world.has_ready() {
            if executor.choose() {
                if world.has_failed() {
                    break;
                }
            } else if world.has_inquiry() {
                executor.processes.answer(world);
                world.set_busy();
            } else if world.stops() {
                return Ok(executor.outcome());
            }
        }
    }
    if let Some(failure) = world.take_failure() {
        return Err(failure);
    }
    if !executor.early && executor.processes.some_wait(world, executor.ended) {
        return Err(deadlock::report(world, executor.processes));
    }
    Ok(executor.outcome())
}

/// A run under way.
struct Executor<'e, 's, P> {
    world: &'e World<'s>,
    processes: &'e mut P,
    observer: &'e mut dyn Observer,
    events: u64,
    /// When so many events have been, it is time to look at more than events.
    next_look: u64,
    /// The run stops after that many.
    events_max: u64,
    ended: usize,
    /// Whether the observer has ended the run.
    early: bool,
}

impl<P: Processes> Executor<'_, '_, P> {
    /// Lets a unit run until it waits or ends.
    #[inline]
    fn resume(&mut self, unit: u32) {
        let world = self.world;
        let process = world.members.resume(unit);
        self.count();
        // A step too many is a failure that is recorded, and found below.
        let _ = world.count_step(unit);
        match self.processes.poll(process) {
            Some(Poll::Pending) if world.unit(unit).phase.get() == Phase::Running => {
                world.fail(Some(unit), Cause::ForeignAwait);
            }
            Some(Poll::Ready(result)) => self.end(process, result),
            Some(Poll::Pending) | None => {}
        }
    }

    /// Decides receives from whoever sends; if there are none, lets waits for requests charge what
    /// is there. Returns whether there was anything. Like those of other work, failures are
    /// recorded.
    fn decide(&mut self) -> bool {
        let world = self.world;
        let ranks = world.alarms.take_ranks();
        if !ranks.is_empty() {
            self.count();
            let _ = world.settle_wildcards(ranks);
            world.set_busy();
            return true;
        }
        let waits = world.alarms.take_waits();
        if waits.is_empty() {
            return false;
        }
        self.count();
        let _ = world.settle_waits(waits);
        world.set_busy();
        true
    }

    /// Lets network interfaces do what they are to do at this instant; returns whether there was
    /// anything.
    fn work(&mut self) -> bool {
        let works = self.world.alarms.take_works();
        if works.is_empty() {
            return false;
        }
        self.count();
        let _ = self.world.settle_nics(works);
        self.world.set_busy();
        true
    }

    /// Ends waits for any of several requests, now that nothing else is to be done at this instant;
    /// returns whether there was anything.
    fn choose(&mut self) -> bool {
        let waits = self.world.alarms.take_choices();
        if waits.is_empty() {
            return false;
        }
        self.count();
        let _ = self.world.settle_choices(waits);
        self.world.set_busy();
        true
    }

    /// Counts an event: that a unit goes on, or that what waits for the end of an instant is done.
    #[inline]
    fn count(&mut self) {
        self.events += 1;
        if self.events >= self.next_look {
            self.look();
        }
    }

    /// Does what is due once in many events.
    #[cold]
    #[inline(never)]
    fn look(&mut self) {
        let world = self.world;
        if self.events >= self.events_max {
            world.stop();
            self.events_max = u64::MAX;
        }
        let progress = Progress {
            time_s: world.now_s(),
            events: self.events,
            messages: world.messages(),
        };
        if self.observer.look(progress).is_break() {
            self.early = true;
            world.halt();
        }
        self.next_look = self.events_max.min(self.events + LOOK_EVERY);
    }

    fn outcome(&self) -> Ended {
        Ended {
            events: self.events,
            early: self.early && self.processes.some_wait(self.world, self.ended),
        }
    }

    #[inline(never)]
    fn end(&mut self, unit: u32, result: Result<(), Stopped>) {
        let world = self.world;
        world.unit(unit).latest_s.set(world.now_s());
        self.processes.end(world, unit);
        self.ended += 1;
        world.cpus.leave(world, unit);
        if let Err(stopped) = result {
            // What is recorded already comes first.
            world.fail(
                Some(unit),
                stopped.fault().map_or(Cause::Stopped, Cause::Fault),
            );
        }
    }
}
