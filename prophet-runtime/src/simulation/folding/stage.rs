//! Provides a stage on which ranks run alone, one after another.

use super::partners::Partner;
use super::streams::Sent;
use crate::engine::World;
use crate::engine::local::{self, Abandoned};
use crate::engine::process::{ProcessCtx, ProcessProgram};
use crate::kernel::local::{Alone, Local};
use crate::kernel::{Arena, Ended, Kernel, Observer, Progress};
use crate::language::region::Region;
use crate::simulation::Simulation;

/// Why a run isn't folded.
pub(super) const FAILS: &str = "the run fails";
const INTERRUPTED: &str = "the run is interrupted";

type Run<'r> = dyn Fn(&World<'_>, u32, &mut dyn Observer) -> Result<Ended, Abandoned> + 'r;

/// A simulation whose ranks run alone, one after another.
pub(super) struct Runner<'r> {
    simulation: &'r Simulation<'r>,
    observer: &'r mut dyn Observer,
    /// Runs a world's ready rank until it ends.
    run: &'r Run<'r>,
}

impl<'r> Runner<'r> {
    pub(super) fn with<P, T>(
        simulation: &'r Simulation<'r>,
        program: &P,
        observer: &mut dyn Observer,
        act: impl FnOnce(&mut Runner<'_>) -> T,
    ) -> T
    where
        P: ProcessProgram,
    {
        let run = |world: &World<'_>, rank: u32, observer: &mut dyn Observer| {
            let contexts = [ProcessCtx::new(world, rank)];
            let mut arena = Arena::new(contexts.iter().map(|ctx| program(ctx)));
            let ended = local::run(world, &mut arena, observer, &mut None);
            if ended.is_err() {
                // A wait ends together with its future.
                world.close();
            }
            ended
        };
        act(&mut Runner {
            simulation,
            observer,
            run: &run,
        })
    }

    /// Calls `act` with a new stage. If there is a region, one rank runs for it.
    pub(super) fn on_stage<T>(
        &mut self,
        region: Option<Region>,
        act: impl FnOnce(&mut Self, &World<'_>) -> T,
    ) -> T {
        let simulation = self.simulation;
        let ledger = simulation.ledger();
        let kernel = Kernel::new_local(&simulation.system, &ledger, Local::alone(0, region));
        act(self, &World::new(kernel, simulation.values(), None))
    }

    /// Runs a rank that receives these messages from its partners. Returns `None` if it waits for
    /// other messages. Then the stage is closed.
    ///
    /// # Errors
    ///
    /// Returns the reason why the run can't be folded.
    pub(super) fn run(
        &mut self,
        world: &World<'_>,
        rank: u32,
        messages: &[(Partner, &[Sent])],
    ) -> Result<Option<Ended>, String> {
        world.replace_alone(rank);
        alone(world).clear();
        if let Some(lane) = world.lane(rank) {
            for (partner, sent) in messages {
                let source = partner.of(rank, world.system.processes);
                let letters = sent
                    .iter()
                    .map(|sent| sent.letter(source, partner.context()));
                letters.for_each(|letter| lane.put_aside(rank, &letter));
            }
        }
        match (self.run)(world, rank, self.observer) {
            Ok(ended) if ended.early => Err(INTERRUPTED.to_owned()),
            Ok(ended) => Ok(Some(ended)),
            Err(Abandoned::Unsuited(what)) => Err(format!("the program uses {what}")),
            Err(Abandoned::Failed) if world.has_failed() => Err(FAILS.to_owned()),
            Err(Abandoned::Failed) => Ok(None),
        }
    }

    /// Reports to the observer, which can end the run.
    pub(super) fn look(&mut self, world: &World<'_>, events: u64) -> Result<(), String> {
        let progress = Progress {
            time_s: world.now_of(world.local.first()),
            events,
            messages: world.messages(),
        };
        if self.observer.look(progress).is_break() {
            return Err(INTERRUPTED.to_owned());
        }
        Ok(())
    }
}

pub(super) fn alone<'w>(world: &'w World<'_>) -> &'w Alone {
    let alone = world.local.alone.as_ref();
    alone.expect("ranks run alone on a stage")
}
