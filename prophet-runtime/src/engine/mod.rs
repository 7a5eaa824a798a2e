//! The event engine: polls processes in the order (time, priority, sequence).
//!
//! An instant has three parts, repeated until nothing is left of it. The units whose time in the
//! event list has come are polled, in the order in which they were scheduled; then those that
//! others woke at this instant, first in first out; then threads that want a lock or the next part
//! of a loop get their turns, and, when none does, the CPUs that units ask for are given away: both
//! may make more units ready.

mod alarms;
mod arena;
mod choice;
mod deadlock;
mod list;
pub(crate) mod local;
mod observer;
mod processes;
mod unit;
mod world;

use std::task::Poll;

pub(crate) use alarms::Task;
pub(crate) use arena::{Arena, Spare, Wrapped};
pub use choice::Engine;
pub(crate) use choice::why_not_local;
pub(crate) use list::UNITS_MAX;
pub(crate) use local::{Found, Lane};
pub(crate) use observer::{Ended, LOOK_EVERY, Nobody, Observer, Progress};
pub(crate) use processes::{Processes, Ranks};
pub(crate) use unit::{More, NO_ELEMENT, Phase, SPARE_UNITS, Unit, add};
pub(crate) use world::{TURNS_MAX, Wanted, World};

use crate::failure::{Cause, Failure};
use crate::stopped::Stopped;

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
        if !world.take_busy() {
            break;
        }
        while let Some(unit) = world.take_ready() {
            executor.resume(unit);
            if world.has_failed() {
                break 'run;
            }
        }
        if world.turns.give(world) {
            continue;
        }
        world.cpus.dispatch(world);
        if world.has_failed() {
            break;
        }
        if world.takes_attention() && !world.has_ready() {
            if world.has_tasks() {
                // A failure is recorded, and found below.
                let _ = world.settle();
                if world.has_failed() {
                    break;
                }
                world.set_busy();
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
        self.events += 1;
        if self.events >= self.next_look {
            self.look();
        }
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
        world.unit(unit).end_s.set(world.now_s());
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
