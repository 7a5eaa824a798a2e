//! Implements the event engine, which settles requests at the end of each instant.
//!
//! The kernel polls units in the order (time, priority, sequence). When no unit is ready anymore at
//! an instant, the engine matches receives from any source, and charges messages that have arrived
//! for waits. Then it starts units that keep their CPUs. Next come threads that want the next chunk
//! of a loop, and threads that want a lock. The engine assigns network interfaces next, and CPUs
//! last.

mod deadlock;
mod devices;
mod extrapolations;
pub(crate) mod local;
pub(crate) mod process;
mod ranks;
pub(crate) mod repetition;
mod shared_waits;
mod world;

use crate::kernel::{self, Ended};
use crate::language::Stopped;
use crate::results::failure::Failure;
pub(crate) use devices::SimulatedDevice;
pub(crate) use extrapolations::Extrapolations;
pub(crate) use ranks::Ranks;
pub(crate) use world::{Values, World};

/// Runs all processes until they end, or until the observer ends the run.
pub(crate) fn run<F>(world: &World<'_>, ranks: &mut Ranks<'_, '_, F>) -> Result<Ended, Failure>
where
    F: Future<Output = Result<(), Stopped>>,
{
    let ended = kernel::run(world, ranks);
    if let Some(failure) = world.take_failure() {
        return Err(failure);
    }
    match ended.stuck {
        Some(stuck) => Err(deadlock::report(world, stuck)),
        None => Ok(Ended {
            events: ended.events,
            early: ended.early,
        }),
    }
}
