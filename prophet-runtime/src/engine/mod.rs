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
mod processes;
mod unit;
mod world;

use std::task::Poll;

pub(crate) use arena::{Arena, Wrapped};
pub use choice::Engine;
pub(crate) use choice::why_not_local;
pub(crate) use list::UNITS_MAX;
pub(crate) use local::Lane;
pub(crate) use processes::Processes;
pub(crate) use unit::{NO_ELEMENT, Phase, add};
pub(crate) use world::{TURNS_MAX, Wanted, World};

use crate::failure::{Cause, Failure};
use crate::stopped::Stopped;

/// Runs all processes to their ends and returns how many events that took.
pub(crate) fn run<P>(world: &World<'_>, processes: &mut P) -> Result<u64, Failure>
where
    P: Processes,
{
    let mut executor = Executor {
        world,
        events_max: processes.events_max(),
        processes,
        events: 0,
        ended: 0,
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
            if world.has_wildcards() {
                // A failure is recorded, and found below.
                let _ = world.settle_wildcards();
                if world.has_failed() {
                    break;
                }
                world.set_busy();
            } else if world.has_inquiry() {
                executor.processes.answer(world);
                world.set_busy();
            } else if world.stops() {
                return Ok(executor.events);
            }
        }
    }
    if let Some(failure) = world.take_failure() {
        return Err(failure);
    }
    if executor.processes.some_wait(world, executor.ended) {
        return Err(deadlock::report(world, executor.processes));
    }
    Ok(executor.events)
}

/// A run under way.
struct Executor<'e, 's, P> {
    world: &'e World<'s>,
    processes: &'e mut P,
    events: u64,
    /// The run stops after that many.
    events_max: u64,
    ended: usize,
}

impl<P: Processes> Executor<'_, '_, P> {
    /// Lets a unit run until it waits or ends.
    #[inline]
    fn resume(&mut self, unit: u32) {
        let world = self.world;
        let process = world.members.resume(unit);
        self.events += 1;
        if self.events >= self.events_max {
            world.stop();
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
