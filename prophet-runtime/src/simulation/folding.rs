//! Runs of which rank 0 stands for all ranks.

use super::{Closing, Found, Simulation, Watching, end_s};
use crate::engine::World;
use crate::engine::local::{self, Abandoned};
use crate::engine::process::ProcessCtx;
use crate::kernel::local::Local;
use crate::kernel::{Arena, EXCESS_MAX, Kernel};
use crate::language::Stopped;
use crate::machine::groups::Groups;
use crate::machine::noise::Noise;
use crate::results::failure::Failure;
use crate::results::outcome::Outcome;
use crate::simulation::choice::{Engine, why_not_local};

impl Simulation<'_> {
    /// Sets whether processes that do the same are simulated once, if that can be shown during the
    /// run: rank 0 then stands for all.
    ///
    /// The outcome is the same, except for its [`Evaluation`](crate::Evaluation), which says for
    /// how many processes rank 0 stands, or why each was simulated. Only interpreted programs can
    /// be folded, since the interpreter sees what depends on the process.
    #[must_use]
    pub fn with_folding(mut self, folding: bool) -> Self {
        self.folding = folding;
        self
    }

    /// Runs the program with rank 0 for all ranks, if that is asked for and possible; otherwise
    /// runs it as `otherwise` does.
    pub(super) fn folded_or<P>(
        &self,
        program: &P,
        watching: &mut Watching<'_>,
        otherwise: impl FnOnce(&mut Watching<'_>) -> Result<Outcome, Failure>,
    ) -> Result<Outcome, Failure>
    where
        P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
    {
        if !self.folding {
            return otherwise(watching);
        }
        let why = match self.try_folded(program, watching) {
            Ok(outcome) => return Ok(outcome),
            Err(why) => why,
        };
        let mut outcome = otherwise(watching)?;
        outcome.evaluation.why_not_folded = Some(why);
        Ok(outcome)
    }

    /// Runs the program with rank 0 for all ranks.
    ///
    /// # Errors
    ///
    /// The reason why that is impossible.
    fn try_folded<P>(&self, program: &P, watching: &mut Watching<'_>) -> Result<Outcome, String>
    where
        P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
    {
        if let Some(why) = self.why_each_process(watching) {
            return Err(why);
        }
        let fails = |_: Failure| "the run fails".to_owned();
        self.check_run().map_err(fails)?;
        let ranks = self.system.processes;
        let ledger = self.ledger();
        let kernel = Kernel::new_local(&self.system, &ledger, Local::folded(ranks));
        let world = World::new(kernel, self.values(), None);
        let contexts = [ProcessCtx::new(&world, 0)];
        let mut arena = Arena::new(contexts.iter().map(|ctx| program(ctx)));
        let _closing = Closing(&world);
        let ended = local::run(&world, &mut arena, watching.observer, &mut None);
        let ended = ended.map_err(|abandoned| match abandoned {
            Abandoned::Unsuited(what) => format!("the program uses {what}"),
            Abandoned::Failed => "the folded run failed".to_owned(),
        })?;
        // Steps of all ranks at one instant are limited.
        if world.local.excess.get().saturating_mul(ranks.into()) > EXCESS_MAX {
            return Err("the program makes very many steps at one instant".to_owned());
        }
        world.elements.multiply(u64::from(ranks - 1));
        let processes = Self::processes(&world, 0..1);
        let found = Found {
            devices: world.take_devices(end_s(&processes)),
            processes,
            folded: Some(ranks),
            elements: world.elements,
            meter: None,
            extrapolations: &world.extrapolations,
            messages: world.messages() * u64::from(ranks),
            ended,
        };
        Ok(self.outcome_of(found, Engine::Local))
    }

    /// Reason why each process is to be simulated, if that is known before.
    fn why_each_process(&self, watching: &Watching<'_>) -> Option<String> {
        let system = &self.system;
        let why = if !self.interpreted {
            "the program is compiled"
        } else if self.engine == Engine::Event {
            "the event engine simulates each process"
        } else if watching.trace.is_some() || self.scaled.is_some() {
            "a trace or a what-if needs each process"
        } else if system.power.is_some() {
            "the energy is metered for each process"
        } else if self.repetition {
            "repetition is found in all processes"
        } else if system.noise != Noise::default() {
            "noise differs between processes"
        } else if system.groups != Groups::default() {
            "nodes differ"
        } else if !system.accelerators.is_empty() {
            "processes have accelerators"
        } else if !system.has_one_process_a_node() {
            "there is not one process for each node, in order"
        } else {
            return why_not_local(system);
        };
        Some(why.to_owned())
    }
}
