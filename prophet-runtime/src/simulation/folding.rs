//! Runs only some of the ranks, which represent all others.
//!
//! If all ranks do the same, except that their partners are shifted by the rank, rank 0 represents
//! all of them ([`Folded`](crate::kernel::local::Folded)). Otherwise, ranks are divided into exact
//! classes:
//!
//! 1. `ways`: ranks that take the same path (their *way*) through the program, with partners at the
//!    same distances, form boxes on a grid. The interpreter narrows a box at each decision. In
//!    collectives that send messages, all ranks must have the same `partners`; otherwise, each
//!    process is simulated.
//! 2. `sweeps`: what a rank does depends only on its way and on the messages that it receives,
//!    because only messages order the ranks. Equal streams of messages have the same number
//!    (`streams`), so ranks with equal keys belong to the same class (`courses`), and only one of
//!    them runs (`stage`).
//! 3. One rank of each class runs again, and counts for its whole class.
//!
//! Nothing is assumed about times: a class contains exactly the ranks whose messages all have the
//! same times.
//!
//! Three cases aren't folded:
//!
//! - Ranks of a binomial tree. Partners at distances of powers of 2 around the root describe the
//!   tree, and ranks have few courses, by level and depth. But a sweep takes messages only one
//!   level further and asks each rank for the streams at all these distances, although a rank sends
//!   only one or two messages. For example, an allreduce by recursive doubling on 2^20 ranks, with
//!   20 messages each, takes 15 s of CPU time in classes. Simulating each rank takes 8 s, or 2.6 s
//!   along a tree.
//! - A linear algorithm. The root has a stream to each rank, and each message leaves after the
//!   previous one, so each rank has its own course.
//! - The sender of a message that waits for its receive. It continues at a time that depends on the
//!   receiver's course. Streams would go both ways, and each sweep would lengthen both courses by
//!   one message and simulate them again from the beginning. The sender's time is known only if one
//!   rank represents all ranks and has posted the receive.

mod courses;
mod partners;
mod stage;
mod streams;
mod sweeps;
mod ways;
use prophet_machine::groups::Groups;
use prophet_machine::noise::Noise;

use super::{Closing, Found, Simulation, Watching, end_s};
use crate::engine::World;
use crate::engine::local::{self, Abandoned};
use crate::engine::process::{ProcessCtx, ProcessProgram};
use crate::kernel::local::Local;
use crate::kernel::{Arena, EXCESS_MAX, Ended, Kernel};
use crate::results::failure::Failure;
use crate::results::outcome::Outcome;
use crate::simulation::choice::{Engine, why_not_local};
use stage::{FAILS, Runner};
use sweeps::Sweeps;

/// Something that folded runs don't support.
const EXCESS: &str = "too many steps at the same time";

impl Simulation<'_> {
    /// Sets whether only one of several processes is simulated if the run can prove that they are
    /// identical. That process then represents all processes or its class.
    ///
    /// The outcome is the same, except for its [`Evaluation`](crate::Evaluation), which says how
    /// many processes were simulated, or why all of them were. Only interpreted programs can be
    /// folded, because it is the interpreter that finds out what depends on the process.
    #[must_use]
    pub fn with_folding(mut self, folding: bool) -> Self {
        self.folding = folding;
        self
    }

    /// Runs the program with some ranks that represent all others, if that is wanted and possible.
    /// Otherwise, calls `otherwise`.
    pub(super) fn folded_or<P: ProcessProgram>(
        &self,
        program: &P,
        watching: &mut Watching<'_>,
        otherwise: impl FnOnce(&mut Watching<'_>) -> Result<Outcome, Failure>,
    ) -> Result<Outcome, Failure> {
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

    /// Runs the program with some ranks that represent all others.
    ///
    /// # Errors
    ///
    /// Returns the reason why that is impossible.
    fn try_folded<P: ProcessProgram>(
        &self,
        program: &P,
        watching: &mut Watching<'_>,
    ) -> Result<Outcome, String> {
        if let Some(why) = self.why_each_process(watching) {
            return Err(why);
        }
        let fails = |_: Failure| FAILS.to_owned();
        self.check_run().map_err(fails)?;
        match self.try_one(program, watching) {
            Ok(outcome) => Ok(outcome),
            Err(Abandoned::Unsuited(what)) => {
                let what = format!("the program uses {what}");
                Runner::with(self, program, watching.observer, |runner| {
                    self.run_classes(runner, what)
                })
            }
            Err(Abandoned::Failed) => Err("the folded run failed".to_owned()),
        }
    }

    /// Runs the program with rank 0, which represents all ranks because all do the same.
    fn try_one<P: ProcessProgram>(
        &self,
        program: &P,
        watching: &mut Watching<'_>,
    ) -> Result<Outcome, Abandoned> {
        let ranks = self.system.processes;
        let ledger = self.ledger();
        let kernel = Kernel::new_local(&self.system, &ledger, Local::folded(ranks));
        let world = World::new(kernel, self.values(), None);
        let contexts = [ProcessCtx::new(&world, 0)];
        let mut arena = Arena::new(contexts.iter().map(|ctx| program(ctx)));
        let _closing = Closing(&world);
        let ended = local::run(&world, &mut arena, watching.observer, &mut None)?;
        // There is a limit for the steps of all ranks at the same instant.
        if world.local.excess.get().saturating_mul(ranks.into()) > EXCESS_MAX {
            return Err(Abandoned::Unsuited(EXCESS));
        }
        world.elements.multiply(u64::from(ranks - 1));
        let processes = Self::processes(&world, 0..1);
        let found = Found {
            devices: world.take_devices(end_s(&processes)),
            processes,
            folded: Some(ranks),
            classes: Vec::new(),
            elements: world.elements,
            meter: None,
            extrapolations: &world.extrapolations,
            cpus_wanted: world.cpus.wanted(),
            has_drawn: world.streams.are_drawn(),
            messages: world.messages() * u64::from(ranks),
            ended,
        };
        Ok(self.outcome_of(found, Engine::Local))
    }

    /// Runs the program with one rank for each class. `differ` says why a single rank can't
    /// represent all.
    ///
    /// # Errors
    ///
    /// Returns the reason why that is impossible or wouldn't save anything.
    fn run_classes(&self, runner: &mut Runner<'_>, differ: String) -> Result<Outcome, String> {
        let ranks = self.system.processes;
        let Some(ways) = ways::ways(runner, ranks)? else {
            return Err(differ);
        };
        let mut sweeps = Sweeps::new(&ways, ranks)?;
        sweeps.run(runner)?;
        let classes = sweeps.classes();
        if classes.len() == ranks as usize {
            return Err(differ);
        }
        runner.on_stage(None, |runner, world| {
            let (mut processes, mut messages, mut excess) = (Vec::new(), 0, 0);
            let mut ended = Ended::default();
            sweeps.set_gathered(world);
            for class in &classes {
                let since = world.elements.sums();
                let (sent, steps) = (world.messages(), world.local.excess.get());
                let run = runner.run(world, class.rank, &sweeps.messages_of(*class))?;
                ended.events += run.ok_or(FAILS)?.events;
                world.elements.repeat(&since, class.count - 1);
                messages += (world.messages() - sent) * class.count;
                excess += (world.local.excess.get() - steps) * class.count;
                processes.extend(Self::processes(world, class.rank..class.rank + 1));
            }
            if excess > EXCESS_MAX {
                return Err(format!("the program uses {EXCESS}"));
            }
            let found = Found {
                devices: world.take_devices(end_s(&processes)),
                processes,
                folded: Some(ranks),
                classes: sweeps.into_places(&classes),
                elements: world.elements,
                meter: None,
                extrapolations: &world.extrapolations,
                cpus_wanted: world.cpus.wanted(),
                has_drawn: world.streams.are_drawn(),
                messages,
                ended,
            };
            Ok(self.outcome_of(found, Engine::Local))
        })
    }

    /// Returns why each process must be simulated, if this is known before the run.
    fn why_each_process(&self, watching: &Watching<'_>) -> Option<String> {
        let system = &self.system;
        let why = if !self.interpreted {
            "the program is compiled"
        } else if self.engine == Engine::Event {
            "the event engine simulates each process"
        } else if watching.trace.is_some() || self.scaled.is_some() {
            "traces and what-if analyses need all processes"
        } else if system.power.is_some() {
            "energy is metered for each process"
        } else if self.repetition {
            "finding repetition needs all processes"
        } else if system.noise != Noise::default() {
            "noise differs between processes"
        } else if system.groups != Groups::default() {
            "nodes differ"
        } else if !system.accelerators.is_empty() {
            "processes have accelerators"
        } else if !system.has_one_process_a_node() {
            "processes are not mapped one per node, in order"
        } else {
            return why_not_local(system);
        };
        Some(why.to_owned())
    }
}
