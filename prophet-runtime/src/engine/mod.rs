//! The event engine: polls processes in the order (time, priority, sequence).
//!
//! An instant has three parts, repeated until nothing is left of it. The units whose time in the
//! event list has come are polled, in the order in which they were scheduled; then those that
//! others woke at this instant, first in first out; then the CPUs that units ask for are given
//! away, which may make more units ready.

mod arena;
mod deadlock;
mod list;
mod unit;
mod world;

use std::task::Poll;

pub(crate) use arena::{Arena, Wrapped};
pub(crate) use list::UNITS_MAX;
pub(crate) use unit::{NO_ELEMENT, Phase, add};
pub(crate) use world::{TURNS_MAX, Wanted, World};

use crate::failure::{Cause, Failure};
use crate::stopped::Stopped;

/// Runs all processes to their ends and returns how many events that took.
pub(crate) fn run<F>(world: &World<'_>, arena: &mut Arena<F>) -> Result<u64, Failure>
where
    F: Future<Output = Result<(), Stopped>>,
{
    let mut executor = Executor {
        world,
        arena,
        events: 0,
        ended: 0,
    };
    loop {
        while let Some(unit) = world.take_due() {
            executor.resume(unit)?;
            world.settle();
        }
        while let Some(unit) = world.take_ready() {
            executor.resume(unit)?;
        }
        world.cpus.dispatch(world);
        if let Some(failure) = world.take_failure() {
            return Err(failure);
        }
        if !world.has_ready() && !world.advance() {
            break;
        }
    }
    if executor.ended < world.units.len() {
        return Err(deadlock::report(world, executor.arena));
    }
    Ok(executor.events)
}

/// A run under way.
struct Executor<'e, 's, F> {
    world: &'e World<'s>,
    arena: &'e mut Arena<F>,
    events: u64,
    ended: usize,
}

impl<F> Executor<'_, '_, F>
where
    F: Future<Output = Result<(), Stopped>>,
{
    /// Lets a unit run until it waits or ends.
    fn resume(&mut self, unit: u32) -> Result<(), Failure> {
        let world = self.world;
        self.events += 1;
        // A step too many is a failure that is recorded, and found below.
        let _ = world.count_step(unit);
        match self.arena.poll(unit as usize) {
            Some(Poll::Pending) if world.unit(unit).phase.get() == Phase::Running => {
                world.fail(Some(unit), Cause::ForeignAwait);
            }
            Some(Poll::Ready(result)) => self.end(unit, result),
            Some(Poll::Pending) | None => {}
        }
        world.take_failure().map_or(Ok(()), Err)
    }

    #[inline(never)]
    fn end(&mut self, unit: u32, result: Result<(), Stopped>) {
        let world = self.world;
        self.arena.clear(unit as usize);
        let state = world.unit(unit);
        state.phase.set(Phase::Ended);
        state.end_s.set(world.now_s());
        self.ended += 1;
        if let Err(stopped) = result {
            // What is recorded already comes first.
            world.fail(
                Some(unit),
                stopped.fault().map_or(Cause::Stopped, Cause::Fault),
            );
        }
    }
}
