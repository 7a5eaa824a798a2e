//! Lets the kernel run the processes of a system.

use std::ops::ControlFlow;
use std::task::Poll;

use super::deadlock::waits_to_start;
use super::process::ProcessCtx;
use super::world::World;
use crate::kernel::{self, Arena, Observer, Phase, Program, Wanted, prefetch};
use crate::language::Stopped;

/// The processes of a system: their futures, and the contexts that these refer to.
pub(crate) struct Ranks<'c, 'w, F> {
    world: &'c World<'w>,
    contexts: &'c [ProcessCtx<'w>],
    futures: Arena<F>,
    observer: &'c mut dyn Observer,
    ended: u32,
}

impl<'c, 'w, F: Future> Ranks<'c, 'w, F> {
    pub(crate) fn new(
        world: &'c World<'w>,
        contexts: &'c [ProcessCtx<'w>],
        futures: Arena<F>,
        observer: &'c mut dyn Observer,
    ) -> Self {
        Self {
            world,
            contexts,
            futures,
            observer,
            ended: 0,
        }
    }
}

impl<F> Ranks<'_, '_, F> {
    /// Does the first of these tasks that is due: makes units compute at the nodes' new speeds,
    /// ends messages on shared links, matches receives from any source, or charges what has arrived
    /// for waits. Returns `true` if a task was due. Failures are recorded, as always.
    fn decide(&self) -> bool {
        let world = self.world;
        if world.alarms.take_changes() {
            world.cpus.follow_change(world);
            world.set_busy();
            return true;
        }
        if world.settle_flows().unwrap_or(true) {
            world.set_busy();
            return true;
        }
        let ranks = world.alarms.take_ranks();
        if !ranks.is_empty() {
            let _ = world.settle_wildcards(ranks);
            world.set_busy();
            return true;
        }
        let waits = world.alarms.take_waits();
        if waits.is_empty() {
            return false;
        }
        let _ = world.settle_waits(waits);
        world.set_busy();
        true
    }

    /// Lets network interfaces do their work at this instant. Returns `true` if there was any.
    fn work(&self) -> bool {
        let works = self.world.alarms.take_works();
        if works.is_empty() {
            return false;
        }
        let _ = self.world.settle_nics(works);
        self.world.set_busy();
        true
    }
}

impl<F> Program for Ranks<'_, '_, F>
where
    F: Future<Output = Result<(), Stopped>>,
{
    #[inline]
    fn resume(&self, unit: u32) -> u32 {
        self.world.members.resume(unit)
    }

    #[inline]
    fn poll(&mut self, process: u32) -> Option<Poll<F::Output>> {
        self.futures.poll(process as usize)
    }

    #[inline]
    fn prefetch(&self, unit: u32) {
        self.futures.prefetch(unit as usize);
        if let Some(ctx) = self.contexts.get(unit as usize) {
            prefetch(ctx);
        }
    }

    fn end(&mut self, process: u32) {
        self.futures.clear(process as usize);
        self.world.unit(process).phase.set(Phase::Ended);
    }

    fn release(&mut self, process: u32) {
        let world = self.world;
        world.unit(process).latest_s.set(world.now_s());
        self.ended += 1;
        world.cpus.leave(world, process);
    }

    #[inline]
    fn is_busy(&self) -> bool {
        self.world.cpus.is_busy()
    }

    #[inline]
    fn alarm_s(&self) -> f64 {
        self.world.alarms.next_s()
    }

    fn sound(&self) {
        self.world.alarms.sound();
    }

    #[inline]
    fn settle(&mut self) -> Option<u64> {
        let world = self.world;
        if world.takes_attention() {
            if self.decide() {
                return Some(1);
            }
            if world.cpus.admit(world) {
                return Some(0);
            }
        }
        if world.omp.turns.give(world) {
            return Some(0);
        }
        if world.takes_attention() && self.work() {
            return Some(1);
        }
        world.cpus.dispatch(world);
        None
    }

    /// Ends waits for any of several requests, once nothing else is left to do at this instant.
    fn settle_last(&mut self) -> Option<u64> {
        let waits = self.world.alarms.take_choices();
        if waits.is_empty() {
            return None;
        }
        let _ = self.world.settle_choices(waits);
        self.world.set_busy();
        Some(1)
    }

    fn look(&mut self, progress: prophet_sim::kernel::Progress) -> ControlFlow<()> {
        self.observer.look(kernel::Progress {
            time_s: progress.time_s,
            events: progress.events,
            messages: self.world.messages(),
        })
    }

    fn some_wait(&self) -> bool {
        self.ended < self.world.system.processes
    }

    fn waiting(&self) -> Vec<u32> {
        let world = self.world;
        let threads = world.members.units();
        let mut waiting: Vec<u32> = (0..world.system.processes).chain(threads).collect();
        waiting.retain(|unit| world.unit(*unit).phase.get() != Phase::Ended);
        // A process's units are consecutive, with its threads in order.
        waiting.sort_by_key(|unit| world.pid_and_tid(*unit));
        waiting
    }

    fn waits_to_start(&self, unit: u32) -> Option<Wanted> {
        waits_to_start(self.world, unit)
    }
}
