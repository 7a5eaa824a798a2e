//! What the run loop asks of the processes that it runs.

use std::task::Poll;

use super::world::World;
use crate::engine::process::ProcessCtx;
use crate::kernel::{Arena, Phase, prefetch};
use crate::language::stopped::Stopped;

/// The processes of a run.
pub(crate) trait Processes {
    /// The run stops after that many events.
    fn events_max(&self) -> u64 {
        u64::MAX
    }

    /// Lets a process run until it waits or ends; none when the unit has no process.
    fn poll(&mut self, unit: u32) -> Option<Poll<Result<(), Stopped>>>;

    /// Lets the processor fetch a process that will be polled soon.
    fn prefetch(&self, _: u32) {}

    /// Drops a process that has ended.
    fn end(&mut self, world: &World<'_>, unit: u32);

    /// Answers inquiries when nothing else is left to do at this instant.
    fn answer(&mut self, _: &World<'_>) {}

    /// Whether processes wait though nothing is left to happen.
    fn some_wait(&self, world: &World<'_>, ended: usize) -> bool;

    /// The units of the processes that wait.
    fn waiting(&self, world: &World<'_>) -> Vec<u32>;

    /// How many processes there are or have been.
    fn count(&self, world: &World<'_>) -> u32;

    /// The number by which messages call the process of a unit.
    fn number(&self, unit: u32) -> u32 {
        unit
    }

    /// The name of the process of a unit, if it has one.
    fn name(&self, _: u32) -> Option<String> {
        None
    }
}

/// The processes of a system: their futures, and the contexts that these refer to.
pub(crate) struct Ranks<'c, 'w, F> {
    futures: Arena<F>,
    contexts: &'c [ProcessCtx<'w>],
}

impl<'c, 'w, F: Future> Ranks<'c, 'w, F> {
    pub(crate) fn new(contexts: &'c [ProcessCtx<'w>], futures: Arena<F>) -> Self {
        Self { futures, contexts }
    }
}

impl<F> Processes for Ranks<'_, '_, F>
where
    F: Future<Output = Result<(), Stopped>>,
{
    #[inline]
    fn poll(&mut self, unit: u32) -> Option<Poll<F::Output>> {
        self.futures.poll(unit as usize)
    }

    #[inline]
    fn prefetch(&self, unit: u32) {
        self.futures.prefetch(unit as usize);
        if let Some(ctx) = self.contexts.get(unit as usize) {
            prefetch(ctx);
        }
    }

    fn end(&mut self, world: &World<'_>, unit: u32) {
        self.futures.clear(unit as usize);
        world.unit(unit).phase.set(Phase::Ended);
    }

    fn some_wait(&self, world: &World<'_>, ended: usize) -> bool {
        ended < world.system.processes as usize
    }

    fn waiting(&self, world: &World<'_>) -> Vec<u32> {
        (0..world.system.processes)
            .filter(|unit| world.unit(*unit).phase.get() != Phase::Ended)
            .collect()
    }

    fn count(&self, world: &World<'_>) -> u32 {
        world.system.processes
    }
}
